//! Column tiles of a regular grid, copied row by row into aligned buffers.
//!
//! A margin of zeros or of neighbouring columns on either side lets loops run
//! over whole lanes without a branch at the borders.

use crate::simd::LANES;

/// Most columns of a tile: its buffers should stay in the second-level cache.
pub const TILE: usize = 512;
/// Columns of a tile for small grids, whose buffers are cheaper to clear.
pub const TILE_SMALL: usize = 64;
/// Columns computed side by side.
pub const CHUNK: usize = 2 * LANES;
/// Free entries before a tile in a row buffer: springs may start a lane before
/// it and reach two entries further.
pub const MARGIN: usize = 2 * LANES;
/// Entries of a row buffer beyond the columns of its tile: the margin before,
/// and a chunk with its reach after.
pub const PADDING: usize = MARGIN + CHUNK + LANES;

/// One row of the tile for each of `N` quantities.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub struct Rows<const P: usize, const N: usize>(pub [[f32; P]; N]);

impl<const P: usize, const N: usize> Rows<P, N> {
    /// All zero.
    pub const ZERO: Self = Self([[0.0; P]; N]);
}

/// Columns `first..first + len` of the grid, kept from [`MARGIN`] on in a row buffer.
pub struct Tile {
    /// First column.
    pub first: usize,
    /// Number of columns.
    pub len: usize,
    /// `len` rounded up to whole lanes.
    pub lanes: usize,
    /// Columns that exist left and right of the tile, as far as springs reach.
    pub left: usize,
    /// See `left`.
    pub right: usize,
}

impl Tile {
    /// Tile `index` of `tiles` over `ni` columns.
    #[inline(always)]
    pub fn new(index: usize, tiles: usize, ni: usize) -> Self {
        let width = ni.div_ceil(tiles);
        let first = (index * width).min(ni);
        let len = width.min(ni - first);
        Self {
            first,
            len,
            lanes: len.next_multiple_of(LANES),
            left: first.min(2),
            right: (ni - first - len).min(2),
        }
    }

    /// Start and length in a row buffer of the springs that touch the tile.
    #[inline(always)]
    pub fn span(&self) -> (usize, usize) {
        let start = if self.left > 0 { MARGIN - LANES } else { MARGIN };
        (start, (MARGIN + self.len + self.right - start).next_multiple_of(CHUNK))
    }

    /// Copies the tile's columns, and two more on either side, of the row that starts at `row`.
    #[inline(always)]
    pub fn load<const P: usize, const N: usize>(
        &self,
        from: [&[f32]; N],
        row: usize,
        to: &mut Rows<P, N>,
    ) {
        let start = row + self.first - self.left;
        let len = self.left + self.len + self.right;
        let at = MARGIN - self.left;
        for (to, from) in to.0.iter_mut().zip(from) {
            to[at..at + len].copy_from_slice(&from[start..start + len]);
        }
    }
}
