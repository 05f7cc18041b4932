//! Sixteen strands side by side.

mod lading;
mod lead;
mod survey;
#[cfg(test)]
mod tests;

use glam::Vec3;

use crate::simd::{LANES, Lane, dispatch};
use crate::soa::Soa3;
use crate::strands::{Fibre, Strand, StrandSet};

use super::super::obstacles::Reach;
use super::super::step::RodStep;
use super::banded::{Solve, StiffRow};
use super::bend::{Present, React, Stiffness, TurnedBends};
use super::lanes::put;
use super::predict::{Air, Outside, Predict};
use super::settle::{Follow, Settle, Touch};
use super::turn::Turn;
use super::twist::Twist;
use super::{Around, Scratch};
use crate::solvers::line_projection::chain::{EdgeLaw, Need, Strip, project};
use lading::gather;
pub(super) use survey::Extent;

/// Up to sixteen strands of as many points each; lanes to spare repeat the first.
#[derive(Debug)]
pub(super) struct Group {
    /// Strands of the set, by lane.
    members: Vec<u32>,
    points: usize,
    strip: Strip,
    start: Vec<[Lane; 3]>,
    v: Vec<[Lane; 3]>,
    tangents: Vec<[Lane; 3]>,
    directors: Vec<[Lane; 3]>,
    bends: Vec<[Lane; 2]>,
    present: Vec<[Lane; 2]>,
    outside: Outside,
    free: Vec<Lane>,
    stiff: Vec<StiffRow>,
    /// Length of an edge [m], its mass [kg].
    edge: Lane,
    mass: Lane,
    /// Stiffness at each point, and whether edges hold, by the point they leave.
    rod: Vec<Stiffness>,
    links: Vec<Lane>,
    /// Stiffness of a point between whole edges.
    plain: Stiffness,
    /// Cuts that these are made for.
    cuts: usize,
    /// Whether any strand has a natural bend.
    curly: bool,
    /// Places, tangents and directors of roots as what carries them sees them.
    roots: [[Lane; 3]; 3],
    /// Points and edges that the root leads.
    held: usize,
    led: usize,
    /// Time at rest. [s]
    rest: Lane,
    /// How far points are from the last field that was near, and which collider that is.
    reaches: Vec<Reach>,
    field: Option<usize>,
    /// Points that colliders held off in the last round.
    touched: Lane,
    /// Whether anything but weight and air pushed in the last step.
    pushed: bool,
    /// Points that are led otherwise: point, lane, from, to.
    guided: Vec<(usize, usize, Vec3, Vec3)>,
}

/// 1/(k h²) of an edge beside 1/m: a straight strand that is held at both ends would be singular.
const ALPHA: f32 = 1e-5;

/// The same of an edge that is cut: nothing holds it.
const LOOSE: f32 = 1e12;

/// Bends below this part of an edge are none: rounding of points makes as much. What they would do to
/// twist, and twist to them, goes with their square.
const STRAIGHT: f32 = 1e-4;

/// Rounds of contact and length at the end of a step: after one alone friction lets points creep. Where
/// lengths still draw what touches by [`FAR`] there are more, up to so many.
const ROUNDS: usize = 2;
const MOST_ROUNDS: usize = 6;

/// Lengths draw points that are pressed between two things into one of them. [m]
const FAR: f32 = 1e-4;

impl Group {
    pub fn new(set: &StrandSet, first_particle: usize, members: &[u32]) -> Self {
        let strand = |lane: usize| &set.strands[members[lane.min(members.len() - 1)] as usize];
        let points = strand(0).count as usize;
        let room = || vec![[Lane::ZERO; 3]; points];
        let mut strip = Strip::new(points);
        strip.rest = vec![Lane::ZERO; points.max(LANES)];
        strip.alpha = vec![Lane([ALPHA; LANES]); points.max(LANES)];
        let fibre = &set.fibre;
        let mut bends = vec![[Lane::ZERO; 2]; points];
        let (mut edge, mut mass) = (Lane::ZERO, Lane::ZERO);
        let (mut plain, mut roots) = (Stiffness::ZERO, [[Lane::ZERO; 3]; 3]);
        for l in 0..LANES {
            let strand = strand(l);
            let root = strand.root_pose;
            let vectors = [root.position, root.vector(Vec3::Z), root.vector(Vec3::X)];
            roots.iter_mut().zip(vectors).for_each(|(to, v)| put(to, l, v.to_array()));
            let length = strand.edge;
            (edge.0[l], mass.0[l]) = (length, fibre.density * length);
            plain.twist.0[l] = fibre.twisting / length;
            plain.bend.0[l] = fibre.bending / (length * length * length);
            let own = strand.first as usize - first_particle;
            for (j, bend) in bends.iter_mut().enumerate() {
                (bend[0].0[l], bend[1].0[l]) = (set.bends[own + j][0], set.bends[own + j][1]);
            }
        }
        strip.rest.fill(edge);
        let held = strand(0).held().len();
        let natural = bends.iter().flatten().flat_map(|lane| lane.0);
        let curly = natural.fold(0.0f32, |most, b| most.max(b.abs())) > STRAIGHT * edge.0[0];
        Self {
            members: members.to_vec(),
            points,
            strip,
            start: room(),
            v: room(),
            tangents: room(),
            directors: room(),
            present: vec![[Lane::ZERO; 2]; points],
            bends,
            outside: Outside::none(points),
            free: vec![Lane::ZERO; points],
            stiff: vec![StiffRow::ZERO; points],
            edge,
            mass,
            rod: vec![Stiffness::ZERO; points],
            links: vec![Lane([1.0; LANES]); points],
            plain,
            cuts: usize::MAX,
            curly,
            roots,
            held,
            led: held.saturating_sub(1),
            rest: Lane::ZERO,
            reaches: vec![Reach::UNKNOWN; points],
            field: None,
            touched: Lane::ZERO,
            pushed: false,
            guided: Vec::new(),
        }
    }

