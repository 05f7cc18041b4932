//! Springs between two strips of rows: shear and knight's moves, one XPBD sweep.

use std::ops::Range;

use crate::elements::{StencilSpring, rsqrt};
use crate::simd::{Kernel, LANES, Lane};

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

    /// All of them, to be read in a kernel.
    #[inline(always)]
    pub fn view(&self) -> SharesOf<'_> {
        SharesOf { shares: &self.shares, which: &self.which }
    }
}

/// See [`CrossRow`].
#[derive(Clone, Copy)]
pub(super) struct SharesOf<'a> {
    shares: &'a [Shares],
    which: &'a [u32],
}

impl SharesOf<'_> {
    /// Of spring `k`.
    #[inline(always)]
    pub fn get(&self, k: usize) -> Shares {
        self.shares[self.which[k] as usize]
    }
}

/// C = |b − a| − L of sixteen springs: where their ends get to.
#[inline(always)]
pub(super) fn pull(
    [mut px, mut py, mut pz]: [Lane; 3],
    [mut qx, mut qy, mut qz]: [Lane; 3],
    [sa, sb]: Shares,
    rest: Lane,
) -> ([Lane; 3], [Lane; 3]) {
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
    ([px, py, pz], [qx, qy, qz])
}

/// All springs of a row, none of which shares an end with another. With `DAMPED` lengths at the
/// start of the step count.
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
        let Self { row, x: [a, b], start, columns: [ca, cb], target } = self;
        let (a, b) = (&mut a[ca.clone()], &mut b[cb.clone()]);
        let shares = row.view();
        for k in 0..a.len() {
            let mut rest = Lane([target.own; LANES]);
            if DAMPED {
                let [sx, sy, sz] = start[0][ca.start + k];
                let [tx, ty, tz] = start[1][cb.start + k];
                for l in 0..LANES {
                    let d = [tx.0[l] - sx.0[l], ty.0[l] - sy.0[l], tz.0[l] - sz.0[l]];
                    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                    rest.0[l] += target.of_start * (square * rsqrt(square));
                }
            }
            (a[k], b[k]) = pull(a[k], b[k], shares.get(k), rest);
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
const LAG: usize = 8;

impl<const BEYOND: bool> Kernel for Diagonals<'_, BEYOND> {
    #[inline(always)]
    fn run(self) {
        let Self { rows: [r0, r1], x: [a, b], first: [f0, f1], rest } = self;
        let (a, b) = (a.as_mut_slice(), b.as_mut_slice());
        let (s0, s1) = (r0.view(), r1.view());
        let rests = [Lane([rest[0]; LANES]), Lane([rest[1]; LANES])];
        let cells = s0.which.len();
        for k in 0..cells + LAG {
            if k < cells {
                let (i, j) = (&mut a[f0[0] + k], &mut b[f0[1] + k]);
                (*i, *j) = diagonal::<BEYOND>(*i, *j, s0.get(k), rests[0]);
            }
            if k >= LAG {
                let k = k - LAG;
                let (i, j) = (&mut a[f1[0] + k], &mut b[f1[1] + k]);
                (*i, *j) = diagonal::<BEYOND>(*i, *j, s1.get(k), rests[1]);
            }
        }
    }
}

#[inline(always)]
fn diagonal<const BEYOND: bool>(
    p: [Lane; 3],
    q: [Lane; 3],
    shares: Shares,
    rest: Lane,
) -> ([Lane; 3], [Lane; 3]) {
    if !BEYOND {
        return pull(p, q, shares, rest);
    }
    let [qx, qy, qz] = q;
    let (p, [qx, qy, qz]) = pull(p, [ahead(qx), ahead(qy), ahead(qz)], shares, rest);
    (p, [behind(qx), behind(qy), behind(qz)])
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
