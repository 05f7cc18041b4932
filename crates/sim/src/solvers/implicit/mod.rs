//! Implicit methods: each stage a minimum of G(z) = ‖z − y‖²_M/(2τ²) + E(z) + dissipation,
//! found by Newton's method. No step is too long for them.

mod adaptive;
mod batch;
mod bdf2;
mod core;
mod elements;
mod gases;
mod matrix;
mod midpoint;
mod newton;
mod objective;
#[cfg(test)]
mod objective_tests;
mod pcg;
mod schemes;
mod tetras;
mod ties;

use crate::model::Model;
use crate::probe::Stage;
use crate::state::State;

use self::core::StageSolver;
use super::finish::finish;
use super::{Effort, Newton, STEPS_TOUCHING, Solver, SolverKind, StepContext};
use schemes::TwoStages;

/// Backward Euler, implicit midpoint, BDF2 and SDIRK2.
#[derive(Debug)]
pub struct SolverImplicit {
    kind: SolverKind,
    core: StageSolver,
    stages: TwoStages,
}

/// Steps a second that are taken unasked. Longer ones are stable, too, but a first-order method
/// then takes visibly much of the motion.
const STEPS_PER_SECOND: f64 = 120.0;

impl SolverImplicit {
    /// A solver of one of the implicit kinds.
    pub fn new(kind: SolverKind, model: &Model) -> Self {
        let newton = match kind {
            SolverKind::ImplicitEuler(newton)
            | SolverKind::ImplicitMidpoint(newton)
            | SolverKind::Bdf2(newton)
            | SolverKind::Sdirk2 { newton, .. } => newton,
            _ => Newton::CHOICE,
        };
        let stages = TwoStages::new(model.particle_count());
        Self { kind, core: StageSolver::new(newton, model), stages }
    }
}

impl Solver for SolverImplicit {
    fn kind(&self) -> SolverKind {
        self.kind
    }

    fn prepare(&self, state: &mut State) {
        let (vectors, numbers) = match self.kind {
            SolverKind::ImplicitMidpoint(_) => (0, midpoint::NUMBERS),
            SolverKind::Bdf2(_) => (bdf2::VECTORS, bdf2::NUMBERS),
            SolverKind::Sdirk2 { error: Some(_), .. } => (0, adaptive::NUMBERS),
            _ => (0, 0),
        };
        state.memory.reserve(vectors, state.x.len(), numbers);
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        context.enter(Stage::Move);
        context.workspace.keep_start(&state.x);
        let Self { kind, core, stages } = self;
        core.begin(state);
        match *kind {
            SolverKind::ImplicitMidpoint(_) => midpoint::midpoint(core, stages, state, context),
            SolverKind::Bdf2(_) => bdf2::bdf2(core, stages, state, context),
            SolverKind::Sdirk2 { error: Some(error), .. } => {
                let tolerance = f64::from(error);
                let numbers = adaptive::adaptive(core, stages, tolerance, (state, context));
                state.memory.numbers.copy_from_slice(&numbers);
                stages.write(state);
            }
            SolverKind::Sdirk2 { .. } => {
                stages.begin(core);
                stages.step(core, (0.0, context.h), state, context);
                stages.accept(core);
                stages.write(state);
            }
            _ => schemes::backward_euler(core, state, context),
        }
        if !matches!(kind, SolverKind::Sdirk2 { error: Some(_), .. }) {
            core.effort.inner_steps += 1;
        }
        state.memory.started = true;
        finish(state, context);
    }

    fn velocities_lag(&self) -> f32 {
        if matches!(self.kind, SolverKind::ImplicitEuler(_)) { 0.5 } else { 0.0 }
    }

    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        let rate = match self.kind {
            _ if model.anything_touches() => 60.0 * STEPS_TOUCHING,
            // An adaptive step cuts itself.
            SolverKind::Sdirk2 { error: Some(_), .. } => 0.0,
            _ => STEPS_PER_SECOND,
        };
        Some((frame * rate).round().clamp(1.0, 1e6) as u32)
    }

    fn effort(&self) -> Effort {
        self.core.effort
    }
}
