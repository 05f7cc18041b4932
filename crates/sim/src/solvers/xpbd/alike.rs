//! Bodies that are alike, side by side in vectors.

mod carry;
mod course;
mod crowd;
mod gas;
mod order;
mod shape;
mod skin;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use glam::Vec3;

use crate::elastic::ElasticSpring;
use crate::model::Model;
use crate::parallel::{Split, for_each_large};
use crate::soa::Soa3;
use crate::solvers::passive::Known;
use crate::state::State;

pub(super) use course::{COURSE_SUMS, Course, Passed};
use crowd::{Bodies, Crowd, SUMS, Scratch};
use shape::Shape;

/// Springs and gas of bodies that have the same points, springs and skin and share nothing with
/// others. Each has a lane of a vector: nothing is gathered from here and there, and a body is
/// solved as a whole while it is in the cache.
///
/// In f32, with ways over the step as unknowns: what is small is not a difference of large numbers.
#[derive(Debug)]
pub(super) struct Alike {
    shapes: Vec<Shape>,
    /// In the order of their particles.
    groups: Vec<Group>,
    /// Particles of each body in a crowd, with its shape, in order.
    places: Vec<(Range<usize>, usize)>,
    /// Particles of no crowd.
    others: Vec<Range<usize>>,
    /// One a thread.
    scratch: Vec<Mutex<Scratch>>,
    held: Held,
}

/// Crowds that a thread takes one after the other: bodies of one stand between those of another.
#[derive(Debug)]
struct Group {
    /// Their particles, and those between them.
    span: Range<usize>,
    crowds: Vec<Crowd>,
}

/// Whether any particle is held, as long as the grips are those of a number.
type Held = Option<(u64, bool)>;

/// Fewer alike bodies are better off with the others.
const FEW: usize = 4;

/// A step that crowds are taken through.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdStep<'a> {
    pub model: &'a Model,
    /// Velocities without constraints. [m/s]
    pub free: &'a Soa3,
    /// Inverse masses with the inertia of hands. [1/kg]
    pub weights: &'a [f32],
    /// Acceleration by weight. [m/s²]
    pub gravity: Vec3,
    /// Length. [s]
    pub h: f64,
    /// Its end. [s]
    pub time: f64,
    pub sweeps: u32,
}

impl Alike {
    /// Takes bodies that are alike out of `springs`; `busy` are particles that other constraints
    /// act on.
    pub fn new(
        model: &Model,
        springs: &mut Vec<ElasticSpring>,
        busy: impl Iterator<Item = u32>,
    ) -> Self {
        let (shapes, members) = shape::alike(model, springs, busy, FEW);
        let (mut places, mut crowds) = (Vec::new(), Vec::new());
        for (number, members) in members.iter().enumerate() {
            let own = |first: usize| first..first + shapes[number].points;
            places.extend(members.iter().map(|member| (own(member.first), number)));
            crowds.extend(evenly(members).map(|members| Crowd::new(number, members)));
        }
        places.sort_unstable_by_key(|(own, _)| own.start);
        let (mut last, mut others) = (0, Vec::new());
        for (own, _) in &places {
            others.push(last..own.start);
            last = own.end;
        }
        others.push(last..model.particle_count());
        others.retain(|range| !range.is_empty());
        let groups = grouped(&shapes, crowds);
        let out = Self { shapes, groups, places, others, scratch: Vec::new(), held: None };
        let is_taken = |i: u32| out.place_of(i as usize).is_some();
        springs.retain(|spring| !is_taken(spring.ends[0]));
        out
    }

