//! The end of a step: where columns have come to, and how fast.

use glam::Vec3;

use crate::parallel::Split;
use crate::simd::{Kernel, LANES, Lane};
use crate::soa::{Soa3Mut, Soa3Ref};

use super::alike::RowLists;
use super::chain::Strip;

/// v ← w + (y − (x + h w))/h with w = u + change, x ← y; see [`super::super::axes::advance_to`].
#[derive(Clone, Copy)]
pub(super) struct Advance<'a> {
    pub columns: &'a [Strip],
    /// Masses. [kg]
    pub masses: &'a RowLists,
    pub pace: Pace,
    /// Points of a row.
    pub ni: usize,
}

/// How a step led to where lines began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Change of velocity that is not in it yet. [m/s]
    pub change: Vec3,
    /// Length of the step. [s]
    pub h: f32,
}

/// Σ m v by coordinate and Σ m|v|². [kg·m/s, J]
pub(super) type Tally = [f64; 4];

/// Rows that are counted together: of so few numbers sums in f32 are exact enough, and of more
/// rows than one they cost less.
pub(super) const TOGETHER: usize = 4;

/// Rows from number `first` on, and a tally for every [`TOGETHER`] of them.
pub(super) struct AdvanceRows<'a> {
    pub by: Advance<'a>,
    pub first: usize,
    pub x: Soa3Mut<'a>,
    pub v: Soa3Mut<'a>,
    pub u: Soa3Ref<'a>,
    pub tallies: &'a mut [Tally],
}

/// One row on its way.
struct Row<'a> {
    /// Its number.
    j: usize,
    x: Soa3Mut<'a>,
    v: Soa3Mut<'a>,
    u: Soa3Ref<'a>,
}

impl Kernel for AdvanceRows<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { by, first, mut x, mut v, u, tallies } = self;
        let ni = by.ni;
        let count = x.len() / ni;
        for (k, tally) in tallies.iter_mut().enumerate() {
            let mut sums = Sums::ZERO;
            for j in k * TOGETHER..count.min((k + 1) * TOGETHER) {
                let row = j * ni..(j + 1) * ni;
                let (x, v) = (x.slice_mut(row.clone()), v.slice_mut(row.clone()));
                sums = by.row(Row { j: first + j, x, v, u: u.slice(row) }, sums);
            }
            *tally = sums.total();
        }
    }
}

/// Tallies of `rows` rows of `ni` points, to be cut where rows are.
pub(super) struct Tallies<'a> {
    pub ni: usize,
    pub rows: usize,
    pub tallies: &'a mut [Tally],
}

impl Split for Tallies<'_> {
    fn len(&self) -> usize {
        self.ni * self.rows
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let (ni, mid) = (self.ni, mid / self.ni);
        let (a, b) = self.tallies.split_at_mut(mid / TOGETHER);
        (Self { ni, rows: mid, tallies: a }, Self { ni, rows: self.rows - mid, tallies: b })
    }
}

impl Advance<'_> {
    #[inline(always)]
    fn row(&self, row: Row<'_>, mut sums: Sums) -> Sums {
        let Self { columns, masses, pace, ni } = *self;
        let Row { j, mut x, mut v, u } = row;
        let mass = masses.row(j, ni);
        let Some((last, columns)) = columns.split_last() else { return sums };
        if ni < LANES {
            let new = last.x[j];
            let speeds = speed(new, few(x.slice(0..ni)), few(u), pace);
            sums = sums.add(speeds, Lane::load(mass));
            store(x, new);
            store(v, speeds);
            return sums;
        }
        // The last sixteen overlap those before, which are not counted again.
        let end = ni - LANES;
        let again = LANES * columns.len() - end;
        let before = full(x.slice(0..ni), end);
        for (b, strip) in columns.iter().enumerate() {
            let (at, new) = (b * LANES, strip.x[j]);
            let speeds = speed(new, full(x.slice(0..ni), at), full(u, at), pace);
            sums = sums.add(speeds, Lane::full(mass, at));
            put(&mut x, new, at);
            put(&mut v, speeds, at);
        }
        let new = last.x[j];
        let speeds = speed(new, before, full(u, end), pace);
        let mut weight = Lane::full(mass, end);
        if again > 0 {
            for l in 0..LANES {
                weight.0[l] *= if l < again { 0.0 } else { 1.0 };
            }
        }
        sums = sums.add(speeds, weight);
        put(&mut x, new, end);
        put(&mut v, speeds, end);
        sums
    }
}

#[inline(always)]
fn full(x: Soa3Ref<'_>, at: usize) -> [Lane; 3] {
    [Lane::full(x.x, at), Lane::full(x.y, at), Lane::full(x.z, at)]
}

/// The same of fewer than sixteen.
#[inline(always)]
fn few(x: Soa3Ref<'_>) -> [Lane; 3] {
    [Lane::load(x.x), Lane::load(x.y), Lane::load(x.z)]
}

#[inline(always)]
fn store(x: Soa3Mut<'_>, [a, b, c]: [Lane; 3]) {
    a.store(x.x);
    b.store(x.y);
    c.store(x.z);
}

#[inline(always)]
fn put(x: &mut Soa3Mut<'_>, [a, b, c]: [Lane; 3], at: usize) {
    a.put(x.x, at);
    b.put(x.y, at);
    c.put(x.z, at);
}

#[inline(always)]
fn speed([y0, y1, y2]: [Lane; 3], x: [Lane; 3], u: [Lane; 3], pace: Pace) -> [Lane; 3] {
    let Pace { change, h } = pace;
    let ([x0, x1, x2], [u0, u1, u2]) = (x, u);
    [
        speed_along(y0, x0, u0, (change.x, h)),
        speed_along(y1, x1, u1, (change.y, h)),
        speed_along(y2, x2, u2, (change.z, h)),
    ]
}

#[inline(always)]
fn speed_along(y: Lane, x: Lane, u: Lane, (change, h): (f32, f32)) -> Lane {
    let (mut speed, rate) = (Lane::ZERO, 1.0 / h);
    for l in 0..LANES {
        let w = u.0[l] + change;
        speed.0[l] = w + (y.0[l] - (x.0[l] + h * w)) * rate;
    }
    speed
}

/// [`Tally`] lane by lane.
#[derive(Clone, Copy)]
struct Sums([Lane; 4]);

impl Sums {
    const ZERO: Self = Self([Lane::ZERO; 4]);

    #[inline(always)]
    fn add(self, [vx, vy, vz]: [Lane; 3], mass: Lane) -> Self {
        let Self([mut px, mut py, mut pz, mut motion]) = self;
        for l in 0..LANES {
            let m = mass.0[l];
            let p = [m * vx.0[l], m * vy.0[l], m * vz.0[l]];
            px.0[l] += p[0];
            py.0[l] += p[1];
            pz.0[l] += p[2];
            motion.0[l] += p[0] * vx.0[l] + p[1] * vy.0[l] + p[2] * vz.0[l];
        }
        Self([px, py, pz, motion])
    }

    #[inline(always)]
    fn total(self) -> Tally {
        let Self([px, py, pz, motion]) = self;
        [total(px), total(py), total(pz), total(motion)]
    }
}

#[inline(always)]
fn total(lane: Lane) -> f64 {
    let mut eight = [0.0; 8];
    for (l, sum) in eight.iter_mut().enumerate() {
        *sum = f64::from(lane.0[l]) + f64::from(lane.0[l + 8]);
    }
    let mut four = [0.0; 4];
    for (l, sum) in four.iter_mut().enumerate() {
        *sum = eight[l] + eight[l + 4];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}
