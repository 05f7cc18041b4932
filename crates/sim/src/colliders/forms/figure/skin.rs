//! What each vertex has of each bone.

use glam::{DAffine3, DVec3, Vec3};

use super::flesh::Flesh;
use super::skeleton::BONES;

/// x = Σ w_b T_b x₀ with Σ w_b = 1: linear blend skinning.
#[derive(Clone, Debug)]
pub(super) struct Skin {
    weights: Vec<[f64; BONES]>,
}

/// Where bones meet weights change over about this. [m]
const BLEND: f64 = 0.08;

impl Skin {
    /// Weights over a mesh of cells of a size [m]: each vertex to its nearest bone, then evened
    /// out over the mesh, n rounds of which spread by some √n edges.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]], cell: f64) -> Self {
        let flesh = Flesh::new();
        let mut near = vec![Vec::new(); points.len()];
        for &[a, b, c] in triangles {
            for [p, q] in [[a, b], [b, c], [c, a]] {
                near[p as usize].push(q as usize);
            }
        }
        let only = |p: &DVec3| {
            let mut weights = [0.0; BONES];
            weights[flesh.bone(*p)] = 1.0;
            weights
        };
        let mut weights: Vec<[f64; BONES]> = points.iter().map(only).collect();
        let rounds = ((BLEND / cell) * (BLEND / cell)).ceil().clamp(1.0, 400.0) as usize;
        for _ in 0..rounds {
            weights = (0..points.len())
                .map(|v| {
                    let share = 0.5 / near[v].len().max(1) as f64;
                    let mut sum = weights[v].map(|w| 0.5 * w);
                    for &other in &near[v] {
                        sum.iter_mut().zip(weights[other]).for_each(|(s, w)| *s += share * w);
                    }
                    sum
                })
                .collect();
        }
        Self { weights }
    }

    /// Where vertices come to if every bone is moved so from the rest pose. [m]
    pub fn posed(&self, points: &[DVec3], bones: &[DAffine3; BONES]) -> Vec<Vec3> {
        let place = |(weights, &p): (&[f64; BONES], &DVec3)| {
            // What a bone does beyond the rest pose, so that rest keeps its bits.
            let moved = |(w, bone): (&f64, &DAffine3)| (bone.transform_point3(p) - p) * *w;
            let used = weights.iter().zip(bones).filter(|(w, _)| **w > 0.0);
            (p + used.map(moved).sum::<DVec3>()).as_vec3()
        };
        self.weights.iter().zip(points).map(place).collect()
    }
}
