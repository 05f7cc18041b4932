//! The end of a step, the same for every solver.

use crate::edges::StrainLimits;
use crate::forces::Workspace;
use crate::measure::stored;
use crate::probe::Stage;
use crate::state::State;

use super::StepContext;
use super::axes::scale;

/// What every method does after moving the particles: held ones go where they belong, the
/// documents' losses act, strain limits and colliders have their say.
pub(super) fn finish(state: &mut State, context: &mut StepContext<'_>) {
    let model = context.model;
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
    for round in 0..ROUNDS {
        context.enter(Stage::Limits);
        limit(state, context);
        context.enter(Stage::Contacts);
        let touches = context.conditions.collide(model, &context.workspace.x_start, state);
        state.contacts = touches;
        if round > 0 {
            follow(state, context);
        }
        if touches == 0 || StrainLimits::are_met(model.edges.limited(), &state.x) {
            break;
        }
    }
}

/// Limits and colliders in turns: holding a particle off an obstacle may draw its edges out.
const ROUNDS: usize = 24;

/// |v| ≤ |Δx|/h: what limits and colliders push to and fro must not keep the speed of it.
fn follow(state: &mut State, context: &StepContext<'_>) {
    let start = &context.workspace.x_start;
    for i in 0..state.x.len() {
        let way = (state.x.get(i) - start.get(i)).length();
        state.v.set(i, state.v.get(i).clamp_length_max(way / context.h as f32));
    }
}

/// Strain limits. What elements and height gain by it is taken from the motion; where limits only
/// end a motion there is nothing of it, and nobody looks.
fn limit(state: &mut State, context: &mut StepContext<'_>) {
    let model = context.model;
    let gravity = state.hands.gravity(model).as_dvec3();
    let Workspace { weights, limits, x_start, .. } = &mut *context.workspace;
    let weights = context.conditions.weights_in_hand(model, state, weights);
    let State { x, v, .. } = state;
    let part = limits.apply(model.edges.limited(), (x_start, x, v), weights, context.h as f32);
    if part == 1.0 {
        return;
    }
    let height = |i: usize| {
        let way = (x.get(i) - limits.before().get(i)).as_dvec3();
        -f64::from(model.mass[i]) * gravity.dot(way)
    };
    let motion = |i: usize| 0.5 * f64::from(model.mass[i]) * v.get(i).as_dvec3().length_squared();
    let free = || (0..x.len()).filter(|&i| model.inverse_mass[i] > 0.0);
    let time = context.conditions.time();
    let gained = stored(model, x, time) - stored(model, limits.before(), time)
        + free().map(height).sum::<f64>();
    let motion = free().map(motion).sum::<f64>();
    if gained > 0.0 && motion > 0.0 {
        let left = (1.0 - gained / motion).max(0.0).sqrt() as f32;
        for i in (0..x.len()).filter(|&i| model.inverse_mass[i] > 0.0) {
            v.set(i, v.get(i) * left);
        }
    }
}
