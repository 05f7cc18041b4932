//! The end of a step, the same for every solver.

use crate::edges::StrainLimits;
use crate::probe::Stage;
use crate::state::State;

use super::StepContext;
use super::axes::scale;

/// What every method does after moving the particles: held ones go where they belong, the
/// documents' losses act, strain limits and colliders have their say.
pub(super) fn finish(state: &mut State, context: &mut StepContext<'_>) {
    let model = context.model;
    let h = context.h as f32;
    context.conditions.place_held(model, state);
    if !model.kept.is_empty() {
        // Air damping of document 002: each step takes a part of the speed.
        scale(&mut state.v, &model.kept);
    }
    if !model.edges.has_limits() {
        context.enter(Stage::Contacts);
        state.contacts = context.conditions.collide(model, &context.workspace.x_start, state);
        return;
    }
    let limited = model.edges.limited();
    for _ in 0..ROUNDS {
        context.enter(Stage::Limits);
        let workspace = &mut *context.workspace;
        let scratch = &mut workspace.weights;
        let weights = context.conditions.weights_in_hand(model, state, scratch);
        let State { x, v, .. } = state;
        workspace.limits.apply(limited, (x, v), weights, h);
        context.enter(Stage::Contacts);
        let touches = context.conditions.collide(model, &context.workspace.x_start, state);
        state.contacts = touches;
        if touches == 0 || StrainLimits::are_met(limited, &state.x) {
            break;
        }
    }
}

/// Limits and colliders in turns: holding a particle off an obstacle may draw its edges out.
const ROUNDS: usize = 24;
