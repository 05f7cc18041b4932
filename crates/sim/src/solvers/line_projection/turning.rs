//! Rows of a grid as strips, and over to columns.

use std::ops::Range;

use glam::Vec3;

use crate::simd::{Kernel, LANES, Lane, transpose};
use crate::soa::{Soa3Mut, Soa3Ref};

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
    let mut square = [Lane::ZERO; LANES];
    for b in 0..ni.div_ceil(LANES) {
        let columns = strip_range(b, ni);
        for (l, lane) in square.iter_mut().enumerate() {
            let row = rows.line(l);
            if row < rows.count {
                *lane = Lane::load(&numbers[row * ni + columns.start..row * ni + columns.end]);
            }
        }
        if let Some(to) = to[columns.start..].first_chunk_mut::<LANES>() {
            transpose(&square, to);
        }
    }
}

/// Sixteen columns from `first` on, of `nj` points each, out of strips of rows.
pub(super) fn turn_over(to: &mut Points, rows: &[Strip], first: usize, nj: usize) {
    let mut square = [Lane::ZERO; LANES];
    for (r, row) in rows.iter().enumerate() {
        for (to, from) in to.iter_mut().zip(&row.x) {
            if let Some(from) = from[first..].first_chunk::<LANES>() {
                transpose(from, &mut square);
            }
            let to = to[..nj].iter_mut().skip(r).step_by(rows.len());
            to.zip(&square).for_each(|(to, line)| *to = *line);
        }
    }
}

/// Rows of `ni` points out of strips of columns.
pub(super) fn turn_back(to: &mut Points, columns: &[Strip], rows: Members, ni: usize) {
    let mut square = [Lane::ZERO; LANES];
    for (b, column) in columns.iter().enumerate() {
        let first = strip_range(b, ni).start;
        for (to, from) in to.iter_mut().zip(&column.x) {
            let lines = from[..rows.count].iter().skip(rows.first).step_by(rows.step);
            square.iter_mut().zip(lines).for_each(|(lane, line)| *lane = *line);
            if let Some(to) = to[first..].first_chunk_mut::<LANES>() {
                transpose(&square, to);
            }
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
                    let line = &strip.x[c][self.first + j];
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
}

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
        let Self { y: Rows { columns, first, ni }, x, v, u, pace: Pace { change, h } } = self;
        let Some((last, columns)) = columns.split_last() else { return };
        let axes = [(x.x, v.x, u.x), (x.y, v.y, u.y), (x.z, v.z, u.z)];
        for (c, (x, v, u)) in axes.into_iter().enumerate() {
            let rows = x.chunks_exact_mut(ni).zip(v.chunks_exact_mut(ni)).zip(u.chunks_exact(ni));
            // No closure: it would be compiled for the plain level.
            let pace = (change[c], h);
            for (j, ((x, v), u)) in rows.enumerate() {
                let end = last.x[c][first + j];
                if ni < LANES {
                    speed(end, Lane::load(x), Lane::load(u), pace).store(v);
                    end.store(x);
                    continue;
                }
                // The last sixteen overlap those before: what was there is kept.
                let before = Lane::full(x, ni - LANES);
                let squares = x.chunks_exact_mut(LANES).zip(v.chunks_exact_mut(LANES));
                let squares = squares.zip(u.chunks_exact(LANES));
                for (strip, ((x, v), u)) in columns.iter().zip(squares) {
                    let y = strip.x[c][first + j];
                    speed(y, Lane::full(x, 0), Lane::full(u, 0), pace).put(v, 0);
                    y.put(x, 0);
                }
                speed(end, before, Lane::full(u, ni - LANES), pace).put(v, ni - LANES);
                end.put(x, ni - LANES);
            }
        }
    }
}

#[inline(always)]
fn speed(y: Lane, x: Lane, u: Lane, (change, h): (f32, f32)) -> Lane {
    let (mut speed, rate) = (Lane::ZERO, 1.0 / h);
    for l in 0..LANES {
        let w = u.0[l] + change;
        speed.0[l] = w + (y.0[l] - (x.0[l] + h * w)) * rate;
    }
    speed
}
