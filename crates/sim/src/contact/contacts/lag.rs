//! What was held up, and for how long.

use super::Contacts;
use crate::contact::tally::Lag;
use crate::forces::Conditions;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

/// A mesh that is held up in a step goes on at 2^(−1) of its pace, one that is not at 2^(1/4).
const SLOWER: u32 = 4;

/// 2^(−6): what presses on cloth that cannot make way hardly does.
const SLOWEST: u32 = 24;

/// 2^(−k/4).
const QUARTERS: [f32; 4] = [1.0, 0.840_896_4, 0.707_106_77, 0.594_603_54];

/// What a mesh collider that is behind may gain on where it is led. [m/s]
const CATCH_UP: f32 = 0.5;

/// Less is rounding. [m]
const STOPPED: f32 = 1e-6;

/// A mesh collider that is less than this behind is where it is led. [m]
const BEHIND: f32 = 1e-5;

impl Contacts {
    /// Where everything is is safe.
    pub(super) fn stand_still(&mut self) {
        self.end.copy_from_slice(&self.start);
        self.tally.standstills += 1;
        self.expired = true;
    }

    /// A mesh that is behind does not leap to where it is led: it goes on a little faster than it is
    /// led, and slower the longer something is in its way. Asks the state alone, so that a run goes on from it with the same bits.
    pub(super) fn catch_up_slowly(&mut self, model: &Model, state: &State, from: &Conditions) {
        let h = from.step_length() as f32;
        let far = |k: usize| (self.led.get(k) - state.obstacles.get(k)).length_squared();
        let allowed = CATCH_UP * h;
        if !(0..self.led.len()).any(|k| far(k) > allowed * allowed) {
            return;
        }
        let slow = state.contact_slow.min(SLOWEST);
        let pace = QUARTERS[slow as usize % 4] / (1u32 << (slow / 4)) as f32;
        let mut first = 0;
        for mesh in &model.mesh_colliders {
            let all = first..first + mesh.vertex_count();
            let pose = from.collider_start(mesh.collider);
            mesh.positions_under(pose, state.time, self.led_before.slice_mut(all.clone()));
            first = all.end;
        }
        let mut first = 0;
        for mesh in &model.mesh_colliders {
            let own = first..first + mesh.vertex_count();
            first = own.end;
            let before = &self.led_before;
            let part = |led: &Soa3, k: usize| {
                let (is, led) = (state.obstacles.get(k), led.get(k));
                let behind = (before.get(k) - is).length();
                let own = (led - before.get(k)).length();
                let (way, most) = ((led - is).length(), pace * (own + allowed));
                if behind > BEHIND && way > most { most / way } else { 1.0 }
            };
            // What is rigid goes on as a whole.
            let whole = (!mesh.deforms())
                .then(|| own.clone().map(|k| part(&self.led, k)).fold(1.0, f32::min));
            for k in own {
                let part = whole.unwrap_or_else(|| part(&self.led, k));
                if part < 1.0 {
                    let (is, led) = (state.obstacles.get(k), self.led.get(k));
                    self.led.set(k, is + (led - is) * part);
                }
            }
        }
    }

    /// How far mesh colliders are behind their motion at the end of a step that starts with `state`
    /// and in which points were held back or not.
    pub(super) fn note_lag(&mut self, model: &Model, state: &mut State, held_back: bool) {
        let stopped = |k: usize| {
            let [x, y, z, _] = self.end[self.particles + k];
            (self.led.get(k) - glam::Vec3::new(x, y, z)).length_squared() > STOPPED * STOPPED
        };
        state.contact_slow = if held_back && (0..self.led.len()).any(stopped) {
            state.contact_slow.saturating_add(SLOWER).min(SLOWEST)
        } else {
            state.contact_slow.saturating_sub(1)
        };
        if self.led.is_empty() || !held_back && self.tally.lag.now == 0.0 {
            return;
        }
        let mut worst = (BEHIND, None);
        let mut first = 0;
        for (index, mesh) in model.mesh_colliders.iter().enumerate() {
            for k in first..first + mesh.vertex_count() {
                let [x, y, z, _] = self.end[self.particles + k];
                let behind = (self.goal.get(k) - glam::Vec3::new(x, y, z)).length();
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
