//! Shapes at rest, as far as a model tells them.

use crate::elastic::{ElasticHinge, ElasticSpring, ElasticTriangle};
use crate::model::Model;

/// Distances at rest, as far as springs, edges and triangles tell them.
pub(super) struct RestLengths(Vec<([u32; 2], f64)>);

impl RestLengths {
    pub fn new(model: &Model, springs: &[ElasticSpring], triangles: &[ElasticTriangle]) -> Self {
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let edges = model.edges.edges().iter().map(|e| (sorted(e.ends), f64::from(e.rest)));
        let springs = springs.iter().map(|s| (sorted(s.ends), s.rest));
        let sides = triangles.iter().flat_map(|t| {
            let [a, b, c] = t.corners;
            let [ab, ac, bc] = sides(t);
            [(sorted([a, b]), ab), (sorted([a, c]), ac), (sorted([b, c]), bc)]
        });
        let mut all: Vec<_> = edges.chain(springs).chain(sides).collect();
        all.sort_by_key(|(ends, _)| *ends);
        Self(all)
    }

    fn between(&self, a: u32, b: u32) -> Option<f64> {
        let key = [a.min(b), a.max(b)];
        let at = self.0.partition_point(|(ends, _)| *ends < key);
        self.0.get(at).filter(|(ends, _)| *ends == key).map(|(_, length)| *length)
    }

    /// b of a hinge laid flat: 1/height at the far corners, and what balances it at the edge.
    pub fn second_difference(&self, hinge: &ElasticHinge) -> Option<[f64; 4]> {
        let [far_1, far_2, start, end] = hinge.corners;
        let edge = self.between(start, end)?;
        let mut b = [0.0; 4];
        for (i, far) in [far_1, far_2].into_iter().enumerate() {
            let (to_start, to_end) = (self.between(far, start)?, self.between(far, end)?);
            let foot = (to_start * to_start - to_end * to_end + edge * edge) / (2.0 * edge);
            let height = (to_start * to_start - foot * foot).sqrt();
            // Also refuses triangles that these lengths do not make.
            if !(height > 1e-6 * edge) {
                return None;
            }
            b[i] = 1.0 / height;
            b[2] -= (1.0 - foot / edge) / height;
            b[3] -= foot / edge / height;
        }
        Some(b)
    }
}

/// Sides ab, ac and bc of a triangle whose slopes at b and c are the rows of (b c)⁻¹. [m]
fn sides(t: &ElasticTriangle) -> [f64; 3] {
    let [_, g, h] = t.slopes;
    let determinant = g[0] * h[1] - g[1] * h[0];
    let (b, c) = ([h[1], -h[0]], [-g[1], g[0]]);
    let length = |v: [f64; 2]| (v[0] * v[0] + v[1] * v[1]).sqrt() / determinant.abs();
    [length(b), length(c), length([c[0] - b[0], c[1] - b[1]])]
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::elements::MembraneTriangle;

    #[test]
    fn slopes_tell_the_sides() {
        let flat = [DVec2::ZERO, DVec2::new(0.5, 0.1), DVec2::new(-0.05, 0.4)];
        let t = MembraneTriangle::at_rest([0, 1, 2], flat, [1.0; 3], 0.0).unwrap();
        let known = [flat[1].length(), flat[2].length(), (flat[2] - flat[1]).length()];
        for (found, known) in sides(&ElasticTriangle::new(&t)).into_iter().zip(known) {
            assert!((found / known - 1.0).abs() < 1e-6, "{found} {known}");
        }
    }
}
