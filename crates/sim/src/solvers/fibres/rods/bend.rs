//! Bending: natural bends in the world, forces, and what they do to the frames that carry them.

use crate::simd::three::{Three, add, cross, dot, larger, scale, sub};
use crate::simd::{Kernel, LANES, Lane};

use super::lanes::{at, put};
use super::turn::turned;

/// Stiffness at a point of sixteen strands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stiffness {
    /// G J/l. [N·m]
    pub twist: Lane,
    /// E I/l³. [N/m]
    pub bend: Lane,
}

impl Stiffness {
    pub const ZERO: Self = Self { twist: Lane::ZERO, bend: Lane::ZERO };
}

/// x₋ − 2x + x₊ of strand `l`.
#[inline(always)]
pub(super) fn second_difference([a, b, c]: &[[Lane; 3]; 3], l: usize) -> Three {
    let (a, b, c) = (at(a, l), at(b, l), at(c, l));
    // Differences of neighbours first: they are small beside the places.
    sub(sub(c, b), sub(b, a))
}

/// b = β₁(d + d⁺)/2 + β₂(e + e⁺)/2.
#[inline(always)]
pub(super) fn mean_bend([b1, b2]: [f32; 2], [da, db]: [Three; 2], [ea, eb]: [Three; 2]) -> Three {
    add(scale(add(da, db), 0.5 * b1), scale(add(ea, eb), 0.5 * b2))
}

/// Natural bends as vectors in the world, from directors that are brought to where points are now.
///
/// With inner friction of time β, bends that are there now count besides: the moment of κ + β κ̇ at
/// the end of a step of h is (1 + β/h) times that of a natural bend (b + (β/h) b_now)/(1 + β/h),
/// where b_now turns with the material, so that only a change of shape is resisted.
pub(super) struct TurnedBends<'a> {
    pub x: &'a [[Lane; 3]],
    pub tangents: &'a mut [[Lane; 3]],
    pub directors: &'a mut [[Lane; 3]],
    /// Edges that are led.
    pub led: usize,
    pub bends: &'a [[Lane; 2]],
    /// Bends that are there, in directors; as `bends`.
    pub present: &'a [[Lane; 2]],
    /// (β/h)/(1 + β/h).
    pub slow: f32,
    pub out: &'a mut [[Lane; 3]],
}

impl Kernel for TurnedBends<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, tangents, directors, led, bends, present, slow, out } = self;
        let mut before = ([Lane::ZERO; 3], [Lane::ZERO; 3]);
        for j in 0..x.len().saturating_sub(1) {
            let mut edge = (tangents[j], directors[j]);
            if j >= led {
                edge = turned([x[j], x[j + 1]], edge);
                (tangents[j], directors[j]) = edge;
            }
            if j > 0 {
                let (mut bend, now) = (bends[j], present[j]);
                for d in 0..2 {
                    for l in 0..LANES {
                        bend[d].0[l] += slow * (now[d].0[l] - bend[d].0[l]);
                    }
                }
                out[j] = bend_between([before, edge], bend);
            }
            before = edge;
        }
    }
}

/// β₁(d + d⁺)/2 + β₂(e + e⁺)/2 between two edges of tangents t and directors d.
#[inline(always)]
fn bend_between([(ta, da), (tb, db)]: [([Lane; 3], [Lane; 3]); 2], bend: [Lane; 2]) -> [Lane; 3] {
    let mut vector = [Lane::ZERO; 3];
    for l in 0..LANES {
        let (ta, tb, da, db) = (at(&ta, l), at(&tb, l), at(&da, l), at(&db, l));
        let both = [bend[0].0[l], bend[1].0[l]];
        put(&mut vector, l, mean_bend(both, [da, db], [cross(ta, da), cross(tb, db)]));
    }
    vector
}

/// Bends that are there, in directors: what `TurnedBends` adds where there is inner friction.
pub(super) struct Present<'a> {
    pub x: &'a [[Lane; 3]],
    pub directors: &'a [[Lane; 3]],
    pub tangents: &'a [[Lane; 3]],
    pub out: &'a mut [[Lane; 2]],
}

