//! A = LDLᵀ of a sparse symmetric matrix whose pattern stays.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::simplicial::{
    SymbolicSimplicialCholesky, factorize_simplicial_numeric_ldlt,
    factorize_simplicial_numeric_ldlt_scratch, factorize_simplicial_symbolic_cholesky,
    factorize_simplicial_symbolic_cholesky_scratch, prefactorize_symbolic_cholesky,
    prefactorize_symbolic_cholesky_scratch,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use glam::DVec3;

/// The matrix and its factor. Rows are eliminated in the order of approximate minimum degree.
/// Factored without vectors or fused operations, so that the bits are the same everywhere.
pub(super) struct Cholesky {
    /// The upper triangle by columns, in the order of elimination.
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// For each row of the matrix when it is eliminated.
    place: Vec<u32>,
    symbolic: SymbolicSimplicialCholesky<u32>,
    factor: Vec<f64>,
    scratch: MemBuffer,
    /// The right side in the order of elimination.
    y: Vec<DVec3>,
}

/// Where an entry of the matrix stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Cholesky {
    /// A matrix of `n` rows with a diagonal and the symmetric pairs `entries`.
    pub fn new(n: usize, entries: &[[u32; 2]]) -> Result<Self, FaerError> {
        let place = elimination_order(n, entries)?;
        let turned: Vec<[u32; 2]> =
            entries.iter().map(|pair| pair.map(|i| place[i as usize])).collect();
        let (starts, rows) = upper_pattern(n, &turned);
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let (mut tree, mut counts) = (vec![0i32; n], vec![0u32; n]);
        let needed = prefactorize_symbolic_cholesky_scratch::<u32>(n, rows.len())
            .or(factorize_simplicial_symbolic_cholesky_scratch::<u32>(n));
        let mut memory = MemBuffer::try_new(needed).map_err(|_| FaerError::OutOfMemory)?;
        let stack = MemStack::new(&mut memory);
        let tree = prefactorize_symbolic_cholesky(&mut tree, &mut counts, pattern, stack);
        let symbolic = factorize_simplicial_symbolic_cholesky(pattern, tree, &counts, stack)?;
        let needed = factorize_simplicial_numeric_ldlt_scratch::<u32, f64>(n);
        Ok(Self {
            values: vec![0.0; rows.len()],
            factor: vec![0.0; symbolic.len_val()],
            scratch: MemBuffer::try_new(needed).map_err(|_| FaerError::OutOfMemory)?,
            y: vec![DVec3::ZERO; n],
            symbolic,
            starts,
            rows,
            place,
        })
    }

    /// Where entry (i, j) stands; it must be in the pattern.
    pub fn slot(&self, i: u32, j: u32) -> Slot {
        let [i, j] = [i, j].map(|i| self.place[i as usize]);
        let (row, column) = (i.min(j), i.max(j) as usize);
        let (start, end) = (self.starts[column] as usize, self.starts[column + 1] as usize);
        let at = self.rows[start..end].partition_point(|&r| r < row);
        debug_assert_eq!(self.rows[start + at], row);
        Slot((start + at) as u32)
    }

    /// Makes all entries zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry, and to its mirror image.
    pub fn add(&mut self, Slot(at): Slot, value: f64) {
        self.values[at as usize] += value;
    }

    /// Factors the matrix as it stands. Whether it is positive definite.
    pub fn factor(&mut self) -> bool {
        let n = self.place.len();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        factorize_simplicial_numeric_ldlt(
            &mut self.factor,
            SparseColMatRef::new(pattern, &self.values),
            Default::default(),
            &self.symbolic,
            MemStack::new(&mut self.scratch),
        )
        .is_ok()
    }

    /// b ← A⁻¹b, the three coordinates side by side.
    pub fn solve(&mut self, b: &mut [DVec3]) {
        let Self { place, symbolic, factor, y, .. } = self;
        for (&at, b) in place.iter().zip(&*b) {
            y[at as usize] = *b;
        }
        let (starts, rows) = (symbolic.col_ptr(), symbolic.row_idx());
        let column = |j: usize| starts[j] as usize..starts[j + 1] as usize;
        // The first entry of a column is that of D.
        for j in 0..y.len() {
            let (range, top) = (column(j), y[j]);
            let below = range.start + 1..range.end;
            for (&row, &l) in rows[below.clone()].iter().zip(&factor[below]) {
                y[row as usize] -= top * l;
            }
        }
        for j in (0..y.len()).rev() {
            let range = column(j);
            let mut sum = y[j] / factor[range.start];
            let below = range.start + 1..range.end;
            for (&row, &l) in rows[below.clone()].iter().zip(&factor[below]) {
                sum -= y[row as usize] * l;
            }
            y[j] = sum;
        }
        for (&at, b) in place.iter().zip(b) {
            *b = y[at as usize];
        }
    }
}

