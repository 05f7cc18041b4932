//! Springs between neighbouring rows of a grid: shear and knight's moves, one XPBD sweep.

use std::ops::Range;

use crate::elements::{Pair, StencilSpring, rsqrt, rsqrt_pair};
use crate::parallel::Split;
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::{Soa3Mut, Soa3Ref};

/// A spring of the stencil with dj > 0, as a position-based constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrossSpring {
    /// Grid offset along i.
    pub di: isize,
    /// Grid offset along j, 1 or 2.
    pub dj: usize,
    stiffness: f32,
    damping: f32,
    rest: f32,
}

impl CrossSpring {
    /// `spring` seen downwards.
    pub fn new(spring: &StencilSpring) -> Self {
        let sign = if spring.dj < 0 { -1 } else { 1 };
        Self {
            di: (sign * spring.di) as isize,
            dj: (sign * spring.dj) as usize,
            stiffness: spring.stiffness,
            damping: spring.damping,
            rest: spring.rest,
        }
    }
}

/// Two rows of a grid that springs join.
pub(super) struct RowPair<'a> {
    /// Positions of both rows. [m]
    pub x: [Soa3Mut<'a>; 2],
    /// Where they were at the start of the step. [m]
    pub start: [Soa3Ref<'a>; 2],
    /// Inverse masses. [1/kg]
    pub weight: [&'a [f32]; 2],
}

impl<'a> RowPair<'a> {
    /// Two ranges of particles, the first before the second.
    pub fn new(
        [a, b]: [Range<usize>; 2],
        x: &'a mut Soa3Mut<'_>,
        start: Soa3Ref<'a>,
        weight: &'a [f32],
    ) -> Self {
        let (len, after) = (a.len(), b.start - a.start);
        let (first, second) = x.slice_mut(a.start..b.end).split(after);
        let (first, _) = first.split(len);
        Self {
            x: [first, second],
            start: [start.slice(a.clone()), start.slice(b.clone())],
            weight: [&weight[a], &weight[b]],
        }
    }

    /// One sweep of `spring` over a step of `h`.
    pub fn sweep(&mut self, spring: &CrossSpring, h: f32) {
        dispatch(Sweep { rows: self, spring, h });
    }
}

struct Sweep<'a, 'b> {
    rows: &'a mut RowPair<'b>,
    spring: &'a CrossSpring,
    h: f32,
}

impl Kernel for Sweep<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { rows: RowPair { x: [a, b], start, weight }, spring, h } = self;
        let n = a.len();
        let (from, to) =
            if spring.di < 0 { (spring.di.unsigned_abs(), 0) } else { (0, spring.di as usize) };
        let count = n.saturating_sub(from.max(to));
        // k(l − L) + c(l − l₀)/h is a spring of stiffness k + c/h.
        let dashpot = spring.damping / h;
        let stiffness = spring.stiffness + dashpot;
        if stiffness <= 0.0 {
            return;
        }
        let alpha = 1.0 / (stiffness * h * h);
        let own = spring.stiffness / stiffness * spring.rest;
        let of_start = dashpot / stiffness;
        let law = Law { alpha, own, of_start };
        let (a, b) = (a.slice_mut(from..from + count), b.slice_mut(to..to + count));
        let start = [start[0].slice(from..from + count), start[1].slice(to..to + count)];
        let weight = [&weight[0][from..from + count], &weight[1][to..to + count]];
        match count {
            0..LANES => few(&law, [a, b], start, weight),
            LANES..64 => many::<LANES>(&law, [a, b], start, weight),
            _ => many::<{ 2 * LANES }>(&law, [a, b], start, weight),
        }
    }
}

#[derive(Clone, Copy)]
struct Law {
    alpha: f32,
    /// kL/k′: see [`super::targets::Targets`]. [m]
    own: f32,
    /// Share of the length at the start in L′.
    of_start: f32,
}

