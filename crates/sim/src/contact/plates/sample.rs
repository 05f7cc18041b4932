//! What a plate knows of a point that presses on it.

use glam::DVec2;

/// A point that presses on a plate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub point: u32,
    /// [kg]
    pub mass: f64,
    /// Where along the plate. [m]
    pub along: DVec2,
    /// +1 for what belongs above, −1 for what belongs below. \[1\]
    pub side: f64,
    /// By how much it was nearer than it may be. [m]
    pub lack: f64,
    /// Its way along the plate in the step, and what friction changes of that. [m]
    pub way: DVec2,
    pub stop: DVec2,
}
