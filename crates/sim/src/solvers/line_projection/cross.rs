//! Springs between two strips of rows: shear and knight's moves, one XPBD sweep.

use std::ops::Range;

use crate::elements::{StencilSpring, rsqrt};
use crate::simd::{Kernel, LANES, Lane};

use super::chain::Points;

/// A spring of the stencil with dj > 0, as a position-based constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrossSpring {
    /// Grid offset along i.
    di: isize,
    /// Grid offset along j, 1 or 2.
    pub dj: usize,
    stiffness: f32,
    pub damping: f32,
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

    /// Columns of its upper and of its lower ends in a grid of `ni`, in order.
    pub fn columns(&self, ni: usize) -> [Range<usize>; 2] {
        let side = self.di.unsigned_abs().min(ni);
        let (from, to) = if self.di < 0 { (side, 0) } else { (0, side) };
        [from..from + ni - side, to..to + ni - side]
    }

    /// 1/(k h²) with its dashpot. [1/kg]
    pub fn alpha(&self, h: f32) -> f32 {
        1.0 / ((self.stiffness + self.damping / h) * h * h)
    }

    /// The length it is drawn to. k(l − L) + c(l − l₀)/h is a spring of stiffness k + c/h.
    pub fn target(&self, h: f32) -> Target {
        let dashpot = self.damping / h;
        let stiffness = self.stiffness + dashpot;
        Target { own: self.stiffness / stiffness * self.rest, of_start: dashpot / stiffness }
    }
}

/// L′ = own + of_start·l₀: see [`super::targets::Targets`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// kL/k′. [m]
    own: f32,
    /// Share of the length at the start in L′.
    of_start: f32,
}

/// What a spring moves its ends by, for each of sixteen rows: w/(w + w′ + α), zero where
/// there is no spring.
pub(super) type Shares = [Lane; 2];

/// A spring of sixteen rows, all along them.
#[derive(Debug, Default)]
pub(super) struct CrossRow {
    /// Shares that differ from those before them.
    shares: Vec<Shares>,
    /// Which of them each spring has: where all weigh the same, few stay in the cache.
    which: Vec<u32>,
}

impl CrossRow {
    pub fn clear(&mut self) {
        self.shares.clear();
        self.which.clear();
    }

    pub fn push(&mut self, shares: Shares) {
        if self.shares.last() != Some(&shares) {
            self.shares.push(shares);
        }
        self.which.push(self.shares.len() as u32 - 1);
    }
}

/// C = |b − a| − L of all springs of a row, none of which shares an end with another. With
/// `DAMPED` lengths at the start of the step count.
pub(super) struct Sweep<'a, const DAMPED: bool> {
    pub row: &'a CrossRow,
    /// Upper and lower ends, and where they were at the start of the step. [m]
    pub x: [&'a mut Points; 2],
    pub start: [&'a Points; 2],
    pub columns: [Range<usize>; 2],
    pub target: Target,
}

impl<const DAMPED: bool> Kernel for Sweep<'_, DAMPED> {
    #[inline(always)]
    fn run(self) {
        let Self { row: CrossRow { shares, which }, x: [a, b], start, columns, target } = self;
        let [ca, cb] = columns;
        let ([ax, ay, az], [bx, by, bz]) = (a, b);
        let (ax, ay, az) = (&mut ax[ca.clone()], &mut ay[ca.clone()], &mut az[ca.clone()]);
        let (bx, by, bz) = (&mut bx[cb.clone()], &mut by[cb.clone()], &mut bz[cb.clone()]);
        for (k, &which) in which.iter().enumerate() {
            let [sa, sb] = shares[which as usize];
            let (mut px, mut py, mut pz) = (ax[k], ay[k], az[k]);
            let (mut qx, mut qy, mut qz) = (bx[k], by[k], bz[k]);
            let mut rest = Lane([target.own; LANES]);
            if DAMPED {
                let (k, m) = (ca.start + k, cb.start + k);
                let [s, t] = start;
                let (sx, sy, sz, tx, ty, tz) =
                    (s[0][k], s[1][k], s[2][k], t[0][m], t[1][m], t[2][m]);
                for l in 0..LANES {
                    let d = [tx.0[l] - sx.0[l], ty.0[l] - sy.0[l], tz.0[l] - sz.0[l]];
                    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                    rest.0[l] += target.of_start * (square * rsqrt(square));
                }
            }
            for l in 0..LANES {
                let d = [qx.0[l] - px.0[l], qy.0[l] - py.0[l], qz.0[l] - pz.0[l]];
                let inverse = rsqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                let excess = 1.0 - rest.0[l] * inverse;
                let (ma, mb) = (sa.0[l] * excess, sb.0[l] * excess);
                px.0[l] += ma * d[0];
                py.0[l] += ma * d[1];
                pz.0[l] += ma * d[2];
                qx.0[l] -= mb * d[0];
                qy.0[l] -= mb * d[1];
                qz.0[l] -= mb * d[2];
            }
            (ax[k], ay[k], az[k]) = (px, py, pz);
            (bx[k], by[k], bz[k]) = (qx, qy, qz);
        }
    }
}
