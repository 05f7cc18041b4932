//! Pushes, wind and hands on fibres.

use std::ops::Range;

use glam::Vec3;

use crate::elements::{Tie, TieEnd};
use crate::forces::{Conditions, WindKind, add_pushes, air_velocity, uniform_air_velocity};
use crate::model::Model;
use crate::soa::{Soa3, Soa3Mut};
use crate::state::State;
use crate::strands::{Clump, StrandSet};

use super::step::Drawn;

/// What acts on all particles from outside over a step.
#[derive(Debug)]
pub(super) struct Outside {
    /// Pushes over mass. [m/s²]
    pub push: Soa3,
    /// Velocity of the air. [m/s]
    pub air: Soa3,
    /// What draws points to other strands and to hands: v̇ = carried − rate·v. [m/s², 1/s]
    pub carried: Soa3,
    pub rates: Vec<f32>,
    /// Whether anything but weight acted in this step, or in the one before.
    pushed: bool,
    drawn: bool,
    /// Whether the air stands still or blows evenly and always.
    even: bool,
    wind: Vec3,
    gravity: Vec3,
    /// Pins and glue that give way, by number in `Model::ties`.
    ties: Vec<usize>,
}

/// A hand swings what it holds about itself this fast, as if it held the whole strand. [1/s]
const GRIP: f32 = 30.0;

impl Outside {
    pub fn new(model: &Model) -> Self {
        let zeros = || Soa3::zeros(model.particle_count());
        let uniform = uniform_air_velocity(&model.wind);
        let mut air = zeros();
        air.fill(uniform.unwrap_or(Vec3::ZERO));
        Self {
            push: zeros(),
            air,
            carried: zeros(),
            rates: vec![0.0; model.particle_count()],
            pushed: false,
            drawn: false,
            even: uniform.is_some(),
            wind: uniform.unwrap_or(Vec3::ZERO),
            gravity: model.gravity,
            ties: ties(model),
        }
    }

    /// Moves on to a step that starts at `x`. Whether nothing differs from the step before.
    pub fn begin_step(
        &mut self,
        model: &Model,
        conditions: &Conditions,
        state: &State,
        (x, h): (&Soa3, f32),
    ) -> bool {
        if std::mem::take(&mut self.pushed) {
            self.push.fill(Vec3::ZERO);
        }
        let hands = &state.hands;
        let forced = model.wind.iter().any(|w| matches!(w.kind, WindKind::Force { .. }));
        if !hands.forces.is_empty() || !model.point_forces.is_empty() || forced {
            self.pushed = true;
            add_pushes(model, (conditions, hands), &mut self.push);
            for wind in &model.wind {
                // A force on every point that is face-on: all round a fibre, something is.
                if let WindKind::Force { force } = wind.kind {
                    (0..self.push.len()).for_each(|i| self.push.add(i, force));
                }
            }
            for i in 0..self.push.len() {
                let acceleration = self.push.get(i) * model.inverse_mass[i];
                self.push.set(i, acceleration);
            }
        }
        if !self.even {
            let (shelter, time) = (conditions.shelter(model), conditions.time());
            air_velocity(&model.wind, shelter, time, x.view(), self.air.view_mut());
        }
        if std::mem::take(&mut self.drawn) {
            self.carried.fill(Vec3::ZERO);
            self.rates.fill(0.0);
        }
        self.hold(model, state, (x, h));
        self.tie((model, conditions), state, (x, h));
        let gravity = hands.gravity(model);
        let same = gravity == self.gravity && model.gravity_track.is_none();
        self.gravity = gravity;
        same && self.even && !self.pushed && !self.drawn
    }

    /// Whether anything but weight and air pushes.
    pub fn pushes(&self) -> bool {
        self.pushed || self.drawn
    }

    /// Whether the air moves.
    pub fn blows(&self) -> bool {
        !self.even || self.wind != Vec3::ZERO
    }

