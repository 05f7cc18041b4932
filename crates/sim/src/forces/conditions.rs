//! What acts from outside during one step: where anchors and colliders are, what is held,
//! what has broken.

use glam::Vec3;

use super::Shelter;
use super::grab::GrabSpring;
use super::own_colliders::OwnColliders;
use crate::colliders::{
    ColliderStep, ContactSettings, MeshCollider, Obstacles, Particles, prepare_steps, resolve,
};
use crate::elements::Tie;
use crate::hands::{Grab, Hands};
use crate::model::{Body, Model};
use crate::motion::Pose;
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
    /// Where grabbed particles start, grab after grab. [m]
    grab_starts: Vec<Vec3>,
    /// Mass of each body. [kg]
    body_masses: Vec<f64>,
    /// Whether a mesh changes its shape.
    deforms: bool,
    own: OwnColliders,
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
            body_masses: body_masses(model),
            deforms: model.mesh_colliders.iter().any(MeshCollider::deforms),
            own: OwnColliders::of(model),
            ..Self::default()
        };
        out.begin_step(model, state, 0.0);
        out
    }

    /// Moves on to the step from `state.time` of length `h`.
    pub fn begin_step(&mut self, model: &Model, state: &State, h: f64) {
        (self.start, self.h, self.time) = (state.time, h, state.time);
        self.broken.copy_from_slice(&state.broken);
        let colliders = (model.colliders.as_slice(), state.hands.colliders.as_slice());
        prepare_steps(colliders, self.start, h, model.contact_offset, &mut self.colliders);
        let steps = &self.colliders;
        for (i, anchor) in model.anchors.iter().enumerate() {
            let from = anchor.position(&model.colliders, |c| steps[c].start, self.start);
            let to = anchor.position(&model.colliders, |c| steps[c].end, self.start + h);
            self.anchors_start.set(i, from);
            self.anchors_end.set(i, to);
            self.anchor_x.set(i, from);
            let v = if h > 0.0 { (to - from) / h as f32 } else { Vec3::ZERO };
            self.anchor_v.set(i, v);
        }
        self.grab_starts.clear();
        self.grab_starts.extend(state.hands.grabs.iter().map(|g| state.x.get(g.particle as usize)));
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

    /// Forces are evaluated for a moment within the step from now on: `part` of it is over.
    pub fn at_part_of_step(&mut self, part: f64) {
        if part == 1.0 {
            return self.at_end_of_step();
        }
        self.time = self.start + part * self.h;
        for i in 0..self.anchor_x.len() {
            let (from, to) = (self.anchors_start.get(i), self.anchors_end.get(i));
            self.anchor_x.set(i, from.lerp(to, part as f32));
        }
    }

    /// Whether a tie, the `index`th of the model, holds at the moment.
    pub fn tie_acts(&self, tie: &Tie, index: usize) -> bool {
        !self.broken[index] && tie.acts_at(self.time)
    }

    /// Positions and velocities of the anchors.
    pub fn anchors(&self) -> (&Soa3, &Soa3) {
        (&self.anchor_x, &self.anchor_v)
    }

    /// The moment for which forces are evaluated. [s]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The start of the step. [s]
    pub fn start_time(&self) -> f64 {
        self.start
    }

    /// Colliders over the step.
    pub fn collider_steps(&self) -> &[ColliderStep] {
        &self.colliders
    }

    /// Length of the step. [s]
    pub fn step_length(&self) -> f64 {
        self.h
    }

    /// Where the step takes a collider, by index.
    pub fn collider_end(&self, index: usize) -> Pose {
        self.colliders.get(index).map_or(Pose::IDENTITY, |step| step.end)
    }

    /// The pose of a collider at the start of the step.
    pub fn collider_start(&self, index: usize) -> Pose {
        self.colliders.get(index).map_or(Pose::IDENTITY, |step| step.start)
    }

    /// Whether no collider moves in the step.
    pub fn obstacles_stand(&self) -> bool {
        self.colliders.iter().all(|collider| collider.start == collider.end) && !self.deforms
    }

    /// The colliders that may keep wind off.
    pub(crate) fn shelter<'a>(&'a self, model: &'a Model) -> Shelter<'a> {
        Shelter { colliders: &model.colliders, steps: &self.colliders }
    }

    /// Gives held particles the velocity that takes them to the end of their path.
    pub fn drive_held(&self, model: &Model, state: &mut State) {
        let State { x, v, hands, .. } = state;
        for hold in model.holds.iter().filter(|hold| hands.leaves(hold, self.start)) {
            let particle = hold.particle as usize;
            let way = self.anchors_end.get(hold.anchor as usize) - x.get(particle);
            v.set(particle, way / self.h as f32);
        }
        for pin in &hands.pins {
            let way = pin.position - x.get(pin.particle as usize);
            v.set(pin.particle as usize, way / self.h as f32);
        }
    }

    /// Puts held particles exactly where they belong.
    pub fn place_held(&self, model: &Model, state: &mut State) {
        let State { x, v, hands, .. } = state;
        for hold in model.holds.iter().filter(|hold| hands.leaves(hold, self.start)) {
            let (particle, anchor) = (hold.particle as usize, hold.anchor as usize);
            x.set(particle, self.anchors_end.get(anchor));
            v.set(particle, self.anchor_v.get(anchor));
        }
        for pin in &hands.pins {
            x.set(pin.particle as usize, pin.position);
            v.set(pin.particle as usize, Vec3::ZERO);
        }
    }

    /// Draws grabbed particles to the hands; held ones stay.
    pub fn pull_grabbed(&self, model: &Model, state: &mut State) {
        let State { x, v, hands, .. } = state;
        let h = self.h as f32;
        for (grab, &start) in hands.grabs.iter().zip(&self.grab_starts) {
            let particle = grab.particle as usize;
            if let Some(spring) = self.grab_spring(model, grab) {
                let after = spring.velocity_after(start, v.get(particle), h);
                v.set(particle, after);
                x.set(particle, start + h * after);
            }
        }
    }

    /// Turns the velocities that all else would give over `h` into those that hands and
    /// holds leave: grabbed particles are drawn to the hand, held ones follow their path.
    pub(super) fn guide(&self, model: &Model, hands: &Hands, (x, h): (&Soa3, f32), v: &mut Soa3) {
        for grab in &hands.grabs {
            let particle = grab.particle as usize;
            if let Some(spring) = self.grab_spring(model, grab) {
                let after = spring.velocity_after(x.get(particle), v.get(particle), h);
                v.set(particle, after);
            }
        }
        for hold in model.holds.iter().filter(|hold| hands.leaves(hold, self.start)) {
            let particle = hold.particle as usize;
            let (from, to) = (x.get(particle), self.anchors_end.get(hold.anchor as usize));
            v.set(particle, (to - from) / self.h as f32);
        }
        for pin in &hands.pins {
            let particle = pin.particle as usize;
            v.set(particle, (pin.position - x.get(particle)) / self.h as f32);
        }
    }

    /// Inverse masses with the hands' inertia in them: without it a strain limit would let
    /// a cloth drag its grabbed particle down as if nobody held it. [1/kg]
    pub fn weights_in_hand<'a>(
        &self,
        model: &'a Model,
        state: &State,
        scratch: &'a mut Vec<f32>,
    ) -> &'a [f32] {
        if state.hands.grabs.is_empty() {
            return &model.inverse_mass;
        }
        scratch.clone_from(&model.inverse_mass);
        for grab in &state.hands.grabs {
            if let Some(spring) = self.grab_spring(model, grab) {
                scratch[grab.particle as usize] /= spring.inertia(self.h as f32);
            }
        }
        scratch
    }

    /// Grabbed particles that are not held, and how many times heavier their hand makes them
    /// over `h` seconds.
    pub fn inertia_in_hand<'a>(
        &'a self,
        model: &'a Model,
        hands: &'a Hands,
        h: f32,
    ) -> impl Iterator<Item = (usize, f32)> + 'a {
        hands.grabs.iter().filter_map(move |grab| {
            let spring = self.grab_spring(model, grab)?;
            Some((grab.particle as usize, spring.inertia(h)))
        })
    }

    /// Adds the forces of grabs. [N]
    pub fn add_grabs(&self, model: &Model, state: &State, f: &mut Soa3) {
        for grab in &state.hands.grabs {
            let particle = grab.particle as usize;
            if let Some(spring) = self.grab_spring(model, grab) {
                let a = spring.acceleration(state.x.get(particle), state.v.get(particle));
                f.add(particle, a * model.mass[particle]);
            }
        }
    }

    /// The spring of a grab, unless its particle is held.
    fn grab_spring(&self, model: &Model, grab: &Grab) -> Option<GrabSpring> {
        let particle = grab.particle as usize;
        if model.inverse_mass[particle] <= 0.0 {
            return None;
        }
        let mass = f64::from(model.mass[particle]);
        let body = model.bodies.iter().position(|body| body.particles.contains(&particle));
        let whole = body.map_or(mass, |body| self.body_masses[body]);
        Some(GrabSpring { mass_ratio: (whole / mass) as f32, target: grab.target })
    }

    /// Keeps particles out of colliders. Returns the number of touches.
    pub fn collide(&self, model: &Model, x_start: &Soa3, state: &mut State) -> usize {
        let gravity = state.hands.gravity(model);
        self.collide_points(model, gravity, (x_start, &mut state.x, &mut state.v))
    }

    /// The colliders, if all bodies meet them alike.
    pub fn obstacles<'a>(&'a self, model: &'a Model, gravity: Vec3) -> Option<Obstacles<'a>> {
        let settings = ContactSettings::new(model.contact_offset, self.h as f32, gravity);
        let all = Obstacles { colliders: &model.colliders, steps: &self.colliders, settings };
        self.own.is_empty().then_some(all)
    }

    /// The same for particles that go from `x_start` to `x` and then have velocity `v`.
    pub fn collide_points(
        &self,
        model: &Model,
        gravity: Vec3,
        (x_start, x, v): (&Soa3, &mut Soa3, &mut Soa3),
    ) -> usize {
        if self.own.is_empty() {
            return self.collide_nodes(model, gravity, (x_start, x, v), (0, &model.inverse_mass));
        }
        let settings = ContactSettings::new(model.contact_offset, self.h as f32, gravity);
        let mut touches = 0;
        for (range, colliders) in self.own.each(model, x.len()) {
            let particles = Particles {
                x_start: x_start.slice(range.clone()),
                x: x.slice_mut(range.clone()),
                v: v.slice_mut(range.clone()),
                inverse_mass: &model.inverse_mass[range],
            };
            touches += resolve(colliders, &self.colliders, &settings, particles);
        }
        touches
    }

    /// The same for points that are no particles and have these inverse masses. They meet colliders as a
    /// particle of theirs does.
    pub fn collide_nodes(
        &self,
        model: &Model,
        gravity: Vec3,
        (x_start, x, v): (&Soa3, &mut Soa3, &mut Soa3),
        (particle, inverse_mass): (usize, &[f32]),
    ) -> usize {
        if model.colliders.is_empty() {
            return 0;
        }
        let settings = ContactSettings::new(model.contact_offset, self.h as f32, gravity);
        let particles =
            Particles { x_start: x_start.view(), x: x.view_mut(), v: v.view_mut(), inverse_mass };
        resolve(self.own.at(model, particle), &self.colliders, &settings, particles)
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
}

fn body_masses(model: &Model) -> Vec<f64> {
    let mass = |body: &Body| model.mass[body.particles.clone()].iter().map(|&m| f64::from(m)).sum();
    model.bodies.iter().map(mass).collect()
}
