//! Structural edges: what stretch is measured over and strain limits act on.

use glam::Vec3;

use crate::soa::Soa3;

/// A structural edge with its length at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The two particles.
    pub ends: [u32; 2],
    /// Length at rest. [m]
    pub rest: f32,
    /// Largest allowed length/rest − 1; infinite where there is no limit.
    pub max_stretch: f32,
}

/// All structural edges, grouped so that edges of one colour share no particle.
#[derive(Clone, Debug, Default)]
pub struct EdgeBatch {
    edges: Vec<Edge>,
    /// The limited edges, colour after colour.
    limited: Vec<Edge>,
}

/// Sweeps after which a strain limit that is still exceeded is left for the next step.
const LIMIT_SWEEPS: usize = 64;

/// A limit counts as met within this part of it, so that a few edges cannot
/// hold up all others for a gain that nobody sees.
const LIMIT_SLACK: f32 = 0.02;

impl EdgeBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, edges: Vec<Edge>) -> Self {
        let limited: Vec<Edge> =
            edges.iter().filter(|e| e.max_stretch.is_finite()).copied().collect();
        Self { limited: by_colour(particles, limited), edges }
    }

    /// The edges in order.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether any edge has a strain limit.
    pub fn has_limits(&self) -> bool {
        !self.limited.is_empty()
    }

    /// Shortens edges beyond their limit to it, both ends by their inverse masses
    /// (001 §9.1.1), sweep after sweep until all hold, and gives the velocities
    /// the same change over the step `h`.
    pub fn apply_limits(&self, x: &mut Soa3, v: &mut Soa3, inverse_mass: &[f32], h: f32) {
        for _ in 0..LIMIT_SWEEPS {
            let mut worst = 0.0f32;
            for edge in &self.limited {
                worst = worst.max(shorten(edge, x, v, inverse_mass, h));
            }
            if worst <= LIMIT_SLACK {
                return;
            }
        }
    }
}

/// Returns by how much the limit was exceeded, relative to it.
#[inline]
fn shorten(edge: &Edge, x: &mut Soa3, v: &mut Soa3, inverse_mass: &[f32], h: f32) -> f32 {
    let [a, b] = edge.ends.map(|e| e as usize);
    let d: Vec3 = x.get(b) - x.get(a);
    let length = d.length();
    let excess = length - edge.rest * (1.0 + edge.max_stretch);
    let weight = inverse_mass[a] + inverse_mass[b];
    if excess <= 0.0 || weight == 0.0 {
        return 0.0;
    }
    let correction = d * (excess / (length * weight));
    for (i, change) in [(a, correction * inverse_mass[a]), (b, correction * -inverse_mass[b])] {
        x.add(i, change);
        v.add(i, change / h);
    }
    excess / (edge.rest * edge.max_stretch.max(0.01))
}

/// Greedy colouring in edge order, then edges sorted by colour: the sweep runs
/// evenly over the cloth instead of dragging it along one direction.
fn by_colour(particles: usize, edges: Vec<Edge>) -> Vec<Edge> {
    let mut taken = vec![0u64; particles];
    let mut coloured: Vec<(u32, Edge)> = edges
        .into_iter()
        .map(|edge| {
            let [a, b] = edge.ends.map(|e| e as usize);
            // Vertices of more than 63 edges share the last colour: order stays fixed, that is all we need.
            let colour = (taken[a] | taken[b]).trailing_ones().min(63);
            taken[a] |= 1 << colour;
            taken[b] |= 1 << colour;
            (colour, edge)
        })
        .collect();
    coloured.sort_by_key(|&(colour, _)| colour);
    coloured.into_iter().map(|(_, edge)| edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_holds_along_a_chain_and_momentum_is_kept() {
        let edges =
            (0..9).map(|i| Edge { ends: [i, i + 1], rest: 0.1, max_stretch: 0.1 }).collect();
        let batch = EdgeBatch::new(10, edges);
        let points: Vec<Vec3> = (0..10).map(|i| Vec3::X * (0.15 * i as f32)).collect();
        let mut x = Soa3::from_points(&points);
        let mut v = Soa3::zeros(10);
        for _ in 0..10 {
            batch.apply_limits(&mut x, &mut v, &[1.0; 10], 0.01);
        }
        for i in 0..9 {
            assert!((x.get(i + 1) - x.get(i)).length() < 0.1 * 1.105);
        }
        let momentum: Vec3 = v.iter().sum();
        assert!(momentum.length() < 1e-4);
    }

    #[test]
    fn pinned_ends_stay() {
        let batch = EdgeBatch::new(2, vec![Edge { ends: [0, 1], rest: 1.0, max_stretch: 0.0 }]);
        let mut x = Soa3::from_points(&[Vec3::ZERO, Vec3::X * 2.0]);
        let mut v = Soa3::zeros(2);
        batch.apply_limits(&mut x, &mut v, &[0.0, 1.0], 0.5);
        assert_eq!(x.get(0), Vec3::ZERO);
        assert!((x.get(1).x - 1.0).abs() < 1e-6 && (v.get(1).x + 2.0).abs() < 1e-5);
    }
}
