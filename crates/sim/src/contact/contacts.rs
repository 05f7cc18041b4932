//! Contact of everything that is made of triangles or segments, step by step.

mod budget;
mod fast;
mod jams;
mod lag;
mod late;
mod looks;
mod pace;
mod passes;
mod points;
mod tangled;
#[cfg(test)]
mod tests;

use glam::Vec3;

use super::bounce::{Bounce, Stop};
use super::calm::Calm;
use super::ground::Ground;
use super::groups::Groups;
use super::plates::Plates;
use super::safety::Safety;
use super::setup::{Bodies, ContactSetup};
use super::swept::Point4;
use super::tally::Tally;
use super::tangle::{Joined, Untangle};
use super::tight::Tight;
use super::watch::Watch;
use crate::colliders::MeshCollider;
use crate::forces::{Conditions, only_weight};
use crate::model::Model;
use crate::parallel::{Parts, for_each_part};
use crate::soa::{Soa3, Soa3Mut};
use crate::state::State;

use budget::Budget;
use late::Late;
pub(super) use points::take;
use points::{on_their_own, put, rigid_meshes};

/// Keeps triangles and segments of strands from passing through each other.
///
/// A solver lets pairs be [settled](Contacts::settle) within its step as often as it likes; strands that
/// are advanced after it may be settled [on their own](Contacts::settle_strands); at the end of it all
/// [`Contacts::secure`] lets nothing pass that has no proof.
#[derive(Debug)]
pub struct Contacts {
    watch: Watch,
    bodies: Bodies,
    safety: Safety,
    /// Particles; vertices of moved meshes follow.
    particles: usize,
    /// Where everything is at the start of the step, and at its end. [m]
    start: Vec<Point4>,
    end: Vec<Point4>,
    weights: Vec<f32>,
    /// Of each point, whether it is part of a strand that is advanced on its own.
    on_their_own: Vec<bool>,
    /// Where meshes are led in this step. [m]
    led: Soa3,
    /// Where their motion has them at its end and at its start. [m]
    goal: Soa3,
    led_before: Soa3,
    /// Velocities at the start of the step, where anything bounces. [m/s]
    before: Soa3,
    bounces: bool,
    strays: Vec<u32>,
    /// Pairs that are about to touch.
    groups: Groups,
    plates: Plates,
    /// Whether the pairs about to touch in this step are known.
    close_known: bool,
    parts: Parts<Vec<u32>>,
    tight: Tight,
    ground: Ground,
    calm: Calm,
    /// Points that left their paths since all were looked at.
    since_look: usize,
    /// Whether nothing may ever pass.
    safe: bool,
    /// Steps left in the frame.
    left: u32,
    /// How many of the solver the step is.
    steps: u32,
    /// By what part of such a step velocities are older than its end.
    pub(crate) lag: f32,
    /// Acceleration by weight. [m/s²]
    gravity: Vec3,
    /// Whether plates stand wherever anything can meet.
    covered: bool,
    /// Whether the next step begins with a look.
    expired: bool,
    late: Late,
    tally: Tally,
    budget: Budget,
    /// Points that may be looked at again in the frame, where there is a bound.
    allowance: usize,
    /// What passes through what, once anything has been found to.
    untangle: Option<Box<Untangle>>,
    /// Whether something may have come to pass through something, and whether anything was let go
    /// in this frame that may do so by its end.
    unsure: bool,
    let_go: bool,
}

/// Looks at points that were held back until that is enough.
const ROUNDS: u32 = 6;

