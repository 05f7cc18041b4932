//! A symmetric matrix of 3 × 3 blocks, row after row; its pattern is made once.

use glam::{DMat3, DVec3};

use super::gases::Gases;
use crate::parallel::{Split, for_each_part};

/// Which blocks there are.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Blocks `starts[i]..starts[i + 1]` are row i.
    starts: Vec<u32>,
    /// Column of each block, rising within a row.
    columns: Vec<u32>,
    /// The block on the diagonal of each row.
    diagonal: Vec<u32>,
}

impl Pattern {
    /// The pattern of all `pairs` (row, column) and of the whole diagonal.
    pub fn new(rows: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.extend((0..rows as u32).map(|i| (i, i)));
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; rows + 1];
        pairs.iter().for_each(|&(row, _)| starts[row as usize + 1] += 1);
        (0..rows).for_each(|i| starts[i + 1] += starts[i]);
        let mut pattern =
            Self { starts, columns: pairs.iter().map(|p| p.1).collect(), diagonal: Vec::new() };
        pattern.diagonal = (0..rows as u32).map(|i| pattern.place(i, i)).collect();
        pattern
    }

    /// Index of the block (row, column), which must be one of the pattern's.
    pub fn place(&self, row: u32, column: u32) -> u32 {
        let start = self.starts[row as usize];
        let found = self.row(row as usize).binary_search(&column);
        start + found.unwrap_or_else(|at| at) as u32
    }

    /// Columns of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// The numbers of a matrix.
#[derive(Debug)]
pub(super) struct BlockMatrix {
    pub pattern: Pattern,
    pub blocks: Vec<DMat3>,
    /// Terms that join too many particles for blocks.
    pub gases: Gases,
}

impl BlockMatrix {
    pub fn new(pattern: Pattern, gases: Gases) -> Self {
        let blocks = vec![DMat3::ZERO; pattern.columns.len()];
        Self { pattern, blocks, gases }
    }

    /// All zero but for `diagonal`·I.
    pub fn reset(&mut self, diagonal: &[f64]) {
        let Self { pattern, blocks, .. } = self;
        blocks.fill(DMat3::ZERO);
        for (&place, &value) in pattern.diagonal.iter().zip(diagonal) {
            blocks[place as usize] = DMat3::from_diagonal(DVec3::splat(value));
        }
    }

    /// All rows, to be written in parallel.
    pub fn rows_mut(&mut self) -> RowsMut<'_> {
        let Self { pattern, blocks, .. } = self;
        RowsMut { starts: &pattern.starts, blocks }
    }

    /// The block on the diagonal of a row.
    pub fn diagonal(&self, row: usize) -> &DMat3 {
        &self.blocks[self.pattern.diagonal[row] as usize]
    }

    /// out = A p, zero in the rows that are `fixed`.
    pub fn multiply(&self, fixed: &[bool], p: &[DVec3], out: &mut [DVec3]) {
        let Self { pattern, blocks, gases } = self;
        for_each_part(&mut *out, 1, &|first, out: &mut [DVec3]| {
            for (i, out) in out.iter_mut().enumerate() {
                let row = first + i;
                let mut sum = DVec3::ZERO;
                if !fixed[row] {
                    let range = pattern.starts[row] as usize..pattern.starts[row + 1] as usize;
                    for (block, &column) in
                        blocks[range.clone()].iter().zip(&pattern.columns[range])
                    {
                        sum += *block * p[column as usize];
                    }
                }
                *out = sum;
            }
        });
        gases.add_product(fixed, p, out);
    }
}

/// Consecutive rows of a matrix that one thread writes.
pub(super) struct RowsMut<'a> {
    starts: &'a [u32],
    blocks: &'a mut [DMat3],
}

impl RowsMut<'_> {
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds to the block of a place within the rows.
    #[inline]
    pub fn add(&mut self, place: u32, block: DMat3) {
        self.blocks[(place - self.starts[0]) as usize] += block;
    }
}

impl Split for RowsMut<'_> {
    fn len(&self) -> usize {
        self.count()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let (left, right) = self.blocks.split_at_mut((self.starts[mid] - self.starts[0]) as usize);
        (
            Self { starts: &self.starts[..=mid], blocks: left },
            Self { starts: &self.starts[mid..], blocks: right },
        )
    }
}
