//! `tkanina run`.

pub mod explosion;
mod job;
mod outputs;
pub mod progress;
mod summary;

use std::path::PathBuf;

use clap::ValueEnum;
use miette::miette;
use tkanina_scene::build::{NoteLevel, build};
use tkanina_scene::checkpoint;
use tkanina_scene::export::ExportFormat;
use tkanina_scene::run::{Record, restore};

use crate::failure::Failure;
use crate::output;
use crate::scene_args::SceneArgs;
use job::Job;
use outputs::Outputs;

/// Simulates a scene without a window
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,
    /// Frames to simulate; default: the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    frames: Option<u64>,
    /// Threads; the result does not depend on them; default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// What to write of the frames; default: obj if there is an --out, else none
    #[arg(long, value_name = "FORMAT")]
    export: Option<Export>,
    /// Exports every K-th frame only
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Folder for frames and checkpoints; default: out/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes statistics of the run to this file
    #[arg(long, value_name = "FILE.json")]
    stats: Option<PathBuf>,
    /// Writes DIR/checkpoint.tkc every N frames, to resume from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: Option<u64>,
    /// Goes on from a checkpoint of the same scene and settings
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Searches every frame for intersections, in a way that shares nothing with contact: slow
    #[arg(long)]
    verify: bool,
    /// Neither a progress bar nor notes; warnings and errors still show
    #[arg(long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 2 the input is wrong, 3 the simulation exploded (the last good frame is kept), \
1 anything else.

Examples:
  tkanina run cloth-on-sphere --out out/sphere --every 10
  tkanina run flag-turbulent --frames 120 --set 'bodies[0].shape.points=[64,64]' --stats flag.json";

/// What `--export` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Export {
    /// A Wavefront OBJ file a frame
    Obj,
    /// A point cache a body, with its first frame as OBJ
    Pc2,
    /// A binary PLY file a frame
    Ply,
    /// Not built yet
    Gltf,
    /// Not built yet
    Usd,
    /// Nothing
    None,
}

impl Args {
    /// Everything that can be found wrong is found before the first step.
    pub fn run(self) -> Result<(), Failure> {
        let format = self.format()?;
        let loaded = self.scene.open()?;
        let mut simulation = build(&loaded)?;
        for note in &simulation.notes {
            if note.level == NoteLevel::Warning || !self.quiet {
                output::tell(&output::note_line(note));
            }
        }
        if format == Some(ExportFormat::Pc2) && simulation.world.model().edges.may_tear() {
            return Err(Failure::input(miette!(
                help = "export obj or ply, or leave `tear` out of the material",
                "a PC2 file has the same points in every frame, and cloth may tear here"
            )));
        }
        let start = simulation.world.state().x.clone();
        let frames = self.frames.unwrap_or(simulation.schedule.frames);
        let mut record = Record::default();
        if let Some(path) = &self.resume {
            let found = checkpoint::read_for(path, &loaded.hash())?;
            record = restore(&mut simulation, &found)?;
            let done = simulation.frame();
            if done > frames {
                return Err(Failure::input(miette!(
                    help = format!("ask for more: `--frames {}`", done + 1),
                    "checkpoint `{}` is at frame {done}, but only {frames} are asked for",
                    path.display(),
                )));
            }
        }
        let threads = self.threads.map_or_else(cores, usize::from);
        simulation.world.set_threads(threads).map_err(|error| {
            Failure::other(miette!(help = "ask for fewer by `--threads`", "{error}"))
        })?;
        let outputs = Outputs::prepare(&self, format)?;
        let first_step = simulation.world.state().step;
        Job {
            args: &self,
            loaded: &loaded,
            simulation,
            record,
            start,
            frames,
            threads,
            first_step,
            times_ms: Vec::new(),
            outputs,
        }
        .run()
    }

    fn format(&self) -> Result<Option<ExportFormat>, Failure> {
        let chosen = match (self.export, &self.out) {
            (Some(export), _) => export,
            (None, Some(_)) => Export::Obj,
            (None, None) => Export::None,
        };
        match chosen {
            Export::Obj => Ok(Some(ExportFormat::Obj)),
            Export::Ply => Ok(Some(ExportFormat::Ply)),
            Export::None => Ok(None),
            Export::Pc2 if self.resume.is_some() => Err(Failure::input(miette!(
                help = "export obj or ply, or start again without `--resume`",
                "a PC2 file cannot be continued: it holds all frames from the first on"
            ))),
            Export::Pc2 => Ok(Some(ExportFormat::Pc2)),
            Export::Gltf | Export::Usd => {
                let name = if chosen == Export::Gltf { "gltf" } else { "usd" };
                Err(Failure::input(miette!(
                    help = "export obj, pc2 or ply, which other programs read too",
                    "--export {name} is not built yet"
                )))
            }
        }
    }
}

/// Threads where none are asked for.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(1024))
}
