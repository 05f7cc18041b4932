//! Soft bodies as lattices whose overlapping regions each want to be a rigid copy of themselves.
//!
//! gᵢ = mean over the regions r ∋ i of Rᵣ(x⁰ᵢ − c⁰ᵣ) + cᵣ. Rivers and James 2007, "FastLSM: fast
//! lattice shape matching for robust real-time deformation".
//!
//! A mesh is cut into cells ([`Voxels`]); their corners and edges are a [`Lattice`]; [`Regions`]
//! says which vertices belong together; [`ShapeMatching`] finds the goals that vertices are drawn
//! to, [`RegionDamping`] takes away all velocities but the rigid ones; [`Embedding`] carries the mesh.

mod connectivity;
mod damping;
mod embed;
mod fracture;
mod goal;
mod matching;
#[cfg(test)]
mod mesh_tests;
mod node;
mod overlap;
mod regions;
mod rotation;
mod runs;
mod sums;
#[cfg(test)]
mod tests;
mod voxel;
mod whole;
mod window;

pub use connectivity::{Lattice, NOBODY};
pub use damping::RegionDamping;
pub use embed::Embedding;
pub use fracture::{Pieces, pieces, stretched_links};
pub use goal::{Goal, GoalLaw, GoalShape, LatticeShape, outer_faces};
pub use matching::ShapeMatching;
pub(crate) use matching::keep_unit;
pub use regions::Regions;
pub use voxel::{MAX_CELLS, VoxelError, Voxels};
pub(crate) use voxel::{corners, counts};
pub(crate) use whole::turned_by;
pub use whole::{RigidMotion, WholeGoal, WholeMatching};
