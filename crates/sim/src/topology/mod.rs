//! What is connected to what. Only this room makes or changes connectivity.

mod closed;
mod from_mesh;
mod grid;
mod irregular;
mod sewn;
mod tetra_mesh;

pub use closed::{Openings, close};
pub(crate) use from_mesh::hinges;
pub use from_mesh::{MeshConnections, MeshReport, connect_mesh};
pub use grid::{GridPlane, GridShape};
pub use irregular::IrregularSheet;
pub use sewn::SewnMesh;
pub use tetra_mesh::TetraMesh;

/// Area share of each vertex: a third of every triangle at it. [m²]
pub fn vertex_areas(points: &[glam::Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut areas = vec![0.0f64; points.len()];
    for t in triangles {
        let [a, b, c] = t.map(|i| points[i as usize].as_dvec3());
        let third = (b - a).cross(c - a).length() / 6.0;
        for &i in t {
            areas[i as usize] += third;
        }
    }
    areas.into_iter().map(|a| a as f32).collect()
}
