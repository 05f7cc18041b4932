//! One direction of a round: strips read, solved and written.

use crate::elements::{SpringParams, StencilSpring};
use crate::simd::{LANES, Lane, dispatch};
use crate::soa::Soa3Ref;

use super::chain::{EdgeLaw, Eliminated, Need, Points, Strip, elimination, project};
use super::fall::squares;
use super::spans::{project_spans, sweep_spans};
use super::straighten::{Bent, Straighten, bows};
use super::targets::Targets;
use super::turning::{Members, copy_columns, strip_range, turn_numbers, turn_over};

/// What acts along the lines of one direction.
#[derive(Debug, Default)]
pub(super) struct Direction {
    /// Between neighbours.
    pub edge: Option<StencilSpring>,
    /// Over two cells.
    pub span: Option<StencilSpring>,
    /// Against the second difference: B·width/length³, and the same of what resists its change.
    pub bow: SpringParams,
    /// More compliance of the edge that starts at each point; empty if all are there. [1/kg]
    pub idle: Vec<f32>,
}

/// One direction's laws over a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Laws {
    edge: Option<EdgeLaw>,
    span: Option<(EdgeLaw, Grade)>,
    bow: Option<BowLaw>,
    edge_targets: Option<Targets>,
    span_targets: Option<Targets>,
}

impl Laws {
    /// Whether they ask where points were at the start of the step.
    pub fn look_back(&self) -> bool {
        self.edge_targets.is_some()
            || self.span_targets.is_some()
            || self.bow.is_some_and(|bow| bow.of_start > 0.0)
    }
}

/// What bend springs are for points of this mass over a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grade {
    /// One sweep is as good as a solve.
    Soft,
    Stiff,
}

/// k h² w beyond which springs that share a point must be solved together; with dashpots that
/// comes sooner, as a sweep that ends early takes a part of their lengths for motion.
const STIFF: f32 = 0.25;
const STIFF_DAMPED: f32 = 0.1;

/// Resistance to bowing.
#[derive(Clone, Copy, Debug)]
struct BowLaw {
    /// 1/(k h²). [1/kg]
    alpha: f32,
    /// What dashpots keep of the bows at the start of the step.
    of_start: f32,
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
    /// Its laws over a step of `h`, for points of the mean inverse mass `weight`.
    pub fn laws(&self, h: f32, weight: f32) -> Laws {
        let alpha = |stiffness: f32, damping: f32| {
            (1.0 / ((stiffness + damping / h) * h * h)).max(LEAST_COMPLIANCE * weight)
        };
        let law = |spring: Option<StencilSpring>| {
            spring.map(|s| EdgeLaw { alpha: alpha(s.stiffness, s.damping), rest: s.rest })
        };
        let stiff = if self.span.is_some_and(|s| s.damping > 0.0) { STIFF_DAMPED } else { STIFF };
        let grade =
            |law: EdgeLaw| if weight > stiff * law.alpha { Grade::Stiff } else { Grade::Soft };
        let SpringParams { stiffness, damping } = self.bow;
        let bows = (stiffness + damping > 0.0).then(|| BowLaw {
            alpha: alpha(stiffness, damping),
            of_start: damping / (h * stiffness + damping),
        });
        Laws {
            edge: law(self.edge),
            span: law(self.span).map(|l| (l, grade(l))),
            bow: bows,
            edge_targets: Targets::of(self.edge, h),
            span_targets: Targets::of(self.span, h),
        }
    }
}

/// Least compliance, relative to the mean inverse mass: it keeps a straight line that is
/// held at both ends solvable in f32 and lets a line of a thousand points sag by microns.
const LEAST_COMPLIANCE: f32 = 1e-5;

/// What a thread works in.
#[derive(Debug)]
pub(super) struct Scratch {
    edges: Vec<Eliminated>,
    bows: Vec<Bent>,
    half: Strip,
    /// Squares of rows that are about to be turned over.
    pub squares: Points,
}

impl Scratch {
    /// For lines of up to `points` points.
    pub fn new(points: usize) -> Self {
        let half = Strip::new(points.div_ceil(2));
        Self { edges: elimination(points), bows: bows(points), half, squares: squares(points) }
    }
}

/// One direction of a round.
pub(super) struct Pass<'a> {
    pub counts: [usize; 2],
    pub direction: &'a Direction,
    pub laws: Laws,
    pub round: Round,
    /// Positions at the start of the step. [m]
    pub start: Soa3Ref<'a>,
}

