//! Pushes on sets of particles.

use glam::Vec3;

/// A push on some particles.
#[derive(Clone, Debug, PartialEq)]
pub struct PointForce {
    /// The particles, each once.
    pub particles: Vec<u32>,
    /// What it does to them.
    pub action: PointAction,
}

/// How and when a push acts. Vectors are totals, shared equally by the particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointAction {
    /// v += J/(n m), once (002: punch).
    Punch {
        /// J. [N·s]
        impulse: Vec3,
        /// When. [s]
        at: f64,
    },
    /// F += F/n while it lasts.
    Hold {
        /// F. [N]
        force: Vec3,
        /// First moment. [s]
        from: f64,
        /// Last moment, possibly infinite. [s]
        until: f64,
    },
}
