//! Rods: stretch and bending of a strand in one banded solve, sixteen strands side by side.
//!
//! A step is cut into short ones, and a group goes through all of them before the next group does:
//! it stays in the cache. In each: twist comes to rest; points move on; directors turn with them and
//! say where natural bends point; one solve for bending and length ([`banded`]); contact and exact
//! lengths in turns.

mod banded;
mod bend;
mod group;
mod lanes;
mod predict;
mod settle;
mod turn;
mod twist;

use crate::parallel::for_each_large;
use crate::simd::Lane;
use crate::soa::{Soa3, Soa3Mut};
use crate::solvers::line_projection::chain::{Eliminated, elimination};
use crate::strands::StrandSet;

use super::carriers::Carriers;
use super::obstacles::Obstacles;
use super::step::RodStep;
use banded::Rows;
use group::{Extent, Group, Part};
use twist::Spin;

/// All strands of one body.
#[derive(Debug)]
pub(super) struct Rods {
    crews: Vec<Crew>,
    /// Crew, group and lane of each strand.
    places: Vec<[u32; 3]>,
}

/// Groups that are solved one after the other.
#[derive(Debug)]
struct Crew {
    groups: Vec<Group>,
    scratch: Scratch,
    /// Colliders near a group.
    near: Vec<usize>,
}

/// Room for one group at work.
#[derive(Debug)]
struct Scratch {
    vectors: Vec<[Lane; 3]>,
    reaction: Vec<[Lane; 3]>,
    fall: Vec<[Lane; 3]>,
    inertia: Vec<Lane>,
    twist: Vec<Lane>,
    spins: Vec<Spin>,
    rows: Vec<Rows>,
    eliminated: Vec<Eliminated>,
}

/// What is round the strands of a body besides what a step says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    /// Where particles are at the start, and how fast. [m, m/s]
    pub x: &'a Soa3,
    pub v: &'a Soa3,
    pub directors: &'a Soa3,
    /// Particles after which strands are cut, rising.
    pub cut: &'a [u32],
    /// Where those that are held end. [m]
    pub ends: &'a Soa3,
    /// What draws them to other strands: v̇ = carried − rate·v. [m/s², 1/s]
    pub carried: &'a Soa3,
    pub rates: &'a [f32],
    /// Time at rest of each strand. [s]
    pub rest: &'a [f64],
    pub carriers: &'a Carriers,
    pub obstacles: &'a Obstacles,
    /// Whether anything but weight and air pushes, and whether the air moves.
    pub pushed: bool,
    pub windy: bool,
    /// Resistance of a medium, b/m. [1/s]
    pub damping: f32,
    /// Whether nothing that acts from outside changes.
    pub quiet: bool,
    /// Strands slower than this come to rest. [m/s]
    pub rest_speed: f32,
}

/// Crews at most: enough for any number of threads, few enough that each stays in a cache.
const CREWS: usize = 32;

/// Length of the short steps at most. [s]
const SHORT: f64 = 1.0 / 240.0;

impl Rods {
    pub fn new(set: &StrandSet, first_particle: usize) -> Self {
        let mut order: Vec<u32> = (0..set.strands.len() as u32).collect();
        let kind = |s: u32| {
            let strand = &set.strands[s as usize];
            (strand.count, strand.held().len())
        };
        order.sort_by_key(|&strand| kind(strand));
        let mut groups = Vec::new();
        for alike in order.chunk_by(|&a, &b| kind(a) == kind(b)) {
            for members in alike.chunks(crate::simd::LANES) {
                groups.push((Group::new(set, first_particle, members), members));
            }
        }
        let each = groups.len().div_ceil(CREWS).max(1);
        let longest = set.strands.iter().map(|s| s.count as usize).max().unwrap_or(0);
        let mut out = Self { crews: Vec::new(), places: vec![[0; 3]; set.strands.len()] };
        for (number, (group, members)) in groups.into_iter().enumerate() {
            if number % each == 0 {
                let scratch = Scratch::new(longest);
                out.crews.push(Crew { groups: Vec::new(), scratch, near: Vec::new() });
            }
            let crew = (number / each) as u32;
            for (lane, &strand) in members.iter().enumerate() {
                out.places[strand as usize] = [crew, (number % each) as u32, lane as u32];
            }
            out.crews[crew as usize].groups.push(group);
        }
        out
    }

