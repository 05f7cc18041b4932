//! What a step wants to know of a group before it begins: what is held, how stiff, where, how fast.

use glam::Vec3;

use crate::aabb::Aabb;
use crate::simd::three::{dot, larger, smaller};
use crate::simd::{Kernel, LANES, Lane};

use super::super::banded::StiffRow;
use super::super::bend::Stiffness;
use super::super::lanes::at;

/// Inverse masses become 1 for what moves and 0 for what is held, and weights beside those of edges:
/// half an edge hangs on an end.
pub(super) struct Weigh<'a> {
    /// Inverse masses. [1/kg]
    pub free: &'a mut [Lane],
    pub weight: &'a mut [Lane],
    /// First points that the root holds.
    pub held: usize,
    /// Whether any other is held.
    pub guided: &'a mut bool,
}

impl Kernel for Weigh<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { free, weight, held, guided } = self;
        let last = free.len().saturating_sub(1);
        let mut any = 0;
        for (j, (free, weight)) in free.iter_mut().zip(weight).enumerate() {
            let (mut mobile, mut heavy) = (*free, Lane::ZERO);
            let end = if j == 0 || j == last { 2.0 } else { 1.0 };
            let counts = u32::from(j >= held);
            for l in 0..LANES {
                let moves = mobile.0[l] > 0.0;
                any |= u32::from(!moves) & counts;
                mobile.0[l] = if moves { 1.0 } else { 0.0 };
                heavy.0[l] = if moves { end } else { 0.0 };
            }
            (*free, *weight) = (mobile, heavy);
        }
        *guided = any != 0;
    }
}

/// Rows of K/(m/h²), with what is held left out.
pub(super) struct Stiffen<'a> {
    pub stiff: &'a mut [StiffRow],
    pub rod: &'a [Stiffness],
    pub free: &'a [Lane],
    /// h²/m, and what inner friction makes of stiffness.
    pub scale: Lane,
}

impl Kernel for Stiffen<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { stiff, rod, free, scale } = self;
        let last = stiff.len().saturating_sub(1);
        // Point i adds k (1, −2, 1)ᵀ(1, −2, 1) to itself and the two beside it.
        let bend = |i: usize| if i > 0 && i < last { rod[i].bend } else { Lane::ZERO };
        let (mut before, mut here) = (Lane::ZERO, Lane::ZERO);
        let mut behind = [Lane::ZERO; 2];
        for (j, out) in stiff.iter_mut().enumerate() {
            let (after, moves, mut row) = (bend(j + 1), free[j], StiffRow::ZERO);
            for l in 0..LANES {
                let (k, a, b) = (scale.0[l], before.0[l], here.0[l]);
                row.own.0[l] = k * (a + 4.0 * b + after.0[l]);
                row.before.0[l] = -2.0 * k * (a + b) * moves.0[l] * behind[0].0[l];
                row.second.0[l] = k * a * moves.0[l] * behind[1].0[l];
            }
            *out = row;
            (before, here, behind) = (here, after, [moves, behind[0]]);
        }
    }
}

/// How far points are spread, and how fast they are.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Extent {
    pub bounds: Aabb,
    /// [m/s]
    pub fastest: f32,
}

impl Extent {
    pub const NONE: Self = Self { bounds: Aabb::EMPTY, fastest: 0.0 };
}

/// Finds it.
pub(super) struct Survey<'a> {
    pub x: &'a [[Lane; 3]],
    pub v: &'a [[Lane; 3]],
    pub extent: &'a mut Extent,
}

impl Kernel for Survey<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, v, extent } = self;
        let (mut low, mut high) = ([Lane([f32::MAX; LANES]); 3], [Lane([f32::MIN; LANES]); 3]);
        let mut fast = Lane::ZERO;
        for (x, v) in x.iter().zip(v) {
            let (x, v) = (*x, *v);
            for l in 0..LANES {
                for d in 0..3 {
                    low[d].0[l] = smaller(x[d].0[l], low[d].0[l]);
                    high[d].0[l] = larger(x[d].0[l], high[d].0[l]);
                }
                let v = at(&v, l);
                fast.0[l] = larger(dot(v, v), fast.0[l]);
            }
        }
        let all = |lanes: &[Lane; 3], of: fn(f32, f32) -> f32| {
            Vec3::from([0, 1, 2].map(|d| lanes[d].0.into_iter().fold(lanes[d].0[0], of)))
        };
        extent.bounds = Aabb { min: all(&low, smaller), max: all(&high, larger) };
        extent.fastest = fast.0.into_iter().fold(0.0, larger).sqrt();
    }
}