impl Contacts {
    /// For a model, if anything in it may touch.
    pub fn new(model: &Model, state: &State) -> Option<Self> {
        let mut setup = ContactSetup::of(model)?;
        let points = setup.tubes.len();
        let joined = Joined::new(model, setup.rules.clone());
        let bodies = std::mem::take(&mut setup.bodies);
        let safe = model.contact.as_ref().is_some_and(|law| law.safe);
        let plates =
            if safe { Plates::new(model, &setup.halves, &setup.tubes) } else { Plates::default() };
        let mut contacts = Self {
            watch: Watch::new(setup),
            safety: Safety::new(rigid_meshes(model)),
            particles: state.x.len(),
            start: vec![[0.0; 4]; points],
            end: vec![[0.0; 4]; points],
            weights: vec![0.0; points],
            on_their_own: on_their_own(model, points),
            led: Soa3::zeros(points - state.x.len()),
            goal: Soa3::zeros(points - state.x.len()),
            led_before: Soa3::zeros(points - state.x.len()),
            before: Soa3::zeros(if bodies.bounce() { points } else { 0 }),
            bounces: bodies.bounce(),
            strays: Vec::new(),
            groups: Groups::new(model, points),
            plates,
            close_known: false,
            parts: Parts::default(),
            tight: Tight::new(model, points),
            ground: Ground::of(model),
            calm: Calm::new(model),
            since_look: 0,
            safe,
            left: 1,
            steps: 1,
            lag: 0.5,
            gravity: Vec3::ZERO,
            covered: false,
            expired: true,
            late: Late::default(),
            tally: Tally::default(),
            budget: Budget::new(model.contact_budget),
            allowance: 0,
            untangle: None,
            unsure: false,
            let_go: false,
            bodies,
        };
        contacts.watch.paths.kept = contacts.safe;
        contacts.safety.begin(points);
        contacts.find_tangle(joined, state);
        Some(contacts)
    }

    /// Puts the vertices of mesh colliders where their motion has them, unless the state knows.
    pub fn prepare(model: &Model, state: &mut State) {
        let count = model.mesh_colliders.iter().map(MeshCollider::vertex_count).sum();
        if state.obstacles.len() == count {
            return;
        }
        state.obstacles = Soa3::zeros(count);
        let mut first = 0;
        for mesh in &model.mesh_colliders {
            let all = first..first + mesh.vertex_count();
            let pose = state.hands.collider_pose(model, mesh.collider, state.time);
            let out = state.obstacles.slice_mut(all.clone());
            mesh.positions_under(pose.unwrap_or(mesh.pose), state.time, out);
            first = all.end;
        }
    }

    /// What it has cost and done.
    pub fn tally(&self) -> Tally {
        Tally { detections: self.tally.detections + self.watch.detections(), ..self.tally }
    }

    /// Adds to what was done before.
    pub fn go_on_from(&mut self, past: Tally) {
        self.tally = past;
    }

    /// A frame begins: what is known from before is not used, so that
    /// a run goes on from any frame with the same bits.
    pub fn begin_frame(&mut self) {
        self.expired = true;
        self.renew_allowance();
        self.budget.begin_frame(self.watch.detections());
        self.plates.begin_frame();
        self.unsure |= self.is_tangled() || std::mem::take(&mut self.let_go);
    }

    /// A step begins from a safe state: so many steps of the solver, of those `left` in the frame.
    pub fn begin_step(
        &mut self,
        model: &Model,
        state: &mut State,
        conditions: &Conditions,
        (steps, left): (u32, u32),
    ) {
        self.left = left.div_ceil(steps.max(1));
        let h = conditions.step_length() * f64::from(steps);
        self.tally.taken += u64::from(steps);
        self.steps = steps.max(1);
        let (particles, obstacles) = self.start.split_at_mut(self.particles);
        put(&state.x, particles);
        put(&state.obstacles, obstacles);
        self.close_known = false;
        self.gravity = state.hands.gravity(model);
        self.tight.weigh(only_weight(model, &state.hands));
        let time = state.time + h;
        let mut first = 0;
        for mesh in &model.mesh_colliders {
            let all = first..first + mesh.vertex_count();
            let pose = conditions.collider_end(mesh.collider);
            mesh.positions_under(pose, time, self.led.slice_mut(all.clone()));
            first = all.end;
        }
        if self.watch.cut(&state.fibres.cut) {
            self.tight.cut(model, &state.fibres.cut);
            self.expired = true;
        }
        self.goal.copy_from(&self.led);
        self.catch_up_slowly(model, state, conditions);
        self.weights[..self.particles].copy_from_slice(&model.inverse_mass);
        if self.bounces {
            for i in 0..self.particles {
                self.before.set(i, state.v.get(i));
            }
            for k in 0..self.led.len() {
                let way = self.led.get(k) - state.obstacles.get(k);
                self.before.set(self.particles + k, way / h as f32);
            }
        }
        if self.expired || !self.watch.lasts() {
            self.look_ahead(model, state, h as f32);
        } else {
            self.plates.begin_step(&self.start);
            self.watch.renew_touching(&self.start);
        }
    }