/// When each row is eliminated so that few entries are filled in.
fn elimination_order(n: usize, entries: &[[u32; 2]]) -> Result<Vec<u32>, FaerError> {
    let (starts, rows) = upper_pattern(n, entries);
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
    let (mut order, mut place) = (vec![0u32; n], vec![0u32; n]);
    let needed = amd::order_scratch::<u32>(n, rows.len());
    let mut memory = MemBuffer::try_new(needed).map_err(|_| FaerError::OutOfMemory)?;
    let stack = MemStack::new(&mut memory);
    amd::order(&mut order, &mut place, pattern, Default::default(), stack)?;
    Ok(place)
}

/// Starts of columns and rows of the upper triangle, diagonal included, rows rising.
fn upper_pattern(n: usize, entries: &[[u32; 2]]) -> (Vec<u32>, Vec<u32>) {
    let mut sorted: Vec<[u32; 2]> = (0..n as u32).map(|i| [i, i]).collect();
    sorted.extend(entries.iter().map(|&[i, j]| [i.max(j), i.min(j)]));
    sorted.sort_unstable();
    sorted.dedup();
    let mut starts = vec![0u32; n + 1];
    sorted.iter().for_each(|[column, _]| starts[*column as usize + 1] += 1);
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    (starts, sorted.into_iter().map(|[_, row]| row).collect())
}

impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, filled) = (self.place.len(), self.factor.len());
        write!(f, "Cholesky {{ rows: {rows}, entries: {filled} }}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five-point Laplacian of a square grid, plus the identity.
    fn grid(side: u32) -> (Cholesky, Vec<[u32; 2]>) {
        let at = |i: u32, j: u32| i + side * j;
        let mut entries = Vec::new();
        for (i, j) in (0..side).flat_map(|j| (0..side).map(move |i| (i, j))) {
            if i + 1 < side {
                entries.push([at(i, j), at(i + 1, j)]);
            }
            if j + 1 < side {
                entries.push([at(i, j + 1), at(i, j)]);
            }
        }
        (Cholesky::new((side * side) as usize, &entries).unwrap(), entries)
    }

    #[test]
    fn the_solution_solves_and_little_is_filled_in() {
        let (mut a, entries) = grid(30);
        for again in [1.0, 3.0] {
            a.clear();
            for i in 0..900 {
                a.add(a.slot(i, i), 1.0);
            }
            for &[i, j] in &entries {
                a.add(a.slot(i, j), -again);
                a.add(a.slot(i, i), again);
                a.add(a.slot(j, j), again);
            }
            assert!(a.factor());
            let b: Vec<DVec3> =
                (0..900).map(|i| DVec3::new(f64::from(i % 7), f64::from(i % 11), 1.0)).collect();
            let mut x = b.clone();
            a.solve(&mut x);
            let mut back = x.clone();
            for &[i, j] in &entries {
                let d = (x[j as usize] - x[i as usize]) * again;
                back[i as usize] -= d;
                back[j as usize] += d;
            }
            let error = back.iter().zip(&b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{error}");
        }
        // In the order given, each of the 900 columns would have 31 entries.
        assert!(a.factor.len() < 15_000, "{}", a.factor.len());
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let (mut a, _) = grid(3);
        a.clear();
        assert!(!a.factor() || a.factor.iter().any(|v| !v.is_finite() || *v == 0.0));
    }
}