    /// Particles that are not in it.
    pub fn others(&self) -> impl Iterator<Item = usize> + '_ {
        self.others.iter().cloned().flatten()
    }

    /// Whether a body of these particles is in it.
    pub fn has(&self, particles: &Range<usize>) -> bool {
        self.place_of(particles.start).is_some()
    }

    /// Springs of all its bodies.
    pub fn springs(&self) -> impl Iterator<Item = ElasticSpring> + '_ {
        let own = |(own, shape): &(Range<usize>, usize)| (own.start as u32, *shape);
        self.places
            .iter()
            .map(own)
            .flat_map(|(first, shape)| self.shapes[shape].springs_from(first))
    }

    /// Takes all bodies through a step that starts at `state`. Returns the largest ways of a particle
    /// squared in the first and the last sweep. [m²]
    pub fn advance(&mut self, step: &CrowdStep<'_>, state: &mut State) -> [f64; 2] {
        if self.groups.is_empty() {
            return [0.0; 2];
        }
        let State { x, v, .. } = state;
        self.each(step.h, [x, v], &|crowd, shape, scratch, bodies| {
            crowd.advance(shape, step, scratch, bodies);
        });
        let longest = |of: fn(&Crowd) -> f64| self.crowds().map(of).fold(0.0, f64::max);
        [longest(|crowd| crowd.longest[0]), longest(|crowd| crowd.longest[1])]
    }

    /// Lets all threads work at crowds, which write to places and velocities of all particles.
    fn each(
        &mut self,
        h: f64,
        [x, v]: [&mut Soa3; 2],
        work: &(impl Fn(&mut Crowd, &Shape, &mut Scratch, &mut Bodies<'_>) + Sync),
    ) {
        self.shapes.iter_mut().for_each(|shape| shape.begin(h));
        let threads = rayon::current_num_threads().max(1);
        let Self { shapes, groups, scratch, .. } = self;
        while scratch.len() < threads {
            scratch.push(Mutex::new(Scratch::new(shapes)));
        }
        let bodies = Bodies { first: 0, x: x.view_mut(), v: v.view_mut() };
        for_each_large(Work { groups, bodies }, &|_, Work { groups, mut bodies }: Work<'_>| {
            let own = rayon::current_thread_index().unwrap_or(0) % scratch.len();
            // What a thread that panicked left there is overwritten anyway.
            let mut scratch = scratch[own].lock().unwrap_or_else(PoisonError::into_inner);
            for crowd in groups.iter_mut().flat_map(|group| &mut group.crowds) {
                work(crowd, &shapes[crowd.shape], &mut scratch, &mut bodies);
            }
        });
    }

    /// Whether there are no other particles.
    pub fn are_all(&self) -> bool {
        self.others.is_empty() && !self.groups.is_empty()
    }

    /// Takes all bodies through a course, from places `x` and velocities `v` to `ends`.
    pub fn go(&mut self, course: &Course<'_>, (x, v): (&Soa3, &Soa3), ends: [&mut Soa3; 2]) {
        self.each(course.h, ends, &|crowd, shape, scratch, bodies| {
            crowd.go(shape, course, scratch, (x, v, bodies));
        });
    }

    /// What came of a step of the last course, by number.
    pub fn passed(&self, step: usize) -> Passed {
        let mut all = Passed::default();
        for passed in self.crowds().filter_map(|crowd| crowd.course.get(step)) {
            all.sums.iter_mut().zip(&passed.sums).for_each(|(sum, part)| *sum += part);
            all.touches += passed.touches;
            for (all, own) in all.longest.iter_mut().zip(passed.longest) {
                *all = own.max(*all);
            }
        }
        all
    }

    /// Momentum and motion of the state that the step has led to, if there is nothing else in it.
    pub fn known(&mut self, model: &Model) -> Option<Known> {
        if !self.are_all() {
            return None;
        }
        let held = self.holds_any(model);
        let (mut sums, mut before) = ([0.0; SUMS], 0.0);
        for crowd in self.crowds() {
            sums.iter_mut().zip(&crowd.sums).for_each(|(sum, part)| *sum += part);
            before += crowd.before;
        }
        Some(Known::with_medium(sums, before, !held))
    }

    /// Whether any particle is held.
    pub fn holds_any(&mut self, model: &Model) -> bool {
        let held = match self.held {
            Some((version, held)) if version == model.grip_version => held,
            _ => model.inverse_mass.iter().any(|&w| !(w > 0.0)),
        };
        self.held = Some((model.grip_version, held));
        held
    }

    fn crowds(&self) -> impl Iterator<Item = &Crowd> {
        self.groups.iter().flat_map(|group| &group.crowds)
    }

    fn place_of(&self, particle: usize) -> Option<usize> {
        let after = self.places.partition_point(|(own, _)| own.end <= particle);
        self.places.get(after).filter(|(own, _)| own.contains(&particle)).map(|_| after)
    }
}

/// Groups with the particles that they are among.
struct Work<'a> {
    groups: &'a mut [Group],
    bodies: Bodies<'a>,
}

impl Split for Work<'_> {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let Self { groups, bodies: Bodies { first, x, v } } = self;
        let (left, right) = groups.split_at_mut(mid);
        let from = right.first().map_or(first + x.len(), |group| group.span.start);
        let ((x0, x1), (v0, v1)) = (x.split(from - first), v.split(from - first));
        let (before, after) =
            (Bodies { first, x: x0, v: v0 }, Bodies { first: from, x: x1, v: v1 });
        (Work { groups: left, bodies: before }, Work { groups: right, bodies: after })
    }
}

/// Crowds put together whose bodies stand between each other.
fn grouped(shapes: &[Shape], mut crowds: Vec<Crowd>) -> Vec<Group> {
    crowds.sort_by_key(|crowd| crowd.span(shapes).start);
    let mut groups = Vec::<Group>::new();
    for crowd in crowds {
        let span = crowd.span(shapes);
        match groups.last_mut().filter(|last| last.span.end > span.start) {
            Some(last) => {
                last.span.end = last.span.end.max(span.end);
                last.crowds.push(crowd);
            }
            None => groups.push(Group { span, crowds: vec![crowd] }),
        }
    }
    groups
}

/// Members in as few parts as there may be, all of about the same size.
fn evenly<T>(members: &[T]) -> impl Iterator<Item = &[T]> {
    let parts = members.len().div_ceil(crate::simd::LANES).max(1);
    let cut = move |part: usize| members.len() * part / parts;
    (0..parts).map(move |part| &members[cut(part)..cut(part + 1)])
}
