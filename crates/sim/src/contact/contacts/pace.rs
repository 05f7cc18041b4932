//! Steps of contact that are several of the solver.

use super::Contacts;
use crate::model::Model;
use crate::state::State;

/// Steps of the solver for which a touch is minded: what is pushed apart touches again in a few.
const CLOSE_FOR: u32 = 8;

impl Contacts {
    /// Whether a step of it may be several steps of the solver: what is led is known for one,
    /// what is tangled wants a look after each, and ropes that are drawn tight over each other draw in
    /// between to where their distance is lost. Points of triangles that touch would swing to and fro in
    /// between, and creep. Doubts are settled first, so that the answer follows from the state alone.
    pub fn takes_steps_together(&mut self, model: &Model, state: &mut State) -> bool {
        if self.unsure {
            self.look_for_tangle(model, state);
        }
        let ropes = !self.watch.rules().segments.ends.is_empty();
        self.led.is_empty() && !ropes && !self.is_tangled() && state.contact_close == 0
    }

    /// A step of the solver is over that is not the last of a step of contact.
    pub fn go_on(&self, state: &mut State) {
        state.contacts += self.tally.touching;
    }

    /// Takes note of what touches, and for how long that is minded.
    pub(super) fn note_touches(&mut self, state: &mut State) {
        let pairs = self.watch.touched.iter().map(Vec::len).sum::<usize>();
        self.tally.touching = pairs + self.plates.touching();
        state.contact_close =
            if pairs > 0 { CLOSE_FOR } else { state.contact_close.saturating_sub(self.steps) };
    }
}
