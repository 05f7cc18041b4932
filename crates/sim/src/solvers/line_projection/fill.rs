//! Where strips of rows get their positions from.

use crate::simd::dispatch;
use crate::soa::Soa3Ref;

use super::chain::Strip;
use super::fall::{Fall, Falling};
use super::turning::{Members, turn_back, turn_numbers};

/// What a round begins with.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Where weight leads.
    Fall(&'a Falling<'a>),
    /// These positions. [m]
    Places(Soa3Ref<'a>),
    /// What the round before has left in the columns.
    Columns,
}

/// A source, and the rows that it fills.
#[derive(Clone, Copy)]
pub(super) struct Fill<'a> {
    pub source: Source<'a>,
    pub columns: &'a [Strip],
    pub counts: [usize; 2],
    /// Strips of rows.
    pub strips: usize,
}

impl Fill<'_> {
    /// Fills strip `r`.
    pub fn fill(&self, strip: &mut Strip, r: usize) {
        let [ni, nj] = self.counts;
        let rows = Members { first: r, step: self.strips, count: nj };
        match self.source {
            Source::Fall(falling) => dispatch(Fall { to: &mut strip.x, rows, falling }),
            Source::Places(x) => {
                for (to, x) in strip.x.iter_mut().zip([x.x, x.y, x.z]) {
                    turn_numbers(to, x, rows, ni);
                }
            }
            Source::Columns => turn_back(&mut strip.x, self.columns, rows, ni),
        }
    }
}
