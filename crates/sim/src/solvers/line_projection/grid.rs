//! The warp and weft lines of one grid.
//!
//! Columns are sixteen to a strip and read straight from the rows; rows are turned over,
//! square by square. Each pass reads what the one before has written and writes its own, so
//! that strips can go to threads, and a last strip that would be too narrow overlaps the one
//! before it: both compute the same numbers.

use crate::elements::{GridStencil, SpringKind, StencilSpring};
use crate::parallel::{for_each_part, teams};
use crate::simd::{LANES, Lane, dispatch, transpose};
use crate::soa::{Soa3Mut, Soa3Ref};

use super::chain::{EdgeLaw, Eliminated, Project, Span, Straighten, Strip, elimination};
use super::rows::{CrossSpring, RowPair};
use super::targets::Targets;

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
    scratch: Vec<Vec<Eliminated>>,
    /// Inverse masses that the strips hold, and the least compliance that they allow.
    weights: Vec<f32>,
    least_alpha: f32,
}

/// What acts along the lines of one direction.
#[derive(Debug, Default)]
struct Direction {
    /// Between neighbours.
    edge: Option<StencilSpring>,
    /// Over two cells.
    span: Option<StencilSpring>,
    /// B·width/length³: stiffness against the second difference. [N/m]
    bow: f32,
    edge_targets: Targets,
    span_targets: Targets,
    /// More compliance of the edge that starts at each point; empty if all are there. [1/kg]
    idle: Vec<f32>,
}

/// One direction's laws over a step.
#[derive(Clone, Copy, Debug, Default)]
struct Laws {
    edge: Option<EdgeLaw>,
    span: Option<EdgeLaw>,
    /// 1/(k h²) against bowing. [1/kg]
    bow: Option<f32>,
}

/// A round over both directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    /// Length of the step. [s]
    pub h: f32,
    /// Whether it is the first of the step.
    pub first: bool,
}

/// Least compliance, relative to the mean inverse mass: it keeps a straight line that is
/// held at both ends solvable in f32 and lets a line of a thousand points sag by microns.
const LEAST_COMPLIANCE: f32 = 1e-5;

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
                direction.bow = grid.rigidity() * width / (length * length * length);
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
            least_alpha: 0.0,
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
            self.scratch.resize_with(team, || elimination(points));
        }
        for (axis, direction) in self.directions.iter_mut().enumerate() {
            let steps = |far: usize| if axis == 0 { [far, 0] } else { [0, far] };
            direction.edge_targets.set(direction.edge, self.counts, steps(1), start, h);
            direction.span_targets.set(direction.span, self.counts, steps(2), start, h);
        }
    }

    fn take_weights(&mut self, weight: &[f32]) {
        self.weights.clear();
        self.weights.extend_from_slice(weight);
        let some = || weight.iter().filter(|w| **w < MASSLESS);
        let mean = some().sum::<f32>() / some().count().max(1) as f32;
        self.least_alpha = LEAST_COMPLIANCE * mean;
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
        let laws = self.directions.each_ref().map(|d| d.laws(round.h, self.least_alpha));
        let [along_rows, along_columns] = &self.directions;
        let columns = Pass { counts: self.counts, direction: along_columns, laws: laws[1], round };
        let shared = x.slice(0..x.len());
        columns.read_columns(&mut self.columns, &mut self.scratch, 0, shared);
        let rows = Pass { counts: self.counts, direction: along_rows, laws: laws[0], round };
        let all = x.slice_mut(0..self.len());
        rows.write_rows((&mut self.rows, &self.columns), &mut self.scratch, 0, all);
    }
}

impl Direction {
    fn laws(&self, h: f32, floor: f32) -> Laws {
        let law = |spring: Option<StencilSpring>| {
            spring.map(|s| EdgeLaw {
                alpha: (1.0 / ((s.stiffness + s.damping / h) * h * h)).max(floor),
                rest: s.rest,
            })
        };
        Laws {
            edge: law(self.edge),
            span: law(self.span),
            bow: (self.bow > 0.0).then(|| (1.0 / (self.bow * h * h)).max(floor)),
        }
    }
}