/// `W` springs at a time, in two halves: two chains of dependent steps run side by side.
/// The last ones overlap those before; weights of zero leave alone what is done already.
#[inline(always)]
fn many<const W: usize>(
    law: &Law,
    [a, b]: [Soa3Mut<'_>; 2],
    [s, t]: [Soa3Ref<'_>; 2],
    w: [&[f32]; 2],
) {
    let n = a.x.len();
    for chunk in 0..n.div_ceil(W) {
        let first = (chunk * W).min(n - W);
        let done = chunk * W - first;
        let (mut px, mut py, mut pz) = (at(a.x, first), at(a.y, first), at(a.z, first));
        let (mut qx, mut qy, mut qz) = (at(b.x, first), at(b.y, first), at(b.z, first));
        let (mut wp, mut wq) = (at(w[0], first), at(w[1], first));
        if done > 0 {
            for l in 0..W {
                wp[l] = if l < done { 0.0 } else { wp[l] };
                wq[l] = if l < done { 0.0 } else { wq[l] };
            }
        }
        let mut rest = [law.own; W];
        if law.of_start > 0.0 {
            let (sx, sy, sz): ([f32; W], [f32; W], [f32; W]) =
                (at(s.x, first), at(s.y, first), at(s.z, first));
            let (tx, ty, tz): ([f32; W], [f32; W], [f32; W]) =
                (at(t.x, first), at(t.y, first), at(t.z, first));
            for l in 0..W {
                rest[l] += law.of_start * length([tx[l] - sx[l], ty[l] - sy[l], tz[l] - sz[l]]);
            }
        }
        for l in 0..W / 2 {
            let two = |of: &[f32; W]| Pair(of[l], of[l + W / 2]);
            let d = [two(&qx) - two(&px), two(&qy) - two(&py), two(&qz) - two(&pz)];
            let inverse = rsqrt_pair(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            let weights = (two(&wp) + two(&wq)).map(|w| w + law.alpha);
            let s = (two(&rest) * inverse).map(|r| 1.0 - r) / weights;
            let (sp, sq) = (two(&wp) * s, two(&wq) * s);
            let put = |to: &mut [f32; W], value: Pair| {
                (to[l], to[l + W / 2]) = (value.0, value.1);
            };
            let (nx, ny, nz) = (two(&px) + sp * d[0], two(&py) + sp * d[1], two(&pz) + sp * d[2]);
            let (mx, my, mz) = (two(&qx) - sq * d[0], two(&qy) - sq * d[1], two(&qz) - sq * d[2]);
            put(&mut px, nx);
            put(&mut py, ny);
            put(&mut pz, nz);
            put(&mut qx, mx);
            put(&mut qy, my);
            put(&mut qz, mz);
        }
        for (to, from) in [(&mut *a.x, px), (&mut *a.y, py), (&mut *a.z, pz)] {
            to[first..first + W].copy_from_slice(&from);
        }
        for (to, from) in [(&mut *b.x, qx), (&mut *b.y, qy), (&mut *b.z, qz)] {
            to[first..first + W].copy_from_slice(&from);
        }
    }
}

#[inline(always)]
fn at<const W: usize>(values: &[f32], first: usize) -> [f32; W] {
    let mut out = [0.0; W];
    out.copy_from_slice(&values[first..first + W]);
    out
}

/// Rows of fewer springs.
fn few(law: &Law, [mut a, mut b]: [Soa3Mut<'_>; 2], [s, t]: [Soa3Ref<'_>; 2], w: [&[f32]; 2]) {
    for (i, (wa, wb)) in w[0].iter().zip(w[1]).enumerate() {
        let d = b.get(i) - a.get(i);
        let rest = law.own + law.of_start * length((t.get(i) - s.get(i)).to_array());
        let pull = law.pull(d.to_array(), rest, wa + wb);
        a.add(i, d * (wa * pull));
        b.add(i, d * -(wb * pull));
    }
}

impl Law {
    /// λ/|d| of C = |d| − L: what each end moves by, along d, for each unit of its weight.
    #[inline(always)]
    fn pull(&self, d: [f32; 3], rest: f32, weights: f32) -> f32 {
        let inverse = rsqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        (1.0 - rest * inverse) / (weights + self.alpha)
    }
}

#[inline(always)]
fn length(d: [f32; 3]) -> f32 {
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    square * rsqrt(square)
}
