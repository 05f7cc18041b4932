//! `tkanina render`.

mod job;
mod moments;
mod size;
mod target;

use std::path::PathBuf;

use miette::miette;
use tkanina_render::{Gpu, Offscreen, RenderError};
use tkanina_scene::build::{NoteLevel, build};
use tkanina_scene::export::atomic::WriteError;
use tkanina_scene::problem::{did_you_mean, list_names};
use tkanina_stage::{NamedCamera, Stage, StageError, cameras, frame_all};

use crate::commands::run::cores;
use crate::failure::Failure;
use crate::output;
use crate::scene_args::SceneArgs;
use job::Job;
use moments::Moments;
use size::Size;
use target::Target;

/// Draws a scene without a window: a picture or a film
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,
    /// What to write: FILE.png, FILE.gif, FILE.mp4, or a folder for a PNG a frame
    #[arg(long, value_name = "FILE|DIR/")]
    out: PathBuf,
    /// Simulated time of a picture; default: the end of the scene
    #[arg(long, value_name = "SECONDS", conflicts_with = "frames")]
    at: Option<f64>,
    /// Simulated time at which a film starts; default: 0
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// Number of the last frame; default: the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    frames: Option<u64>,
    /// Films every K-th frame only; default: what the kind of file can show
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Frames of the film a second; default: as fast as the simulated time
    #[arg(long, value_name = "RATE")]
    fps: Option<f64>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: Size,
    /// A camera of the scene; default: its first
    #[arg(long, value_name = "NAME")]
    camera: Option<String>,
    /// Threads; the result does not depend on them; default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Neither a progress bar nor notes; warnings and errors still show
    #[arg(long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
What is shown is a part of the scene: `--set look.show.wireframe=true`, \
`--set 'look.show.heat_map={ of: stretch }'`.
MP4 needs the program ffmpeg. Without a graphics card a software driver does \
(Debian, Ubuntu: apt-get install mesa-vulkan-drivers).

Examples:
  tkanina render cloth-on-sphere --out sphere.png --at 2.5
  tkanina render flag-turbulent --out flag.gif --from 2 --frames 240 --size 480x300";

impl Args {
    /// Everything that can be found wrong is found before the first step.
    pub fn run(self) -> Result<(), Failure> {
        let target = Target::of(&self)?;
        let loaded = self.scene.open()?;
        let mut simulation = build(&loaded)?;
        for note in &simulation.notes {
            if note.level == NoteLevel::Warning || !self.quiet {
                output::tell(&output::note_line(note));
            }
        }
        let moments = Moments::of(&self, target, &simulation)?;
        let mut stage = Stage::new(&loaded, &simulation.world)?;
        let shot = stage.shoot(&mut simulation.world, &loaded.scene.look.show);
        let mut camera = choose(cameras(&loaded.scene, shot.bounds), self.camera.as_deref())?;
        if loaded.scene.cameras.is_empty() {
            camera.camera = frame_all(camera.camera, shot.bounds, self.size.aspect());
        }
        let threads = self.threads.map_or_else(cores, usize::from);
        simulation.world.set_threads(threads).map_err(|error| {
            Failure::other(miette!(help = "ask for fewer by `--threads`", "{error}"))
        })?;
        let mut offscreen = Offscreen::new(Gpu::headless()?);
        // The first picture shows whether the adapter can do what is asked for.
        offscreen.picture(&shot.frame, &camera.camera, self.size.0)?;
        Job { args: &self, loaded: &loaded, simulation, moments, stage, camera, offscreen }
            .run(target)
    }
}

/// Draws a scene into `out/`, a picture and a short film, where a window cannot be opened.
pub fn in_place_of_window(scene: &SceneArgs) -> Result<(), Failure> {
    let stem = scene.stem();
    let draw = |ending: &str, frames: u64, size: [u32; 2]| {
        let args = Args {
            scene: scene.clone(),
            out: PathBuf::from(format!("out/{stem}.{ending}")),
            at: None,
            from: None,
            frames: Some(frames),
            every: None,
            fps: None,
            size: Size(size),
            camera: None,
            threads: None,
            quiet: true,
        };
        args.run()
    };
    std::fs::create_dir_all("out")
        .map_err(|e| Failure::input(WriteError::new("out".as_ref(), e)))?;
    draw("png", 150, [1280, 720])?;
    draw("gif", 150, [480, 270])
}

fn choose(mut cameras: Vec<NamedCamera>, name: Option<&str>) -> Result<NamedCamera, Failure> {
    let Some(name) = name else { return Ok(cameras.swap_remove(0)) };
    if let Some(found) = cameras.iter().position(|camera| camera.name == name) {
        return Ok(cameras.swap_remove(found));
    }
    let known = || cameras.iter().map(|camera| camera.name.as_str());
    let listed = format!("the scene has {}", list_names(known()));
    let help = match did_you_mean(name, known()) {
        Some(meant) => format!("did you mean `{meant}`? {listed}"),
        None => listed,
    };
    Err(Failure::input(miette!(help = help, "--camera: there is no camera `{name}`")))
}

impl From<StageError> for Failure {
    fn from(error: StageError) -> Self {
        Self::input(error)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Size { .. } => {
                Self::input(miette!(help = "ask for less by `--size`", "{error}"))
            }
            RenderError::NoAdapter | RenderError::NoDevice { .. } => {
                Self::other(miette!(help = "`tkanina run` simulates without pictures", "{error}"))
            }
            _ => Self::other(miette!("{error}")),
        }
    }
}
