//! Backward differentiation of second order.

use glam::DVec3;

use super::core::{Stage, StageSolver, narrow};
use super::schemes::TwoStages;
use crate::model::Model;
use crate::solvers::StepContext;
use crate::state::State;

/// Vectors that it remembers: x⁻, v⁻, and the velocities that it left.
pub(super) const VECTORS: usize = 3;

/// Numbers that it remembers: the last step. [s]
pub(super) const NUMBERS: usize = 1;

/// x⁺ = x̂ + ⅔h v⁺, v⁺ = v̂ + ⅔h a⁺ with x̂ = (4x − x⁻)/3 and v̂ = (4v − v⁻)/3: a backward
/// Euler step of ⅔h. The first step, and the first after a change of h, has two stages.
pub(super) fn bdf2(
    core: &mut StageSolver,
    stages: &mut TwoStages,
    state: &mut State,
    context: &mut StepContext,
) {
    let h = context.h;
    if state.memory.started && state.memory.numbers[0] == h as f32 {
        extrapolate(core, state, (context.model, h));
        let tau = 2.0 / 3.0 * h;
        core.solve(Stage { tau, end: 1.0 }, state, context);
        for i in 0..core.z.len() {
            stages.x[i] = core.z[i];
            stages.v[i] = (core.z[i] - core.base[i]) / tau;
        }
    } else {
        stages.begin(core);
        stages.step(core, (0.0, h), state, context);
        stages.accept(core);
    }
    let State { x, v, memory, .. } = state;
    memory.vectors[0].copy_from(x);
    memory.vectors[1].copy_from(v);
    memory.numbers[0] = h as f32;
    for i in 0..core.z.len() {
        x.set(i, narrow(stages.x[i]));
        v.set(i, narrow(stages.v[i]));
        let kept = context.model.kept.get(i).copied().unwrap_or(1.0);
        memory.vectors[2].set(i, v.get(i) * kept);
    }
}

/// Where something else than this method has changed a velocity (a collision, a limit, a push)
/// the past is of no use: extrapolating the jump would make energy. There the past is taken
/// as if the particle had always fallen freely: without weight in it, what rests on something and is
/// pushed in every step would weigh a third too little.
fn extrapolate(core: &mut StageSolver, state: &State, (model, h): (&Model, f64)) {
    let fall = h * state.hands.gravity(model).as_dvec3();
    let [x_before, v_before, v_left] = &state.memory.vectors[..] else { return };
    for i in 0..core.base.len() {
        let (x, v) = (core.start[i], core.start_speed[i]);
        if state.v.get(i) == v_left.get(i) {
            core.base[i] = (4.0 * x - x_before.get(i).as_dvec3()) / 3.0;
            core.speed[i] = (4.0 * v - v_before.get(i).as_dvec3()) / 3.0;
        } else {
            let fall = if model.inverse_mass[i] > 0.0 { fall } else { DVec3::ZERO };
            core.base[i] = x + h * (v - 0.5 * fall) / 3.0;
            core.speed[i] = v + fall / 3.0;
        }
    }
}
