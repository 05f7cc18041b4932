//! `tkanina compare`: one scene under many solvers.

mod columns;
mod comparison;
mod json;
pub mod lab;
pub mod reference;
mod report;
mod table;

use std::path::PathBuf;

use miette::miette;
use tkanina_scene::compare::{Count, Entry, EntryError};

use crate::commands::run::cores;
use crate::failure::Failure;
use crate::output;
use comparison::Comparison;
use lab::Lab;
use reference::Choice;

/// Runs a scene under several solvers and compares time, stretch, energy and distance
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A scene file, or the name of a built-in scene (`tkanina scenes`)
    scene: String,
    /// Solvers with commas between them, each KIND[{OPTION=VALUE,…}][@SUBSTEPS]; `scene` is the
    /// scene's own
    #[arg(long, value_name = "LIST")]
    solvers: String,
    /// Replaces a field of the scene; the value is YAML. May be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Steps a frame of all solvers without their own, or `auto`; default: the scene's
    #[arg(long, value_name = "N|auto", value_parser = read_count)]
    substeps: Option<Count>,
    /// Frames to simulate; default: the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    frames: Option<u64>,
    /// Threads; only times depend on them; default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Runs of each solver, of which every frame's shortest time counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// What distances are measured from: SOLVER[@SUBSTEPS] or `none`; default: rk4 well below
    /// its stable step
    #[arg(long, value_name = "SOLVER|none")]
    reference: Option<String>,
    /// Time that the default reference may take; a coarser one is taken if it must be [s]
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = read_seconds)]
    reference_budget_s: f64,
    /// Writes everything, frame by frame, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes a report with plots and pictures to DIR/index.html, which needs no other file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes pictures of all solvers side by side to this PNG file
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// No progress bar and no notes; warnings and errors still show
    #[arg(long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
A solver that explodes or cannot run the scene gets a row that says so. Exit codes: 0 done, \
2 the input is wrong, 3 every solver exploded, 1 anything else.

Examples:
  tkanina compare hanging-default --solvers verlet,rk4,explicit-euler --frames 120
  tkanina compare flag-turbulent --solvers 'verlet,verlet@40,xpbd{iterations=4}@8' --out out/flag";

impl Args {
    /// Everything that can be found wrong is found before the first step.
    pub fn run(self) -> Result<(), Failure> {
        let entries = Entry::list(&self.solvers).map_err(|error| wrong("--solvers", error))?;
        let choice = self.choice()?;
        let lab = Lab {
            scene: &self.scene,
            sets: &self.set,
            substeps: self.substeps,
            frames: self.frames,
            threads: self.threads.map_or_else(cores, usize::from),
            repeat: self.repeat,
            quiet: self.quiet,
        };
        let mut cases = Vec::new();
        for entry in entries {
            cases.push(lab.case(entry, "--solvers")?);
        }
        if let Choice::Entry(entry) = &choice {
            lab.case(entry.clone(), "--reference")?.built()?;
        }
        let places = report::Places::prepare(&self)?;
        let comparison = Comparison::make(&lab, cases, &choice)?;
        let written = places.write(&comparison, &self.command());
        if written.is_err() {
            places.withdraw();
        }
        written?.iter().for_each(|note| output::tell(&format!("warning: {note}")));
        output::print(&table::text(&comparison))?;
        comparison.end()
    }

    fn choice(&self) -> Result<Choice, Failure> {
        match self.reference.as_deref() {
            None => Ok(Choice::Auto { budget_s: self.reference_budget_s }),
            Some("none") => Ok(Choice::None),
            Some(text) => match Entry::parse(text) {
                Ok(entry) => Ok(Choice::Entry(entry)),
                Err(error) => Err(wrong("--reference", error)),
            },
        }
    }

    /// The command that makes this comparison again.
    fn command(&self) -> String {
        let mut words = vec!["tkanina".to_owned(), "compare".to_owned(), quoted(&self.scene)];
        let mut flag = |name: &str, value: String| words.extend([name.to_owned(), quoted(&value)]);
        flag("--solvers", self.solvers.clone());
        self.set.iter().for_each(|set| flag("--set", set.clone()));
        self.substeps.iter().for_each(|count| flag("--substeps", count.to_string()));
        self.frames.iter().for_each(|frames| flag("--frames", frames.to_string()));
        self.threads.iter().for_each(|threads| flag("--threads", threads.to_string()));
        if self.repeat != 1 {
            flag("--repeat", self.repeat.to_string());
        }
        self.reference.iter().for_each(|reference| flag("--reference", reference.clone()));
        words.join(" ")
    }
}

/// As a shell wants it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/@:=+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The flag in front of what is wrong with it.
pub fn wrong(flag: &str, error: EntryError) -> Failure {
    Failure::input(miette!(help = error.help, "{flag}: {}", error.message))
}

fn read_count(text: &str) -> Result<Count, String> {
    text.parse().map_err(|error: EntryError| format!("{error}: {}", error.help))
}

fn read_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds, such as 60".to_owned()),
    }
}