/// One direction of a round.
struct Pass<'a> {
    counts: [usize; 2],
    direction: &'a Direction,
    laws: Laws,
    round: Round,
}

impl Pass<'_> {
    fn read_columns(
        &self,
        strips: &mut [Strip],
        scratch: &mut [Vec<Eliminated>],
        first: usize,
        x: Soa3Ref<'_>,
    ) {
        if scratch.len() > 1 && strips.len() > 1 {
            let (team, mid) = (scratch.len() / 2, strips.len() / 2);
            let (s0, s1) = scratch.split_at_mut(team);
            let (c0, c1) = strips.split_at_mut(mid);
            rayon::join(
                || self.read_columns(c0, s0, first, x),
                || self.read_columns(c1, s1, first + mid, x),
            );
            return;
        }
        let [ni, nj] = self.counts;
        for (b, strip) in strips.iter_mut().enumerate() {
            let columns = strip_range(first + b, ni);
            for (to, x) in strip.x.iter_mut().zip([x.x, x.y, x.z]) {
                let rows = x.chunks_exact(ni);
                if ni < LANES {
                    to.iter_mut().zip(rows).for_each(|(to, row)| *to = Lane::load(row));
                } else {
                    let first = columns.start;
                    to.iter_mut().zip(rows).for_each(|(to, row)| *to = Lane::full(row, first));
                }
            }
            if self.varies() {
                self.vary(strip, nj);
            }
            if let Some(targets) = self.direction.edge_targets.get() {
                for j in 0..nj - 1 {
                    strip.rest[j] = Lane::load(&targets[j * ni..][columns.clone()]);
                }
            }
            if !self.direction.idle.is_empty() {
                for j in 0..nj - 1 {
                    let more = Lane::load(&self.direction.idle[j * ni..][columns.clone()]);
                    (0..LANES).for_each(|l| strip.alpha[j].0[l] += more.0[l]);
                }
            }
            self.solve(strip, nj, ni, &columns, &mut scratch[0]);
        }
    }

    fn write_rows(
        &self,
        (strips, columns): (&mut [Strip], &[Strip]),
        scratch: &mut [Vec<Eliminated>],
        first: usize,
        mut x: Soa3Mut<'_>,
    ) {
        let [ni, nj] = self.counts;
        if scratch.len() > 1 && strips.len() > 1 {
            let (team, mid) = (scratch.len() / 2, strips.len() / 2);
            let (s0, s1) = scratch.split_at_mut(team);
            let (r0, r1) = strips.split_at_mut(mid);
            let (x0, x1) = crate::parallel::Split::split(x, mid * LANES * ni);
            rayon::join(
                || self.write_rows((r0, columns), s0, first, x0),
                || self.write_rows((r1, columns), s1, first + mid, x1),
            );
            return;
        }
        for (b, strip) in strips.iter_mut().enumerate() {
            let rows = strip_range(first + b, nj);
            turn_in(strip, columns, rows.start, ni);
            if self.varies() {
                self.vary(strip, ni);
            }
            if let Some(targets) = self.direction.edge_targets.get() {
                turn_targets(&mut strip.rest, targets, &rows, ni);
            }
            if !self.direction.idle.is_empty() {
                turn_targets(&mut strip.alpha, &self.direction.idle, &rows, ni);
                let own = self.laws.edge.map_or(0.0, |law| law.alpha);
                strip.alpha.iter_mut().flat_map(|lane| &mut lane.0).for_each(|a| *a += own);
            }
            self.solve(strip, ni, nj, &rows, &mut scratch[0]);
            // Of a strip that overlaps the one before it, only the new rows.
            let own = (first + b) * LANES - rows.start..rows.len();
            let lines = b * LANES * ni..(b * LANES + own.len()) * ni;
            turn_out(strip, own, ni, x.slice_mut(lines));
        }
    }

    /// Whether edges differ from each other.
    fn varies(&self) -> bool {
        self.direction.edge_targets.get().is_some() || !self.direction.idle.is_empty()
    }

    /// Length and compliance as if they did not.
    fn vary(&self, strip: &mut Strip, points: usize) {
        let EdgeLaw { alpha, rest } = self.laws.edge.unwrap_or(EdgeLaw { alpha: 0.0, rest: 0.0 });
        for (lanes, value) in [(&mut strip.rest, rest), (&mut strip.alpha, alpha)] {
            lanes.clear();
            lanes.resize(points.max(LANES), Lane([value; LANES]));
        }
    }

    /// Bending once a step, then the exact solve.
    fn solve(
        &self,
        strip: &mut Strip,
        points: usize,
        lines: usize,
        range: &std::ops::Range<usize>,
        scratch: &mut [Eliminated],
    ) {
        let Laws { edge, span, bow } = self.laws;
        if self.round.first {
            if let Some(law) = span {
                dispatch(Span { strip, points, law });
            }
            if let Some(alpha) = bow.filter(|_| points > 2) {
                // The outermost lines stand for half a strip.
                let border = |line: usize| line == 0 || line + 1 == lines;
                let of = |l: usize| if border(range.start + l) { 2.0 * alpha } else { alpha };
                let alpha = Lane(std::array::from_fn(of));
                dispatch(Straighten { strip, points, alpha });
            }
        }
        let Some(law) = edge else { return };
        match (self.round.first, self.varies()) {
            (true, false) => dispatch(Project::<true, false> { strip, points, law, scratch }),
            (true, true) => dispatch(Project::<true, true> { strip, points, law, scratch }),
            (false, false) => dispatch(Project::<false, false> { strip, points, law, scratch }),
            (false, true) => dispatch(Project::<false, true> { strip, points, law, scratch }),
        }
    }
}

