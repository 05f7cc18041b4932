//! Runs scenes with a clock beside them.

use std::time::Instant;

use miette::miette;
use tkanina_scene::build::{BuildError, NoteLevel, Simulation, build};
use tkanina_scene::compare::{Count, Entry, Track, Trajectory};
use tkanina_scene::load::{LoadedScene, Override};
use tkanina_scene::schema::Scene;

use crate::commands::run::progress::Progress;
use crate::failure::Failure;

/// What all runs have in common.
pub struct Lab<'a> {
    /// Name of the scene.
    pub scene: &'a str,
    /// What is changed in it.
    pub sets: &'a [String],
    /// Steps a frame where a solver has none of its own; none: the scene's.
    pub substeps: Option<Count>,
    /// Frames; none: the scene's.
    pub frames: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// Runs of each.
    pub repeat: u32,
    /// Whether there is no progress bar.
    pub quiet: bool,
}

/// A solver that is to run the scene.
pub struct Case {
    /// How it was asked for.
    pub entry: Entry,
    /// The scene under it.
    pub loaded: LoadedScene,
    /// Its world at the start, or why there is none.
    pub simulation: Result<Simulation, BuildError>,
}

/// What is looked at while a run goes on.
#[derive(Default)]
pub struct Watch<'a> {
    /// What distances are measured from.
    pub against: Option<&'a Trajectory>,
    /// Frames whose states are kept.
    pub moments: &'a [u64],
    /// Takes all positions.
    pub keep: Option<&'a mut Trajectory>,
}

impl Lab<'_> {
    /// The scene under a solver. A scene or an option that is wrong is wrong input; a solver
    /// that cannot run the scene is a case with a reason.
    pub fn case(&self, entry: Entry, flag: &str) -> Result<Case, Failure> {
        let mut overrides = Override::of_sets(self.sets);
        overrides.extend(entry.overrides(flag, self.substeps));
        let loaded = Scene::open_overridden(self.scene, &overrides)?;
        let simulation = self.build(&loaded)?;
        if let Ok(simulation) = &simulation
            && self.frames(simulation) == 0
        {
            return Err(Failure::input(miette!(
                help = "ask for some by `--frames 120` or `--set time.duration_s=2`",
                "`{}` lasts 0 s, which is no frame to compare",
                self.scene
            )));
        }
        Ok(Case { entry, loaded, simulation })
    }

    fn build(&self, loaded: &LoadedScene) -> Result<Result<Simulation, BuildError>, Failure> {
        let mut simulation = match build(loaded) {
            Ok(simulation) => simulation,
            Err(error) => return Ok(Err(error)),
        };
        simulation.world.keep_command_log(false);
        simulation.world.set_threads(self.threads).map_err(|error| {
            Failure::other(miette!(help = "ask for fewer by `--threads`", "{error}"))
        })?;
        Ok(Ok(simulation))
    }

    /// Frames of a run.
    pub fn frames(&self, simulation: &Simulation) -> u64 {
        self.frames.unwrap_or(simulation.schedule.frames)
    }

    /// Runs a case to its end, as often as asked, and leaves its world there.
    pub fn run(&self, case: &mut Case, mut watch: Watch<'_>) -> Result<Option<Track>, Failure> {
        let label = case.entry.label.clone();
        let Ok(simulation) = &mut case.simulation else { return Ok(None) };
        let mut track = self.once(simulation, &label, &mut watch);
        for _ in 1..self.repeat {
            let Ok(mut again) = self.build(&case.loaded)? else { break };
            let times = self.once(&mut again, &label, &mut Watch::default());
            track.take_shorter_times(&times);
        }
        Ok(Some(track))
    }

    /// One run from where the simulation stands.
    pub fn once(&self, simulation: &mut Simulation, label: &str, watch: &mut Watch<'_>) -> Track {
        let frames = self.frames(simulation);
        let mut progress = Progress::new(frames, 0, self.quiet).named(label);
        let mut track = Track::new(simulation);
        let mut explosion = None;
        while simulation.frame() < frames {
            let before = Instant::now();
            let advanced = simulation.advance();
            let took_ms = 1e3 * before.elapsed().as_secs_f64();
            if let Err(found) = advanced {
                explosion = Some(found);
                break;
            }
            track.see(simulation, took_ms, watch.against);
            let frame = simulation.frame();
            if let Some(positions) = &mut watch.keep {
                positions.keep(frame, &simulation.world.state().x);
            }
            if watch.moments.contains(&frame) {
                track.keep(simulation);
            }
            progress.frame(frame, simulation.world.state().time, took_ms);
        }
        track.finish(simulation, explosion.as_ref());
        progress.clear();
        track
    }
}

impl Case {
    /// The same if it can be run; if not, why.
    pub fn built(self) -> Result<Self, Failure> {
        match self.simulation {
            Ok(_) => Ok(self),
            Err(error) => Err(error.into()),
        }
    }

    /// Why it cannot be run, in a sentence.
    pub fn reason(&self) -> Option<String> {
        let error = self.simulation.as_ref().err()?;
        let BuildError::Scene(scene) = error else { return Some(error.to_string()) };
        match scene.problems() {
            [] => Some(error.to_string()),
            problems => {
                let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
                Some(messages.join("; "))
            }
        }
    }

    /// What its world warns of.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        let notes = self.simulation.iter().flat_map(|simulation| &simulation.notes);
        notes.filter(|note| note.level == NoteLevel::Warning).map(|note| note.text.as_str())
    }
}
