//! Tetrahedra inside a closed surface.

mod bcc;
mod block;
mod stuffing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use crate::colliders::NearestTriangle;
use crate::lattice::{VoxelError, corners, counts};
use bcc::Bcc;

/// A solid of tetrahedra: none inside out, neighbours share whole faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetraMesh {
    /// Points. [m]
    pub points: Vec<Vec3>,
    /// Corners of each tetrahedron, (b − a)·((c − a) × (d − a)) > 0: seen from the first, the other
    /// three go round clockwise.
    pub tetras: Vec<[u32; 4]>,
}

impl TetraMesh {
    /// Fills a closed surface, concave or not, with tetrahedra about `spacing` wide [m]. What of it
    /// is thinner is lost, and edges are rounded by as much.
    ///
    /// Isosurface stuffing (Labelle and Shewchuk 2007): a body-centred cubic lattice, whose
    /// tetrahedra are all alike and nearly regular, is cut at the surface, after lattice points near
    /// it were moved onto it, so that no cut leaves slivers.
    pub fn fill(points: &[Vec3], triangles: &[[u32; 3]], spacing: f64) -> Result<Self, VoxelError> {
        let corners = corners(points, triangles)?;
        let (low, high) = corners
            .iter()
            .flatten()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(*p), high.max(*p))
            });
        let (cells, spacing) = counts((high - low).to_array(), spacing)?;
        // One cell more on each side: all of the border is outside.
        let cells = cells.map(|n| n + 2);
        let size = spacing * DVec3::from_array(cells.map(|n| n as f64));
        let lattice = Bcc { cells, spacing, origin: 0.5 * (low + high) - 0.5 * size };
        let surface = NearestTriangle::new(points, triangles);
        let mesh = stuffing::stuff(&lattice, &surface);
        if mesh.tetras.is_empty() { Err(VoxelError::TooWide(spacing)) } else { Ok(mesh) }
    }

    /// Volume of one tetrahedron. [m³]
    pub fn volume_of(&self, tetra: [u32; 4]) -> f64 {
        let [a, b, c, d] = tetra.map(|v| self.points[v as usize].as_dvec3());
        (b - a).dot((c - a).cross(d - a)) / 6.0
    }

    /// Volume. [m³]
    pub fn volume(&self) -> f64 {
        self.tetras.iter().map(|&t| self.volume_of(t)).sum()
    }

    /// Faces that only one tetrahedron has, counter-clockwise seen from outside, in the order of
    /// their corners.
    pub fn surface(&self) -> Vec<[u32; 3]> {
        let mut faces: BTreeMap<[u32; 3], Option<[u32; 3]>> = BTreeMap::new();
        for &[a, b, c, d] in &self.tetras {
            for face in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
                let mut key = face;
                key.sort_unstable();
                faces.entry(key).and_modify(|seen| *seen = None).or_insert(Some(face));
            }
        }
        faces.into_values().flatten().collect()
    }
}
