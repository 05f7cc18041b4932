//! Things that store elastic energy: one batch per type, dispatched per batch.

mod bend_angle;
mod gas;
mod grid_energy;
mod grid_forces;
mod grid_normals;
mod grid_stencil;
mod grid_tile;
mod membrane;
mod naive_stencil;
mod rsqrt;
mod spring;
mod tetra;
mod tie;

pub use bend_angle::{AngleBend, AngleBendBatch, BendCoupling, BendScratch};
pub use gas::{GAS_CONSTANT, Gas, GasBatch, GasLaw, GasNow};
pub use grid_normals::grid_normals;
pub(crate) use grid_normals::grid_normals_of_rows;
pub use grid_stencil::{GridStencil, StencilSpring, neighbours_12, neighbours_20};
pub use membrane::{MembraneBatch, MembraneTriangle};
pub use naive_stencil::NaiveCloth;
pub(crate) use rsqrt::rsqrt;
pub use spring::{Spring, SpringBatch, spring_energy};
pub use tetra::TetraBatch;
pub use tie::{Tie, TieEnd};

/// Stiffness and damping of a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringParams {
    /// Stiffness. [N/m]
    pub stiffness: f32,
    /// Damping along the spring. [N·s/m]
    pub damping: f32,
}

/// What a spring resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringKind {
    /// Stretch along warp or weft.
    Structural,
    /// Shear, along a cell's diagonal.
    Shear,
    /// Bending, over two cells.
    Bend,
    /// The knight's-move neighbours of the 20-neighbour stencil.
    Knight,
}
