//! `tkanina guide`: what each solver's exactness costs, over six scenes, and the page about it.

mod ladder;
mod measure;
mod page;
mod scenes;

use std::path::PathBuf;

use tkanina_scene::compare::Entry;
use tkanina_sim::solvers::SolverKind;

use crate::commands::bench::Machine;
use crate::commands::compare::wrong;
use crate::commands::run::cores;
use crate::failure::Failure;
use crate::files::{Together, make_folder, remove_folders, try_to_write};
use crate::output;
use scenes::SCENES;

/// Measures the page on choosing a solver
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder for choosing-a-solver.md and its plots
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Kinds of solvers with commas between them; default: all
    #[arg(long, value_name = "LIST")]
    solvers: Option<String>,
    /// A few frames only: to see that everything works
    #[arg(long)]
    quick: bool,
    /// Threads; default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
}

/// Name of the page, and of the folder with its plots.
const NAME: &str = "choosing-a-solver";

impl Args {
    /// Measures everything, then writes page and plots together.
    pub fn run(self) -> Result<(), Failure> {
        let kinds = self.kinds()?;
        let plots = self.out.join(NAME);
        let made = make_folder(&plots)?;
        let written = self.measure_and_write(&kinds, &plots);
        if written.is_err() {
            remove_folders(&made);
        }
        written
    }

    fn measure_and_write(&self, kinds: &[String], plots: &std::path::Path) -> Result<(), Failure> {
        let path = self.out.join(format!("{NAME}.md"));
        try_to_write(&path, &path)?;
        let effort = measure::Effort {
            quick: self.quick,
            threads: self.threads.map_or_else(cores, usize::from),
            quiet: self.quiet,
        };
        let mut results = Vec::new();
        for scene in SCENES {
            if !self.quiet {
                output::tell(&format!("> {}", scene.title));
            }
            results.push(measure::measure(scene, kinds, &effort)?);
        }
        let mut files = Together::default();
        for result in &results {
            let chart = page::chart(result, kinds).file();
            files.add(&plots.join(format!("{}.svg", result.scene.slug)), chart.as_bytes())?;
        }
        let text = page::text(&results, &Machine::here(), &effort);
        files.add(&path, text.as_bytes())?;
        files.commit()?;
        output::print(&format!("{}: {} scenes\n", path.display(), results.len()))
    }

    fn kinds(&self) -> Result<Vec<String>, Failure> {
        let Some(list) = &self.solvers else {
            return Ok(SolverKind::all().map(|kind| kind.name().to_owned()).collect());
        };
        let entries = Entry::list(list).map_err(|error| wrong("--solvers", error))?;
        Ok(entries.into_iter().filter_map(|entry| entry.kind).collect())
    }
}
