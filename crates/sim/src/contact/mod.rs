//! Contact of things that are made of triangles.

pub mod aabb_tree;
pub mod ccd;
pub mod certificate;
pub mod closest;
#[cfg(test)]
mod examples;
pub mod pair;
pub mod surface;

pub use aabb_tree::{AabbTree, LeafId};
pub use ccd::{Sweep, first_hit};
pub use certificate::{Certificate, certify, certify_along};
pub use closest::{ClosestPoints, closest};
pub use pair::{PairKind, PairMotion};
pub use surface::Surface;