impl Kernel for Present<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, directors, tangents, out } = self;
        for i in 1..x.len().saturating_sub(1) {
            let places = [x[i - 1], x[i], x[i + 1]];
            let (ta, tb, da, db) = (tangents[i - 1], tangents[i], directors[i - 1], directors[i]);
            let mut bend = [Lane::ZERO; 2];
            for l in 0..LANES {
                let (ta, tb, da, db) = (at(&ta, l), at(&tb, l), at(&da, l), at(&db, l));
                let u = scale(add(da, db), 0.5);
                let v = scale(add(cross(ta, da), cross(tb, db)), 0.5);
                let dd = second_difference(&places, l);
                let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
                let (p, q) = (dot(u, dd), dot(v, dd));
                let inverse = 1.0 / larger(uu * vv - uv * uv, 1e-3);
                bend[0].0[l] = (vv * p - uv * q) * inverse;
                bend[1].0[l] = (uu * q - uv * p) * inverse;
            }
            out[i] = bend;
        }
    }
}

/// What turning frames do to points, at the start of a step: a director that is carried along by its
/// edge bears the moment of the bend it prescribes. Per edge a couple
/// ½ (s·t) c/l with s the bending force and c the bend in that edge's frame, and the twist
/// k_t m (κb)/(2 l). Without it a curl would spin by itself.
pub(super) struct React<'a> {
    pub x: &'a [[Lane; 3]],
    pub tangents: &'a [[Lane; 3]],
    pub directors: &'a [[Lane; 3]],
    pub bends: &'a [[Lane; 2]],
    pub twist: &'a [Lane],
    pub rod: &'a [Stiffness],
    /// Length of edges. [m]
    pub edge: Lane,
    pub out: &'a mut [[Lane; 3]],
}

impl Kernel for React<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, tangents, directors, bends, twist, rod, edge, out } = self;
        out.fill([Lane::ZERO; 3]);
        let last = x.len().saturating_sub(1);
        let mut kept = [Lane::ZERO; 3];
        for i in 1..last {
            let places = [x[i - 1], x[i], x[i + 1]];
            let (ta, tb, da, db) = (tangents[i - 1], tangents[i], directors[i - 1], directors[i]);
            let (bend, m) = (bends[i], twist[i]);
            let Stiffness { twist: kt, bend: kb } = rod[i];
            let (mut first, mut second) = (out[i - 1], out[i]);
            for l in 0..LANES {
                let (ta, tb, da, db) = (at(&ta, l), at(&tb, l), at(&da, l), at(&db, l));
                let dd = second_difference(&places, l);
                let (ea, eb) = (cross(ta, da), cross(tb, db));
                let both = [bend[0].0[l], bend[1].0[l]];
                let s = scale(sub(dd, mean_bend(both, [da, db], [ea, eb])), kb.0[l]);
                let c = |d: Three, e: Three| add(scale(d, both[0]), scale(e, both[1]));
                let over = 2.0 * kt.0[l] * m.0[l] / larger(1.0 + dot(ta, tb), 0.05);
                let twisted = scale(cross(ta, tb), over);
                let sum = add(add(at(&kept, l), twisted), scale(c(da, ea), dot(s, ta)));
                let couple = scale(sum, 0.5 / edge.0[l]);
                let (a, b) = (at(&first, l), at(&second, l));
                put(&mut first, l, add(a, couple));
                put(&mut second, l, sub(b, couple));
                put(&mut kept, l, add(scale(c(db, eb), dot(s, tb)), twisted));
            }
            (out[i - 1], out[i]) = (first, second);
        }
        if last < 1 {
            return;
        }
        let (mut first, mut second) = (out[last - 1], out[last]);
        for l in 0..LANES {
            let couple = scale(at(&kept, l), 0.5 / edge.0[l]);
            let (a, b) = (at(&first, l), at(&second, l));
            put(&mut first, l, add(a, couple));
            put(&mut second, l, sub(b, couple));
        }
        (out[last - 1], out[last]) = (first, second);
    }
}
