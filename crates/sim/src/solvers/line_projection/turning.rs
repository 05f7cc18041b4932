//! Rows of a grid as strips, and over to columns.

use std::ops::Range;

use glam::Vec3;

use crate::simd::{Kernel, LANES, Lane, Square, transpose};
use crate::soa::{Soa3Mut, Soa3Ref};

use super::alike::RowLists;
use super::chain::{Points, Strip};

/// Lines of strip `b` of `count`: sixteen, the last ones if fewer are left.
pub(super) fn strip_range(b: usize, count: usize) -> Range<usize> {
    let first = (b * LANES).min(count.saturating_sub(LANES));
    first..(first + LANES).min(count)
}

/// Which lines of `count` are in a strip: every `step`th from `first` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members {
    pub first: usize,
    pub step: usize,
    pub count: usize,
}

impl Members {
    /// The line in lane `l`; there may be none.
    pub fn line(&self, l: usize) -> usize {
        self.first + l * self.step
    }
}

/// One number a point of these rows, turned over; zero where there is no row.
pub(super) fn turn_numbers(to: &mut [Lane], numbers: &[f32], rows: Members, ni: usize) {
    turn(to, 1, numbers, rows, ni);
}

/// The same for points.
pub(super) fn turn_points(to: &mut Points, x: Soa3Ref<'_>, rows: Members, ni: usize) {
    for (c, x) in [x.x, x.y, x.z].into_iter().enumerate() {
        turn(&mut to.as_flattened_mut()[c..], 3, x, rows, ni);
    }
}

fn turn(to: &mut [Lane], step: usize, numbers: &[f32], rows: Members, ni: usize) {
    let mut square = [Lane::ZERO; LANES];
    for b in 0..ni.div_ceil(LANES) {
        let columns = strip_range(b, ni);
        for (l, lane) in square.iter_mut().enumerate() {
            let row = rows.line(l);
            if row < rows.count {
                *lane = Lane::load(&numbers[row * ni + columns.start..row * ni + columns.end]);
            }
        }
        let to = &mut to[step * columns.start..];
        transpose(Square { lanes: &square, step: 1 }, Square { lanes: to, step });
    }
}

/// Sixteen columns from `first` on out of strips of rows. There is room for sixteen points a strip.
pub(super) fn turn_over(to: &mut Points, rows: &[Strip], first: usize) {
    let to = to.as_flattened_mut();
    for (r, row) in rows.iter().enumerate() {
        let from = row.x[first..].as_flattened();
        for c in 0..3 {
            let to = Square { lanes: &mut to[3 * r + c..], step: 3 * rows.len() };
            transpose(Square { lanes: &from[c..], step: 3 }, to);
        }
    }
}

/// Rows of `ni` points out of strips of columns.
pub(super) fn turn_back(to: &mut Points, columns: &[Strip], rows: Members, ni: usize) {
    for (b, column) in columns.iter().enumerate() {
        let to = to[strip_range(b, ni).start..].as_flattened_mut();
        let from = column.x[rows.first..].as_flattened();
        for c in 0..3 {
            let from = Square { lanes: &from[c..], step: 3 * rows.step };
            transpose(from, Square { lanes: &mut to[c..], step: 3 });
        }
    }
}

/// Rows of `ni` points, from number `first` on, out of strips of columns.
pub(super) struct Rows<'a> {
    pub columns: &'a [Strip],
    pub first: usize,
    pub ni: usize,
}

impl Rows<'_> {
    /// x ← y.
    pub fn write(&self, x: Soa3Mut<'_>) {
        for (c, x) in [x.x, x.y, x.z].into_iter().enumerate() {
            for (j, row) in x.chunks_exact_mut(self.ni).enumerate() {
                for (b, strip) in self.columns.iter().enumerate() {
                    let line = &strip.x[self.first + j][c];
                    if self.ni < LANES {
                        line.store(row);
                    } else {
                        line.put(row, strip_range(b, self.ni).start);
                    }
                }
            }
        }
    }
}

/// v ← w + (y − (x + h w))/h with w = u + change, x ← y; see [`super::super::axes::advance_to`].
pub(super) struct Advance<'a> {
    pub y: Rows<'a>,
    pub x: Soa3Mut<'a>,
    pub v: Soa3Mut<'a>,
    pub u: Soa3Ref<'a>,
    pub pace: Pace,
    /// Masses, and a tally for each row. [kg]
    pub masses: &'a RowLists,
    pub tallies: &'a mut [Tally],
}

/// Σ m v by coordinate and Σ m|v|². [kg·m/s, J]
pub(super) type Tally = [f64; 4];

/// How a step led to where lines began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Change of velocity that is not in it yet. [m/s]
    pub change: Vec3,
    /// Length of the step. [s]
    pub h: f32,
}

impl Kernel for Advance<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { y: Rows { columns, first, ni }, mut x, mut v, u, pace, masses, tallies } = self;
        let Some((last, columns)) = columns.split_last() else { return };
        // The last sixteen overlap those before, which are not counted again.
        let again = LANES * (columns.len() + 1) - ni;
        let mut counted = Lane::ZERO;
        for l in 0..LANES {
            counted.0[l] = if l >= again { 1.0 } else { 0.0 };
        }
        for (j, tally) in tallies.iter_mut().enumerate() {
            let row = j * ni..(j + 1) * ni;
            let (mut x, mut v) = (x.slice_mut(row.clone()), v.slice_mut(row.clone()));
            let (u, mass) = (u.slice(row), masses.row(first + j, ni));
            let mut sums = Sums::ZERO;
            if ni < LANES {
                let new = place(last, first + j);
                let speeds = speed(new, few(x.slice(0..ni)), few(u), pace);
                sums = sums.add(speeds, Lane::load(mass));
                store(x, new);
                store(v, speeds);
            } else {
                let end = ni - LANES;
                let before = full(x.slice(0..ni), end);
                for (b, strip) in columns.iter().enumerate() {
                    let at = b * LANES;
                    let (old, new) = (full(x.slice(0..ni), at), place(strip, first + j));
                    let speeds = speed(new, old, full(u, at), pace);
                    sums = sums.add(speeds, Lane::full(mass, at));
                    put(&mut x, new, at);
                    put(&mut v, speeds, at);
                }
                let new = place(last, first + j);
                let speeds = speed(new, before, full(u, end), pace);
                let mut weight = Lane::full(mass, end);
                for l in 0..LANES {
                    weight.0[l] *= counted.0[l];
                }
                sums = sums.add(speeds, weight);
                put(&mut x, new, end);
                put(&mut v, speeds, end);
            }
            *tally = sums.total();
        }
    }
}

#[inline(always)]
fn place(strip: &Strip, j: usize) -> [Lane; 3] {
    strip.x[j]
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

/// [`Tally`] of a row, lane by lane: of so few numbers sums in f32 are exact enough.
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
    for l in 0..8 {
        eight[l] = f64::from(lane.0[l]) + f64::from(lane.0[l + 8]);
    }
    let mut four = [0.0; 4];
    for l in 0..4 {
        four[l] = eight[l] + eight[l + 4];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}
