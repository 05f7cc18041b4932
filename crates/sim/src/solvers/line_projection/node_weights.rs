//! Masses of an embedding grid's nodes, and how momentum gets to them.

use glam::Vec3;

use crate::parallel::for_each_part;
use crate::soa::{Soa3Mut, Soa3Ref};

use super::embedding::Embedding;

/// Mass that a grid's node stands for at least, as a part of the mean. [1]
const LEAST_MASS: f32 = 0.05;

/// Inverse masses of the nodes out of those of a body's particles, zero where a held
/// particle lies in a cell or on a node, and the impulses' shares: see [`NodeWeights::gather`].
#[derive(Debug, Default)]
pub(super) struct NodeWeights {
    /// 1/mass; 0 where held. [1/kg]
    pub inverse: Vec<f32>,
    /// What the particles had when these were made.
    made_from: Vec<f32>,
    /// Share of each entry's value in its node's, as [`Embedding::carried`] lists them.
    shares: Vec<f32>,
}

/// Inverse mass of nodes that carry nothing: they follow and pull at no other. [1/kg]
const NOTHING: f32 = 1e20;

impl NodeWeights {
    /// Takes note of the particles' inverse masses. False if they are what they were.
    pub fn weigh(&mut self, grid: &Embedding, weight: &[f32]) -> bool {
        if self.made_from == weight {
            return false;
        }
        self.made_from.clear();
        self.made_from.extend_from_slice(weight);
        self.inverse.clear();
        self.shares.clear();
        let mass = |particle: u32| {
            let w = weight[particle as usize];
            if w > 0.0 { 1.0 / w } else { 0.0 }
        };
        let total: f32 = (0..weight.len() as u32).map(mass).sum();
        let active = grid.active.iter().filter(|&&a| a).count();
        let least = LEAST_MASS * total / active.max(1) as f32;
        for node in 0..grid.len() {
            let carried = grid.carried(node);
            let sum: f32 = carried.iter().map(|&(p, share)| share * mass(p)).sum();
            let held = carried.iter().any(|&(p, _)| weight[p as usize] == 0.0);
            self.shares.extend(
                carried.iter().map(
                    |&(p, share)| {
                        if sum > 0.0 { share * mass(p) / sum } else { 0.0 }
                    },
                ),
            );
            self.inverse.push(match () {
                () if held => 0.0,
                () if !grid.active[node] => NOTHING,
                () => 1.0 / sum.max(least).max(f32::MIN_POSITIVE),
            });
        }
        true
    }

    /// Adds to each node `part` of the mean of its particles' values, by their mass in it:
    /// what they gain of momentum it gains.
    pub fn gather(&self, grid: &Embedding, values: Soa3Ref<'_>, part: f32, out: &mut Soa3Mut<'_>) {
        let all = out.slice_mut(0..out.len());
        for_each_part(all, 1, &|first, mut out: Soa3Mut| {
            for i in 0..out.len() {
                let (start, carried) = grid.carried_from(first + i);
                let mut sum = Vec3::ZERO;
                for (&(particle, _), &share) in carried.iter().zip(&self.shares[start..]) {
                    sum += values.get(particle as usize) * share;
                }
                out.add(i, sum * part);
            }
        });
    }

    /// The inverse mass of node `i` is that of a held one.
    pub fn is_held(&self, node: usize) -> bool {
        self.inverse[node] == 0.0
    }
}
