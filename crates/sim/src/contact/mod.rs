//! Contact of things that are made of triangles, and of strands that are made of segments.

// Axes, lanes and points are numbers that several arrays share.
#![allow(clippy::needless_range_loop)]

pub mod aabb_tree;
mod bounce;
mod calm;
pub mod candidates;
pub mod ccd;
pub mod certificate;
pub mod closest;
mod contacts;
#[cfg(test)]
mod examples;
mod flat;
mod ground;
mod groups;
mod narrow;
pub mod pair;
pub(crate) mod parting;
pub mod pieces;
mod plates;
pub mod rules;
mod safety;
mod seek;
mod segments;
mod settle;
mod setup;
mod spare;
pub mod surface;
pub mod swept;
mod tally;
mod tangle;
mod tight;
mod watch;

pub use aabb_tree::{AabbTree, LeafId};
pub use ccd::{Sweep, first_hit};
pub use certificate::{Certificate, certify, certify_along};
pub use closest::{ClosestPoints, closest};
pub use contacts::Contacts;
pub use pair::{PairKind, PairMotion};
pub use pieces::Pieces;
pub use setup::{BodyContact, ContactLaw, Rub};
pub use surface::Surface;
pub use tally::{Lag, Tally};
pub use tangle::{Tangle, TangledPair};
