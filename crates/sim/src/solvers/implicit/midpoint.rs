//! The implicit midpoint rule, with an account of the energy that it makes.

use super::core::{Stage, StageSolver, narrow};
use super::schemes::TwoStages;
use crate::solvers::StepContext;
use crate::state::State;

/// Numbers that it remembers: the energy that it has made so far. [J]
pub(super) const NUMBERS: usize = 1;

/// Part of a world's energy that the method may have made out of nothing.
const CREDIT: f64 = 0.01;

/// xₘ = x + ½h vₘ, vₘ = v + ½h a(xₘ, vₘ), then as far again: x⁺ = 2xₘ − x, v⁺ = 2vₘ − v.
///
/// The rule keeps the energy of linear springs, and of others while steps are short; long steps
/// of very bent or squashed cloth may make energy without end. What it makes is counted, and
/// where the sum passes a hundredth of the energy that is there the step is taken in the two
/// stages of SDIRK2 instead, which lose some.
pub(super) fn midpoint(
    core: &mut StageSolver,
    stages: &mut TwoStages,
    state: &mut State,
    context: &mut StepContext,
) {
    let half = 0.5 * context.h;
    core.base.copy_from_slice(&core.start);
    core.speed.copy_from_slice(&core.start_speed);
    core.solve(Stage { tau: half, end: 0.5 }, state, context);
    for i in 0..core.z.len() {
        let moved = core.z[i] - core.start[i];
        stages.x[i] = core.start[i] + 2.0 * moved;
        stages.v[i] = 2.0 * moved / half - core.start_speed[i];
    }
    let account = core.account(&stages.x);
    let kinetic: f64 = (0..stages.v.len())
        .filter(|&i| context.model.inverse_mass[i] > 0.0)
        .map(|i| 0.5 * f64::from(context.model.mass[i]) * stages.v[i].length_squared())
        .sum();
    let limit = CREDIT * (kinetic + account.energy);
    let before = if state.memory.started { f64::from(state.memory.numbers[0]) } else { 0.0 };
    let made = before.min(limit) + account.made;
    if made <= limit {
        state.memory.numbers[0] = made as f32;
    } else {
        stages.begin(core);
        stages.step(core, (0.0, context.h), state, context);
        stages.accept(core);
    }
    for i in 0..stages.x.len() {
        state.x.set(i, narrow(stages.x[i]));
        state.v.set(i, narrow(stages.v[i]));
    }
    context.conditions.at_end_of_step();
}
