//! Rows of a grid as strips, and over to columns.

use std::ops::Range;

use crate::simd::{LANES, Lane, transpose};
use crate::soa::Soa3Mut;

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

/// Rows from number `first` on out of strips of columns.
pub(super) fn write_rows(columns: &[Strip], first: usize, ni: usize, x: Soa3Mut<'_>) {
    for (c, x) in [x.x, x.y, x.z].into_iter().enumerate() {
        for (j, row) in x.chunks_exact_mut(ni).enumerate() {
            for (b, strip) in columns.iter().enumerate() {
                let line = &strip.x[c][first + j];
                if ni < LANES { line.store(row) } else { line.put(row, strip_range(b, ni).start) }
            }
        }
    }
}
