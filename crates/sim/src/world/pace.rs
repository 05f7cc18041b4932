//! Steps of contact, which may be several of the solver.

use super::World;
use crate::solvers::Together;

/// How many steps of the solver one step of contact takes in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// At most.
    most: u32,
    /// Steps left in the frame.
    frame: u32,
    /// Steps left until contact has its say, and steps it will have been then.
    pub left: u32,
    whole: u32,
}

impl World {
    pub(super) fn begin_frame(&mut self, substeps: u32, duration: f64) {
        self.pace = Pace::default();
        if let Some(contacts) = &mut self.contacts {
            let most = self.solver.steps_per_contact(substeps, duration).max(1);
            self.pace = Pace { most, frame: substeps, ..Pace::default() };
            contacts.look_late(self.solver.leaves_contact_to_the_end() && self.fibres.is_none());
            contacts.hold_lengths(self.solver.holds_lengths());
            contacts.lag = self.solver.velocities_lag();
            contacts.begin_frame();
        }
    }

    /// Lets contact look ahead if a step of its own begins.
    pub(super) fn begin_contact(&mut self) {
        let Some(contacts) = &mut self.contacts else { return };
        if self.pace.left == 0 {
            let left = self.pace.frame.max(1);
            let steps = self.pace.most.min(left).max(1);
            let together = contacts.takes_steps_together(&self.model, &mut self.state);
            let steps = if together { steps } else { 1 };
            (self.pace.left, self.pace.whole) = (steps, steps);
            contacts.begin_step(&self.model, &mut self.state, &self.conditions, (steps, left));
        }
    }

    /// The step that begins and those after it, of `left` in which nobody intervenes from outside, up
    /// to the one at whose end contact has its say.
    pub(super) fn together(&self, left: u32) -> Together {
        let own = self.fibres.is_none() && self.model.point_forces.is_empty();
        let (most, touching) = match &self.contacts {
            Some(contacts) => (self.pace.left, contacts.tally().touching),
            None => (left, 0),
        };
        if own { Together { steps: left.min(most), touching } } else { Together::ALONE }
    }

    /// Leaves a step of `h` out if contact has spent the frame's budget: the time of everything stands
    /// still, while steps are counted on, so that frames and impulses come when they are due.
    pub(super) fn waits(&mut self, h: f64) -> bool {
        let Some(contacts) = &mut self.contacts else { return false };
        let waits = self.pace.left == 0 && contacts.budget_is_spent();
        if waits {
            contacts.wait(h);
            self.pace.frame = self.pace.frame.saturating_sub(1);
            self.punch(h);
            self.state.step += 1;
        }
        waits
    }

    /// Lets contact have its say if its step ends.
    pub(super) fn secure(&mut self, h: f64) {
        let Some(contacts) = &mut self.contacts else { return };
        self.pace.left -= 1;
        self.pace.frame = self.pace.frame.saturating_sub(1);
        if self.pace.left == 0 {
            let outside = (&self.model, &self.conditions);
            contacts.secure(outside, &mut self.state, h * f64::from(self.pace.whole));
        } else {
            contacts.go_on(&mut self.state);
        }
    }
}
