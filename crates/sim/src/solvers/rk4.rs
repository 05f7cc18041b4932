//! The classical fourth-order Runge–Kutta method.

use glam::Vec3;

use crate::forces::evaluate;
use crate::probe::Stage;
use crate::soa::Soa3;
use crate::state::State;

use super::StepContext;
use super::axes::{map, scale};

/// y⁺ = y + h/6 (k₁ + 2k₂ + 2k₃ + k₄) for y = (x, v), k = (v, a).
#[derive(Debug)]
pub(super) struct Rk4Stages {
    x: Soa3,
    v: Soa3,
    /// k₁ + 2k₂ + 2k₃ + k₄ of the positions and of the velocities.
    sum_v: Soa3,
    sum_a: Soa3,
}

impl Rk4Stages {
    pub(super) fn new(particles: usize) -> Self {
        let zeros = || Soa3::zeros(particles);
        Self { x: zeros(), v: zeros(), sum_v: zeros(), sum_a: zeros() }
    }

    pub(super) fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        let h = context.h as f32;
        self.x.copy_from(&state.x);
        self.v.copy_from(&state.v);
        self.sum_v.fill(Vec3::ZERO);
        self.sum_a.fill(Vec3::ZERO);
        self.stage(state, context, 1.0, 0.5 * h);
        context.conditions.at_middle_of_step();
        self.stage(state, context, 2.0, 0.5 * h);
        self.stage(state, context, 2.0, h);
        context.conditions.at_end_of_step();
        self.stage(state, context, 1.0, 0.0);
        map(&mut state.x, &self.sum_v, &|x, sum| x + h / 6.0 * sum);
        map(&mut state.v, &self.sum_a, &|v, sum| v + h / 6.0 * sum);
    }

    /// Adds this stage's slopes with `weight` and moves on to `state` + `reach`·slopes.
    fn stage(&mut self, state: &State, context: &mut StepContext<'_>, weight: f32, reach: f32) {
        context.enter(Stage::Forces);
        let outside = (&*context.conditions, &state.hands);
        evaluate(context.model, outside, (&self.x, &self.v), context.workspace);
        context.enter(Stage::Move);
        let a = &mut context.workspace.forces;
        scale(a, &context.model.inverse_mass);
        map(&mut self.sum_v, &self.v, &|sum, v| sum + weight * v);
        map(&mut self.sum_a, a, &|sum, a| sum + weight * a);
        self.x.copy_from(&state.x);
        map(&mut self.x, &self.v, &|x, v| x + reach * v);
        self.v.copy_from(&state.v);
        map(&mut self.v, a, &|v, a| v + reach * a);
    }
}
