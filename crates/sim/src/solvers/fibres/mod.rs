//! Fibres are advanced on their own, after the solver of all else: each strand is a narrow problem
//! that is solved as a whole, whatever method the rest of the world is under.

mod helix;
#[cfg(test)]
mod reference;
mod step;

use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

pub use step::{FibreStep, RodStep, RootStep};

/// All strands of a model that are rods.
#[derive(Debug)]
pub struct Fibres {
    /// Where particles are at the start of the step, and how fast. [m, m/s]
    x: Soa3,
    v: Soa3,
}

impl Fibres {
    /// For a model, if it has rods.
    pub fn new(model: &Model) -> Option<Self> {
        model.strands.iter().any(|set| set.law.is_rod()).then(|| {
            let zeros = || Soa3::zeros(model.particle_count());
            Self { x: zeros(), v: zeros() }
        })
    }

    /// Makes room in `state` for what fibres remember between steps.
    pub fn prepare(&self, _model: &Model, _state: &mut State) {}

    /// Takes note of where everything is before a step.
    pub fn begin_step(&mut self, state: &State) {
        self.x.copy_from(&state.x);
        self.v.copy_from(&state.v);
    }

    /// Takes all strands through a step. Held particles are where they end already.
    pub fn step(&mut self, state: &mut State, _step: &mut FibreStep<'_>) {
        state.x.copy_from(&self.x);
        state.v.copy_from(&self.v);
    }
}
