//! The warp and weft lines of one grid.
//!
//! Rows are turned over into strips of sixteen, in which all that joins neighbouring rows is
//! done as well; strips of columns are turned out of them, square by square. Each pass reads
//! what the one before has written and writes its own, so that strips can go to threads, and a
//! last strip of columns that would be too narrow overlaps the one before it: both compute the
//! same numbers.

use std::ops::Range;

use crate::elements::{GridStencil, SpringKind, SpringParams};
use crate::parallel::{for_each_part, teams};
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::{Soa3Mut, Soa3Ref};

use super::advance::{Advance, AdvanceRows, Pace, TOGETHER, Tallies, Tally};
use super::alike::{RowLists, make_alike};
use super::chain::Strip;
use super::cross::CrossSpring;
use super::crosses::{Crosses, Sheet};
use super::fill::{Fill, Source};
use super::pass::{Direction, Pass, Round, Scratch, for_each_strip};
use super::turning::{Members, Rows, strip_range, turn_numbers};
use super::weave::Weave;

/// Lines of a grid, with room to work in.
#[derive(Debug)]
pub(super) struct GridLines {
    /// First particle.
    first: usize,
    /// Points along i and j.
    counts: [usize; 2],
    /// Springs along rows (i), then along columns (j).
    directions: [Direction; 2],
    cross: Crosses,
    columns: Vec<Strip>,
    rows: Vec<Strip>,
    scratch: Vec<Scratch>,
    /// Inverse masses that the strips hold, and their mean. [1/kg]
    weights: Vec<f32>,
    mean_weight: f32,
    /// The same as far as they differ by more than rounding. [1/kg]
    alike: Vec<f32>,
    /// Points that are held.
    held: Vec<u32>,
    /// Masses, once somebody has told them. [kg]
    masses: RowLists,
    /// Momentum and motion of a few rows each.
    tallies: Vec<Tally>,
}

/// Compliance of an edge that bears nothing. [1/kg]
const NO_EDGE: f32 = 1e30;

/// Inverse masses beyond this are of points that stand for nothing. [1/kg]
const MASSLESS: f32 = 1e18;

/// Grids below this many points are not worth a second thread.
pub(super) const THREADS_FROM: usize = 10_000;

impl GridLines {
    /// The lines of `grid`.
    pub fn new(grid: &GridStencil) -> Self {
        let counts = grid.counts();
        let mut directions = [Direction::default(), Direction::default()];
        let mut cross = Crosses::default();
        for spring in grid.springs().iter().filter(|s| s.stiffness > 0.0 || s.damping > 0.0) {
            match (spring.kind, spring.di.abs(), spring.dj.abs()) {
                (SpringKind::Structural, 1, 0) => directions[0].edge = Some(*spring),
                (SpringKind::Structural, 0, 1) => directions[1].edge = Some(*spring),
                (_, 2, 0) => directions[0].span = Some(*spring),
                (_, 0, 2) => directions[1].span = Some(*spring),
                _ => cross.add(CrossSpring::new(spring)),
            }
        }
        let spacing = grid.spacing();
        for (axis, direction) in directions.iter_mut().enumerate() {
            let (length, width) = (spacing[axis], spacing[1 - axis]);
            if length > 0.0 {
                let share = width / (length * length * length);
                let SpringParams { stiffness, damping } = grid.bending();
                direction.bow =
                    SpringParams { stiffness: stiffness * share, damping: damping * share };
            }
        }
        let [ni, nj] = counts;
        let strips = nj.div_ceil(LANES).max(cross.least_strips());
        Self {
            first: grid.first(),
            counts,
            directions,
            columns: vec![Strip::new(LANES * strips); ni.div_ceil(LANES)],
            rows: vec![Strip::new(ni); strips],
            cross,
            scratch: Vec::new(),
            weights: Vec::new(),
            mean_weight: 0.0,
            alike: Vec::new(),
            held: Vec::new(),
            masses: RowLists::default(),
            tallies: Vec::new(),
        }
    }

    /// Leaves out points that carry nothing: their edges bear no force. Such points must be
    /// next to massless, so that springs that follow no line do not hang on them.
    pub fn leave_out(&mut self, active: &[bool]) {
        let ni = self.counts[0];
        for (direction, far) in self.directions.iter_mut().zip([1, ni]) {
            let bears = |i: usize| active[i] && active.get(i + far).is_some_and(|a| *a);
            let more = |i: usize| if bears(i) { 0.0 } else { NO_EDGE };
            direction.idle = (0..active.len()).map(more).collect();
        }
    }

