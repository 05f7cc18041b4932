//! Numbers that differ by rounding alone, made the same.
//!
//! Points of a regular grid weigh the same but for the last digits of what their triangles add up
//! to. Where neighbours have the same number a kernel keeps it at hand instead of reading one a
//! point, which is most of what it would read.

/// Relative difference that is rounding: masses are no better known.
const ROUNDING: f32 = 1e-5;

/// As many different numbers are looked for; a grid has those of its inside, border and corners.
const KINDS: usize = 8;

/// Puts for each of `numbers` the first one of its kind into `out`.
pub(super) fn make_alike(numbers: &[f32], out: &mut Vec<f32>) {
    out.clear();
    let (mut kinds, mut count) = ([0.0f32; KINDS], 0);
    out.extend(numbers.iter().map(|&number| {
        let same = |kind: &&f32| (number - **kind).abs() <= ROUNDING * number.abs();
        if let Some(kind) = kinds[..count].iter().find(same) {
            return *kind;
        }
        if count < KINDS {
            kinds[count] = number;
            count += 1;
        }
        number
    }));
}

/// A list for each row of a grid, of which those that repeat the one before are kept once.
#[derive(Debug, Default)]
pub(super) struct RowLists {
    lists: Vec<f32>,
    which: Vec<u32>,
    /// Room for all rows.
    room: Vec<f32>,
}

impl RowLists {
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    pub fn clear(&mut self) {
        self.lists.clear();
        self.which.clear();
    }

    /// Takes rows of `ni` numbers, which are made alike.
    pub fn take(&mut self, numbers: &[f32], ni: usize) {
        self.clear();
        make_alike(numbers, &mut self.room);
        for row in self.room.chunks_exact(ni) {
            let last = self.lists.len().saturating_sub(ni);
            if self.lists[last..] != *row {
                self.lists.extend_from_slice(row);
            }
            self.which.push((self.lists.len() / ni) as u32 - 1);
        }
    }

    /// Of row `j` of `ni`.
    #[inline(always)]
    pub fn row(&self, j: usize, ni: usize) -> &[f32] {
        let first = self.which[j] as usize * ni;
        &self.lists[first..first + ni]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_and_differences_stay() {
        let mut out = Vec::new();
        make_alike(&[2.0, 1.0, 1.000_001, 2.000_01, 0.0, 1.001, 0.999_999], &mut out);
        assert_eq!(out, [2.0, 1.0, 1.0, 2.0, 0.0, 1.001, 1.0]);
    }

    #[test]
    fn rows_that_repeat_are_kept_once() {
        let mut rows = RowLists::default();
        rows.take(&[1.0, 2.0, 3.0, 3.000_001, 3.0, 3.0, 1.0, 2.0], 2);
        assert_eq!(rows.lists.len(), 6);
        for (j, row) in [[1.0, 2.0], [3.0, 3.0], [3.0, 3.0], [1.0, 2.0]].iter().enumerate() {
            assert_eq!(rows.row(j, 2), row);
        }
    }
}
