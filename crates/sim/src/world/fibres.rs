//! Strands in a world.

use super::World;
use crate::model::Model;
use crate::probe::Stage;
use crate::solvers::SolverKind;
use crate::solvers::fibres::{FibreStep, Fibres};
use crate::state::State;

impl World {
    /// Strands are on their own once all else has moved.
    pub(super) fn advance_fibres(&mut self, h: f64) {
        let Some(mut fibres) = self.fibres.take() else { return };
        self.enter(Stage::Move);
        let step = &mut FibreStep {
            model: &self.model,
            conditions: &mut self.conditions,
            contacts: self.contacts.as_mut(),
            gravity: self.state.hands.gravity(&self.model),
            h,
        };
        fibres.step(&mut self.state, step);
        self.fibres = Some(fibres);
    }
}

/// Fibres of a model with room for what they remember, if it has rods.
pub(super) fn prepared_fibres(
    model: &Model,
    kind: SolverKind,
    state: &mut State,
) -> Option<Fibres> {
    let mut fibres = Fibres::new(model, kind)?;
    fibres.prepare(model, state);
    Some(fibres)
}
