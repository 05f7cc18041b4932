//! The warp and weft lines of one grid.
//!
//! Columns are sixteen to a strip and read straight from the rows; rows are turned over,
//! square by square. Each pass reads what the one before has written and writes its own, so
//! that strips can go to threads, and a last strip that would be too narrow overlaps the one
//! before it: both compute the same numbers.

use crate::elements::{GridStencil, SpringKind, SpringParams};
use crate::parallel::{for_each_part, teams};
use crate::simd::{LANES, Lane};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

use super::chain::Strip;
use super::pass::{Direction, Pass, Round, Scratch};
use super::rows::{CrossSpring, RowPair};
use super::turning::strip_range;

/// Lines of a grid, with room to work in.
#[derive(Debug)]
pub(super) struct GridLines {
    /// First particle.
    pub first: usize,
    /// Points along i and j.
    pub counts: [usize; 2],
    /// Springs along rows (i), then along columns (j).
    directions: [Direction; 2],
    cross: Vec<CrossSpring>,
    columns: Vec<Strip>,
    rows: Vec<Strip>,
    scratch: Vec<Scratch>,
    /// Inverse masses that the strips hold, and their mean. [1/kg]
    weights: Vec<f32>,
    mean_weight: f32,
    /// Positions at the start of the step, where bows have dashpots. [m]
    start: Soa3,
}

/// Compliance of an edge that bears nothing. [1/kg]
const NO_EDGE: f32 = 1e30;

/// Inverse masses beyond this are of points that stand for nothing. [1/kg]
const MASSLESS: f32 = 1e18;

/// Grids below this many points are not worth a second thread.
const THREADS_FROM: usize = 10_000;

impl GridLines {
    /// The lines of `grid`.
    pub fn new(grid: &GridStencil) -> Self {
        let counts = grid.counts();
        let mut directions = [Direction::default(), Direction::default()];
        let mut cross = Vec::new();
        for spring in grid.springs().iter().filter(|s| s.stiffness > 0.0 || s.damping > 0.0) {
            match (spring.kind, spring.di.abs(), spring.dj.abs()) {
                (SpringKind::Structural, 1, 0) => directions[0].edge = Some(*spring),
                (SpringKind::Structural, 0, 1) => directions[1].edge = Some(*spring),
                (_, 2, 0) => directions[0].span = Some(*spring),
                (_, 0, 2) => directions[1].span = Some(*spring),
                _ => cross.push(CrossSpring::new(spring)),
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
        Self {
            first: grid.first(),
            counts,
            directions,
            cross,
            columns: vec![Strip::new(nj); ni.div_ceil(LANES)],
            rows: vec![Strip::new(ni); nj.div_ceil(LANES)],
            scratch: Vec::new(),
            weights: Vec::new(),
            mean_weight: 0.0,
            start: Soa3::zeros(0),
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

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Takes note of the inverse masses. False if they are what they were.
    pub fn weigh(&mut self, weight: &[f32]) -> bool {
        let differs = |(a, b): (&f32, &f32)| a.to_bits() ^ b.to_bits();
        let same = self.weights.len() == weight.len()
            && self.weights.iter().zip(weight).map(differs).fold(0, |all, bits| all | bits) == 0;
        if !same {
            self.take_weights(weight);
        }
        !same
    }

    /// Makes ready for a step: threads, and lengths at its start where dashpots need them.
    pub fn begin(&mut self, start: Soa3Ref<'_>, h: f32) {
        let team = teams(self.len(), THREADS_FROM).min(self.columns.len()).min(self.rows.len());
        let points = self.counts[0].max(self.counts[1]);
        if self.scratch.len() != team {
            self.scratch.resize_with(team, || Scratch::new(points));
        }
        for (axis, direction) in self.directions.iter_mut().enumerate() {
            let steps = |far: usize| if axis == 0 { [far, 0] } else { [0, far] };
            direction.edge_targets.set(direction.edge, self.counts, steps(1), start, h);
            direction.span_targets.set(direction.span, self.counts, steps(2), start, h);
        }
        if self.directions.iter().any(|d| d.bow.damping > 0.0) {
            if self.start.len() != start.len() {
                self.start = Soa3::zeros(start.len());
            }
            let own = [&mut self.start.x, &mut self.start.y, &mut self.start.z];
            own.into_iter()
                .zip([start.x, start.y, start.z])
                .for_each(|(to, x)| to.copy_from_slice(x));
        }
    }

    fn take_weights(&mut self, weight: &[f32]) {
        self.weights.clear();
        self.weights.extend_from_slice(weight);
        let some = || weight.iter().filter(|w| **w < MASSLESS);
        self.mean_weight = some().sum::<f32>() / some().count().max(1) as f32;
        let [ni, nj] = self.counts;
        for (b, strip) in self.columns.iter_mut().enumerate() {
            let columns = strip_range(b, ni);
            for j in 0..nj {
                strip.weight[j] = Lane::load(&weight[j * ni..][columns.clone()]);
            }
        }
        for (b, strip) in self.rows.iter_mut().enumerate() {
            let rows = strip_range(b, nj);
            for i in 0..ni {
                let at = |l: usize| rows.clone().nth(l).map_or(0.0, |j| weight[j * ni + i]);
                strip.weight[i] = Lane(std::array::from_fn(at));
            }
        }
    }

    /// One sweep of the springs that follow no line.
    pub fn soften(&self, x: &mut Soa3Mut<'_>, start: Soa3Ref<'_>, weight: &[f32], h: f32) {
        let ni = self.counts[0];
        for reach in [1, 2] {
            if !self.cross.iter().any(|s| s.dj == reach) {
                continue;
            }
            // Groups of 2·reach rows share none with each other; then the groups between.
            for offset in [0, reach] {
                let from = (offset * ni).min(x.len());
                let all = from..x.len();
                let group = 2 * reach * ni;
                let parts =
                    (x.slice_mut(all.clone()), start.slice(all.clone()), &weight[all.clone()]);
                for_each_part(parts, group, &|_, (mut x, start, weight): (Soa3Mut, _, &[f32])| {
                    // Spring by spring over all rows: a second spring on the rows just
                    // written would wait for the stores of the first.
                    for spring in self.cross.iter().filter(|s| s.dj == reach) {
                        for first in (0..x.len()).step_by(group) {
                            for a in (first..first + reach * ni).step_by(ni) {
                                let b = a + reach * ni;
                                if b + ni <= x.len() {
                                    let rows = [a..a + ni, b..b + ni];
                                    RowPair::new(rows, &mut x, start, weight).sweep(spring, h);
                                }
                            }
                        }
                    }
                });
            }
        }
    }

    /// One round: all columns, then all rows.
    pub fn project(&mut self, x: &mut Soa3Mut<'_>, round: Round) {
        let laws = self.directions.each_ref().map(|d| d.laws(round.h, self.mean_weight));
        let [along_rows, along_columns] = &self.directions;
        let start = self.start.view();
        let columns =
            Pass { counts: self.counts, direction: along_columns, laws: laws[1], round, start };
        let shared = x.slice(0..x.len());
        columns.read_columns(&mut self.columns, &mut self.scratch, 0, shared);
        let rows = Pass { counts: self.counts, direction: along_rows, laws: laws[0], round, start };
        let all = x.slice_mut(0..self.len());
        rows.write_rows((&mut self.rows, &self.columns), &mut self.scratch, 0, all);
    }
}