    fn strand<'a>(&self, set: &'a StrandSet, lane: usize) -> &'a Strand {
        &set.strands[self.members[lane.min(self.members.len() - 1)] as usize]
    }

    /// Takes all strands through a part of the step.
    pub fn advance(
        &mut self,
        part: Part<'_>,
        (step, around): (&RodStep<'_>, &Around<'_>),
        scratch: &mut Scratch,
    ) {
        let n = self.points;
        let h = part.h;
        let friction = step.set.fibre.inner_friction;
        let turns = self.turns(&step.set.fibre);
        let slow = (friction / h) / (1.0 + friction / h);
        if turns {
            self.feel(scratch, slow);
        } else {
            scratch.vectors[..n].fill([Lane::ZERO; 3]);
        }
        self.predict(step, around, h, scratch);
        self.lead(around.carriers, part.to);
        if turns {
            self.natural(slow, scratch);
        }
        let mut factor = Lane::ZERO;
        for l in 0..LANES {
            factor.0[l] = h * h / self.mass.0[l];
        }
        dispatch(Solve {
            x: &mut self.strip.x[..n],
            fall: &scratch.fall[..n],
            vectors: &scratch.vectors[..n],
            reaction: self.curly.then_some(&scratch.reaction[..n]),
            rod: &self.rod,
            more: 1.0 + friction / h,
            stiff: &self.stiff,
            inertia: &scratch.inertia[..n],
            links: &self.links,
            free: &self.free,
            rows: &mut scratch.rows[..n + 2],
            held: self.held.min(n),
            edge: self.edge,
            scale: factor,
            alpha: ALPHA,
        });
        for round in 1..=MOST_ROUNDS {
            self.touched = Lane::ZERO;
            self.touch(&part, step, around);
            let touches = round >= ROUNDS && self.touched.0.iter().any(|&count| count > 0.0);
            if touches {
                scratch.fall[..n].copy_from_slice(&self.strip.x[..n]);
            }
            self.project(scratch);
            if round >= ROUNDS && !(touches && self.moved(&scratch.fall[..n]) > FAR) {
                break;
            }
        }
        dispatch(Settle {
            x: &mut self.strip.x[..n],
            start: &self.start,
            v: &mut self.v,
            rest: &mut self.rest,
            h,
            speed: if part.quiet { around.rest_speed } else { 0.0 },
        });
        if turns {
            self.turn();
        }
    }

    /// Lengths from where points are now; v += Δx/h.
    pub fn adjust(&mut self, (set, x): (&StrandSet, &Soa3), h: f32, scratch: &mut Scratch) {
        let n = self.points;
        let firsts: [usize; LANES] = std::array::from_fn(|l| self.strand(set, l).first as usize);
        scratch.fall[..n].copy_from_slice(&self.strip.x[..n]);
        gather(x, &firsts, &mut self.strip.x[..n]);
        self.project(scratch);
        dispatch(Follow {
            x: &self.strip.x[..n],
            before: &scratch.fall[..n],
            v: &mut self.v,
            free: &self.free,
            h,
        });
        self.turn();
    }

    /// How far points are at most from where they were, coordinate by coordinate. [m]
    fn moved(&self, before: &[[Lane; 3]]) -> f32 {
        let mut most = Lane::ZERO;
        for (x, before) in self.strip.x.iter().flatten().zip(before.as_flattened()) {
            for l in 0..LANES {
                most.0[l] = most.0[l].max((x.0[l] - before.0[l]).abs());
            }
        }
        most.0.iter().copied().fold(0.0, f32::max)
    }

    /// Exact lengths.
    fn project(&mut self, scratch: &mut Scratch) {
        let need = Need { first: true, varied: true, keep: false };
        let law = EdgeLaw { alpha: ALPHA, rest: self.edge.0[0] };
        project(&mut self.strip, self.points, (law, &mut scratch.eliminated), need);
    }

    /// Twist, and what bends and twist do to the points, as they are.
    fn feel(&mut self, scratch: &mut Scratch, slow: f32) {
        let n = self.points;
        let x = &self.strip.x[..n];
        if self.curly {
            dispatch(Twist {
                x,
                tangents: &self.tangents,
                directors: &mut self.directors,
                bends: &self.bends,
                rod: &self.rod,
                twist: &mut scratch.twist[..n],
                scratch: &mut scratch.spins[..n],
                led: self.led,
            });
        }
        if slow > 0.0 {
            let (directors, tangents) = (&self.directors[..], &self.tangents[..]);
            dispatch(Present { x, directors, tangents, out: &mut self.present });
        }
        if !self.curly {
            return;
        }
        // Reactions are those of the natural bends alone.
        dispatch(React {
            x,
            tangents: &self.tangents,
            directors: &self.directors,
            bends: &self.bends,
            twist: &scratch.twist[..n],
            rod: &self.rod,
            edge: self.edge,
            out: &mut scratch.reaction[..n],
        });
    }

    /// Brings directors to where points are now, and finds natural bends in them.
    fn natural(&mut self, slow: f32, scratch: &mut Scratch) {
        dispatch(TurnedBends {
            x: &self.strip.x[..self.points],
            tangents: &mut self.tangents,
            directors: &mut self.directors,
            led: self.led,
            bends: &self.bends,
            present: &self.present,
            slow,
            out: &mut scratch.vectors[..self.points],
        });
    }

    fn predict(&mut self, step: &RodStep<'_>, around: &Around<'_>, h: f32, scratch: &mut Scratch) {
        let fibre = &step.set.fibre;
        let per_mass = if fibre.density > 0.0 { 1.0 / fibre.density } else { 0.0 };
        let air = Air {
            viscous: fibre.drag.viscous * per_mass,
            inertial: fibre.drag.inertial * per_mass,
            along: fibre.drag.along,
        };
        Predict::<'_, true, true> {
            x: &mut self.strip.x[..self.points],
            start: &mut self.start,
            v: &self.v,
            tangents: &self.tangents,
            outside: &self.outside,
            free: &self.free,
            fall: &mut scratch.fall[..self.points],
            inertia: &mut scratch.inertia[..self.points],
            air,
            damping: around.damping,
            gravity: step.gravity.to_array(),
            h,
        }
        .dispatch(around.pushed || around.windy);
    }

    fn turn(&mut self) {
        dispatch(Turn {
            x: &self.strip.x[..self.points],
            tangents: &mut self.tangents,
            directors: &mut self.directors,
            led: self.led,
        });
    }

    /// Holds points off what is near.
    fn touch(&mut self, part: &Part<'_>, step: &RodStep<'_>, around: &Around<'_>) {
        for &k in part.near {
            let collider = (k, &step.model.colliders[k], &step.colliders[k]);
            let met =
                around.obstacles.meeting(collider, step.rubs[k], [part.from, part.to], part.offset);
            if let Some(meeting) = &met {
                if meeting.is_field() && self.field != Some(k) {
                    self.field = Some(k);
                    self.reaches.fill(Reach::UNKNOWN);
                }
                let points = self.held..self.points;
                dispatch(Touch {
                    x: &mut self.strip.x[points.clone()],
                    start: &self.start[points.clone()],
                    free: &self.free[points.clone()],
                    meeting,
                    reaches: &mut self.reaches[points],
                    touched: &mut self.touched,
                });
            }
        }
    }

    /// Directors of strands that did not need them on the way.
    pub fn finish(&mut self, set: &StrandSet) {
        if !self.turns(&set.fibre) {
            self.turn();
        }
    }

    /// Whether directors are needed on the way.
    fn turns(&self, fibre: &Fibre) -> bool {
        self.curly || fibre.inner_friction > 0.0
    }
}

/// A part of a step.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// Its start and its end, of the whole step. [1]
    pub from: f32,
    pub to: f32,
    /// Its length. [s]
    pub h: f32,
    /// Colliders that are near, and how far points stay off them. [m]
    pub near: &'a [usize],
    pub offset: f32,
    /// Whether nothing outside moves.
    pub quiet: bool,
}
