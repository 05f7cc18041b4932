//! Pushes, wind and hands on fibres.

use glam::Vec3;

use crate::forces::{Conditions, WindKind, add_pushes, air_velocity, uniform_air_velocity};
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

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
    gravity: Vec3,
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
            gravity: model.gravity,
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
        let gravity = hands.gravity(model);
        let same = gravity == self.gravity && model.gravity_track.is_none();
        self.gravity = gravity;
        same && self.even && !self.pushed && !self.drawn
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

    /// Draws a particle with acceleration `pull`, as a spring of frequency² `square` whose other end
    /// moves with `v` would.
    pub fn draw(&mut self, particle: usize, pull: Vec3, v: Vec3, square: f32, h: f32) {
        self.drawn = true;
        let rate = 2.0 * square.sqrt() + square * h;
        self.carried.add(particle, pull + rate * v);
        self.rates[particle] += rate;
    }

    /// Has a particle lose a part of its velocity against `v`. [1/s]
    pub fn drag(&mut self, particle: usize, rate: f32, v: Vec3) {
        self.drawn = true;
        self.carried.add(particle, rate * v);
        self.rates[particle] += rate;
    }

    /// Adds to the acceleration of a particle. [m/s²]
    pub fn accelerate(&mut self, particle: usize, by: Vec3) {
        self.drawn = true;
        self.carried.add(particle, by);
    }
}
