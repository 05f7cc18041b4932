//! Continuous detection: when two sides of a pair in motion first come too close.

#[cfg(test)]
mod tests;

use super::closest::closest;
use super::pair::{PairKind, PairMotion, Relative, gaps};
use glam::DVec3;

/// What is known of a pair's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// None: never within the separation, a promise. Else a time in [0, 1] up to which, itself
    /// included, the pair keeps more than the separation: the motion may go so far. A pair that
    /// is within it at the start has 0, where nothing is promised.
    pub hit: Option<f64>,
    /// Planes that were tried: the cost of the answer.
    pub planes: u32,
    /// The hit is not known to be one: planes ran out, or a place was no number or 10⁷⁰ m away.
    pub undecided: bool,
}

/// Planes to try before a hit is assumed. Each takes a part v/(v + ωl) of the time that is left to
/// a contact that is approached at v by sides of length l that turn at ω.
pub const MOST_PLANES: u32 = 128;

/// Detection stops at this part of the gap at the start...
const NEAR_OF_START: f64 = 1e-2;
/// ...or of the length of the longest edge, whichever is less.
const NEAR_OF_LENGTH: f64 = 1e-6;

/// Conservative advancement: t ← the time at which n(t)·(a − b) falls to the separation for the first
/// a of side A and b of side B; n(t) the direction between closest points.
/// Mirtich 1996; ACCD of Li et al. 2021 bounds the motion by its length in place of its part along n.
///
/// A plane across n that has A on one side at t and at t′ has it there in between, since each
/// n·(a(t) − b(t)) is linear in t. So every step is a proof by a separating plane and the chain of
/// steps proves all of [0, t]. That closest points are inexact makes steps shorter, never wrong;
/// what has to be bounded is the rounding of dot products and of t alone: 32 u s, with u = 2⁻⁵³ and
/// s the largest distance of another point from point 0, summed over axes, at either end. This bound is added to the
/// separation; so, since |n| may be 1 + 4u, is 8 u times the separation itself. The pair of real
/// numbers is thus kept apart by more than `separation`. A hit leaves half of what detection
/// stops at: a millionth of the longest edge or a hundredth of the first gap, the less of them.
///
/// `separation` [m] that is negative or no number counts as undecided.
pub fn first_hit(pair: PairKind, motion: &PairMotion, separation: f64) -> Sweep {
    let motion = motion.relative();
    let undecided = |time, planes| Sweep { hit: Some(time), planes, undecided: true };
    if !(motion.size < f64::INFINITY && separation >= 0.0 && separation < f64::INFINITY) {
        return undecided(0.0, 0);
    }
    let floor = separation * (1.0 + 4.0 * f64::EPSILON) + motion.rounding();
    let mut near = 0.0;
    let mut time = 0.0;
    for planes in 1..=MOST_PLANES {
        let points = motion.at(time);
        let Some(normal) = closest(pair, &points).normal() else {
            return Sweep { hit: Some(time), planes, undecided: false };
        };
        let plane = Plane::new(pair, normal, &motion);
        let gap = plane.gap(time) - floor;
        if gap > 0.0 && plane.holds_to_end(floor) {
            return Sweep { hit: None, planes, undecided: false };
        }
        if planes == 1 {
            let length = longest_edge(pair, &points);
            near = f64::min(NEAR_OF_START * gap, NEAR_OF_LENGTH * length);
        }
        if !(gap > near) {
            return Sweep { hit: Some(time), planes, undecided: false };
        }
        let next = plane.reach(floor + 0.5 * near);
        if !(next > time) {
            return Sweep { hit: Some(time), planes, undecided: false };
        }
        time = next;
    }
    undecided(time, MOST_PLANES)
}

/// The gaps n·(a − b) at both ends of a motion.
struct Plane {
    start: [f64; 4],
    end: [f64; 4],
}

impl Plane {
    fn new(pair: PairKind, normal: DVec3, motion: &Relative) -> Self {
        Self {
            start: gaps(pair, normal, &motion.start),
            end: gaps(pair, normal, &motion.end),
        }
    }

    /// Least gap at time t. [m]
    fn gap(&self, t: f64) -> f64 {
        let at = |i: usize| self.start[i] + (self.end[i] - self.start[i]) * t;
        at(0).min(at(1)).min(at(2).min(at(3)))
    }

    fn holds_to_end(&self, floor: f64) -> bool {
        self.end.iter().all(|&gap| gap > floor)
    }

    /// First time at which a gap, larger at present, is down to `floor`.
    fn reach(&self, floor: f64) -> f64 {
        let mut first = 1.0;
        for (&start, &end) in self.start.iter().zip(&self.end) {
            if end <= floor {
                let time = if start > end { (start - floor) / (start - end) } else { 0.0 };
                first = f64::min(first, time);
            }
        }
        first
    }
}

/// Length of the longest edge of either side, of a triangle those from its first corner. [m]
fn longest_edge(pair: PairKind, &[a, b, c, d]: &[DVec3; 4]) -> f64 {
    let squared = match pair {
        PairKind::VertexTriangle => f64::max(b.distance_squared(c), b.distance_squared(d)),
        PairKind::EdgeEdge => f64::max(a.distance_squared(b), c.distance_squared(d)),
    };
    squared.sqrt()
}
