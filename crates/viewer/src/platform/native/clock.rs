//! Time that passes outside the simulation.

use std::time::{Duration, Instant};

/// Measures time from where it was started.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock at zero.
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// Time since the start. [s]
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::start()
    }
}

/// Lets time pass. Only workers may call this. [s]
pub fn pause(seconds: f64) {
    std::thread::sleep(Duration::from_secs_f64(seconds.clamp(0.0, 1e6)));
}
