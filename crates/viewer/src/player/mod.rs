//! Plays a scene: turns requests and passing time into snapshots.
//!
//! A player has no thread of its own; [`crate::session::Session`] gives it one.

mod accumulator;
mod carry;
mod edit;
#[cfg(test)]
mod file_tests;
mod history;
mod measures;
mod publish;
mod real_speed;
mod run;
mod stopwatch;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use tkanina_scene::load::LoadedScene;
use tkanina_scene::run::{Record, checkpoint};
use tkanina_scene::schema::Show;
use tkanina_sim::commands::Command;
use tkanina_sim::explosion::Explosion;

use crate::platform::{self, Clock};
use crate::preferences::Preferences;
use crate::request::Request;
use crate::snapshot::Snapshot;
use accumulator::Accumulator;
use history::{Budget, History};
use measures::Measures;
use real_speed::RealSpeed;
use run::Run;
pub(crate) use run::readable;
use stopwatch::Stopwatch;

/// Simulating goes on for so long at a time before requests are looked at again. [s]
const PATIENCE_S: f64 = 0.008;

/// Plays a scene.
pub struct Player {
    settings: PlayerSettings,
    clock: Clock,
    stopwatch: Stopwatch,
    run: Run,
    show: Show,
    playing: bool,
    due: Accumulator,
    real_speed: RealSpeed,
    history: History,
    measures: Measures,
    /// What is done to the world at its next step.
    touches: Vec<Command>,
    explosion: Option<Explosion>,
    error: Option<String>,
    generation: u64,
    serial: u64,
    /// What was last made of the present state, unless that has changed since.
    published: Option<Arc<Snapshot>>,
}

/// How a player goes about its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerSettings {
    /// Seconds that the timeline keeps at most. [s]
    pub timeline_s: f64,
    /// Memory that the timeline takes at most. [MB]
    pub timeline_mb: usize,
    /// Threads that simulate.
    pub threads: usize,
}

impl PlayerSettings {
    /// As the user likes it, leaving a core for the window.
    pub fn new(preferences: &Preferences) -> Self {
        Self {
            timeline_s: preferences.timeline_s,
            timeline_mb: preferences.timeline_mb,
            threads: platform::cores().saturating_sub(1).max(1),
        }
    }
}

impl Player {
    /// A player of nothing at all, halted.
    pub fn empty(settings: PlayerSettings) -> Result<Self, String> {
        let clock = Clock::start();
        let stopwatch = Stopwatch::new(clock);
        let nothing = LoadedScene::from_value("nothing", &serde_json::json!({ "format": 1 }), None);
        let nothing = nothing.map_err(|error| error.render())?;
        let run = Run::build(Arc::new(nothing))?;
        let mut player = Self {
            show: Show::default(),
            due: Accumulator::new(run.frame_s()),
            history: History::new(Budget { frames: 0, bytes: 0 }),
            measures: Measures::default(),
            real_speed: RealSpeed::default(),
            touches: Vec::new(),
            settings,
            clock,
            stopwatch,
            run,
            playing: false,
            explosion: None,
            error: None,
            generation: 0,
            serial: 0,
            published: None,
        };
        player.begin();
        Ok(player)
    }

    /// A player of a scene, halted. If it cannot be built, of nothing, with the error to show.
    pub fn new(loaded: Arc<LoadedScene>, settings: PlayerSettings) -> Result<Self, String> {
        let mut player = Self::empty(settings)?;
        player.handle(Request::Open(loaded));
        Ok(player)
    }

    /// Does what is asked. What fails leaves everything as it was, but for the error to show.
    pub fn handle(&mut self, request: Request) {
        let done = match request {
            Request::Open(loaded) => self.open(loaded),
            Request::Edit(loaded) => self.edit(loaded),
            Request::SaveState(path) => self.save_state(&path),
            Request::Dismiss => Ok(()),
            simple => {
                self.control(simple);
                return;
            }
        };
        self.published = None;
        self.error = done.err();
    }

