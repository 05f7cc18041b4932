//! The physics of Tkanina: particles, springs, air, colliders, integrators.
//!
//! This crate reads no file, no clock, no environment and no random seed that
//! it was not given. The same [`model::Model`], [`state::State`] and step give
//! the same bits on any number of threads and on any machine.

pub mod colliders;
pub mod forces;
pub mod motion;
pub mod parallel;
pub mod rng;
pub mod soa;
