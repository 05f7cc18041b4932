//! Where the time of a frame goes.

use std::sync::{Arc, Mutex, PoisonError};

use tkanina_sim::probe::{Probe, Stage};

use crate::platform::Clock;

/// Time by stage since the last reading, in the order of [`Stage::ALL`].
#[derive(Clone, Debug)]
pub struct Stopwatch {
    shared: Arc<Mutex<Times>>,
}

#[derive(Debug)]
struct Times {
    clock: Clock,
    stage: Stage,
    since_s: f64,
    stage_s: [f64; Stage::ALL.len()],
}

impl Stopwatch {
    /// Stopped at zero.
    pub fn new(clock: Clock) -> Self {
        let times = Times { clock, stage: Stage::Outside, since_s: 0.0, stage_s: [0.0; 5] };
        Self { shared: Arc::new(Mutex::new(times)) }
    }

    /// What a world is to be told.
    pub fn probe(&self) -> Box<dyn Probe> {
        Box::new(self.clone())
    }

    /// Begins a frame.
    pub fn start(&self) {
        self.with(|times| {
            times.stage_s = [0.0; 5];
            times.stage = Stage::Outside;
            times.since_s = times.clock.seconds();
        });
    }

    /// Ends a frame: its time by stage. [ms]
    pub fn stop(&self) -> [f64; 5] {
        self.with(|times| {
            times.switch(Stage::Outside);
            times.stage_s.map(|seconds| 1e3 * seconds)
        })
    }

    fn with<R>(&self, use_times: impl FnOnce(&mut Times) -> R) -> R {
        // Numbers are whole whatever happened to another holder.
        use_times(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Times {
    fn switch(&mut self, stage: Stage) {
        let now = self.clock.seconds();
        self.stage_s[self.stage as usize] += now - self.since_s;
        self.since_s = now;
        self.stage = stage;
    }
}

impl Probe for Stopwatch {
    fn enter(&mut self, stage: Stage) {
        self.with(|times| times.switch(stage));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_share_the_whole_time() {
        let clock = Clock::start();
        let stopwatch = Stopwatch::new(clock);
        let mut probe = stopwatch.probe();
        let begin = clock.seconds();
        stopwatch.start();
        for stage in [Stage::Forces, Stage::Move, Stage::Contacts, Stage::Forces] {
            probe.enter(stage);
            crate::platform::pause(2e-3);
        }
        let by_stage = stopwatch.stop();
        let whole = 1e3 * (clock.seconds() - begin);
        let sum: f64 = by_stage.iter().sum();
        assert!(sum <= whole && by_stage[Stage::Forces as usize] >= 4.0, "{by_stage:?}");
        assert!(by_stage[Stage::Move as usize] >= 2.0 && by_stage[Stage::Limits as usize] == 0.0);
        stopwatch.start();
        assert!(stopwatch.stop()[Stage::Forces as usize] == 0.0);
    }
}