    /// Lets `wall_dt_s` seconds pass; true if there is something new to show.
    pub fn tick(&mut self, wall_dt_s: f64) -> bool {
        if self.playing {
            self.due.pass(wall_dt_s);
            let begin = self.clock.seconds();
            let mut frames = 0;
            while self.playing && self.due.take() {
                frames += u32::from(self.advance());
                if self.clock.seconds() - begin > PATIENCE_S {
                    break;
                }
            }
            self.real_speed.pass(wall_dt_s, f64::from(frames) * self.run.frame_s());
        }
        self.has_news()
    }

    /// Whether something has changed since the last snapshot.
    pub fn has_news(&self) -> bool {
        self.published.is_none()
    }

    /// Whether it plays.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Time until the next frame is due; none while it is halted. [s]
    pub fn wait_s(&self) -> Option<f64> {
        self.playing.then(|| self.due.wait_s())
    }

    fn control(&mut self, request: Request) {
        match request {
            Request::Play(play) => self.play(play),
            Request::StepOnce => {
                self.play(false);
                self.advance();
            }
            Request::Reset => {
                self.run.reset();
                self.begin();
            }
            Request::Speed(speed) => self.due.set_speed(speed),
            Request::Seek(frame) => self.seek(frame),
            Request::Show(show) => self.show = show,
            Request::Touch(command) => {
                self.touches.push(command);
                if self.playing {
                    // Seen in what comes of it.
                    return;
                }
            }
            Request::Timeline { seconds, megabytes } => {
                (self.settings.timeline_s, self.settings.timeline_mb) = (seconds, megabytes);
                let budget = self.budget();
                self.measures.set_most(budget.frames as usize + 1);
                self.history.set_budget(budget);
            }
            Request::Open(_) | Request::Edit(_) | Request::SaveState(_) | Request::Dismiss => {}
        }
        self.published = None;
    }

    fn play(&mut self, play: bool) {
        self.playing = play;
        self.due.clear();
        self.real_speed = RealSpeed::default();
        if play {
            self.explosion = None;
        }
    }

    /// Builds before it lets go of what there is.
    fn open(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        let mut run = Run::build(loaded)?;
        run.equip(self.settings.threads, &self.stopwatch)?;
        self.run = run;
        self.show = self.run.loaded.scene.look.show.clone();
        self.begin();
        Ok(())
    }

    /// Simulates one frame; false if it exploded, which also halts.
    fn advance(&mut self) -> bool {
        self.published = None;
        self.touches.drain(..).for_each(|command| self.run.simulation.world.send(command));
        self.stopwatch.start();
        let done = self.run.simulation.advance();
        let stage_ms = self.stopwatch.stop();
        if let Err(explosion) = done {
            self.explosion = Some(explosion);
            self.playing = false;
            return false;
        }
        self.explosion = None;
        self.remember(stage_ms);
        true
    }

    /// Keeps the present frame.
    fn remember(&mut self, stage_ms: [f64; 5]) {
        let (world, frame) = (&self.run.simulation.world, self.run.simulation.frame());
        self.history.keep(frame, world.state());
        let step_ms = stage_ms.iter().sum();
        let measure = measures::measure(world, frame);
        self.measures.keep(crate::snapshot::Measure { step_ms, stage_ms, ..measure });
    }

    /// What the timeline may keep.
    fn budget(&self) -> Budget {
        let frames = (self.settings.timeline_s / self.run.frame_s()).clamp(1.0, 1e7) as u64;
        Budget { frames, bytes: self.settings.timeline_mb << 20 }
    }

    /// Starts the timeline at the present state of another world.
    fn begin(&mut self) {
        let budget = self.budget();
        self.measures.restart(budget.frames as usize + 1);
        self.history.restart(budget);
        self.enter();
        self.remember([0.0; 5]);
    }

    /// Forgets what belonged to another world.
    fn enter(&mut self) {
        self.touches.clear();
        self.due.set_frame(self.run.frame_s());
        self.explosion = None;
        self.generation += 1;
        self.published = None;
    }

    fn seek(&mut self, frame: u64) {
        self.play(false);
        if let Some((_, state)) = self.history.nearest(frame) {
            self.run.restore(state.clone());
            self.touches.clear();
            self.explosion = None;
        }
    }

    fn save_state(&self, path: &Path) -> Result<(), String> {
        let state = checkpoint(&self.run.loaded, &self.run.simulation, &Record::default());
        platform::write_checkpoint(path, &state).map_err(|error| readable(&error))
    }
}
