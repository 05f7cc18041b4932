//! Plays a scene: turns requests and passing time into snapshots. Beside the scene's own solver
//! others may run in step with it; each has a `Take` of its own.
//!
//! A player has no thread of its own; [`crate::session::Session`] gives it one.

mod accumulator;
mod beside;
#[cfg(test)]
mod beside_tests;
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
mod take;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use tkanina_scene::load::LoadedScene;
use tkanina_scene::run::{Record, checkpoint};
use tkanina_scene::schema::Show;

use crate::platform::{self, Clock};
use crate::preferences::Preferences;
use crate::request::Request;
use accumulator::Accumulator;
use beside::Companion;
pub use beside::MOST_BESIDE;
use real_speed::RealSpeed;
use run::Run;
pub(crate) use run::readable;
use take::Take;

/// Simulating goes on for so long at a time before requests are looked at again. [s]
const PATIENCE_S: f64 = 0.008;

/// Plays a scene.
pub struct Player {
    settings: PlayerSettings,
    clock: Clock,
    show: Show,
    playing: bool,
    due: Accumulator,
    real_speed: RealSpeed,
    error: Option<String>,
    serial: u64,
    /// The scene under its own solver.
    own: Take,
    /// The same under others.
    beside: Vec<Companion>,
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
        let nothing = LoadedScene::from_value("nothing", &serde_json::json!({ "format": 1 }), None);
        let nothing = nothing.map_err(|error| error.render())?;
        let own = Take::new(Run::build(Arc::new(nothing))?, settings);
        Ok(Self {
            settings,
            clock: Clock::start(),
            show: Show::default(),
            playing: false,
            due: Accumulator::new(own.run.frame_s()),
            real_speed: RealSpeed::default(),
            error: None,
            serial: 0,
            own,
            beside: Vec::new(),
        })
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
        self.tell();
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
            self.real_speed.pass(wall_dt_s, f64::from(frames) * self.own.run.frame_s());
        }
        self.has_news()
    }

    /// Whether something has changed since the last snapshot.
    pub fn has_news(&self) -> bool {
        self.takes().any(|take| take.published.is_none())
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
                self.takes_mut().for_each(Take::reset);
                self.due.clear();
                self.share_timeline();
            }
            Request::Speed(speed) => self.due.set_speed(speed),
            Request::Seek(frame) => self.seek(frame),
            Request::Show(show) => self.show = show,
            Request::Touch(command) => {
                let frame = self.frame();
                let present = self.takes_mut().filter(|take| take.frame() == frame);
                present.for_each(|take| take.touches.push(command.clone()));
                if self.playing {
                    // Seen in what comes of it.
                    return;
                }
            }
            Request::Timeline { seconds, megabytes } => {
                (self.settings.timeline_s, self.settings.timeline_mb) = (seconds, megabytes);
                self.share_timeline();
            }
            Request::Compare(solvers) => self.compare(solvers),
            Request::Open(_) | Request::Edit(_) | Request::SaveState(_) | Request::Dismiss => {}
        }
        self.tell();
    }

    fn play(&mut self, play: bool) {
        self.playing = play;
        self.due.clear();
        self.real_speed = RealSpeed::default();
        if play {
            let frame = self.frame();
            let retried = self.takes_mut().filter(|take| take.frame() == frame);
            retried.for_each(|take| take.explosion = None);
        }
    }

    fn open(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        self.own.open(loaded)?;
        self.take_over();
        self.begin_beside();
        Ok(())
    }

    fn edit(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        self.own.edit(loaded)?;
        self.take_over();
        self.follow();
        Ok(())
    }

    /// Shows what the scene shows, in its frames.
    fn take_over(&mut self) {
        self.show = self.own.run.loaded.scene.look.show.clone();
        self.due.set_frame(self.own.run.frame_s());
    }

    /// Simulates one frame under every solver that is at the present one: a solver that exploded
    /// stays behind. False if none got on, which also halts.
    fn advance(&mut self) -> bool {
        let frame = self.frame();
        let mut got_on = false;
        for take in self.takes_mut().filter(|take| take.frame() == frame) {
            got_on |= take.advance();
        }
        if !got_on {
            self.playing = false;
            self.tell();
        }
        got_on
    }

    /// Goes to the kept frame nearest to `frame`, of those that all keep who came so far.
    fn seek(&mut self, frame: u64) {
        self.play(false);
        let kept = |at: &u64| self.takes().all(|take| take.history.reaches(*at) != Some(false));
        let frames = self.furthest().history.frames().filter(kept);
        if let Some(frame) = frames.min_by_key(|at| at.abs_diff(frame)) {
            self.takes_mut().for_each(|take| take.seek(frame));
        }
    }

    /// The frame that is simulated.
    fn frame(&self) -> u64 {
        self.takes().map(Take::frame).max().unwrap_or(0)
    }

    /// First and last frame to go to.
    fn kept(&self) -> [u64; 2] {
        let ranges = self.takes().filter_map(|take| take.history.range());
        let both = ranges.reduce(|[a, b], [c, d]| [a.max(c), b.max(d)]);
        both.unwrap_or([self.frame(); 2])
    }

    fn furthest(&self) -> &Take {
        let last = |take: &&Take| take.history.range().map(|[_, last]| last);
        // Of equals the first.
        self.takes().reduce(|a, b| if last(&b) > last(&a) { b } else { a }).unwrap_or(&self.own)
    }

    fn takes(&self) -> impl Iterator<Item = &Take> {
        std::iter::once(&self.own).chain(self.beside.iter().filter_map(|c| c.take.as_ref().ok()))
    }

    fn takes_mut(&mut self) -> impl Iterator<Item = &mut Take> {
        let beside = self.beside.iter_mut().filter_map(|companion| companion.take.as_mut().ok());
        std::iter::once(&mut self.own).chain(beside)
    }

    /// There is something to show.
    fn tell(&mut self) {
        self.takes_mut().for_each(|take| take.published = None);
    }

    fn save_state(&self, path: &Path) -> Result<(), String> {
        let run = &self.own.run;
        let state = checkpoint(&run.loaded, &run.simulation, &Record::default());
        platform::write_checkpoint(path, &state).map_err(|error| readable(&error))
    }
}
