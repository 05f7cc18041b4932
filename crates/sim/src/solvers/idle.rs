//! A world in which nothing is left to do: all of it is fibres, which are advanced on their own.

use crate::model::Model;
use crate::state::State;
use crate::strands::TouchParts;

use super::{Solver, SolverKind, StepContext};

/// Puts held particles where they belong.
#[derive(Debug)]
pub struct SolverIdle {
    kind: SolverKind,
}

impl SolverIdle {
    /// In place of a method that was asked for.
    pub fn new(kind: SolverKind) -> Self {
        Self { kind }
    }
}

/// Steps in 1/60 s of segments that touch: what is proved is proved for a step.
const TOUCHING: f64 = 8.0;

impl Solver for SolverIdle {
    fn kind(&self) -> SolverKind {
        self.kind
    }

    fn prepare(&self, state: &mut State) {
        state.memory = Default::default();
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        context.conditions.place_held(context.model, state);
        state.contacts = 0;
    }

    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        let touch = model.strands.iter().any(|set| set.touch.parts == TouchParts::Segments);
        let steps = if touch { (TOUCHING * 60.0 * frame).ceil() } else { 1.0 };
        Some(steps.clamp(1.0, 1024.0) as u32)
    }
}
