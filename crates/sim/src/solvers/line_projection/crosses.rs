//! All springs of a grid that follow no line.

use crate::simd::{LANES, Lane, dispatch};

use super::chain::{Points, Strip, points};
use super::cross::{CrossRow, CrossSpring, Diagonals, Sweep};

/// The springs, with what follows from masses and step.
///
/// Rows are sixteen to a strip, m rows apart: then a spring joins two strips in the same
/// lane, and no vector is shifted, but for the last strips, whose neighbours are the first
/// ones a lane further.
#[derive(Debug, Default)]
pub(super) struct Crosses {
    springs: Vec<CrossSpring>,
    /// Step that the rows are made for. [s]
    h: f32,
    /// For each spring and each strip of upper ends.
    rows: Vec<CrossRow>,
    /// A first strip a lane further, now and at the start of the step. [m]
    beyond: [Points; 2],
}

/// What a sweep is over.
pub(super) struct Sheet<'a> {
    /// Points along i and j.
    pub counts: [usize; 2],
    /// Inverse masses. [1/kg]
    pub weight: &'a [f32],
    /// Its length. [s]
    pub h: f32,
    /// Threads to use.
    pub team: usize,
}

impl Crosses {
    pub fn add(&mut self, spring: CrossSpring) {
        self.springs.push(spring);
    }

    /// Strips that rows must at least be in, so that no spring joins one to itself.
    pub fn least_strips(&self) -> usize {
        1 + self.springs.iter().map(|s| s.dj).max().unwrap_or(0)
    }

    /// Masses have changed.
    pub fn forget(&mut self) {
        self.h = 0.0;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.springs.is_empty()
    }

    /// Whether all of them are the two undamped diagonals of cells.
    pub fn are_diagonals(&self) -> bool {
        let diagonal = |s: &CrossSpring| s.dj == 1 && s.di.abs() == 1 && s.damping == 0.0;
        self.springs.len() == 2
            && self.springs.iter().all(diagonal)
            && self.springs[0].di != self.springs[1].di
    }

    /// Whether they ask where points were at the start of the step.
    pub fn look_back(&self) -> bool {
        self.springs.iter().any(|s| s.damping > 0.0)
    }

    /// Makes ready for a step over `strips` strips.
    pub fn begin(&mut self, sheet: &Sheet<'_>, strips: usize) {
        if self.springs.is_empty() {
            return;
        }
        if self.h != sheet.h {
            self.prepare(sheet, strips);
        }
    }

    /// The diagonals from strip `r`, whose points are `x[0]`, to the next; that of the last is the
    /// first one, a lane further.
    pub fn join_diagonals(&self, r: usize, x: [&mut Points; 2], ni: usize) {
        let strips = self.rows.len() / 2;
        let rows = [&self.rows[r], &self.rows[strips + r]];
        let (a, b) = (&self.springs[0], &self.springs[1]);
        let first = [a, b].map(|s| s.columns(ni).map(|columns| columns.start));
        let rest = [a.rest, b.rest];
        if r + 1 == strips {
            dispatch(Diagonals::<true> { rows, x, first, rest });
        } else {
            dispatch(Diagonals::<false> { rows, x, first, rest });
        }
    }

    /// One sweep.
    pub fn sweep(&mut self, strips: &mut [Strip], sheet: &Sheet<'_>) {
        for reach in [1, 2] {
            if !self.springs.iter().any(|s| s.dj == reach) {
                continue;
            }
            // Groups of 2·reach strips share none with each other; then the groups between.
            for offset in [0, reach] {
                let Some(strips) = strips.get_mut(offset..) else { continue };
                let within = Within { all: self, sheet, reach };
                within.groups(strips, offset, sheet.team);
            }
            self.sweep_beyond(strips, sheet, reach);
        }
    }