/// Lines of strip `b` of `count`: sixteen, the last ones if fewer are left.
fn strip_range(b: usize, count: usize) -> std::ops::Range<usize> {
    let first = (b * LANES).min(count.saturating_sub(LANES));
    first..(first + LANES).min(count)
}

/// Sixteen rows from `first` on, out of the columns.
fn turn_in(strip: &mut Strip, columns: &[Strip], first: usize, ni: usize) {
    for (b, column) in columns.iter().enumerate() {
        let at = strip_range(b, ni).start;
        for c in 0..3 {
            let from = column.x[c][first..].first_chunk::<LANES>();
            let to = strip.x[c][at..].first_chunk_mut::<LANES>();
            if let (Some(from), Some(to)) = (from, to) {
                transpose(from, to);
            }
        }
    }
}

/// Lines `own` of the strip to the rows `x`.
fn turn_out(strip: &Strip, own: std::ops::Range<usize>, ni: usize, x: Soa3Mut<'_>) {
    let mut square = [Lane::ZERO; LANES];
    let coordinates = [x.x, x.y, x.z];
    for (c, x) in coordinates.into_iter().enumerate() {
        for b in 0..ni.div_ceil(LANES) {
            let columns = strip_range(b, ni);
            if let Some(from) = strip.x[c][columns.start..].first_chunk::<LANES>() {
                transpose(from, &mut square);
            }
            let lines = square[own.clone()].iter().zip(x.chunks_exact_mut(ni));
            if ni < LANES {
                lines.for_each(|(line, x)| line.store(x));
            } else {
                lines.for_each(|(line, x)| line.put(x, columns.start));
            }
        }
    }
}

/// Target lengths of sixteen rows, turned over.
fn turn_targets(rest: &mut Vec<Lane>, targets: &[f32], rows: &std::ops::Range<usize>, ni: usize) {
    rest.resize(ni.max(LANES), Lane::ZERO);
    let mut square = [Lane::ZERO; LANES];
    for b in 0..ni.div_ceil(LANES) {
        let columns = strip_range(b, ni);
        for (lane, row) in square.iter_mut().zip(rows.clone()) {
            *lane = Lane::load(&targets[row * ni..][columns.clone()]);
        }
        if let Some(to) = rest[columns.start..].first_chunk_mut::<LANES>() {
            transpose(&square, to);
        }
    }
}
