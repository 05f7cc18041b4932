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
/// a contact that is approached at v by sides of length l that turn at ω; sides that turn by a
/// radian as they pass each other at a distance d need some 2√(l/d) of them.
pub const MOST_PLANES: u32 = 128;

/// Detection stops at this part of the gap at the start...
const NEAR_OF_START: f64 = 1e-2;
/// ...or of the length of the longest edge, whichever is less. Sides of length l at a distance below
/// √u l show a direction between them that is mostly rounding: this stays clear of it.
const NEAR_OF_LENGTH: f64 = 1e-7;

/// Conservative advancement: t ← the time at which n·(a − b) first falls to the separation, over all
/// a of side A and b of side B, with n the direction between the closest points at t.
/// Mirtich 1996; ACCD (Li et al. 2021) bounds the motion by its length in place of its part along n.
///
/// A plane across n with A on one side at t and at t′ has it there in between, since each n·(a − b) is
/// linear in time. So every step is a proof by a separating plane, and the chain of them proves
/// all of [0, t]. Closest points that are inexact make steps shorter, never wrong. What has to be
/// bounded is the rounding of dot products and of t alone: 32 u s, with u = 2⁻⁵³ and s the
/// largest distance from point 0 to another, summed over axes, at either end (derived at `ROUNDING`
/// in `pair.rs`). It is added to the separation; so is, since |n| may be 1 + 4u, 8 u times the
/// separation itself. Thus the real numbers that the places are stay apart by more than `separation`.
///
/// Detection stops 10⁻⁷ of the longest edge short of the separation, or a hundredth of the first gap
/// if that is less: a pair that comes as near without touching is a false hit. Half of it is left
/// at a hit. Places that are rounded to `f32` there may lose that: go less far, or look again.
///
/// `separation` [m] that is negative or no number counts as undecided.
pub fn first_hit(pair: PairKind, motion: &PairMotion, separation: f64) -> Sweep {
    let motion = motion.relative();
    if !(motion.size < f64::INFINITY && (0.0..f64::INFINITY).contains(&separation)) {
        return Sweep { hit: Some(0.0), planes: 0, undecided: true };
    }
    let floor = separation * (1.0 + 4.0 * f64::EPSILON) + motion.rounding();
    let mut sweep = Sweep { hit: Some(0.0), planes: 0, undecided: true };
    let mut near = 0.0;
    let mut time = 0.0;
    while sweep.planes < MOST_PLANES {
        sweep.planes += 1;
        let Some(normal) = closest(pair, &motion.at(time)).normal() else {
            return Sweep { undecided: false, hit: Some(time), ..sweep };
        };
        let plane = Plane::new(pair, normal, &motion);
        if plane.holds_from(time, floor) {
            return Sweep { undecided: false, hit: None, ..sweep };
        }
        let gap = plane.gap(time) - floor;
        if sweep.planes == 1 {
            near = f64::min(NEAR_OF_START * gap, NEAR_OF_LENGTH * longest_edge(pair, &motion));
        }
        let next = plane.reach(floor + 0.5 * near);
        if !(gap > near && next > time) {
            sweep.undecided = false;
            break;
        }
        time = next;
    }
    // Sides that slide over each other at next to no distance are seen apart across themselves.
    let across = across(pair, &motion.at(time)).map(|normal| Plane::new(pair, normal, &motion));
    if across.is_some_and(|plane| plane.holds_from(time, floor)) {
        return Sweep { undecided: false, hit: None, ..sweep };
    }
    Sweep { hit: Some(time), ..sweep }
}

/// The gaps n·(a − b) at both ends of a motion.
struct Plane {
    start: [f64; 4],
    end: [f64; 4],
}

impl Plane {
    fn new(pair: PairKind, normal: DVec3, motion: &Relative) -> Self {
        Self { start: gaps(pair, normal, &motion.start), end: gaps(pair, normal, &motion.end) }
    }

    /// Least gap at time t. [m]
    fn gap(&self, t: f64) -> f64 {
        let at = |i: usize| self.start[i] + (self.end[i] - self.start[i]) * t;
        at(0).min(at(1)).min(at(2).min(at(3)))
    }

    /// Whether gaps are larger than `floor` from time t to the end.
    fn holds_from(&self, t: f64, floor: f64) -> bool {
        self.end.iter().all(|&gap| gap > floor) && self.gap(t) > floor
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

/// Unit normal of the triangle, or of both edges, towards side A.
fn across(pair: PairKind, &[a, b, c, d]: &[DVec3; 4]) -> Option<DVec3> {
    let (normal, apart) = match pair {
        PairKind::VertexTriangle => ((c - b).cross(d - b), a - b),
        PairKind::EdgeEdge => ((b - a).cross(d - c), a - c),
    };
    let normal = normal.try_normalize()?;
    Some(if normal.dot(apart) < 0.0 { -normal } else { normal })
}

/// Length of the longest edge of either side at either end, of a triangle those from its
/// first corner. [m]
fn longest_edge(pair: PairKind, motion: &Relative) -> f64 {
    let squared = |&[a, b, c, d]: &[DVec3; 4]| match pair {
        PairKind::VertexTriangle => f64::max(b.distance_squared(c), b.distance_squared(d)),
        PairKind::EdgeEdge => f64::max(a.distance_squared(b), c.distance_squared(d)),
    };
    f64::max(squared(&motion.start), squared(&motion.end)).sqrt()
}
