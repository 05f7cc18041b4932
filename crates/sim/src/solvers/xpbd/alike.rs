//! Bodies that are alike, side by side in vectors.

mod crowd;
mod gas;
mod shape;

use std::ops::Range;

use crate::elastic::ElasticSpring;
use crate::model::Model;
use crate::parallel::{for_each_large, for_each_part};
use crate::soa::{Soa3, Soa3Mut};
use crate::state::State;

use crowd::{Crowd, Start};
use shape::Shape;

/// Springs and gas of bodies that have the same points, springs and skin and share nothing with
/// others. Each has a lane of a vector: nothing is gathered from here and there, and a body is
/// solved as a whole while it is in the cache. Constraints come colour after colour, as elsewhere.
///
/// In f32, with ways over the step as unknowns: what is small is not a difference of large numbers.
#[derive(Debug)]
pub(super) struct Alike {
    shapes: Vec<Shape>,
    crowds: Vec<Crowd>,
    /// Particles of each body in a crowd, with its crowd and lane, in order.
    places: Vec<(Range<usize>, usize, usize)>,
    /// Particles of no crowd.
    others: Vec<Range<usize>>,
}

/// Fewer alike bodies are better off with the others.
const FEW: usize = 4;

/// A step that crowds are taken through.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdStep<'a> {
    pub model: &'a Model,
    /// Where particles are. [m]
    pub x: &'a Soa3,
    /// Velocities without constraints. [m/s]
    pub free: &'a Soa3,
    /// Inverse masses with the inertia of hands. [1/kg]
    pub weights: &'a [f32],
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
        let mut out = Self { shapes, crowds: Vec::new(), places: Vec::new(), others: Vec::new() };
        for (number, members) in members.iter().enumerate() {
            for members in evenly(members) {
                for (lane, member) in members.iter().enumerate() {
                    let own = member.first..member.first + out.shapes[number].points;
                    out.places.push((own, out.crowds.len(), lane));
                }
                out.crowds.push(Crowd::new((number, &out.shapes[number]), members));
            }
        }
        out.places.sort_unstable_by_key(|(own, ..)| own.start);
        let mut last = 0;
        for (own, ..) in &out.places {
            out.others.push(last..own.start);
            last = own.end;
        }
        out.others.push(last..model.particle_count());
        out.others.retain(|range| !range.is_empty());
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
        self.places.iter().flat_map(|(own, crowd, _)| {
            let shape = &self.shapes[self.crowds[*crowd].shape];
            shape.springs.iter().map(|spring| spring.moved_to(own.start as u32))
        })
    }

    /// Takes all bodies through a step. Returns the largest ways of a particle squared in the first
    /// and the last sweep. [m²]
    pub fn advance(&mut self, step: &CrowdStep<'_>) -> [f64; 2] {
        let shapes = &self.shapes;
        for_each_large(self.crowds.as_mut_slice(), &|_, crowds: &mut [Crowd]| {
            crowds.iter_mut().for_each(|crowd| crowd.advance(&shapes[crowd.shape], step));
        });
        let longest = |of: fn(&Crowd) -> f64| self.crowds.iter().map(of).fold(0.0, f64::max);
        [longest(|crowd| crowd.longest[0]), longest(|crowd| crowd.longest[1])]
    }

    /// Tells the state where they are.
    pub fn put(&self, state: &mut State) {
        let all = (state.x.view_mut(), state.v.view_mut());
        for_each_part(all, 1, &|first, (mut x, mut v): (Soa3Mut, Soa3Mut)| {
            let end = first + x.len();
            let from = self.places.partition_point(|(own, ..)| own.end <= first);
            for (own, crowd, lane) in &self.places[from..] {
                if own.start >= end {
                    break;
                }
                let range = own.start.max(first)..own.end.min(end);
                let to = range.start - first..range.end - first;
                let start = Start { lane: *lane, first: range.start - own.start };
                self.crowds[*crowd].put(start, (x.slice_mut(to.clone()), v.slice_mut(to)));
            }
        });
    }

    fn place_of(&self, particle: usize) -> Option<usize> {
        let after = self.places.partition_point(|(own, ..)| own.end <= particle);
        self.places.get(after).filter(|(own, ..)| own.contains(&particle)).map(|_| after)
    }
}

/// Members in as few parts as there may be, all of about the same size.
fn evenly<T>(members: &[T]) -> impl Iterator<Item = &[T]> {
    let parts = members.len().div_ceil(crate::simd::LANES).max(1);
    let cut = move |part: usize| members.len() * part / parts;
    (0..parts).map(move |part| &members[cut(part)..cut(part + 1)])
}