    /// Takes all strands through a step. Returns the short steps that it was cut into.
    pub fn step(&mut self, step: &RodStep<'_>, around: &Around<'_>) -> u32 {
        let parts = (step.h / SHORT - 1e-6).ceil().clamp(1.0, 64.0) as u32;
        for_each_large(self.crews.as_mut_slice(), &|_, crews: &mut [Crew]| {
            crews.iter_mut().for_each(|crew| crew.step(step, around, parts));
        });
        parts
    }

    /// Makes lengths right again from places to which something else has brought points at the end of
    /// a step of `h`; velocities follow.
    pub fn adjust(&mut self, set: &StrandSet, x: &Soa3, h: f32) {
        for_each_large(self.crews.as_mut_slice(), &|_, crews: &mut [Crew]| {
            for Crew { groups, scratch, .. } in crews {
                groups.iter_mut().for_each(|group| group.adjust((set, x), h, scratch));
            }
        });
    }

    /// How many strands there are in a group that begins with this one and goes on with its
    /// neighbours.
    pub fn whole(&self, strand: usize) -> Option<usize> {
        let [crew, group, lane] = self.places[strand].map(|k| k as usize);
        Some(&self.crews[crew].groups[group]).filter(|_| lane == 0).and_then(Group::neighbours)
    }

    /// Writes what came of a strand's particles, or of those of a whole group.
    pub fn put(&self, (strand, count): (usize, usize), from: usize, to: [Soa3Mut<'_>; 3]) {
        let [crew, group, lane] = self.places[strand].map(|k| k as usize);
        let group = &self.crews[crew].groups[group];
        if count > 1 { group.put_all(to) } else { group.put(lane, from, to) }
    }

    /// Touches of points and colliders at the end of the step.
    pub fn touches(&self) -> usize {
        self.crews.iter().flat_map(|crew| &crew.groups).map(Group::touches).sum()
    }

    /// Time at rest of a strand. [s]
    pub fn rest(&self, strand: usize) -> f64 {
        let [crew, group, lane] = self.places[strand].map(|k| k as usize);
        f64::from(self.crews[crew].groups[group].rest(lane))
    }
}

impl Crew {
    fn step(&mut self, step: &RodStep<'_>, around: &Around<'_>, parts: u32) {
        let h = (step.h / f64::from(parts)) as f32;
        let offset = step.model.contact_offset.max(LEAST_OFFSET) + step.set.fibre.radius;
        let touches = step.set.touch.parts != crate::strands::TouchParts::Nothing;
        for group in &mut self.groups {
            group.load(step, around);
            if around.pushed {
                group.harden(h);
            }
            group.stiffen(h, step.set.fibre.inner_friction);
            let Extent { bounds, fastest } = group.extent();
            let reach = (fastest + step.gravity.length() * step.h as f32) * step.h as f32;
            let bounds = bounds.grown(reach + offset);
            self.near.clear();
            if touches {
                let colliders = (step.model.colliders.as_slice(), step.colliders);
                around.obstacles.find(colliders, bounds, &mut self.near);
            }
            let stands = |&k: &usize| step.colliders[k].start == step.colliders[k].end;
            let quiet = around.quiet && self.near.iter().all(stands);
            for k in 0..parts {
                let (from, to) = (k as f32 / parts as f32, (k + 1) as f32 / parts as f32);
                let part = Part { from, to, h, near: &self.near, offset, quiet };
                group.advance(part, (step, around), &mut self.scratch);
            }
            group.finish(step.set);
        }
    }
}

/// Strands stay at least so far off colliders: what lengths draw in again is less. [m]
const LEAST_OFFSET: f32 = 5e-4;

impl Scratch {
    fn new(points: usize) -> Self {
        let room = || vec![[Lane::ZERO; 3]; points];
        Self {
            vectors: room(),
            reaction: room(),
            fall: room(),
            inertia: vec![Lane::ZERO; points],
            twist: vec![Lane::ZERO; points + 1],
            spins: vec![Spin::ZERO; points],
            rows: vec![Rows::ZERO; points + 2],
            eliminated: elimination(points.max(crate::simd::LANES)),
        }
    }
}
