//! Energies and forces of single things: springs, hinges, triangles.

mod grid_forces;
pub mod grid_normals;
pub mod grid_stencil;
mod grid_tile;
pub mod naive_stencil;
mod rsqrt;

/// What a spring of a grid holds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringKind {
    /// To the next point of a row or column.
    Structural,
    /// Across a cell.
    Shear,
    /// To the second point of a row or column.
    Bend,
    /// Two points along and one across, as a knight moves.
    Knight,
}

/// Stiffness and damping of one spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringParams {
    /// Stiffness [N/m].
    pub stiffness: f32,
    /// Damping along the spring [N s/m].
    pub damping: f32,
}
