//! What may touch what.

use glam::Vec3;

use super::segments::Segments;
use super::spare::Spares;
use super::surface::{Child, Surface};

/// Which parts of a surface may touch which.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Points that are sewn together have one number; others have their own.
    pub sewn: Vec<u32>,
    /// The body of each point.
    pub body: Vec<u32>,
    /// Of each body, whether it may touch itself.
    pub touches_itself: Vec<bool>,
    /// Whether all of them may.
    pub all_touch: bool,
    /// Positions at rest, up to where each body is. [m]
    pub rest: Vec<Vec3>,
    /// Which pairs stand for which.
    pub(super) spares: Spares,
    /// Strands, which keep their own distances.
    pub(super) segments: Segments,
    /// For each body, others that a plane keeps apart from it; empty if there are none.
    pub(super) parted: Vec<Vec<u32>>,
}

/// Thickness of parts of one body, as a part of their distance at rest, at most.
const NEIGHBOURLY: f32 = 0.05;

impl Rules {
    /// What a pair may keep apart at most: parts of one body that are neighbours at rest keep less than
    /// their thickness. Where it is folded as sharply as its triangles are large, edges would be
    /// drawn out for the rest. [m]
    #[inline(always)]
    pub fn thickest(&self, pair: &[u32; 4]) -> f32 {
        if let Some(thickest) = self.segments.thickest(pair) {
            return thickest;
        }
        let [a, b] = [pair[0] as usize, pair[3] as usize];
        if self.body[a] == self.body[b] {
            NEIGHBOURLY * self.rest[a].distance(self.rest[b])
        } else {
            f32::INFINITY
        }
    }

    /// Whether nothing of one part of a tree may touch anything of the other, as both belong to
    /// one body that does not touch itself, or to two that a plane keeps apart.
    #[inline(always)]
    pub(super) fn forbid(&self, one: (&Surface, Child), other: (&Surface, Child)) -> bool {
        let (Some(a), Some(b)) = (one.0.body_of(one.1), other.0.body_of(other.1)) else {
            return false;
        };
        if a == b { !self.touches_itself[a as usize] } else { self.are_parted(a, b) }
    }

    /// Notes which bodies planes keep apart: none as yet.
    pub(super) fn part_none(&mut self, bodies: usize) {
        self.parted.resize(bodies, Vec::new());
        self.parted.iter_mut().for_each(Vec::clear);
    }

    /// Notes that a plane keeps two bodies apart.
    pub(super) fn part(&mut self, [a, b]: [u32; 2]) {
        self.parted[a as usize].push(b);
        self.parted[b as usize].push(a);
    }

    #[inline(always)]
    fn are_parted(&self, a: u32, b: u32) -> bool {
        self.parted.get(a as usize).is_some_and(|others| others.contains(&b))
    }

    /// Whether the first `side` points of a pair may touch the others: they share none, neither side
    /// was cut, and their body allows it.
    #[inline(always)]
    pub(super) fn allow<const SIDE: usize>(&self, pair: &[u32; 4]) -> bool {
        let [a, b, c, d] = pair.map(|v| self.sewn[v as usize]);
        let shared = if SIDE == 1 {
            (a == b) | (a == c) | (a == d)
        } else {
            (a == c) | (a == d) | (b == c) | (b == d) | self.segments.has_cut(pair)
        };
        if shared || (self.all_touch && self.parted.is_empty()) {
            return !shared;
        }
        let (one, other) = (self.body[pair[0] as usize], self.body[pair[3] as usize]);
        if one == other { self.touches_itself[one as usize] } else { !self.are_parted(one, other) }
    }
}
