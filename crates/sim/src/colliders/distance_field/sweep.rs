//! Paths against the field.

use glam::{DVec3, UVec3};

use super::grid::{Grid, trilinear};
use crate::colliders::Hit;

/// |∇φ| is at most this, since φ changes by no more than a cell's size from node to node along
/// each axis.
const STEEPEST: f64 = 1.733;

/// Cosine of the widest angle between where a point came in and where it would be put out;
/// beyond it the nearest way out is through the wall.
const SAME_SIDE: f64 = 0.5;

/// A start deeper than this many cells is not a resting contact that rounding pushed in, but a
/// point placed inside: it may leave by any side.
const RESTING: f64 = 0.5;

/// What a resting start may go deeper without having moved, in cells: rounding.
const SLACK: f64 = 1e-3;

impl Grid {
    /// See [`crate::colliders::Shape::hit`].
    pub fn hit(&self, from: DVec3, to: DVec3, offset: f64) -> Option<Hit> {
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let depth = |p: DVec3| if self.holds(p) { offset - self.at(p).0 } else { -self.cell };
        let (start, end) = (depth(from), depth(to));
        let (starts_inside, ends_inside) = (start > 0.0, end > 0.0);
        if start > RESTING * self.cell {
            return ends_inside.then(|| self.surface_hit(to, 0.0, offset));
        }
        // A resting start is taken to be on the surface: what lies deeper is in its way.
        let level = if starts_inside { offset - start - SLACK * self.cell } else { offset };
        let entry = self.crossing([from, to], level, 0.0, Side::Below);
        let Some(fraction) = entry else {
            return ends_inside.then(|| self.surface_hit(to, 0.0, offset));
        };
        let way = to - from;
        let came_in = self.surface_hit(from + way * fraction, fraction, offset);
        if !ends_inside {
            return Some(came_in);
        }
        let put_out = self.surface_hit(to, fraction, offset);
        let left = self.crossing([from, to], offset + SLACK * self.cell, fraction, Side::Above);
        let same_side = put_out.normal.dot(came_in.normal) as f64 >= SAME_SIDE;
        Some(if left.is_none() && same_side { put_out } else { came_in })
    }

    fn surface_hit(&self, p: DVec3, fraction: f64, level: f64) -> Hit {
        let (point, normal) = self.project(p, level);
        Hit { fraction: fraction as f32, point: point.as_vec3(), normal: normal.as_vec3() }
    }

    /// The first part of a path, from `after` on, at which φ is on this side of `level`.
    ///
    /// Goes from cell to cell; within one, φ along the path is a cubic whose first root is found.
    /// Where |φ − level| is large, as far as φ cannot change enough at one go.
    fn crossing(&self, [from, to]: [DVec3; 2], level: f64, after: f64, side: Side) -> Option<f64> {
        let (start, way) = (self.units(from), (to - from) / self.cell);
        let length = way.length();
        let (begin, end) = self.span(start, way)?;
        let (mut t, end) = (begin.max(after), end.min(1.0));
        while t < end {
            let here = start + way * t;
            let cell = self.cell_of(here);
            let corner = UVec3::from(cell).as_dvec3();
            let corners = self.corners(cell).map(|value| side.above(value - level));
            let gap = trilinear(&corners, here - corner).0;
            let skip = gap / (STEEPEST * self.cell * length);
            let leaves = t + to_leave(here, way, cell, end - t);
            if skip > leaves - t {
                t += skip;
                continue;
            }
            if corners.iter().any(|&value| value <= 0.0) {
                let path = [here - corner, start + way * leaves - corner];
                if let Some(s) = first_root(&corners, path) {
                    return Some(t + (leaves - t) * s);
                }
            }
            // Just past the wall of the cell.
            t = leaves + 1e-9 / length.max(1e-9);
        }
        None
    }

    /// Parts of a path, in units, at which it comes into the grid and leaves it.
    fn span(&self, start: DVec3, way: DVec3) -> Option<(f64, f64)> {
        let last = UVec3::from(self.nodes).as_dvec3() - 1.0;
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let (p, d, high) = (start[axis], way[axis], last[axis]);
            if d == 0.0 {
                if !(0.0..=high).contains(&p) {
                    return None;
                }
                continue;
            }
            let (a, b) = (-p / d, (high - p) / d);
            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
        }
        (enter < leave).then_some((enter, leave))
    }
}

/// Which side of a level is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

impl Side {
    /// Positive while the path is not there yet.
    fn above(self, value: f64) -> f64 {
        if self == Side::Below { value } else { -value }
    }
}

/// How much of the path is left until it leaves a cell, `most` at most.
fn to_leave(here: DVec3, way: DVec3, cell: [u32; 3], most: f64) -> f64 {
    (0..3).fold(most, |least, axis| {
        let d = way[axis];
        let wall = f64::from(cell[axis]) + if d > 0.0 { 1.0 } else { 0.0 };
        let t = (wall - here[axis]) / d;
        if d != 0.0 && t >= 0.0 { least.min(t) } else { least }
    })
}

/// The least s in 0…1 at which the trilinear function along a path is not positive.
fn first_root(corners: &[f64; 8], [from, to]: [DVec3; 2]) -> Option<f64> {
    let value = |s: f64| trilinear(corners, from + (to - from) * s).0;
    let [f0, f1, f2, f3] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(value);
    if f0 <= 0.0 {
        return Some(0.0);
    }
    // The cubic through four of its values; its turns part it into pieces that rise or fall.
    let a1 = 0.5 * (-11.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3);
    let a2 = 4.5 * (2.0 * f0 - 5.0 * f1 + 4.0 * f2 - f3);
    let a3 = 4.5 * (-f0 + 3.0 * f1 - 3.0 * f2 + f3);
    let mut ends = [1.0; 3];
    let root = a2 * a2 - 3.0 * a3 * a1;
    if root > 0.0 {
        // 3a₃s² + 2a₂s + a₁ = 0, without subtracting what is nearly equal.
        let q = -(a2 + root.sqrt().copysign(a2));
        for (slot, turn) in ends.iter_mut().zip([q / (3.0 * a3), a1 / q]) {
            *slot = if turn > 0.0 && turn < 1.0 { turn } else { 1.0 };
        }
        ends.sort_unstable_by(f64::total_cmp);
    }
    let mut begin = 0.0;
    for end in ends {
        if value(end) <= 0.0 {
            return Some(bisect(&value, begin, end));
        }
        begin = end;
    }
    None
}

/// A place just outside: the function is positive at `low` and not at `high`.
fn bisect(value: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}
