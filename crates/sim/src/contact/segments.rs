//! Strands of which segments touch.

use std::f32::consts::PI;

use glam::Vec3;

use super::closest::closest;
use super::pair::PairKind;
use crate::model::Model;

/// What contact is told of strands.
///
/// A segment has no inside: it keeps the sum of both sides' radii from others, by its closest points
/// wherever these are. Along a strand, parts at an arc length s keep min(2r, s/π, distance at rest):
/// on a circle they are at least 2s/π apart up to half a turn, so that no bend is pushed
/// open, however tight it is; from s = 2πr on it is the whole thickness.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    /// For each point of a strand that touches its strand, counted over all, and how far along it
    /// is [m]; empty if there is no strand.
    of: Vec<Option<(u32, f32)>>,
    /// Positions at rest of the points of strands. [m]
    rest: Vec<Vec3>,
    /// The segments, strand after strand.
    pub ends: Vec<[u32; 2]>,
    /// First ends of those that were cut, rising: they are gone.
    pub cut: Vec<u32>,
}

impl Segments {
    /// For a model with `points` points, those of meshes that are moved among them.
    pub fn new(model: &Model, points: usize) -> Self {
        let ends: Vec<[u32; 2]> = model.touching_segments().collect();
        if ends.is_empty() {
            return Self::default();
        }
        let (mut of, mut rest) = (vec![None; points], vec![Vec3::ZERO; points]);
        let mut number = 0;
        for set in model.strands.iter().filter(|set| set.touches_by_segments()) {
            let body = &model.bodies[set.body];
            for strand in &set.strands {
                for (k, i) in strand.particles().enumerate() {
                    of[i] = Some((number, strand.edge * k as f32));
                    let at = body.rest.get(i - body.particles.start);
                    rest[i] = at.copied().unwrap_or_default();
                }
                number += 1;
            }
        }
        Self { of, rest, ends, cut: Vec::new() }
    }

    fn place(&self, point: u32) -> Option<(u32, f32)> {
        self.of.get(point as usize).copied().flatten()
    }

    /// Whether an edge of a pair of them is a segment that is gone.
    #[inline(always)]
    pub fn has_cut(&self, &[a, b, c, d]: &[u32; 4]) -> bool {
        let is_cut = |a: u32, b: u32| self.cut.binary_search(&a.min(b)).is_ok();
        !self.cut.is_empty() && (is_cut(a, b) || is_cut(c, d))
    }

    /// How many of the two sides of a pair are of strands.
    #[inline(always)]
    pub fn sides(&self, pair: &[u32; 4]) -> usize {
        if self.of.is_empty() {
            return 0;
        }
        let of_strand = |v: u32| usize::from(self.place(v).is_some());
        of_strand(pair[0]) + of_strand(pair[3])
    }

    /// What two segments may keep apart at most; `None` for other pairs. [m]
    #[inline(always)]
    pub fn thickest(&self, pair: &[u32; 4]) -> Option<f32> {
        if self.of.is_empty() {
            return None;
        }
        let [a, b, c, d] = pair.map(|v| self.place(v));
        let ((one, a), (_, b), (other, c), (_, d)) = (a?, b?, c?, d?);
        if one != other {
            return Some(f32::INFINITY);
        }
        let along = (c.min(d) - a.max(b)).max(a.min(b) - c.max(d)).max(0.0);
        let rest = pair.map(|v| self.rest[v as usize].as_dvec3());
        let apart = closest(PairKind::EdgeEdge, &rest).distance_squared.sqrt() as f32;
        Some((along / PI).min(AT_REST * apart))
    }
}

/// The part of their distance at rest that parts of a strand keep at most.
const AT_REST: f32 = 0.95;
