//! The command line as a whole.

use clap::{Parser, Subcommand};

use crate::commands::{
    bench, check, compare, completions, guide, materials, render, run, scenes, schema, view,
};
use crate::failure::Failure;

/// Simulates cloth, soft bodies and fibres from scene files.
#[derive(Debug, Parser)]
#[command(name = "tkanina", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 2 the input is wrong, 3 the simulation exploded, 1 anything else.

Example:
  tkanina run cloth-on-sphere --out out/sphere";

#[derive(Debug, Subcommand)]
enum Command {
    View(view::Args),
    Run(run::Args),
    Render(render::Args),
    Compare(compare::Args),
    /// Measures the page on choosing a solver; `cargo xtask guide` calls it
    #[command(hide = true)]
    Guide(guide::Args),
    Bench(bench::Args),
    Check(check::Args),
    Scenes(scenes::Args),
    Schema(schema::Args),
    Materials(materials::Args),
    Completions(completions::Args),
}

impl Cli {
    /// Does what was asked for.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            None => view::Args::default().run(),
            Some(Command::View(args)) => args.run(),
            Some(Command::Run(args)) => args.run(),
            Some(Command::Render(args)) => args.run(),
            Some(Command::Compare(args)) => args.run(),
            Some(Command::Guide(args)) => args.run(),
            Some(Command::Bench(args)) => args.run(),
            Some(Command::Check(args)) => args.run(),
            Some(Command::Scenes(args)) => args.run(),
            Some(Command::Schema(args)) => args.run(),
            Some(Command::Materials(args)) => args.run(),
            Some(Command::Completions(args)) => args.run(),
        }
    }
}
