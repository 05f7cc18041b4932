//! When pairs are looked for, and how far ahead.

use super::Contacts;
use crate::model::Model;
use crate::parallel::PARALLEL_FROM;
use crate::soa::Soa3;
use crate::state::State;

/// Steps that one look may last.
const LONGEST: u32 = 32;
pub(super) const SHORTEST: u32 = 2;

/// A part of all points; when more leave their paths in one step everything is looked at again.
const MANY: usize = 60;

/// The same where looks come at the end of a step: they know better, and what strays then strays alone.
const MANY_LATE: usize = 16;

/// Parts of all points; when more have left their paths since a look the next is meant for fewer
/// steps, when less have, for more.
const UNEASY: usize = 4;
const EASY: usize = 20;

impl Contacts {
    /// Steps for a look that is meant for `plan`: what is left of the frame in equal parts.
    pub(super) fn share(&self, plan: u32) -> u32 {
        let left = self.left.max(1);
        left.div_ceil(left.div_ceil(plan.clamp(SHORTEST, LONGEST)))
    }

    /// Looks from where the step of `h` begins, or notes that it is to be done at its end.
    pub(super) fn look_ahead(&mut self, model: &Model, state: &State, h: f32) {
        self.plan_untangling();
        self.calm.keep(&state.v);
        if self.late.on && !self.is_tangled() {
            self.late.owed = true;
            return;
        }
        // Without a promise to keep one look is enough.
        let planned = if self.safe { self.share(state.contact_plan) } else { self.left };
        let planned = if self.is_tangled() { planned.min(SHORTEST) } else { planned };
        self.place_plates((model, state.time), planned, Some((&state.v, h)));
        if !self.covered {
            let Self { particles, led, calm, watch, start, .. } = self;
            let v = calm.calmed();
            let step = |i: usize| match i.checked_sub(*particles) {
                None => (v.get(i) * h).to_array(),
                Some(k) => (led.get(k) - state.obstacles.get(k)).to_array(),
            };
            watch.look(start, step, planned);
        }
        self.begin_looked();
    }

    /// Notes which points (of those given) are outside their tubes.
    pub(super) fn find_strays(&mut self, among: Option<&[u32]>) {
        let Self { watch, end, strays, parts, safety, .. } = self;
        let leaves = |i: usize, off: f32| off > watch.tube(i) * watch.tube(i);
        strays.clear();
        if self.covered {
            // What is held back goes a part of its way between two places where it may be.
            if among.is_none() && !self.plates.are_inside(end) {
                strays.extend(0..end.len() as u32);
            }
            return;
        }
        match among {
            None => {
                watch.off_paths(end, &mut safety.off);
                let off = &safety.off;
                parts.gather((end.len(), PARALLEL_FROM), strays, &|range, strays| {
                    let stray = range.filter(|&i| leaves(i, off[i]));
                    strays.extend(stray.map(|i| i as u32));
                });
            }
            Some(points) => {
                let is_stray = |i: usize| leaves(i, watch.off_path(i, &end[i]));
                strays.extend(points.iter().filter(|&&i| is_stray(i as usize)));
            }
        }
    }

    /// Whether so many points have left their paths that all had better be looked at.
    pub(super) fn many_stray(&self) -> bool {
        let many = if self.late.on { MANY_LATE } else { MANY };
        self.strays.len() * many > self.end.len()
    }

    /// Returns how many pairs of either kind are not new.
    pub(super) fn look_at_strays(&mut self) -> [usize; 2] {
        self.tally.second_looks += 1;
        self.tally.strays += self.strays.len() as u64;
        self.since_look += self.strays.len();
        self.watch.look_again(&self.strays, &self.start, &self.end)
    }

    /// Most of what is known is out of date.
    pub(super) fn look_at_all(&mut self, model: &Model, state: &mut State, h: f32) {
        state.contact_plan = (state.contact_plan / 2).max(SHORTEST);
        self.left += 1;
        let planned = if self.safe { self.share(state.contact_plan) } else { self.left };
        self.left -= 1;
        self.place_plates((model, state.time), planned, None);
        if !self.covered {
            let Self { watch, start, end, .. } = self;
            let step = |i: usize| [0, 1, 2].map(|d: usize| end[i][d] - start[i][d]);
            watch.look(start, step, planned);
        }
        self.watch.taken = 1;
        self.begin_looked();
        self.pass(h, [0; 2]);
        self.keep_near_paths();
    }

    /// Puts what has gone too far from where it was meant to go back to where that is known.
    pub(super) fn keep_near_paths(&mut self) {
        if self.covered {
            self.plates.keep_inside(&mut self.end);
        } else {
            self.watch.keep_in_tubes(&mut self.end);
        }
    }

    /// Looks further ahead where points keep to their paths, and less far where they do not.
    pub(super) fn adapt(&mut self, state: &mut State) {
        if self.watch.lasts() && self.left > 0 {
            return;
        }
        let plan = if self.since_look * UNEASY > self.end.len() {
            state.contact_plan / 2
        } else if self.since_look * EASY < self.end.len() {
            state.contact_plan * 2
        } else {
            state.contact_plan
        };
        state.contact_plan = plan.clamp(SHORTEST, LONGEST);
    }

    /// Puts plates between bodies that go on for so many steps at their velocities, or else as they
    /// do in this step. Nothing is watched if that is enough.
    pub(super) fn place_plates(
        &mut self,
        (model, time): (&Model, f64),
        planned: u32,
        velocities: Option<(&Soa3, f32)>,
    ) {
        if !self.plates.has_skins() {
            return;
        }
        let Self { watch, plates, bodies, start, end, .. } = self;
        let count = planned as f32;
        let way = |i: usize| match velocities {
            Some((v, h)) => (v.get(i) * (h * count)).to_array(),
            None => [0, 1, 2].map(|d: usize| (end[i][d] - start[i][d]) * count),
        };
        let numbers = model.bodies.len() + model.mesh_colliders.len();
        watch.part(numbers, |part| plates.place((model, bodies, time), start, way, part));
        self.covered = self.plates.covers && !self.is_tangled();
        if self.covered {
            self.watch.rest(planned);
        }
    }
}
