//! Twist, which is at rest in every step.

use crate::elements::rsqrt;
use crate::simd::three::{Three, cross, dot, larger, scale, smaller};
use crate::simd::{Kernel, LANES, Lane};

use super::bend::{Stiffness, mean_bend, second_difference};
use super::lanes::{at, put};
use super::turn::carry;

/// One Newton step towards the twist of least energy, points as they are:
/// E = Σ ½ k_t m² + ½ k_b |x₋ − 2x + x₊ − b|², with m the angle between one edge's director carried to
/// the next edge and that edge's own, and b the natural bend in the mean of both.
///
/// A wave of twist runs along a hair in a thousandth of the time that one of bending takes, and
/// nobody sees it: twist has no inertia here. Tridiagonal, as each angle knows its neighbours.
pub(super) struct Twist<'a> {
    pub x: &'a [[Lane; 3]],
    pub tangents: &'a [[Lane; 3]],
    pub directors: &'a mut [[Lane; 3]],
    pub bends: &'a [[Lane; 2]],
    pub rod: &'a [Stiffness],
    /// The twist at each point, for what it does to them. [rad]
    pub twist: &'a mut [Lane],
    pub scratch: &'a mut [Spin],
    /// Edges that are led.
    pub led: usize,
}

/// An edge about its own axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin {
    /// −dE/dφ, later the right-hand side over the pivot.
    moment: Lane,
    /// d²E/dφ², later the ratio to the pivot before.
    stiffness: Lane,
}

impl Spin {
    pub const ZERO: Self = Self { moment: Lane::ZERO, stiffness: Lane::ZERO };
}

/// No edge turns farther in a step. [rad]
const FARTHEST: f32 = 0.3;

impl Kernel for Twist<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, tangents, directors, bends, rod, twist, scratch, led } = self;
        let edges = x.len().saturating_sub(1);
        if edges < 2 {
            return;
        }
        scratch[..edges].fill(Spin::ZERO);
        for i in 1..edges {
            let places = [x[i - 1], x[i], x[i + 1]];
            let (ta, tb, da, db) = (tangents[i - 1], tangents[i], directors[i - 1], directors[i]);
            let (bend, Stiffness { twist: kt, bend: kb }) = (bends[i], rod[i]);
            let (mut first, mut second) = (scratch[i - 1], scratch[i]);
            let mut angle = Lane::ZERO;
            for l in 0..LANES {
                let (ta, tb, da, db) = (at(&ta, l), at(&tb, l), at(&da, l), at(&db, l));
                let (ea, eb) = (cross(ta, da), cross(tb, db));
                let carried = carry(da, ta, tb);
                let (cos, sin) = (dot(carried, db), dot(carried, eb));
                let m = -2.0 * sin / larger(1.0 + cos, 0.05);
                let dd = second_difference(&places, l);
                let (b1, b2) = (0.5 * bend[0].0[l], 0.5 * bend[1].0[l]);
                let b = mean_bend([bend[0].0[l], bend[1].0[l]], [da, db], [ea, eb]);
                let lean = |d: Three, e: Three| {
                    let (p, q) = (dot(dd, d), dot(dd, e));
                    let pull = b1 * (q - dot(b, e)) - b2 * (p - dot(b, d));
                    (pull, larger(b1 * p + b2 * q, 0.0))
                };
                let ((pull_a, stiff_a), (pull_b, stiff_b)) = (lean(da, ea), lean(db, eb));
                let (kt, kb) = (kt.0[l], kb.0[l]);
                first.moment.0[l] += kt * m + kb * pull_a;
                second.moment.0[l] += kb * pull_b - kt * m;
                first.stiffness.0[l] += kt + kb * stiff_a;
                second.stiffness.0[l] += kt + kb * stiff_b;
                angle.0[l] = m;
            }
            (scratch[i - 1], scratch[i], twist[i]) = (first, second, angle);
        }
        let last = eliminate(&mut scratch[..edges], rod, led);
        if last > led {
            turn(scratch, (tangents, directors), twist, led..edges);
        }
    }
}

/// Tridiagonal elimination over edges that are not led.
#[inline(always)]
fn eliminate(scratch: &mut [Spin], rod: &[Stiffness], led: usize) -> usize {
    let (mut pivot, mut value) = (Lane::ZERO, Lane::ZERO);
    for j in led..scratch.len() {
        let (spin, kt) = (scratch[j], rod[j].twist);
        let coupled = if j > led { 1.0 } else { 0.0 };
        let (mut moment, mut ratio) = (Lane::ZERO, Lane::ZERO);
        for l in 0..LANES {
            let off = -kt.0[l] * coupled;
            let over = off * pivot.0[l];
            // A strand that is free to spin as a whole must not be divided by zero.
            let left = spin.stiffness.0[l] * (1.0 + 1e-4) - off * over;
            let inverse = if left > 1e-30 { 1.0 / left } else { 0.0 };
            let right = spin.moment.0[l] - over * value.0[l];
            (pivot.0[l], value.0[l]) = (inverse, right);
            ratio.0[l] = over;
            moment.0[l] = inverse * right;
        }
        scratch[j] = Spin { moment, stiffness: ratio };
    }
    scratch.len()
}

/// The way back: each edge turns about its own axis.
#[inline(always)]
fn turn(
    scratch: &[Spin],
    (tangents, directors): (&[[Lane; 3]], &mut [[Lane; 3]]),
    twist: &mut [Lane],
    edges: std::ops::Range<usize>,
) {
    let (mut angle, mut next) = (Lane::ZERO, Lane::ZERO);
    for j in edges.clone().rev() {
        let (spin, t, d) = (scratch[j], tangents[j], directors[j]);
        let (mut turned, mut done) = ([Lane::ZERO; 3], Lane::ZERO);
        for l in 0..LANES {
            let phi = spin.moment.0[l] - next.0[l] * angle.0[l];
            angle.0[l] = phi;
            let phi = larger(smaller(phi, FARTHEST), -FARTHEST);
            let (t, d) = (at(&t, l), at(&d, l));
            let e = cross(t, d);
            let q = [d[0] + phi * e[0], d[1] + phi * e[1], d[2] + phi * e[2]];
            put(&mut turned, l, scale(q, rsqrt(dot(q, q))));
            done.0[l] = phi;
        }
        next = spin.stiffness;
        directors[j] = turned;
        // The twist before this edge grows with its angle, the one after it shrinks.
        let (mut before, mut after) = (twist[j], twist[j + 1]);
        for l in 0..LANES {
            before.0[l] += done.0[l];
            after.0[l] -= done.0[l];
        }
        if j > 0 {
            twist[j] = before;
        }
        if j + 1 < edges.end {
            twist[j + 1] = after;
        }
    }
}
