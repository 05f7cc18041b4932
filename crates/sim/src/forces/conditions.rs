//! What acts from outside during one step: where anchors and colliders are, which
//! forces are held, what has broken.

use glam::Vec3;

use super::Shelter;
use crate::colliders::{ColliderStep, ContactSettings, Particles, prepare_steps, resolve};
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

/// The outside world at one moment of a step.
#[derive(Debug, Default)]
pub struct Conditions {
    start: f64,
    h: f64,
    /// The moment for which forces are evaluated. [s]
    pub(super) time: f64,
    anchors_start: Soa3,
    anchors_end: Soa3,
    anchor_x: Soa3,
    anchor_v: Soa3,
    /// Colliders over the present step.
    pub(super) colliders: Vec<ColliderStep>,
    /// Broken ties.
    pub(super) broken: Vec<bool>,
    pub(super) held: Vec<HeldForce>,
}

/// A force that a user holds on some particles.
#[derive(Debug)]
pub(super) struct HeldForce {
    id: u32,
    pub particles: Vec<u32>,
    pub share: Vec3,
}

impl Conditions {
    /// The conditions at a state, nothing moving.
    pub fn at(model: &Model, state: &State) -> Self {
        let zeros = || Soa3::zeros(model.anchors.len());
        let mut out = Self {
            anchors_start: zeros(),
            anchors_end: zeros(),
            anchor_x: zeros(),
            anchor_v: zeros(),
            broken: state.broken.clone(),
            ..Self::default()
        };
        out.begin_step(model, state, 0.0);
        out
    }

    /// Moves on to the step from `state.time` of length `h`.
    pub fn begin_step(&mut self, model: &Model, state: &State, h: f64) {
        (self.start, self.h, self.time) = (state.time, h, state.time);
        self.broken.copy_from_slice(&state.broken);
        for (i, anchor) in model.anchors.iter().enumerate() {
            let from = anchor.position(&model.colliders, self.start);
            let to = anchor.position(&model.colliders, self.start + h);
            self.anchors_start.set(i, from);
            self.anchors_end.set(i, to);
            self.anchor_x.set(i, from);
            let v = if h > 0.0 { (to - from) / h as f32 } else { Vec3::ZERO };
            self.anchor_v.set(i, v);
        }
        prepare_steps(&model.colliders, self.start, h, model.contact_offset, &mut self.colliders);
    }

    /// Forces are evaluated for the middle of the step from now on.
    pub fn at_middle_of_step(&mut self) {
        self.time = self.start + 0.5 * self.h;
        for i in 0..self.anchor_x.len() {
            self.anchor_x.set(i, 0.5 * (self.anchors_start.get(i) + self.anchors_end.get(i)));
        }
    }

    /// Forces are evaluated for the end of the step from now on.
    pub fn at_end_of_step(&mut self) {
        self.time = self.start + self.h;
        self.anchor_x.copy_from(&self.anchors_end);
    }

    /// Positions and velocities of the anchors.
    pub fn anchors(&self) -> (&Soa3, &Soa3) {
        (&self.anchor_x, &self.anchor_v)
    }

    /// The colliders that may keep wind off.
    pub(super) fn shelter<'a>(&'a self, model: &'a Model) -> Shelter<'a> {
        Shelter { colliders: &model.colliders, steps: &self.colliders }
    }

    /// Gives held particles the velocity that takes them to the end of their path.
    pub fn drive_held(&self, model: &Model, state: &mut State) {
        for hold in model.holds.iter().filter(|hold| hold.acts_at(self.start)) {
            let particle = hold.particle as usize;
            let way = self.anchors_end.get(hold.anchor as usize) - state.x.get(particle);
            state.v.set(particle, way / self.h as f32);
        }
    }

    /// Puts held particles exactly where they belong.
    pub fn place_held(&self, model: &Model, state: &mut State) {
        for hold in model.holds.iter().filter(|hold| hold.acts_at(self.start)) {
            let (particle, anchor) = (hold.particle as usize, hold.anchor as usize);
            state.x.set(particle, self.anchors_end.get(anchor));
            state.v.set(particle, self.anchor_v.get(anchor));
        }
    }

    /// Keeps particles out of colliders. Returns the number of touches.
    pub fn collide(&self, model: &Model, x_start: &Soa3, state: &mut State) -> usize {
        if model.colliders.is_empty() {
            return 0;
        }
        let settings = ContactSettings::new(model.contact_offset, self.h as f32, model.gravity);
        let particles = Particles {
            x_start: x_start.view(),
            x: state.x.view_mut(),
            v: state.v.view_mut(),
            inverse_mass: &model.inverse_mass,
        };
        resolve(&model.colliders, &self.colliders, &settings, particles)
    }

    /// Breaks ties that are pulled too hard at the end of the step.
    pub fn break_ties(&mut self, model: &Model, state: &mut State) {
        if model.ties.is_empty() {
            return;
        }
        self.at_end_of_step();
        for (tie, broken) in model.ties.iter().zip(&mut state.broken) {
            *broken |= tie.breaks(&state.x, &self.anchor_x, self.time);
        }
    }

    /// Holds a force, in place of one of the same name.
    pub fn hold(&mut self, id: u32, particles: &[u32], force: Vec3) {
        self.release(id);
        let share = force / particles.len().max(1) as f32;
        self.held.push(HeldForce { id, particles: particles.to_vec(), share });
    }

    /// Ends a held force.
    pub fn release(&mut self, id: u32) {
        self.held.retain(|h| h.id != id);
    }
}
