//! A closed mesh as the distance to its surface, sampled on a grid (001 §10.2).

mod bake;
mod grid;
mod sweep;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::Vec3;

use super::{Aabb, Closest, ColliderMesh, Hit, Shape};
use grid::Grid;

pub use bake::{FieldError, MAX_NODES};

/// All points where φ < 0: φ is the signed distance to a closed mesh at the nodes of a grid of
/// cell size c, and trilinear between them.
///
/// As the distance d changes by no more than 1 m a metre, |φ − d| ≤ Σ wᵢ|x − xᵢ| ≤ (√3/2) c
/// everywhere. Over a smooth surface of radii of curvature R₁, R₂ it is (c²/8)(1/R₁ + 1/R₂), far
/// less; edges and corners are rounded by a share of c. Normals are ∇φ/|∇φ|, and |∇φ| ≤ √3.
#[derive(Clone, Debug)]
pub struct DistanceField {
    grid: Arc<Grid>,
    mesh: ColliderMesh,
    off: f32,
}

/// How good a field is, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldReport {
    /// Size of a cell c. [m]
    pub cell: f64,
    /// Nodes along each axis.
    pub nodes: [u32; 3],
    /// Memory of the samples. [bytes]
    pub bytes: usize,
    /// No distance is wrong by more: (√3/2) c. [m]
    pub bound: f64,
    /// Farthest that the middles of the mesh's triangles and edges and its vertices are off the
    /// surface φ = 0, as measured. [m]
    pub off: f64,
}

impl DistanceField {
    /// What it is like.
    pub fn report(&self) -> FieldReport {
        let Grid { cell, nodes, values, .. } = self.grid.as_ref();
        let bytes = values.len() * size_of::<f32>();
        let bound = 0.5 * 3.0_f64.sqrt() * cell;
        FieldReport { cell: *cell, nodes: *nodes, bytes, bound, off: f64::from(self.off) }
    }

    /// φ and the unit vector along ∇φ at a point; outside the grid the distance to it is added. One
    /// look at the samples, where [`Shape::closest`] goes on to the surface.
    pub fn sample(&self, point: Vec3) -> (f32, Vec3) {
        let p = point.as_dvec3();
        let inside = self.grid.clamp(p);
        let (value, slope) = self.grid.at(inside);
        let distance = (value + (p - inside).length()) as f32;
        (distance, slope.try_normalize().map_or(Vec3::Y, |n| n.as_vec3()))
    }

    /// The mesh that it was made from.
    pub fn mesh(&self) -> &ColliderMesh {
        &self.mesh
    }
}

impl PartialEq for DistanceField {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.grid, &other.grid)
            || (self.mesh == other.mesh && self.grid.cell == other.grid.cell)
    }
}

impl Shape for DistanceField {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        self.grid.hit(from.as_dvec3(), to.as_dvec3(), f64::from(offset))
    }

    /// Outside the grid the distance to the grid is added: an upper bound.
    fn closest(&self, point: Vec3) -> Closest {
        let p = point.as_dvec3();
        let inside = self.grid.clamp(p);
        let (value, _) = self.grid.at(inside);
        let (surface, normal) = self.grid.project(inside, 0.0);
        let distance = (value + (p - inside).length()) as f32;
        Closest { point: surface.as_vec3(), normal: normal.as_vec3(), distance }
    }

    fn aabb(&self) -> Aabb {
        self.mesh.aabb().grown(self.grid.cell as f32)
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let inside = self.grid.holds(origin.as_dvec3()) && self.signed_distance(origin) < 0.0;
        if inside { Some(0.0) } else { self.mesh.ray(origin, direction) }
    }

    fn is_convex(&self) -> bool {
        false
    }
}
