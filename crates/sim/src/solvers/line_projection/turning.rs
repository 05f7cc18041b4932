//! Rows of a grid as strips, and over to columns.

use std::ops::Range;

use crate::simd::{Kernel, LANES, Lane, Square, dispatch, transpose, transpose_points};
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
    turn(to, 1, numbers, rows, ni);
}

/// The same for points.
pub(super) fn turn_points(to: &mut Points, x: Soa3Ref<'_>, rows: Members, ni: usize) {
    for (c, x) in [x.x, x.y, x.z].into_iter().enumerate() {
        turn(&mut to.as_flattened_mut()[c..], 3, x, rows, ni);
    }
}

fn turn(to: &mut [Lane], step: usize, numbers: &[f32], rows: Members, ni: usize) {
    dispatch(Turn { to, step, numbers, rows, ni });
}

struct Turn<'a> {
    to: &'a mut [Lane],
    /// Entries of `to` from one to the next.
    step: usize,
    numbers: &'a [f32],
    rows: Members,
    ni: usize,
}

impl Kernel for Turn<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { to, step, numbers, rows, ni } = self;
        let mut square = [Lane::ZERO; LANES];
        for b in 0..ni.div_ceil(LANES) {
            let columns = strip_range(b, ni);
            for (l, lane) in square.iter_mut().enumerate() {
                let row = rows.line(l);
                let at = row * ni + columns.start;
                if row >= rows.count {
                    break;
                } else if ni < LANES {
                    *lane = Lane::load(&numbers[at..at + ni]);
                } else {
                    *lane = Lane::full(numbers, at);
                }
            }
            let to = &mut to[step * columns.start..];
            transpose(Square { lanes: &square, step: 1 }, Square { lanes: to, step });
        }
    }
}

/// Points of these columns, of which there are sixteen or all, as they lie in rows of `ni`.
pub(super) fn copy_columns(to: &mut Points, x: Soa3Ref<'_>, columns: Range<usize>, ni: usize) {
    dispatch(CopyColumns { to, x, columns, ni });
}

struct CopyColumns<'a> {
    to: &'a mut [[Lane; 3]],
    x: Soa3Ref<'a>,
    columns: Range<usize>,
    ni: usize,
}

impl Kernel for CopyColumns<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { to, x, columns, ni } = self;
        let rows = x.x.chunks_exact(ni).zip(x.y.chunks_exact(ni)).zip(x.z.chunks_exact(ni));
        for (to, ((x, y), z)) in to.iter_mut().zip(rows) {
            let (x, y, z) = (&x[columns.clone()], &y[columns.clone()], &z[columns.clone()]);
            *to = [Lane::load(x), Lane::load(y), Lane::load(z)];
        }
    }
}

/// Sixteen columns from `first` on out of strips of rows. There is room for sixteen points a strip.
pub(super) fn turn_over(to: &mut Points, rows: &[Strip], first: usize) {
    for (r, row) in rows.iter().enumerate() {
        let to = Square { lanes: &mut to[r..], step: rows.len() };
        transpose_points(Square { lanes: &row.x[first..], step: 1 }, to);
    }
}

/// Rows of `ni` points out of strips of columns.
pub(super) fn turn_back(to: &mut Points, columns: &[Strip], rows: Members, ni: usize) {
    for (b, column) in columns.iter().enumerate() {
        let to = &mut to[strip_range(b, ni).start..];
        let from = Square { lanes: &column.x[rows.first..], step: rows.step };
        transpose_points(from, Square { lanes: to, step: 1 });
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