    /// Its particles.
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.counts[0] * self.counts[1]
    }

    /// Whether none of its points is held.
    pub fn holds_none(&self) -> bool {
        self.held.is_empty()
    }

    /// Points along i and j.
    pub fn counts(&self) -> [usize; 2] {
        self.counts
    }

    /// Takes note of the inverse masses. False if they are what they were.
    pub fn weigh(&mut self, weight: &[f32]) -> bool {
        let mut same = self.weights.len() == weight.len();
        if same {
            dispatch(Compare { pair: [&self.weights, weight], same: &mut same });
        }
        if !same {
            self.take_weights(weight);
        }
        !same
    }

    /// Makes ready for a step: threads.
    pub fn begin(&mut self) {
        let team =
            teams(self.range().len(), THREADS_FROM).min(self.columns.len()).min(self.rows.len());
        let points = self.counts[0].max(self.counts[1]);
        if self.scratch.len() != team {
            self.scratch.resize_with(team, || Scratch::new(points));
        }
    }

    fn take_weights(&mut self, weight: &[f32]) {
        self.weights.clear();
        self.weights.extend_from_slice(weight);
        let some = || weight.iter().filter(|w| **w < MASSLESS);
        self.mean_weight = some().sum::<f32>() / some().count().max(1) as f32;
        self.columns.iter_mut().chain(&mut self.rows).for_each(|strip| strip.shares.forget());
        make_alike(&self.weights, &mut self.alike);
        self.held.clear();
        self.held.extend((0..weight.len() as u32).filter(|&i| !(weight[i as usize] > 0.0)));
        self.masses.clear();
        let ([ni, nj], weight) = (self.counts, self.alike.as_slice());
        for (b, strip) in self.columns.iter_mut().enumerate() {
            let columns = strip_range(b, ni);
            for j in 0..nj {
                strip.weight[j] = Lane::load(&weight[j * ni..][columns.clone()]);
            }
        }
        let step = self.rows.len();
        for (r, strip) in self.rows.iter_mut().enumerate() {
            turn_numbers(&mut strip.weight, weight, Members { first: r, step, count: nj }, ni);
        }
        self.cross.forget();
    }

    /// One round over positions from `source` of a step that begins at `start`: all rows, then all columns; the first one begins
    /// with a sweep of the springs that follow no line.
    pub fn project(&mut self, source: Source<'_>, start: Soa3Ref<'_>, round: Round) {
        let counts = self.counts;
        let laws = self.directions.each_ref().map(|d| d.laws(round.h, self.mean_weight));
        let strips = self.rows.len();
        let look_back = round.first && (laws[0].look_back() || self.cross.look_back());
        let (columns, held) = (self.columns.as_slice(), self.held.as_slice());
        let back = look_back.then_some(start);
        let fill = Fill { source, columns, counts, strips, held, start: back };
        let [along_rows, along_columns] = &self.directions;
        let rows = Pass { counts, direction: along_rows, laws: laws[0], round, start };
        let weave = round.first && self.cross.are_diagonals();
        if round.first {
            let (weight, team) = (self.alike.as_slice(), self.scratch.len());
            let sheet = Sheet { counts, weight, h: round.h, team };
            self.cross.begin(&sheet, strips);
            if !weave && !self.cross.is_empty() {
                for_each_strip(&mut self.rows, &mut self.scratch, &|r, strip, scratch| {
                    fill.fill(strip, r, scratch);
                });
                self.cross.sweep(&mut self.rows, &sheet);
            }
        }
        if weave {
            let weave = Weave { fill, cross: &self.cross, rows };
            weave.run(&mut self.rows, &mut self.scratch);
        } else {
            let filled = round.first && !self.cross.is_empty();
            for_each_strip(&mut self.rows, &mut self.scratch, &|r, strip, scratch| {
                if !filled {
                    fill.fill(strip, r, scratch);
                }
                rows.solve_rows(strip, (r, strips), scratch);
            });
        }
        let columns = Pass { counts, direction: along_columns, laws: laws[1], round, start };
        columns.columns(&mut self.columns, &mut self.scratch, &self.rows);
    }

    /// Gives positions.
    pub fn write(&self, x: Soa3Mut<'_>) {
        let (columns, ni) = (self.columns.as_slice(), self.counts[0]);
        for_each_part(x, ni, &|first, part| {
            Rows { columns, first: first / ni, ni }.write(part);
        });
    }

    /// v ← (y − x)/h, x ← y; momentum and motion of points of these masses.
    pub fn advance(
        &mut self,
        (x, v): (Soa3Mut<'_>, Soa3Mut<'_>),
        (u, mass): (Soa3Ref<'_>, &[f32]),
        pace: Pace,
    ) -> Tally {
        let [ni, nj] = self.counts;
        if self.masses.is_empty() {
            self.masses.take(mass, ni);
        }
        self.tallies.resize(nj.div_ceil(TOGETHER), Tally::default());
        let by = Advance { columns: &self.columns, masses: &self.masses, pace, ni };
        let tallies = Tallies { ni, rows: nj, tallies: &mut self.tallies };
        type Part<'a> = (Soa3Mut<'a>, Soa3Mut<'a>, Soa3Ref<'a>, Tallies<'a>);
        for_each_part((x, v, u, tallies), TOGETHER * ni, &|first, (x, v, u, part): Part| {
            let (first, tallies) = (first / ni, part.tallies);
            dispatch(AdvanceRows { by, first, x, v, u, tallies });
        });
        let mut sum = Tally::default();
        for part in &self.tallies {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sum
    }
}

/// Whether two lists are the same to the bit.
struct Compare<'a> {
    pair: [&'a [f32]; 2],
    same: &'a mut bool,
}

impl Kernel for Compare<'_> {
    #[inline(always)]
    fn run(self) {
        let mut differ = 0;
        for (a, b) in self.pair[0].iter().zip(self.pair[1]) {
            differ |= a.to_bits() ^ b.to_bits();
        }
        *self.same = differ == 0;
    }
}
