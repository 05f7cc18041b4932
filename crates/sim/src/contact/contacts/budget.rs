//! How much a frame may cost.
//!
//! Counted in pairs that are compared, never in time, so that it says the same on any machine. When a
//! frame has spent it, its other steps are not taken: everything stays where it is proven safe and as fast as it is,
//! and simulated time goes more slowly than it should. No look or proof is ever left out for it.

use super::Contacts;

/// Pairs that may be compared in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    most: u64,
    /// All that were compared before the frame.
    before: u64,
}

impl Budget {
    /// `None`: any number.
    pub fn new(most: Option<u64>) -> Self {
        Self { most: most.unwrap_or(u64::MAX).max(1), before: 0 }
    }

    /// A frame begins after so many in all.
    pub fn begin_frame(&mut self, compared: u64) {
        self.before = compared;
    }
}

impl Contacts {
    /// Whether the frame has spent its budget: never before its first step.
    pub fn budget_is_spent(&self) -> bool {
        self.watch.detections() - self.budget.before >= self.budget.most
    }

    /// A step of the solver of `h` [s] is not taken.
    pub fn wait(&mut self, h: f64) {
        self.tally.waited += 1;
        self.tally.waited_s += h;
    }
}
