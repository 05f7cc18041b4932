//! Where strips of rows get their positions from.

use crate::simd::{Lane, dispatch};
use crate::soa::Soa3Ref;

use super::chain::Strip;
use super::fall::{Fall, Falling};
use super::pass::Scratch;
use super::turning::{Members, turn_back, turn_points};

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
    /// Points that are held.
    pub held: &'a [u32],
    /// Positions at the start of the step, where somebody asks for them. [m]
    pub start: Option<Soa3Ref<'a>>,
}

impl Fill<'_> {
    /// Fills strip `r`.
    pub fn fill(&self, strip: &mut Strip, r: usize, scratch: &mut Scratch) {
        let [ni, nj] = self.counts;
        let rows = Members { first: r, step: self.strips, count: nj };
        match self.source {
            Source::Fall(falling) => {
                let (to, squares) = (&mut strip.x, scratch.squares.as_mut_slice());
                dispatch(Fall { to, squares, rows, falling });
                falling.hold(&mut strip.x, rows, self.held);
            }
            Source::Places(x) => turn_points(&mut strip.x, x, rows, ni),
            Source::Columns => turn_back(&mut strip.x, self.columns, rows, ni),
        }
        if let Some(start) = self.start {
            strip.start.resize(strip.x.len(), [Lane::ZERO; 3]);
            turn_points(&mut strip.start, start, rows, ni);
        }
    }
}
