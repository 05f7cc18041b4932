//! Up to sixteen alike bodies and a step of them.

use std::ops::Range;

use super::CrowdStep;
use super::carry::{Load, Unload};
use super::course::{Begin, COURSE_SUMS, Course, End, Gather, Inertia, Passed, Scatter};
use super::gas::{CrowdGas, Rooms, Turn};
use super::shape::{Member, Shape, SpringStep};
use crate::simd::three::larger;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::{Soa3, Soa3Mut};

/// One point of all bodies: where it starts [m], its way over the step [m], and its inverse mass.
/// [1/kg]
pub(super) type Spot = [Lane; 7];

/// Where they stand in a spot.
pub(super) const START: usize = 0;
pub(super) const WAY: usize = 3;
pub(super) const WEIGHT: usize = 6;

/// Alike bodies, one a lane.
#[derive(Debug)]
pub(super) struct Crowd {
    /// Which shape they have.
    pub shape: usize,
    pub members: Vec<Member>,
    /// Largest way of a point squared in the first and the last sweep. [m²]
    pub longest: [f64; 2],
    /// See `Unload`.
    pub sums: [f64; SUMS],
    /// See `Load`.
    pub before: f64,
    /// What came of steps that were taken together, one after the other.
    pub course: Vec<Passed>,
}

/// Σ m v, Σ m|v|², and the same with the inertia of the medium.
pub(super) const SUMS: usize = 5;

/// Places and velocities of consecutive particles.
#[derive(Debug)]
pub(super) struct Bodies<'a> {
    /// The first of them.
    pub first: usize,
    pub x: Soa3Mut<'a>,
    pub v: Soa3Mut<'a>,
}

/// What a thread needs for one crowd after the other: it stays in the thread's own cache.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// In whole blocks of sixteen.
    spots: Vec<Spot>,
    multipliers: Vec<Lane>,
    rooms: Rooms,
    /// See `Gather`.
    inertia: Vec<Inertia>,
}

impl Scratch {
    /// For all of some shapes.
    pub fn new(shapes: &[Shape]) -> Self {
        let most = |of: fn(&Shape) -> usize| shapes.iter().map(of).max().unwrap_or(0);
        let points = most(|shape| shape.points).next_multiple_of(LANES);
        Self {
            spots: vec![[Lane::ZERO; 7]; points],
            multipliers: vec![Lane::ZERO; most(Shape::spring_count)],
            rooms: Rooms::new(points),
            inertia: vec![[Lane::ZERO; 3]; points],
        }
    }
}

impl Crowd {
    pub fn new(shape: usize, members: &[Member]) -> Self {
        Self {
            shape,
            members: members.to_vec(),
            longest: [0.0; 2],
            sums: [0.0; SUMS],
            before: 0.0,
            course: Vec::new(),
        }
    }

    /// Its particles, and those between them.
    pub fn span(&self, shapes: &[Shape]) -> Range<usize> {
        let firsts = || self.members.iter().map(|member| member.first);
        let end = firsts().max().unwrap_or(0) + shapes[self.shape].points;
        firsts().min().unwrap_or(0)..end
    }

    /// Takes the bodies through a step; they are among `bodies`.
    pub fn advance(
        &mut self,
        shape: &Shape,
        step: &CrowdStep<'_>,
        scratch: &mut Scratch,
        bodies: &mut Bodies<'_>,
    ) {
        let Scratch { spots, multipliers, rooms, .. } = scratch;
        let spots = &mut spots[..shape.points.next_multiple_of(LANES)];
        let (members, points) = (self.members.as_slice(), shape.points);
        let before = &mut self.before;
        dispatch(Load { members, points, step, bodies, spots, before });
        let mut gas = CrowdGas::new(shape, members, (step.model, step.time), rooms);
        gas.begin(&spots[..points]);
        let turn = self.sweep((shape, &mut gas), (step.h, step.sweeps), spots, multipliers);
        let (members, sums) = (self.members.as_slice(), &mut self.sums);
        dispatch(Unload { members, points, step, bodies, spots, turn, sums });
    }

