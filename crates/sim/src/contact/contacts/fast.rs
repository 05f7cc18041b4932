//! Contact at a bounded cost.
//!
//! Everything is looked at once a frame. What leaves its path is looked at again along its way, and
//! so kept from passing through anything, while the frame's allowance lasts; beyond it things may pass.
//! What has is found at the start of the next frame, and comes apart as what starts tangled does.

use super::Contacts;
use crate::model::Model;
use crate::state::State;

/// Points that may be looked at again in a frame, as a multiple of all: as much as so many looks.
const AGAIN: usize = 2;

impl Contacts {
    /// A frame may look again at so many points.
    pub(super) fn renew_allowance(&mut self) {
        self.allowance = AGAIN * self.end.len();
    }

    /// The end of a step: what is near is held back where it has no proof; what left its path
    /// gets one look more.
    pub(super) fn clean_up(&mut self, model: &Model, state: &mut State, h: f32) {
        self.find_strays(None);
        let strays = self.strays.len();
        let many = self.many_stray();
        let cost = if many { self.end.len() } else { strays };
        if strays > 0 && cost <= self.allowance {
            self.allowance -= cost;
            if many {
                self.look_at_all(model, state, h);
            } else {
                let known = self.look_at_strays();
                self.pass(h, known);
                self.keep_near_paths();
            }
        }
        self.safety.secure(&mut self.watch, &self.start, &mut self.end);
        // What is off its path now has pairs that nobody looked at.
        self.find_strays(None);
        self.let_go |= !self.strays.is_empty() || self.watch.let_go > 0;
    }
}
