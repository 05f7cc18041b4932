//! A scene under one solver: its world, its past and what was measured of it.

use std::sync::Arc;

use tkanina_scene::load::LoadedScene;
use tkanina_sim::commands::Command;
use tkanina_sim::explosion::Explosion;

use super::PlayerSettings;
use super::history::{Budget, History};
use super::measures::{self, Measures};
use super::run::Run;
use super::stopwatch::Stopwatch;
use crate::platform::Clock;
use crate::snapshot::{Measure, Snapshot};

/// A scene under one solver. It goes on when it is told to; the player has the clock.
pub(super) struct Take {
    pub settings: PlayerSettings,
    pub stopwatch: Stopwatch,
    pub run: Run,
    pub history: History,
    pub measures: Measures,
    /// What is done to the world at its next step.
    pub touches: Vec<Command>,
    /// Why it stands still, if it exploded.
    pub explosion: Option<Explosion>,
    /// How the course of events that is kept ends, if it exploded.
    end: Option<Explosion>,
    pub generation: u64,
    /// What was last made of the present state, unless that has changed since.
    pub published: Option<Arc<Snapshot>>,
}

impl Take {
    /// At the present state of `run`, from where its past begins.
    pub fn new(run: Run, settings: PlayerSettings) -> Self {
        let mut take = Self {
            settings,
            stopwatch: Stopwatch::new(Clock::start()),
            run,
            history: History::new(Budget { frames: 0, bytes: 0 }),
            measures: Measures::default(),
            touches: Vec::new(),
            explosion: None,
            end: None,
            generation: 0,
            published: None,
        };
        take.begin();
        take
    }

    /// Builds before it lets go of what there is.
    pub fn open(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        let mut run = Run::build(loaded)?;
        run.equip(self.settings.threads, &self.stopwatch)?;
        self.run = run;
        self.begin();
        Ok(())
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.run.reset();
        self.begin();
    }

    /// Frame of the simulation.
    pub fn frame(&self) -> u64 {
        self.run.simulation.frame()
    }

    /// Simulates one frame; false if it exploded, which leaves it at the last good one.
    pub fn advance(&mut self) -> bool {
        self.published = None;
        self.touches.drain(..).for_each(|command| self.run.simulation.world.send(command));
        self.stopwatch.start();
        let done = self.run.simulation.advance();
        let stage_ms = self.stopwatch.stop();
        self.explosion = done.err();
        self.end.clone_from(&self.explosion);
        if self.explosion.is_none() {
            self.remember(stage_ms);
        }
        self.explosion.is_none()
    }

    /// Goes to a frame that is kept, or to the last one if it never came so far.
    pub fn seek(&mut self, frame: u64) {
        if let Some((at, state)) = self.history.nearest(frame) {
            self.explosion = self.end.clone().filter(|_| at < frame);
            self.run.restore(state.clone());
            self.touches.clear();
        }
        self.published = None;
    }

    /// Keeps so much of the past from now on.
    pub fn set_timeline(&mut self, seconds: f64, megabytes: usize) {
        (self.settings.timeline_s, self.settings.timeline_mb) = (seconds, megabytes);
        let budget = self.budget();
        self.measures.set_most(budget.frames as usize + 1);
        self.history.set_budget(budget);
    }

    /// Starts the timeline at the present state of another world.
    pub fn begin(&mut self) {
        let budget = self.budget();
        self.measures.restart(budget.frames as usize + 1);
        self.history.restart(budget);
        self.enter();
        self.remember([0.0; 5]);
    }

    /// Forgets what belonged to another world.
    pub fn enter(&mut self) {
        self.touches.clear();
        (self.explosion, self.end) = (None, None);
        self.generation += 1;
        self.published = None;
    }

    /// Keeps the present frame.
    fn remember(&mut self, stage_ms: [f64; 5]) {
        let (world, frame) = (&self.run.simulation.world, self.run.simulation.frame());
        self.history.keep(frame, world.state());
        let step_ms = stage_ms.iter().sum();
        let measure = measures::measure(world, frame);
        self.measures.keep(Measure { step_ms, stage_ms, ..measure });
    }

    /// What the timeline may keep.
    fn budget(&self) -> Budget {
        let frames = (self.settings.timeline_s / self.run.frame_s()).clamp(1.0, 1e7) as u64;
        Budget { frames, bytes: self.settings.timeline_mb << 20 }
    }
}
