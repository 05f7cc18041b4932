//! Looks at the end of a step rather than at its start.

use glam::{DVec3, Vec3};

use super::Contacts;
use crate::model::Model;
use crate::parallel::for_each_large;
use crate::state::State;

/// A look that is put off until it is known where the step would end.
///
/// Where no solver holds pairs apart within its step nobody asks for them before. By then it is known
/// how bodies speed up: paths that tell of it are kept to for longer, and a frame needs one look where
/// speeds alone would need two.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// Whether looks are put off.
    pub on: bool,
    /// Whether one is.
    pub owed: bool,
    /// What each body goes in the step beyond what its speed says, in the mean over its points. [m]
    drifts: Vec<Vec3>,
}

impl Contacts {
    /// Looks where the step has begun, or puts that off to its end.
    pub fn look_late(&mut self, late: bool) {
        self.late.on = late && self.led.is_empty();
    }

    /// Whether the solver means to hold lengths: then no edge that it leaves too long stays so.
    pub fn hold_lengths(&mut self, holds: bool) {
        self.tight.hold(holds);
    }

    /// The look that was put off: paths of K steps go by K v h + ½K² d, d the way of the body beyond
    /// its speed in the first of them. What moves on evenly speeds up for all of K, what comes to
    /// rest on something for none: half is off by as little as can be for both.
    pub(super) fn look_at_last(&mut self, model: &Model, state: &State, h: f32) {
        let planned = if self.safe { self.share(state.contact_plan) } else { self.left };
        self.place_plates((model, state.time), planned, None);
        if !self.covered {
            self.watch_drifting(model, h, planned);
        }
        self.begin_looked();
    }

    fn watch_drifting(&mut self, model: &Model, h: f32, planned: u32) {
        let Self { watch, late, bodies, calm, start, end, .. } = self;
        let v = calm.calmed();
        let drifts = &mut late.drifts;
        drifts.resize(model.bodies.len(), Vec3::ZERO);
        for_each_large(drifts.as_mut_slice(), &|first, drifts: &mut [Vec3]| {
            for (drift, body) in drifts.iter_mut().zip(&model.bodies[first..]) {
                let mut sum = DVec3::ZERO;
                for i in body.particles.clone() {
                    let place = |x: &[f32; 4]| Vec3::from_slice(&x[..3]);
                    sum += (place(&end[i]) - place(&start[i]) - v.get(i) * h).as_dvec3();
                }
                *drift = (sum / body.particles.len().max(1) as f64).as_vec3();
            }
        });
        let (of, drifts, half) = (&bodies.of, &*drifts, 0.5 * planned as f32);
        let step = |i: usize| (v.get(i) * h + drifts[of[i] as usize] * half).to_array();
        watch.look(start, step, planned);
    }

    /// Everything has just been looked at.
    pub(super) fn begin_looked(&mut self) {
        self.safety.begin(self.start.len());
        self.groups.forget_zones();
        self.close_known = false;
        self.tally.looks += 1;
        self.since_look = 0;
        self.expired = false;
    }
}