    /// Points that hands draw: v̇ = ω²(target − x) − 2ω v, taken implicitly.
    fn hold(&mut self, model: &Model, state: &State, (x, h): (&Soa3, f32)) {
        for grab in &state.hands.grabs {
            let particle = grab.particle as usize;
            let strands = model.strands.iter().flat_map(|set| &set.strands);
            let mut strands = strands.filter(|strand| strand.particles().contains(&particle));
            if let Some(strand) = strands.next() {
                let square = GRIP * GRIP * strand.count as f32;
                self.draw(
                    particle,
                    square * (grab.target - x.get(particle)),
                    Vec3::ZERO,
                    square,
                    h,
                );
            }
        }
    }

    /// Points on springs of pins and glue: m v̇ = k d + c w, taken implicitly where the other end is after
    /// the step.
    fn tie(
        &mut self,
        (model, conditions): (&Model, &Conditions),
        state: &State,
        (x, h): (&Soa3, f32),
    ) {
        let (places, velocities) = conditions.anchors();
        for &number in &self.ties {
            let tie = &model.ties[number];
            let TieEnd::Anchor(anchor) = tie.end else { continue };
            let broken = state.broken.get(number).copied().unwrap_or(false);
            if broken || !tie.acts_at(conditions.start_time()) {
                continue;
            }
            let (particle, anchor) = (tie.particle as usize, anchor as usize);
            let lightness = model.inverse_mass[particle];
            let apart = places.get(anchor) - x.get(particle);
            let pull = apart * tie.stiffness + velocities.get(anchor) * tie.damping;
            self.drawn = true;
            self.carried.add(particle, pull * lightness);
            self.rates[particle] += (tie.stiffness * h + tie.damping) * lightness;
        }
    }

    /// Whether pins or glue give way.
    pub fn has_ties(&self) -> bool {
        !self.ties.is_empty()
    }

    /// Draws a particle with acceleration `pull`, as a spring of frequency² `square` whose other end
    /// moves with `v` would.
    pub fn draw(&mut self, particle: usize, pull: Vec3, v: Vec3, square: f32, h: f32) {
        self.drawn = true;
        let rate = 2.0 * square.sqrt() + square * h;
        self.carried.add(particle, pull + rate * v);
        self.rates[particle] += rate;
    }

    /// What draws particles, if anything does.
    pub fn drawn(&self) -> Option<Drawn<'_>> {
        self.drawn.then_some(Drawn { carried: &self.carried, rates: &self.rates })
    }

    /// What draws some particles, for more to be added: v̇ = carried − rate·v.
    pub fn draws(&mut self, particles: Range<usize>) -> (Soa3Mut<'_>, &mut [f32]) {
        self.drawn = true;
        (self.carried.slice_mut(particles.clone()), &mut self.rates[particles])
    }

    /// Strands that are drawn to others of their body, the more the nearer to their tips.
    pub fn clump(&mut self, set: &StrandSet, clump: &Clump, (x, v): (&Soa3, &Soa3), h: f32) {
        for (number, strand) in set.strands.iter().enumerate() {
            let Some(leader) = clump.leaders.get(number).map(|&leader| leader as usize) else {
                continue;
            };
            let Some(leader) = set.strands.get(leader).filter(|_| leader != number) else {
                continue;
            };
            let last = strand.count.saturating_sub(1).max(1);
            for (j, particle) in strand.particles().enumerate() {
                let square = clump.pull * j as f32 / last as f32;
                let other = leader.first as usize + j.min(leader.count as usize - 1);
                let apart = x.get(other) - x.get(particle);
                self.draw(particle, square * apart, v.get(other), square, h);
            }
        }
    }
}

/// Ties of a model that hold rods to what moves by itself.
fn ties(model: &Model) -> Vec<usize> {
    let rods = || model.strands.iter().filter(|set| set.law.is_rod());
    let of_rods = |p: usize| rods().any(|set| model.bodies[set.body].particles.contains(&p));
    let holds = |tie: &Tie| matches!(tie.end, TieEnd::Anchor(_)) && of_rods(tie.particle as usize);
    let ties = model.ties.iter().enumerate();
    ties.filter(|(_, tie)| holds(tie)).map(|(number, _)| number).collect()
}
