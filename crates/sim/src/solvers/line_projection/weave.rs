//! The first half of a step's first round: rows are filled, joined by diagonals and solved while
//! they are at hand.
//!
//! A diagonal joins a strip of rows to the next one, and all of them come before the rows are
//! solved. Strips go in pairs: those of even number with the one after them are filled and joined,
//! then those of odd number with the one after them are joined and solved. That is two passes over
//! the grid, in an order that depends on no thread.

use super::chain::Strip;
use super::crosses::Crosses;
use super::fill::Fill;
use super::pass::{Pass, Scratch, for_each_group};

/// See the module.
pub(super) struct Weave<'a> {
    pub fill: Fill<'a>,
    pub cross: &'a Crosses,
    pub rows: Pass<'a>,
}

impl Weave<'_> {
    /// All rows, of which there are two strips or more.
    pub fn run(&self, strips: &mut [Strip], scratch: &mut [Scratch]) {
        let ni = self.rows.counts[0];
        for_each_group(strips, (0, 2), scratch, &|r, strips, scratch| {
            for (k, strip) in strips.iter_mut().enumerate() {
                self.fill.fill(strip, r + k, scratch);
            }
            if let [a, b] = strips {
                self.cross.join_diagonals(r, [&mut a.x, &mut b.x], ni);
            }
        });
        let count = strips.len();
        let [first, others @ ..] = strips else { return };
        if count % 2 == 1 {
            self.join_and_solve(others, 1, None, scratch);
            if let (Some(last), Some(scratch)) = (others.last_mut(), scratch.first_mut()) {
                self.pair(count - 1, [last, first], scratch);
            }
        } else if let [middle @ .., last] = others {
            self.join_and_solve(middle, 1, Some([last, first]), scratch);
        }
    }

    /// Pairs of strips, from number `first` on, and the `last` one with the first of all.
    fn join_and_solve(
        &self,
        strips: &mut [Strip],
        first: usize,
        last: Option<[&mut Strip; 2]>,
        scratch: &mut [Scratch],
    ) {
        let count = strips.len() / 2 + usize::from(last.is_some());
        if scratch.len() > 1 && count > 1 {
            let (s0, s1) = scratch.split_at_mut(scratch.len() / 2);
            let mid = 2 * (count * s0.len() / (s0.len() + s1.len())).max(1);
            let (c0, c1) = strips.split_at_mut(mid);
            rayon::join(
                || self.join_and_solve(c0, first, None, s0),
                || self.join_and_solve(c1, first + mid, last, s1),
            );
            return;
        }
        let Some(scratch) = scratch.first_mut() else { return };
        for (k, pair) in strips.chunks_exact_mut(2).enumerate() {
            if let [a, b] = pair {
                self.pair(first + 2 * k, [a, b], scratch);
            }
        }
        if let Some([last, beyond]) = last {
            self.pair(first + strips.len(), [last, beyond], scratch);
        }
    }

    /// Joins strip `r` to the next one and solves both; of an odd number the last one waits until
    /// it has been joined to the first as well.
    fn pair(&self, r: usize, [a, b]: [&mut Strip; 2], scratch: &mut Scratch) {
        let (ni, count) = (self.rows.counts[0], self.fill.strips);
        self.cross.join_diagonals(r, [&mut a.x, &mut b.x], ni);
        self.rows.solve_rows(a, (r, count), scratch);
        let next = (r + 1) % count;
        if count % 2 == 0 || next + 1 != count {
            self.rows.solve_rows(b, (next, count), scratch);
        }
    }
}
