//! Rows of a grid as strips, and back.

use std::ops::Range;

use crate::simd::{LANES, Lane, transpose};
use crate::soa::Soa3Mut;

use super::chain::Strip;

/// Lines of strip `b` of `count`: sixteen, the last ones if fewer are left.
pub(super) fn strip_range(b: usize, count: usize) -> Range<usize> {
    let first = (b * LANES).min(count.saturating_sub(LANES));
    first..(first + LANES).min(count)
}

/// Sixteen rows from `first` on, out of the columns.
pub(super) fn turn_in(strip: &mut Strip, columns: &[Strip], first: usize, ni: usize) {
    for (b, column) in columns.iter().enumerate() {
        let at = strip_range(b, ni).start;
        for c in 0..3 {
            let from = column.x[c][first..].first_chunk::<LANES>();
            let to = strip.x[c][at..].first_chunk_mut::<LANES>();
            if let (Some(from), Some(to)) = (from, to) {
                transpose(from, to);
            }
        }
    }
}

/// Lines `own` of the strip to the rows `x`.
pub(super) fn turn_out(strip: &Strip, own: Range<usize>, ni: usize, x: Soa3Mut<'_>) {
    let mut square = [Lane::ZERO; LANES];
    let coordinates = [x.x, x.y, x.z];
    for (c, x) in coordinates.into_iter().enumerate() {
        for b in 0..ni.div_ceil(LANES) {
            let columns = strip_range(b, ni);
            if let Some(from) = strip.x[c][columns.start..].first_chunk::<LANES>() {
                transpose(from, &mut square);
            }
            let lines = square[own.clone()].iter().zip(x.chunks_exact_mut(ni));
            if ni < LANES {
                lines.for_each(|(line, x)| line.store(x));
            } else {
                lines.for_each(|(line, x)| line.put(x, columns.start));
            }
        }
    }
}

/// One number a point of sixteen rows, turned over.
pub(super) fn turn_numbers(to: &mut [Lane], numbers: &[f32], rows: &Range<usize>, ni: usize) {
    let mut square = [Lane::ZERO; LANES];
    for b in 0..ni.div_ceil(LANES) {
        let columns = strip_range(b, ni);
        for (lane, row) in square.iter_mut().zip(rows.clone()) {
            *lane = Lane::load(&numbers[row * ni..][columns.clone()]);
        }
        if let Some(to) = to[columns.start..].first_chunk_mut::<LANES>() {
            transpose(&square, to);
        }
    }
}
