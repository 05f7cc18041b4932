//! Symmetric systems of points and turns along a rod: blocks of six, each joined to the next.

use glam::{DMat3, DVec3};

/// Rows and columns of a block: three of a point, three of the edge that begins there.
pub(super) const SIDE: usize = 6;

pub(super) type Block = [[f64; SIDE]; SIDE];

/// A x = b, A positive: a block for each point, and one below it for the next.
#[derive(Clone, Debug)]
pub(super) struct Banded {
    diagonal: Vec<Block>,
    below: Vec<Block>,
    right: Vec<[f64; SIDE]>,
}

/// Half of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Half {
    Point,
    Turn,
}

impl Half {
    fn first(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Turn => 3,
        }
    }
}

impl Banded {
    /// Of so many blocks.
    pub fn new(blocks: usize) -> Self {
        let zeros = vec![[[0.0; SIDE]; SIDE]; blocks];
        Self { diagonal: zeros.clone(), below: zeros, right: vec![[0.0; SIDE]; blocks] }
    }

    /// A diagonal matrix, nothing on the right.
    pub fn begin(&mut self, diagonal: impl Fn(usize) -> [f64; 2]) {
        for i in 0..self.diagonal.len() {
            let [point, turn] = diagonal(i);
            let mut block = [[0.0; SIDE]; SIDE];
            for (k, row) in block.iter_mut().enumerate() {
                row[k] = if k < 3 { point } else { turn };
            }
            (self.diagonal[i], self.below[i]) = (block, [[0.0; SIDE]; SIDE]);
            self.right[i] = [0.0; SIDE];
        }
    }

    /// Adds to A at (i, a) and (j, b), j being i or the block after it; and turned over, where that
    /// is another place.
    pub fn add(&mut self, (i, a): (usize, Half), (j, b): (usize, Half), m: &DMat3) {
        let (row, column) = (a.first(), b.first());
        for c in 0..3 {
            let of = m.col(c).to_array();
            for (r, value) in of.into_iter().enumerate() {
                if i != j {
                    // Rows of the later one.
                    self.below[i][column + c][row + r] += value;
                    continue;
                }
                self.diagonal[i][row + r][column + c] += value;
                if a != b {
                    self.diagonal[i][column + c][row + r] += value;
                }
            }
        }
    }

    /// Adds to b.
    pub fn push(&mut self, (i, a): (usize, Half), force: DVec3) {
        let first = a.first();
        self.right[i][first] += force.x;
        self.right[i][first + 1] += force.y;
        self.right[i][first + 2] += force.z;
    }

    /// Lets nothing move that is held.
    pub fn hold(&mut self, (i, a): (usize, Half)) {
        for k in a.first()..a.first() + 3 {
            for other in 0..SIDE {
                (self.diagonal[i][k][other], self.diagonal[i][other][k]) = (0.0, 0.0);
                self.below[i][other][k] = 0.0;
                if i > 0 {
                    self.below[i - 1][k][other] = 0.0;
                }
            }
            self.diagonal[i][k][k] = 1.0;
            self.right[i][k] = 0.0;
        }
    }

    /// Solves by L Lᵀ, block by block.
    pub fn solve(&mut self) {
        let n = self.diagonal.len();
        for i in 0..n {
            factor(&mut self.diagonal[i]);
            let root = self.diagonal[i];
            forward(&root, &mut self.right[i]);
            if i + 1 == n {
                break;
            }
            // B L⁻ᵀ, row by row.
            self.below[i].iter_mut().for_each(|row| forward(&root, row));
            let below = self.below[i];
            for r in 0..SIDE {
                for c in 0..SIDE {
                    let sum: f64 = (0..SIDE).map(|k| below[r][k] * below[c][k]).sum();
                    self.diagonal[i + 1][r][c] -= sum;
                }
                let sum: f64 = (0..SIDE).map(|k| below[r][k] * self.right[i][k]).sum();
                self.right[i + 1][r] -= sum;
            }
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                let next = self.right[i + 1];
                for k in 0..SIDE {
                    let sum: f64 = (0..SIDE).map(|r| self.below[i][r][k] * next[r]).sum();
                    self.right[i][k] -= sum;
                }
            }
            backward(&self.diagonal[i], &mut self.right[i]);
        }
    }

    /// x of a point or turn, after it was solved.
    pub fn answer(&self, (i, a): (usize, Half)) -> DVec3 {
        DVec3::from_slice(&self.right[i][a.first()..])
    }
}

/// A = L Lᵀ in place, L below the diagonal, which has one over its own.
fn factor(a: &mut Block) {
    for k in 0..SIDE {
        let pivot = a[k][k] - (0..k).map(|m| a[k][m] * a[k][m]).sum::<f64>();
        let inverse = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 0.0 };
        for r in k + 1..SIDE {
            let sum: f64 = (0..k).map(|m| a[r][m] * a[k][m]).sum();
            a[r][k] = (a[r][k] - sum) * inverse;
        }
        a[k][k] = inverse;
    }
}

fn forward(l: &Block, b: &mut [f64; SIDE]) {
    for k in 0..SIDE {
        let sum: f64 = (0..k).map(|m| l[k][m] * b[m]).sum();
        b[k] = (b[k] - sum) * l[k][k];
    }
}

fn backward(l: &Block, b: &mut [f64; SIDE]) {
    for k in (0..SIDE).rev() {
        let sum: f64 = (k + 1..SIDE).map(|m| l[m][k] * b[m]).sum();
        b[k] = (b[k] - sum) * l[k][k];
    }
}
