//! Weights by tetrahedra.

use glam::{DMat3, DVec3, Vec3};

use crate::topology::TetraMesh;

/// Tetrahedra that carry points: each point by the one that it is in.
#[derive(Clone, Debug)]
pub struct TetraCarriers {
    /// Corners, a place, and the rows that give the weights of the other three from there.
    frames: Vec<([u32; 4], DVec3, DMat3)>,
}

impl TetraCarriers {
    /// The tetrahedra of a mesh that are not flat.
    pub fn new(mesh: &TetraMesh) -> Self {
        let frame = |corners: &[u32; 4]| {
            let [a, b, c, d] = corners.map(|v| mesh.points[v as usize].as_dvec3());
            let edges = DMat3::from_cols(b - a, c - a, d - a);
            let inverse = edges.inverse();
            inverse.is_finite().then_some((*corners, a, inverse))
        };
        Self { frames: mesh.tetras.iter().filter_map(frame).collect() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// x = Σ wₖ xₖ over the corners of the tetrahedron that x is in, or least outside of: there
    /// weights are below zero.
    pub fn weights(&self, x: Vec3) -> [(u32, f64); 4] {
        let x = x.as_dvec3();
        let (mut least, mut found) = (f64::NEG_INFINITY, [(0, 0.25); 4]);
        for (corners, origin, rows) in &self.frames {
            let [b, c, d] = (*rows * (x - *origin)).to_array();
            let shares = [1.0 - b - c - d, b, c, d];
            let inside = shares.into_iter().fold(f64::INFINITY, f64::min);
            if inside > least {
                least = inside;
                found = std::array::from_fn(|k| (corners[k], shares[k]));
            }
            if least >= 0.0 {
                break;
            }
        }
        found
    }
}
