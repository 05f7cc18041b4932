//! What a user does to a running world.

use glam::Vec3;

/// A change from outside, applied at the start of the next step.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// One push, shared equally by the particles.
    Impulse {
        /// The particles.
        particles: Vec<u32>,
        /// Total. [N·s]
        impulse: Vec3,
    },
    /// A force that acts until it is released or replaced, shared equally.
    Hold {
        /// Names the force.
        id: u32,
        /// The particles.
        particles: Vec<u32>,
        /// Total. [N]
        force: Vec3,
    },
    /// Ends a held force.
    Release {
        /// Its name.
        id: u32,
    },
    /// Changes free fall.
    Gravity {
        /// The new value. [m/s²]
        gravity: Vec3,
    },
}

/// A command and the step before which it was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandRecord {
    /// Steps taken before it.
    pub step: u64,
    /// What was done.
    pub command: Command,
}
