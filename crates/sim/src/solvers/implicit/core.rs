//! One implicit stage: what all methods of the family are made of.

use glam::{DVec3, Vec3};

use super::newton::NewtonMethod;
use super::objective::Objective;
use crate::forces::free_velocities;
use crate::model::Model;
use crate::probe::Stage as Probed;
use crate::soa::Soa3;
use crate::solvers::{Effort, Newton, StepContext};
use crate::state::State;

/// z = x̂ + τu, u = û + τ a(z, u): a backward Euler step from (x̂, û). Weight, air, medium and
/// hands enter through [`free_velocities`], elements and ties through the potential that
/// is minimised. The air's force is that of the stage's start.
#[derive(Debug)]
pub(super) struct StageSolver {
    objective: Objective,
    newton: NewtonMethod,
    /// x̂. [m]
    pub base: Vec<DVec3>,
    /// û. [m/s]
    pub speed: Vec<DVec3>,
    /// Where the step, of which the stage is a part, starts; the search for z may start here. [m]
    pub start: Vec<DVec3>,
    /// Velocities there; held particles follow theirs. [m/s]
    pub start_speed: Vec<DVec3>,
    /// z. [m]
    pub z: Vec<DVec3>,
    other: Vec<DVec3>,
    base_f32: Soa3,
    speed_f32: Soa3,
    pub effort: Effort,
}

/// Length of a stage and the moment of its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// τ. [s]
    pub tau: f64,
    /// The end, as a part of the step that was asked for.
    pub end: f64,
}

impl StageSolver {
    pub fn new(newton: Newton, model: &Model) -> Self {
        let n = model.particle_count();
        let zeros = || vec![DVec3::ZERO; n];
        Self {
            objective: Objective::new(model),
            newton: NewtonMethod::new(newton, n),
            base: zeros(),
            speed: zeros(),
            start: zeros(),
            start_speed: zeros(),
            z: zeros(),
            other: zeros(),
            base_f32: Soa3::zeros(n),
            speed_f32: Soa3::zeros(n),
            effort: Effort::default(),
        }
    }

    /// A step starts at `state`.
    pub fn begin(&mut self, state: &State) {
        for i in 0..state.x.len() {
            self.start[i] = state.x.get(i).as_dvec3();
            self.start_speed[i] = state.v.get(i).as_dvec3();
        }
    }

    /// Solves the stage that starts at `self.base` with `self.speed`; leaves it in `self.z`.
    pub fn solve(&mut self, stage: Stage, state: &State, context: &mut StepContext<'_>) {
        context.enter(Probed::Forces);
        let Stage { tau, end } = stage;
        let elapsed = end * context.h;
        for i in 0..self.base.len() {
            self.base_f32.set(i, narrow(self.base[i]));
            self.speed_f32.set(i, narrow(self.speed[i]));
        }
        let StepContext { model, conditions, workspace, .. } = &mut *context;
        conditions.at_part_of_step(end);
        let outside = (&**conditions, &state.hands);
        let particles = (&self.base_f32, &self.speed_f32);
        free_velocities(model, outside, particles, tau as f32, workspace);
        let objective = &mut self.objective;
        for i in 0..self.base.len() {
            let (mass, weight) = (f64::from(model.mass[i]), model.inverse_mass[i]);
            // What the medium takes at the end of the stage is inertia, too.
            let medium = tau * f64::from(model.damping[i]);
            objective.fixed[i] = weight <= 0.0;
            objective.inertia[i] = (mass + medium) / (tau * tau);
            objective.target[i] = if weight > 0.0 {
                self.base[i] + tau * workspace.free.get(i).as_dvec3()
            } else {
                self.start[i] + elapsed * self.start_speed[i]
            };
        }
        for (particle, factor) in conditions.inertia_in_hand(model, &state.hands, tau as f32) {
            objective.inertia[particle] *= f64::from(factor);
        }
        objective.look_around(model, conditions);
        context.enter(Probed::Move);
        self.minimise(tau);
    }

    /// From the inertial target or from where the particles are, whichever lies lower.
    fn minimise(&mut self, tau: f64) {
        let Self { objective, z, other, .. } = self;
        objective.begin(&self.base, tau);
        z.copy_from_slice(&objective.target);
        for i in 0..z.len() {
            other[i] = if objective.fixed[i] { z[i] } else { self.start[i] };
        }
        if !(objective.value(z) <= objective.value(other)) {
            z.copy_from_slice(other);
        }
        self.newton.minimise(objective, z, &mut self.effort);
    }
}

/// What a step through the middle does to the energy of elements. [J]
#[derive(Clone, Copy, Debug)]
pub(super) struct EnergyAccount {
    /// E at the end.
    pub energy: f64,
    /// What there is more than springs were given.
    pub made: f64,
}

impl StageSolver {
    /// The account of going on from the stage's end z to `end`, having started at `self.start`:
    /// E(end) − E(start) − (∇E(z) − r)·(end − start), r being what the stage's residual is.
    pub fn account(&mut self, end: &[DVec3]) -> EnergyAccount {
        let Self { objective, start, z, other, .. } = self;
        let energy = objective.elastic_energy(end);
        let before = objective.elastic_energy(start);
        let along = |gradient: &[DVec3]| -> f64 {
            gradient.iter().zip(end).zip(&*start).map(|((g, e), s)| g.dot(*e - *s)).sum()
        };
        objective.gradient(z, other);
        let residual = along(other);
        objective.elastic_gradient(z, other);
        EnergyAccount { energy, made: energy - before - along(other) + residual }
    }
}

/// Numbers beyond this are no places or speeds of anything; kept finite, they stay comparable.
const LARGEST: f64 = 1e30;

/// To f32 without overflow.
pub(super) fn narrow(v: DVec3) -> Vec3 {
    v.clamp(DVec3::splat(-LARGEST), DVec3::splat(LARGEST)).as_vec3()
}