impl Pass<'_> {
    /// Strip `r` of `strips` strips of rows, which knows its start where that is asked for.
    pub fn solve_rows(
        &self,
        strip: &mut Strip,
        (r, strips): (usize, usize),
        scratch: &mut Scratch,
    ) {
        let [ni, nj] = self.counts;
        let rows = Members { first: r, step: strips, count: nj };
        self.vary(strip, ni, |to, numbers| turn_numbers(to, numbers, rows, ni));
        self.solve(strip, ni, rows, scratch);
    }

    /// All columns, read from the rows.
    pub fn columns(&self, strips: &mut [Strip], scratch: &mut [Scratch], rows: &[Strip]) {
        let [ni, nj] = self.counts;
        for_each_strip(strips, scratch, &|b, strip, scratch| {
            let columns = strip_range(b, ni);
            turn_over(&mut strip.x, rows, columns.start);
            if self.round.first && self.laws.look_back() {
                strip.start.resize(strip.x.len(), [Lane::ZERO; 3]);
                copy_columns(&mut strip.start, self.start, columns.clone(), ni);
            }
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
        self.laws.edge_targets.is_some() || !self.direction.idle.is_empty()
    }

    /// Lengths and compliances where they differ; `read` takes those of a strip out of one
    /// number a point of the grid.
    fn vary(&self, strip: &mut Strip, points: usize, read: impl Fn(&mut [Lane], &[f32])) {
        if !self.round.first {
            return;
        }
        let Laws { edge, edge_targets, span_targets, .. } = self.laws;
        let room = points.max(LANES);
        if let Some(EdgeLaw { alpha, rest }) = edge.filter(|_| self.varies()) {
            match edge_targets {
                Some(targets) => targets.put(&strip.start, 1, &mut strip.rest),
                None => fill(&mut strip.rest, room, rest),
            }
            let idle = &self.direction.idle;
            if idle.is_empty() {
                fill(&mut strip.alpha, room, alpha);
            } else {
                strip.alpha.resize(room, Lane::ZERO);
                read(&mut strip.alpha, idle);
                strip.alpha.iter_mut().flat_map(|lane| &mut lane.0).for_each(|a| *a += alpha);
            }
        }
        if let Some(targets) = span_targets {
            targets.put(&strip.start, 2, &mut strip.span);
        }
    }

    /// What bends, then what stretches.
    fn solve(&self, strip: &mut Strip, points: usize, lines: Members, scratch: &mut Scratch) {
        let Laws { edge, span, bow, .. } = self.laws;
        let first = self.round.first;
        let need = Need { first, varied: self.varies(), keep: !self.round.last };
        let Scratch { edges, bows, half, .. } = scratch;
        match span {
            Some((law, Grade::Stiff)) => {
                project_spans(strip, (points, need), law, (half, edges));
            }
            Some((law, Grade::Soft)) if first => sweep_spans(strip, points, law),
            _ => {}
        }
        if let Some(law) = bow.filter(|_| points > 2) {
            // The outermost lines stand for half a strip.
            let border = |line: usize| line == 0 || line + 1 == lines.count;
            let of = |l: usize| if border(lines.line(l)) { 2.0 * law.alpha } else { law.alpha };
            let (alpha, of_start) = (Lane(std::array::from_fn(of)), law.of_start);
            let scratch = bows.as_mut_slice();
            match first {
                true => dispatch(Straighten::<true> { strip, points, alpha, of_start, scratch }),
                false => dispatch(Straighten::<false> { strip, points, alpha, of_start, scratch }),
            }
        }
        if let Some(law) = edge {
            project(strip, points, (law, edges), need);
        }
    }
}

/// Makes all of `room` entries the same, unless they are.
fn fill(lanes: &mut Vec<Lane>, room: usize, value: f32) {
    let all = Lane([value; LANES]);
    if lanes.len() != room || lanes.first() != Some(&all) {
        lanes.clear();
        lanes.resize(room, all);
    }
}

/// Calls `work` for each strip with its number and a thread's buffer.
pub(super) fn for_each_strip<F>(strips: &mut [Strip], scratch: &mut [Scratch], work: &F)
where
    F: Fn(usize, &mut Strip, &mut Scratch) + Sync,
{
    for_each_group(strips, (0, 1), scratch, &|b, strips, scratch| {
        strips.iter_mut().for_each(|strip| work(b, strip, scratch));
    });
}

/// Calls `work` for groups of strips, numbered from `first` on, with a thread a buffer.
pub(super) fn for_each_group<F>(
    strips: &mut [Strip],
    (first, group): (usize, usize),
    scratch: &mut [Scratch],
    work: &F,
) where
    F: Fn(usize, &mut [Strip], &mut Scratch) + Sync,
{
    let count = strips.len().div_ceil(group);
    if scratch.len() > 1 && count > 1 {
        let (s0, s1) = scratch.split_at_mut(scratch.len() / 2);
        let mid = group * (count * s0.len() / (s0.len() + s1.len())).max(1);
        let (c0, c1) = strips.split_at_mut(mid);
        rayon::join(
            || for_each_group(c0, (first, group), s0, work),
            || for_each_group(c1, (first + mid, group), s1, work),
        );
        return;
    }
    let Some(scratch) = scratch.first_mut() else { return };
    for (k, strips) in strips.chunks_mut(group).enumerate() {
        work(first + k * group, strips, scratch);
    }
}
