//! Contact of things that are made of triangles.

pub mod aabb_tree;
pub mod surface;

pub use aabb_tree::{AabbTree, LeafId};
pub use surface::Surface;
