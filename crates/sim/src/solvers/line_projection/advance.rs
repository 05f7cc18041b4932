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
    /// Change of velocity by weight, which is in both. [m/s]
    pub fall: Vec3,
    /// Length of the step. [s]
    pub h: f32,
}

/// Σ m v by coordinate, Σ m|v|² and Σ m|v₀|², v₀ what the step began with but for weight. [kg·m/s, J]
pub(super) type Tally = [f64; 5];

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
                by.row(Row { j: first + j, x, v, u: u.slice(row) }, &mut sums);
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
    fn row(&self, row: Row<'_>, sums: &mut Sums) {
        let Self { columns, masses, pace, ni } = *self;
        let Row { j, mut x, mut v, u } = row;
        let mass = masses.row(j, ni);
        let Some((last, columns)) = columns.split_last() else { return };
        if ni < LANES {
            let new = last.x[j];
            let (old, mass) = (few(x.slice(0..ni)), Lane::load(mass));
            let speeds = sums.add(Some16 { y: new, x: old, u: few(u), mass }, pace);
            store(x, new);
            store(v, speeds);
            return;
        }
        // The last sixteen overlap those before, which are not counted again.
        let end = ni - LANES;
        let again = LANES * columns.len() - end;
        let before = full(x.slice(0..ni), end);
        for (b, strip) in columns.iter().enumerate() {
            let (at, new) = (b * LANES, strip.x[j]);
            let (old, mass) = (full(x.slice(0..ni), at), Lane::full(mass, at));
            let speeds = sums.add(Some16 { y: new, x: old, u: full(u, at), mass }, pace);
            put(&mut x, new, at);
            put(&mut v, speeds, at);
        }
        let new = last.x[j];
        let mut weight = Lane::full(mass, end);
        if again > 0 {
            for l in 0..LANES {
                weight.0[l] *= if l < again { 0.0 } else { 1.0 };
            }
        }
        let last = Some16 { y: new, x: before, u: full(u, end), mass: weight };
        let speeds = sums.add(last, pace);
        put(&mut x, new, end);
        put(&mut v, speeds, end);
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

/// Sixteen points on their way.
struct Some16 {
    /// Where they come to, and where they were. [m]
    y: [Lane; 3],
    x: [Lane; 3],
    /// What led to where lines began, but for what [`Pace`] adds. [m/s]
    u: [Lane; 3],
    mass: Lane,
}

/// [`Tally`] lane by lane.
struct Sums([Lane; 5]);

impl Sums {
    const ZERO: Self = Self([Lane::ZERO; 5]);

    /// Adds points, and says how fast they are. One loop over copies: of several small ones the
    /// compiler makes single numbers.
    #[inline(always)]
    fn add(&mut self, points: Some16, pace: Pace) -> [Lane; 3] {
        let Some16 { y: [y0, y1, y2], x: [x0, x1, x2], u: [u0, u1, u2], mass } = points;
        let (Pace { change, fall, h }, rate) = (pace, 1.0 / pace.h);
        let [mut px, mut py, mut pz, mut motion, mut before] = self.0;
        let (mut v0, mut v1, mut v2) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for l in 0..LANES {
            let w = [u0.0[l] + change.x, u1.0[l] + change.y, u2.0[l] + change.z];
            let v = [
                w[0] + (y0.0[l] - (x0.0[l] + h * w[0])) * rate,
                w[1] + (y1.0[l] - (x1.0[l] + h * w[1])) * rate,
                w[2] + (y2.0[l] - (x2.0[l] + h * w[2])) * rate,
            ];
            (v0.0[l], v1.0[l], v2.0[l]) = (v[0], v[1], v[2]);
            let m = mass.0[l];
            let p = [m * v[0], m * v[1], m * v[2]];
            px.0[l] += p[0];
            py.0[l] += p[1];
            pz.0[l] += p[2];
            motion.0[l] += p[0] * v[0] + p[1] * v[1] + p[2] * v[2];
            let b = [w[0] - fall.x, w[1] - fall.y, w[2] - fall.z];
            before.0[l] += m * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
        }
        self.0 = [px, py, pz, motion, before];
        [v0, v1, v2]
    }

    #[inline(always)]
    fn total(&self) -> Tally {
        let [px, py, pz, motion, before] = self.0;
        [total(px), total(py), total(pz), total(motion), total(before)]
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
