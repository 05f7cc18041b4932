//! Springs between two strips of rows: shear and knight's moves, one XPBD sweep.

use std::ops::Range;

use crate::elements::StencilSpring;
use crate::simd::{Kernel, LANES, Lane, inverse_root};

use super::chain::Points;

/// A spring of the stencil with dj > 0, as a position-based constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrossSpring {
    /// Grid offset along i.
    pub di: isize,
    /// Grid offset along j, 1 or 2.
    pub dj: usize,
    stiffness: f32,
    pub damping: f32,
    pub rest: f32,
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
#[derive(Clone, Debug, Default)]
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

    /// Of the spring that begins at `k`.
    #[inline(always)]
    pub fn get(&self, k: usize) -> &Shares {
        &self.shares[self.which[k] as usize]
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
                    rest.0[l] += target.of_start * (square * inverse_root(square));
                }
            }
            for l in 0..LANES {
                let d = [qx.0[l] - px.0[l], qy.0[l] - py.0[l], qz.0[l] - pz.0[l]];
                let inverse = inverse_root(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
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

/// Both diagonals of all cells between two strips: all of the first direction, and a few cells
/// behind all of the other. `BEYOND`: lower ends are a lane further.
pub(super) struct Diagonals<'a, const BEYOND: bool> {
    pub rows: [&'a CrossRow; 2],
    /// Upper and lower ends. [m]
    pub x: [&'a mut Points; 2],
    /// First columns of upper and lower ends, for each direction.
    pub first: [[usize; 2]; 2],
    /// Lengths without force. [m]
    pub rest: [f32; 2],
}

/// Cells between the directions: what the first has written is ready when the other reads it.
const LAG: usize = 6;

impl<const BEYOND: bool> Kernel for Diagonals<'_, BEYOND> {
    #[inline(always)]
    fn run(mut self) {
        let cells = self.rows[0].which.len();
        for k in 0..cells + LAG {
            if k < cells {
                self.spring(0, k);
            }
            if k >= LAG {
                self.spring(1, k - LAG);
            }
        }
    }
}

impl<const BEYOND: bool> Diagonals<'_, BEYOND> {
    #[inline(always)]
    fn spring(&mut self, s: usize, k: usize) {
        let [sa, sb] = *self.rows[s].get(k);
        let ([i, j], rest) = (self.first[s].map(|first| first + k), self.rest[s]);
        let [[ax, ay, az], [bx, by, bz]] = &mut self.x;
        let (mut px, mut py, mut pz) = (ax[i], ay[i], az[i]);
        let (mut qx, mut qy, mut qz) = (bx[j], by[j], bz[j]);
        if BEYOND {
            (qx, qy, qz) = (ahead(qx), ahead(qy), ahead(qz));
        }
        for l in 0..LANES {
            let d = [qx.0[l] - px.0[l], qy.0[l] - py.0[l], qz.0[l] - pz.0[l]];
            let inverse = inverse_root(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            let excess = 1.0 - rest * inverse;
            let (ma, mb) = (sa.0[l] * excess, sb.0[l] * excess);
            px.0[l] += ma * d[0];
            py.0[l] += ma * d[1];
            pz.0[l] += ma * d[2];
            qx.0[l] -= mb * d[0];
            qy.0[l] -= mb * d[1];
            qz.0[l] -= mb * d[2];
        }
        if BEYOND {
            (qx, qy, qz) = (behind(qx), behind(qy), behind(qz));
        }
        (ax[i], ay[i], az[i]) = (px, py, pz);
        (bx[j], by[j], bz[j]) = (qx, qy, qz);
    }
}

/// Each lane from the next; the first comes last, where there is no spring.
#[inline(always)]
fn ahead(Lane([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]): Lane) -> Lane {
    Lane([b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, a])
}

/// Undoes [`ahead`].
#[inline(always)]
fn behind(Lane([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]): Lane) -> Lane {
    Lane([p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o])
}
