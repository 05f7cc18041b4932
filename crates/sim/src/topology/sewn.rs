//! A mesh sewn from flat panels: every triangle has a shape of its own in the panel it was cut from.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};

use super::{MeshConnections, hinges};

/// Triangles over points that seams have made one. As the two sides of a seam lie at different
/// places of their panels, the shape at rest is known triangle by triangle only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SewnMesh {
    /// Where points start. [m]
    pub start: Vec<Vec3>,
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Corners of each triangle in its panel, warp along the first axis, counter-clockwise. [m]
    pub flat: Vec<[DVec2; 3]>,
}

impl SewnMesh {
    /// Area at rest. [m²]
    pub fn area(&self) -> f64 {
        self.flat.iter().map(|&[a, b, c]| 0.5 * (b - a).perp_dot(c - a)).sum()
    }

    /// What is joined how; no fault is looked for.
    pub fn connections(&self) -> MeshConnections {
        let hinges = hinges(&self.triangles);
        let structural: Vec<[u32; 2]> = self.lengths().into_keys().collect();
        let pair = |&[f, g, ..]: &[u32; 4]| [f.min(g), f.max(g)];
        let mut bend: Vec<[u32; 2]> = hinges.iter().map(pair).collect();
        bend.sort_unstable();
        bend.dedup();
        bend.retain(|pair| structural.binary_search(pair).is_err());
        let triangles = self.triangles.clone();
        MeshConnections { triangles, structural, bend, hinges, ..MeshConnections::default() }
    }

    /// Length of each edge at rest, the mean of both sides at a seam. [m]
    pub fn lengths(&self) -> BTreeMap<[u32; 2], f64> {
        let mut sums: BTreeMap<[u32; 2], (f64, f64)> = BTreeMap::new();
        for (t, flat) in self.triangles.iter().zip(&self.flat) {
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                let sum = sums.entry([t[i].min(t[j]), t[i].max(t[j])]).or_default();
                *sum = (sum.0 + flat[i].distance(flat[j]), sum.1 + 1.0);
            }
        }
        sums.into_iter().map(|(edge, (sum, count))| (edge, sum / count)).collect()
    }

    /// Edges that are no part of a surface with at most two sides: those of more than two
    /// triangles, and those that two triangles run along the same way.
    pub fn faults(&self) -> Vec<[u32; 2]> {
        let mut runs: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
        for &[a, b, c] in &self.triangles {
            for [p, q] in [[a, b], [b, c], [c, a]] {
                runs.entry([p.min(q), p.max(q)]).or_default()[usize::from(p > q)] += 1;
            }
        }
        runs.into_iter().filter(|(_, runs)| runs.iter().any(|&n| n > 1)).map(|(e, _)| e).collect()
    }
}