    /// The end of a step of `h`: pairs are held apart once more, and nothing goes where it
    /// might have passed through something. What that takes from the way it takes from velocities.
    pub fn secure(
        &mut self,
        (model, conditions): (&Model, &Conditions),
        state: &mut State,
        h: f64,
    ) {
        self.ground.stand(conditions.collider_steps());
        self.aim(&state.x, &model.inverse_mass);
        let h = h as f32;
        if std::mem::take(&mut self.late.owed) {
            self.look_at_last(model, state, h);
        }
        self.pass(h, [0; 2]);
        self.tally.steps += 1;
        self.note_touches(state);
        self.pull_apart(h);
        self.watch.taken += 1;
        self.left = self.left.saturating_sub(1);
        if !self.safe {
            self.clean_up(model, state, h);
            self.keep_tangle_small(state);
            return self.put_back(state, h);
        }
        self.find_strays(None);
        let measured = self.strays.is_empty();
        if self.many_stray() {
            self.look_at_all(model, state, h);
        } else if !self.strays.is_empty() {
            let known = self.look_at_strays();
            self.pass(h, known);
            self.keep_near_paths();
        }
        self.tally.let_go = self.watch.let_go;
        self.tally.watched = self.watch.pairs.iter().map(Vec::len).sum();
        self.let_go |= self.watch.let_go > 0;
        let held_back = self.tally.held_back;
        self.prove(measured);
        let held_back = self.tally.held_back > held_back;
        self.tally.steps_held += u64::from(held_back);
        self.keep_tangle_small(state);
        if !self.safety.held_back.is_empty() {
            self.watch.note_near();
            self.ease_jams(h);
            self.keep_tangle_from_easing(state);
        }
        self.note_lag(model, state, held_back);
        self.adapt(state);
        self.put_back(state, h);
    }

    /// Holds points back until nothing is without proof; how far off their paths they are may be
    /// `measured`.
    fn prove(&mut self, measured: bool) {
        self.safety.forget_held_back();
        let measured = !self.plates.hold(&mut self.safety, &self.start, &mut self.end) && measured;
        for round in 0.. {
            if round == 0 && measured {
                self.safety.secure_measured(&mut self.watch, &self.start, &mut self.end);
            } else {
                self.safety.secure(&mut self.watch, &self.start, &mut self.end);
            }
            let held_back = std::mem::take(&mut self.safety.held_back);
            self.find_strays(Some(&held_back));
            self.safety.held_back = held_back;
            if self.strays.is_empty() {
                break;
            }
            if round == ROUNDS {
                self.stand_still();
                break;
            }
            self.look_at_strays();
        }
        self.tally.held_back += self.safety.held_back.len() as u64;
    }

    /// Tells the state where points are now.
    fn put_back(&mut self, state: &mut State, h: f32) {
        let per_second = 1.0 / h;
        let moved = (state.x.view_mut(), state.v.view_mut(), &self.end[..self.particles]);
        for_each_part(moved, 1, &|_, (mut x, mut v, end): (Soa3Mut, Soa3Mut, &[Point4])| {
            for (i, to) in end.iter().enumerate() {
                let (to, from) = (Vec3::from_slice(&to[..3]), x.get(i));
                if to != from {
                    v.set(i, v.get(i) + (to - from) * per_second);
                    x.set(i, to);
                }
            }
        });
        for pairs in self.watch.touching() {
            let led = |k: usize| {
                let now = Vec3::from_slice(&self.end[self.particles + k][..3]);
                (now - state.obstacles.get(k)) * per_second
            };
            let (weights, end) = (self.weights.as_slice(), self.end.as_slice());
            let stop = Stop { weights, end, per_second, meeting: self.steps > 1 };
            stop.apply(pairs, led, &mut state.v);
        }
        self.plates.stop(&self.weights, h, &state.x, &mut state.v);
        if self.bounces {
            let bounce = Bounce {
                bodies: &self.bodies,
                weights: &self.weights,
                before: &self.before,
                start: &self.start,
                gravity: self.gravity,
                h,
                lag: self.lag * h / self.steps as f32,
                resting_speed: self.resting_speed(h),
            };
            self.watch.touching().for_each(|pairs| bounce.apply(pairs, &mut state.v));
        }
        take(&mut state.obstacles, &self.end[self.particles..]);
        state.contacts += self.tally.touching;
    }

    /// What meets more slowly in a step of `h` may only have rested, and does not bounce. [m/s]
    fn resting_speed(&self, h: f32) -> f32 {
        2.0 * self.gravity.length() * h
    }
}