    /// The last strips with the first ones, a lane further.
    fn sweep_beyond(&mut self, strips: &mut [Strip], sheet: &Sheet<'_>, reach: usize) {
        let m = strips.len();
        let [mut beyond, mut start] = std::mem::take(&mut self.beyond);
        for (t, r) in (m - reach..m).enumerate() {
            let (first, last) = strips.split_at_mut(r);
            shift(&first[t].x, &mut beyond);
            shift(&first[t].start, &mut start);
            let x = [&mut last[0].x, &mut beyond];
            self.join(r, x, [&last[0].start, &start], (sheet, reach));
            shift_back(&beyond, &mut first[t].x);
        }
        self.beyond = [beyond, start];
    }

    /// All springs of this reach from strip `r`, whose points are `x[0]`, to `x[1]`.
    fn join(
        &self,
        r: usize,
        [a, b]: [&mut Points; 2],
        start: [&Points; 2],
        (sheet, reach): (&Sheet<'_>, usize),
    ) {
        let strips = self.rows.len() / self.springs.len();
        for (s, spring) in self.springs.iter().enumerate().filter(|(_, s)| s.dj == reach) {
            let row = &self.rows[s * strips + r];
            let (columns, target) = (spring.columns(sheet.counts[0]), spring.target(sheet.h));
            let x = [&mut *a, &mut *b];
            if spring.damping > 0.0 {
                dispatch(Sweep::<true> { row, x, start, columns, target });
            } else {
                dispatch(Sweep::<false> { row, x, start, columns, target });
            }
        }
    }

    fn prepare(&mut self, sheet: &Sheet<'_>, strips: usize) {
        let [ni, nj] = sheet.counts;
        self.h = sheet.h;
        self.rows.resize_with(self.springs.len() * strips, CrossRow::default);
        self.beyond.iter_mut().filter(|x| x.is_empty()).for_each(|x| *x = points(ni));
        let rows = self.springs.iter().flat_map(|s| (0..strips).map(move |r| (s, r)));
        for (row, (spring, r)) in self.rows.iter_mut().zip(rows) {
            row.clear();
            let alpha = spring.alpha(sheet.h);
            let [ca, cb] = spring.columns(ni);
            for (a, b) in ca.zip(cb) {
                let mut shares = [Lane::ZERO; 2];
                for l in 0..LANES {
                    let (ja, jb) = (l * strips + r, l * strips + r + spring.dj);
                    if jb < nj {
                        let (wa, wb) = (sheet.weight[ja * ni + a], sheet.weight[jb * ni + b]);
                        let both = wa + wb + alpha;
                        (shares[0].0[l], shares[1].0[l]) = (wa / both, wb / both);
                    }
                }
                row.push(shares);
            }
        }
    }
}

/// One reach of a sweep, within strips that are side by side.
struct Within<'a> {
    all: &'a Crosses,
    sheet: &'a Sheet<'a>,
    reach: usize,
}

impl Within<'_> {
    /// Strips from number `first` on, in groups that share none.
    fn groups(&self, strips: &mut [Strip], first: usize, team: usize) {
        let group = 2 * self.reach;
        let count = strips.len().div_ceil(group);
        if team > 1 && count > 1 {
            let mid = count / 2 * group;
            let (s0, s1) = strips.split_at_mut(mid);
            let team = team.div_ceil(2);
            rayon::join(|| self.groups(s0, first, team), || self.groups(s1, first + mid, team));
            return;
        }
        for (g, strips) in strips.chunks_mut(group).enumerate() {
            let Some((upper, lower)) = strips.split_at_mut_checked(self.reach) else { continue };
            for (k, (a, b)) in upper.iter_mut().zip(lower).enumerate() {
                let r = first + g * group + k;
                let (x, start) = ([&mut a.x, &mut b.x], [&a.start, &b.start]);
                self.all.join(r, x, start, (self.sheet, self.reach));
            }
        }
    }
}

/// to[i][l] = from[i][l + 1].
fn shift(from: &Points, to: &mut Points) {
    for (from, to) in from.iter().flatten().zip(to.iter_mut().flatten()) {
        to.0[..LANES - 1].copy_from_slice(&from.0[1..]);
    }
}

/// to[i][l + 1] = from[i][l].
fn shift_back(from: &Points, to: &mut Points) {
    for (from, to) in from.iter().flatten().zip(to.iter_mut().flatten()) {
        to.0[1..].copy_from_slice(&from.0[..LANES - 1]);
    }
}
