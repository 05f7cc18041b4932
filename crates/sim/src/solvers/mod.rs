//! Ways from one state to the next.

mod axes;
mod explicit;
mod kind;
mod rk4;
mod spectrum;
mod stability;

use crate::forces::{Conditions, Workspace};
use crate::model::Model;
use crate::probe::{Probe, Stage};
use crate::state::State;

pub use explicit::SolverExplicit;
pub use kind::SolverKind;
pub use stability::{Spectrum, StepAdvice, stable_step};

/// Advances a state by one step.
pub trait Solver: Send {
    /// Which method it is.
    fn kind(&self) -> SolverKind;
    /// Makes room in `state` for what the solver remembers between steps.
    fn prepare(&self, state: &mut State);
    /// One step of `context.h`: positions and velocities, held particles, strain
    /// limits and colliders. Time and step count belong to the world.
    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>);
}

/// What a solver may use during a step.
pub struct StepContext<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// Length of the step. [s]
    pub h: f64,
    /// What acts from outside, at the start of the step.
    pub conditions: &'a mut Conditions,
    /// Buffers that live as long as the world.
    pub workspace: &'a mut Workspace,
    /// Is told of stages, if there is one.
    pub probe: &'a mut Option<Box<dyn Probe>>,
}

impl StepContext<'_> {
    /// A stage of the step begins.
    #[inline]
    pub fn enter(&mut self, stage: Stage) {
        if let Some(probe) = self.probe {
            probe.enter(stage);
        }
    }
}
