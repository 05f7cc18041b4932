//! Contact of things that are made of triangles.

pub mod aabb_tree;

pub use aabb_tree::{AabbTree, LeafId};
