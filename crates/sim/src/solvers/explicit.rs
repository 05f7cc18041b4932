//! The explicit integrators of the source documents.

use crate::forces::evaluate;
use crate::probe::Stage;
use crate::state::State;

use super::axes::{scale, update, update_by_force};
use super::finish::finish;
use super::rk4::Rk4Stages;
use super::{Solver, SolverKind, StepContext};

/// Explicit integration by any of the kinds of [`SolverKind`].
#[derive(Debug)]
pub struct SolverExplicit {
    kind: SolverKind,
    stages: Option<Rk4Stages>,
}

impl SolverExplicit {
    /// A solver for `particles` particles.
    pub fn new(kind: SolverKind, particles: usize) -> Self {
        let stages = matches!(kind, SolverKind::Rk4).then(|| Rk4Stages::new(particles));
        Self { kind, stages }
    }
}

impl Solver for SolverExplicit {
    fn velocities_lag(&self) -> f32 {
        match self.kind {
            SolverKind::ExplicitEuler => -0.5,
            SolverKind::SemiImplicitEuler | SolverKind::Verlet { .. } => 0.5,
            _ => 0.0,
        }
    }

    fn kind(&self) -> SolverKind {
        self.kind
    }

    fn prepare(&self, state: &mut State) {
        let vectors = usize::from(matches!(self.kind, SolverKind::VelocityVerlet));
        state.memory.reserve(vectors, state.x.len(), 0);
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        let h = context.h as f32;
        context.enter(Stage::Move);
        context.workspace.keep_start(&state.x);
        match self.kind {
            SolverKind::ExplicitEuler => {
                advance(state, context, move |x, v, a| (x + h * v, v + h * a));
            }
            SolverKind::SemiImplicitEuler => advance(state, context, move |x, v, a| {
                let v = v + h * a;
                (x + h * v, v)
            }),
            SolverKind::Kinematic => {
                advance(state, context, move |x, v, a| (x + h * (v + 0.5 * h * a), v + h * a));
            }
            SolverKind::Verlet { loss } => verlet(state, context, loss),
            SolverKind::VelocityVerlet => velocity_verlet(state, context),
            // Only Runge–Kutta has stages, and no other kind comes here.
            _ => {
                if let Some(stages) = &mut self.stages {
                    stages.step(state, context);
                }
            }
        }
        state.memory.started = true;
        context.conditions.pull_grabbed(context.model, state);
        finish(state, context);
    }
}

/// (x, v) ← rule(x, v, a(x, v)).
fn advance(
    state: &mut State,
    context: &mut StepContext<'_>,
    rule: impl Fn(f32, f32, f32) -> (f32, f32) + Sync + Copy,
) {
    sum_forces(state, context);
    let StepContext { model, workspace, .. } = context;
    let by = (&workspace.forces, model.inverse_mass.as_slice());
    update_by_force((&mut state.x, &mut state.v), by, rule);
}

/// d⁺ = (1 − s) d + h² a, x⁺ = x + d⁺ with d = x − x⁻ kept as the velocity d/h:
/// the same recursion as x⁺ = (2 − s)x − (1 − s)x⁻ + h²a, without the rounding
/// of subtracting two positions. The first d is h v − ½h² a, so that constant
/// acceleration is followed exactly.
fn verlet(state: &mut State, context: &mut StepContext<'_>, loss: f32) {
    let h = context.h as f32;
    let kept = 1.0 - loss;
    if state.memory.started {
        advance(state, context, move |x, v, a| {
            let v = kept * v + h * a;
            (x + h * v, v)
        });
    } else {
        advance(state, context, move |x, v, a| {
            let v = kept * (v - 0.5 * h * a) + h * a;
            (x + h * v, v)
        });
    }
}

/// v½ = v + ½h a, x⁺ = x + h v½, a⁺ = a(x⁺, v½), v⁺ = v½ + ½h a⁺.
fn velocity_verlet(state: &mut State, context: &mut StepContext<'_>) {
    let h = context.h as f32;
    if !state.memory.started {
        accelerations(state, context);
        state.memory.vectors[0].copy_from(&context.workspace.forces);
    }
    update((&mut state.x, &mut state.v), &state.memory.vectors[0], &|x, v, a| {
        let half = v + 0.5 * h * a;
        (x + h * half, half)
    });
    context.conditions.at_end_of_step();
    accelerations(state, context);
    let a = &context.workspace.forces;
    update((&mut state.x, &mut state.v), a, &|x, v, a| (x, v + 0.5 * h * a));
    state.memory.vectors[0].copy_from(a);
}

/// Leaves a(x, v) in the workspace's force buffer.
fn accelerations(state: &State, context: &mut StepContext<'_>) {
    sum_forces(state, context);
    scale(&mut context.workspace.forces, &context.model.inverse_mass);
}

/// Leaves F(x, v) in the workspace's force buffer; moving begins.
fn sum_forces(state: &State, context: &mut StepContext<'_>) {
    context.enter(Stage::Forces);
    let outside = (&*context.conditions, &state.hands);
    evaluate(context.model, outside, (&state.x, &state.v), context.workspace);
    context.enter(Stage::Move);
}
