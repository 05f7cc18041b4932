//! What was held up, and for how long.

use super::Contacts;
use crate::contact::tally::Lag;
use crate::model::Model;
use crate::state::State;

/// A mesh collider that is less than this behind is where it is led. [m]
const BEHIND: f32 = 1e-5;

impl Contacts {
    /// Where everything is is safe.
    pub(super) fn stand_still(&mut self) {
        self.end.copy_from_slice(&self.start);
        self.tally.standstills += 1;
        self.expired = true;
    }

    /// Counts a step in which something was held back.
    pub(super) fn note_held_back(&mut self) {
        self.tally.steps_held += u64::from(!self.safety.held_back.is_empty());
    }

    /// How far mesh colliders are behind their motion at the end of a step that starts with `state`.
    pub(super) fn note_lag(&mut self, model: &Model, state: &State) {
        let held_back = !self.safety.held_back.is_empty();
        if self.led.len() == 0 || !held_back && self.tally.lag.now == 0.0 {
            return;
        }
        let mut worst = (BEHIND, None);
        let mut first = 0;
        for (index, mesh) in model.mesh_colliders.iter().enumerate() {
            for k in first..first + mesh.vertex_count() {
                let [x, y, z, _] = self.end[self.particles + k];
                let behind = (self.led.get(k) - glam::Vec3::new(x, y, z)).length();
                if behind > worst.0 {
                    worst = (behind, Some(index));
                }
            }
            first += mesh.vertex_count();
        }
        let lag = &mut self.tally.lag;
        match worst {
            (behind, Some(index)) => {
                if lag.now == 0.0 {
                    lag.since = state.time;
                }
                lag.now = behind;
                if behind > lag.worst {
                    *lag = Lag { worst: behind, mesh: Some(index), worst_since: lag.since, ..*lag };
                }
            }
            _ => lag.now = 0.0,
        }
    }
}