    /// All sweeps of a step; returns what turns bodies back.
    fn sweep(
        &mut self,
        (shape, gas): (&Shape, &mut CrowdGas<'_>),
        (h, sweeps): (f64, u32),
        spots: &mut [Spot],
        multipliers: &mut [Lane],
    ) -> Turn {
        let (springs, points) = (&shape.steps, shape.points);
        let multipliers = &mut multipliers[..springs.len()];
        for sweep in 0..sweeps {
            let mut longest = Lane::ZERO;
            gas.sweep(h, &mut spots[..points], &mut longest);
            let spots = &mut *spots;
            let multipliers = &mut *multipliers;
            if sweep == 0 {
                dispatch(Springs::<true> { springs, spots, multipliers, longest: &mut longest });
            } else {
                dispatch(Springs::<false> { springs, spots, multipliers, longest: &mut longest });
            }
            let longest = f64::from(longest.0.iter().copied().fold(0.0, larger));
            self.longest[1] = longest;
            if sweep == 0 {
                self.longest[0] = longest;
            }
        }
        gas.turn(&spots[..points])
    }

    /// Takes the bodies through the steps of a course, from places `x` and velocities `v` to `bodies`.
    pub fn go(
        &mut self,
        shape: &Shape,
        course: &Course<'_>,
        scratch: &mut Scratch,
        (x, v, bodies): (&Soa3, &Soa3, &mut Bodies<'_>),
    ) {
        let Scratch { spots, multipliers, rooms, inertia } = scratch;
        let (points, blocks) = (shape.points, shape.points.next_multiple_of(LANES));
        let (spots, inertia) = (&mut spots[..blocks], &mut inertia[..blocks]);
        let [places, velocities] = rooms.moving(blocks);
        let members = self.members.as_slice();
        dispatch(Gather { members, points, course, x, v, places, velocities, inertia });
        self.course.clear();
        let mut time = course.time;
        for _ in 0..course.steps {
            time += course.h;
            let [places, velocities, aims] = rooms.all(blocks);
            dispatch(Begin { course, spots, places, velocities, inertia, aims });
            let members = std::mem::take(&mut self.members);
            let mut gas = CrowdGas::new(shape, &members, (course.model, time), rooms);
            let turn = self.sweep((shape, &mut gas), (course.h, course.sweeps), spots, multipliers);
            self.members = members;
            let [places, velocities, aims] = rooms.all(points);
            let mut sums = [0.0; COURSE_SUMS];
            let spots = &mut spots[..points];
            let to = &mut sums;
            let list = &shape.list;
            dispatch(End {
                course,
                list,
                spots,
                places,
                velocities,
                inertia,
                aims,
                turn,
                sums: to,
            });
            let touches = course.obstacles.map_or(0, |obstacles| {
                obstacles.resolve_columns(list, spots, (places, velocities))
            });
            self.course.push(Passed { sums, touches, longest: self.longest });
        }
        let [places, velocities] = rooms.moving(blocks);
        let members = self.members.as_slice();
        dispatch(Scatter { members, points, places, velocities, bodies });
    }
}

/// Below this square of a length a direction is rounding noise. [m²]
const SHORTEST: f32 = 1e-24;

/// Δλ = (−K(|d| − L) − λ − B n·w)/((K + B)(wₐ + w_b) + 1), w the way of b against a, as
/// Δλ/|d| = −((K(|d| − L) + λ)|d| + B d·w)/(((K + B)(wₐ + w_b) + 1)|d|²); `FIRST`: λ is none yet.
struct Springs<'a, const FIRST: bool> {
    springs: &'a [SpringStep],
    spots: &'a mut [Spot],
    multipliers: &'a mut [Lane],
    longest: &'a mut Lane,
}

impl<const FIRST: bool> Kernel for Springs<'_, FIRST> {
    #[inline(always)]
    fn run(self) {
        let mut longest = *self.longest;
        for (spring, multiplier) in self.springs.iter().zip(self.multipliers) {
            let SpringStep { ends, rest, stiffness: k, damping: c } = *spring;
            let [a, b] = ends.map(|end| end as usize);
            let [pa, pb] = [&self.spots[a], &self.spots[b]];
            let (mut to_a, mut to_b) = ([Lane::ZERO; 3], [Lane::ZERO; 3]);
            let mut owed = if FIRST { Lane::ZERO } else { *multiplier };
            for l in 0..LANES {
                let way = |d: usize| pb[WAY + d].0[l] - pa[WAY + d].0[l];
                let way = [way(0), way(1), way(2)];
                let apart = |d: usize| (pb[START + d].0[l] - pa[START + d].0[l]) + way[d];
                let d = [apart(0), apart(1), apart(2)];
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let length = square.sqrt();
                let (wa, wb) = (pa[WEIGHT].0[l], pb[WEIGHT].0[l]);
                let yields = (k + c) * (wa + wb) + 1.0;
                // Neither the division nor the root waits for the other.
                let part = 1.0 / (square * yields);
                let widened = c * (d[0] * way[0] + d[1] * way[1] + d[2] * way[2]);
                let pull = (k * (length - rest) + owed.0[l]) * length + widened;
                // Without a direction nothing moves, and nothing is owed.
                let push = if square > SHORTEST { pull * part } else { 0.0 };
                let change = push * length;
                owed.0[l] -= change;
                let (by_a, by_b) = (wa * push, wb * push);
                for e in 0..3 {
                    to_a[e].0[l] = pa[WAY + e].0[l] + d[e] * by_a;
                    to_b[e].0[l] = pb[WAY + e].0[l] - d[e] * by_b;
                }
                let far = larger(wa, wb) * change;
                longest.0[l] = larger(longest.0[l], far * far);
            }
            *multiplier = owed;
            for (v, [x, y, z]) in [(a, to_a), (b, to_b)] {
                let spot = &mut self.spots[v];
                (spot[WAY], spot[WAY + 1], spot[WAY + 2]) = (x, y, z);
            }
        }
        *self.longest = longest;
    }
}
