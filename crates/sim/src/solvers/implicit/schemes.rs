//! Steps made of stages.

use glam::DVec3;

use super::core::{Stage, StageSolver, narrow};
use crate::solvers::StepContext;
use crate::state::State;

/// γ = 1 − 1/√2, for which two stages of γh are of second order and L-stable.
pub(super) const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// x⁺ = x + h v⁺, v⁺ = v + h a⁺.
pub(super) fn backward_euler(core: &mut StageSolver, state: &mut State, context: &mut StepContext) {
    core.base.copy_from_slice(&core.start);
    core.speed.copy_from_slice(&core.start_speed);
    core.solve(Stage { tau: context.h, end: 1.0 }, state, context);
    for i in 0..core.z.len() {
        state.x.set(i, narrow(core.z[i]));
        state.v.set(i, narrow((core.z[i] - core.base[i]) / context.h));
    }
}

/// Where two-stage steps start and end.
#[derive(Debug)]
pub(super) struct TwoStages {
    /// At the start of the step, then at its end. [m], [m/s]
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Velocity of the first stage and of the second. [m/s]
    first: Vec<DVec3>,
    second: Vec<DVec3>,
}

impl TwoStages {
    pub fn new(particles: usize) -> Self {
        let zeros = || vec![DVec3::ZERO; particles];
        Self { x: zeros(), v: zeros(), first: zeros(), second: zeros() }
    }

    /// Starts where the asked step starts.
    pub fn begin(&mut self, core: &StageSolver) {
        self.x.copy_from_slice(&core.start);
        self.v.copy_from_slice(&core.start_speed);
    }

    /// u₁ at γh from (x, v), then u₂ at h from x + (1 − γ)h u₁ and v + (1 − γ)h a₁. Leaves the
    /// end in the stage solver's `z`; `from` and `h` place the step in the asked one, whose
    /// length is `context.h`. Returns the largest error of a position. [m]
    pub fn step(
        &mut self,
        core: &mut StageSolver,
        (from, h): (f64, f64),
        state: &State,
        context: &mut StepContext,
    ) -> f64 {
        let tau = GAMMA * h;
        let end = |part: f64| (from + part * h) / context.h;
        let stages = [GAMMA, 1.0].map(|part| Stage { tau, end: end(part) });
        core.base.copy_from_slice(&self.x);
        core.speed.copy_from_slice(&self.v);
        core.solve(stages[0], state, context);
        let onward = (1.0 - GAMMA) / GAMMA;
        for i in 0..core.z.len() {
            let moved = core.z[i] - self.x[i];
            self.first[i] = moved / tau;
            core.base[i] = self.x[i] + onward * moved;
            core.speed[i] = self.v[i] + onward * (self.first[i] - self.v[i]);
        }
        core.solve(stages[1], state, context);
        let mut worst = 0.0f64;
        for i in 0..core.z.len() {
            self.second[i] = (core.z[i] - core.base[i]) / tau;
            // The local error of x⁺ is (1/3 − γ)h³x‴ + …, and (1 − γ)v + γu₂ − u₁ is
            // ½(1 − 3γ)h²x‴ + …
            let bend = (1.0 - GAMMA) * self.v[i] + GAMMA * self.second[i] - self.first[i];
            worst = worst.max((bend * (2.0 / 3.0 * h)).length_squared());
        }
        worst.sqrt()
    }

    /// Takes the step that was last computed.
    pub fn accept(&mut self, core: &StageSolver) {
        self.x.copy_from_slice(&core.z);
        self.v.copy_from_slice(&self.second);
    }

    /// Gives the result to `state`.
    pub fn write(&self, state: &mut State) {
        for i in 0..self.x.len() {
            state.x.set(i, narrow(self.x[i]));
            state.v.set(i, narrow(self.v[i]));
        }
    }
}
