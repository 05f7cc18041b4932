//! One direction of a round: strips read, solved and written.

use crate::elements::StencilSpring;
use crate::simd::{LANES, Lane, dispatch};

use super::bend::{Span, Straighten};
use super::chain::{EdgeLaw, Eliminated, Project, Strip};
use super::targets::Targets;
use super::turning::{Members, strip_range, turn_back, turn_numbers, turn_over};

/// What acts along the lines of one direction.
#[derive(Debug, Default)]
pub(super) struct Direction {
    /// Between neighbours.
    pub edge: Option<StencilSpring>,
    /// Over two cells.
    pub span: Option<StencilSpring>,
    /// B·width/length³: stiffness against the second difference. [N/m]
    pub bow: f32,
    pub edge_targets: Targets,
    pub span_targets: Targets,
    /// More compliance of the edge that starts at each point; empty if all are there. [1/kg]
    pub idle: Vec<f32>,
}

/// One direction's laws over a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Laws {
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
    /// Whether it is the last.
    pub last: bool,
}

impl Direction {
    pub fn laws(&self, h: f32, floor: f32) -> Laws {
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
pub(super) struct Pass<'a> {
    pub counts: [usize; 2],
    pub direction: &'a Direction,
    pub laws: Laws,
    pub round: Round,
}

impl Pass<'_> {
    /// All rows, which are first read from `columns` if those are given.
    pub fn rows(&self, strips: &mut [Strip], scratch: Scratch<'_>, columns: Option<&[Strip]>) {
        let ([ni, nj], step) = (self.counts, strips.len());
        for_each_strip(strips, 0, scratch, &|r, strip, scratch| {
            let rows = Members { first: r, step, count: nj };
            if let Some(columns) = columns {
                turn_back(&mut strip.x, columns, rows, ni);
            }
            self.vary(strip, ni, |to, numbers| turn_numbers(to, numbers, rows, ni));
            self.solve(strip, ni, rows, scratch);
        });
    }

    /// All columns, read from the rows.
    pub fn columns(&self, strips: &mut [Strip], scratch: Scratch<'_>, rows: &[Strip]) {
        let [ni, nj] = self.counts;
        for_each_strip(strips, 0, scratch, &|b, strip, scratch| {
            let columns = strip_range(b, ni);
            turn_over(&mut strip.x, rows, columns.start, nj);
            self.vary(strip, nj, |to, numbers| {
                let rows = numbers.chunks_exact(ni);
                to.iter_mut()
                    .zip(rows)
                    .for_each(|(to, row)| *to = Lane::load(&row[columns.clone()]));
            });
            let columns = Members { first: columns.start, step: 1, count: ni };
            self.solve(strip, nj, columns, scratch);
        });
    }

    /// Whether edges differ from each other.
    fn varies(&self) -> bool {
        self.direction.edge_targets.get().is_some() || !self.direction.idle.is_empty()
    }

    /// Lengths and compliances where they differ; `read` takes those of a strip out of one
    /// number a point of the grid.
    fn vary(&self, strip: &mut Strip, points: usize, read: impl Fn(&mut [Lane], &[f32])) {
        let room = points.max(LANES);
        let fill = |lanes: &mut Vec<Lane>, value: f32| {
            lanes.clear();
            lanes.resize(room, Lane([value; LANES]));
        };
        let Direction { edge_targets, span_targets, idle, .. } = self.direction;
        if let Some(EdgeLaw { alpha, rest }) = self.laws.edge.filter(|_| self.varies()) {
            fill(&mut strip.rest, rest);
            fill(&mut strip.alpha, 0.0);
            if let Some(targets) = edge_targets.get() {
                read(&mut strip.rest, targets);
            }
            if !idle.is_empty() {
                read(&mut strip.alpha, idle);
            }
            strip.alpha.iter_mut().flat_map(|lane| &mut lane.0).for_each(|a| *a += alpha);
        }
        if let Some(targets) = span_targets.get().filter(|_| self.round.first) {
            fill(&mut strip.span, 0.0);
            read(&mut strip.span, targets);
        }
    }

    /// Bending once a step, then the exact solve.
    fn solve(&self, strip: &mut Strip, points: usize, lines: Members, scratch: &mut [Eliminated]) {
        let Laws { edge, span, bow } = self.laws;
        if self.round.first {
            match span {
                Some(law) if self.direction.span_targets.get().is_some() => {
                    dispatch(Span::<true> { strip, points, law });
                }
                Some(law) => dispatch(Span::<false> { strip, points, law }),
                None => {}
            }
            if let Some(alpha) = bow.filter(|_| points > 2) {
                // The outermost lines stand for half a strip.
                let border = |line: usize| line == 0 || line + 1 == lines.count;
                let of = |l: usize| if border(lines.line(l)) { 2.0 * alpha } else { alpha };
                let alpha = Lane(std::array::from_fn(of));
                dispatch(Straighten { strip, points, alpha });
            }
        }
        let Some(law) = edge else { return };
        let keep = !self.round.last;
        match (self.round.first, self.varies()) {
            (true, false) => dispatch(Project::<true, false> { strip, points, law, scratch, keep }),
            (true, true) => dispatch(Project::<true, true> { strip, points, law, scratch, keep }),
            (false, false) => {
                dispatch(Project::<false, false> { strip, points, law, scratch, keep })
            }
            (false, true) => dispatch(Project::<false, true> { strip, points, law, scratch, keep }),
        }
    }
}

/// An elimination buffer a thread.
pub(super) type Scratch<'a> = &'a mut [Vec<Eliminated>];

/// Calls `work` for each strip, from number `first` on, with a thread a buffer.
pub(super) fn for_each_strip<F>(strips: &mut [Strip], first: usize, scratch: Scratch<'_>, work: &F)
where
    F: Fn(usize, &mut Strip, &mut [Eliminated]) + Sync,
{
    if scratch.len() > 1 && strips.len() > 1 {
        let (team, mid) = (scratch.len() / 2, strips.len() / 2);
        let (s0, s1) = scratch.split_at_mut(team);
        let (c0, c1) = strips.split_at_mut(mid);
        rayon::join(
            || for_each_strip(c0, first, s0, work),
            || for_each_strip(c1, first + mid, s1, work),
        );
        return;
    }
    if let Some(scratch) = scratch.first_mut() {
        strips.iter_mut().enumerate().for_each(|(b, strip)| work(first + b, strip, scratch));
    }
}
