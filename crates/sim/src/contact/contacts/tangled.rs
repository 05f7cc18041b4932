//! What contact does about a tangle.

use super::Contacts;
use crate::contact::rules::Rules;
use crate::contact::tangle::{Joined, Tangle, Untangle, points_of};
use crate::model::Model;
use crate::state::State;

impl Contacts {
    /// What passes through what.
    pub fn tangle(&self, model: &Model) -> Tangle {
        let untangle = self.untangle.as_ref();
        untangle.map(|untangle| Tangle::from(model, untangle)).unwrap_or_default()
    }

    /// Triangles that pass through others, by points.
    pub fn tangled_triangles(&self) -> Vec<[u32; 3]> {
        self.untangle.as_ref().map(|untangle| untangle.triangles()).unwrap_or_default()
    }

    /// The next step begins with a state that this knows nothing of. What it says of a tangle is
    /// believed until then.
    pub fn doubt(&mut self, model: &Model, state: &mut State) {
        if state.tangle_limit > 0 {
            self.look_for_tangle(model, state);
        } else if let Some(untangle) = &mut self.untangle {
            untangle.forget();
        }
        (self.unsure, self.expired) = (true, true);
    }

    pub(super) fn is_tangled(&self) -> bool {
        self.untangle.as_ref().is_some_and(|untangle| !untangle.piercings().is_empty())
    }

    /// Looks for a tangle at the very start.
    pub(super) fn find_tangle(&mut self, joined: Joined, state: &State) {
        let untangle = Untangle::find(joined, &points_of(state));
        if !untangle.piercings().is_empty() {
            self.untangle = Some(Box::new(untangle));
        }
    }

    /// Looks at everything where there is, was or may be a tangle.
    pub fn look_for_tangle(&mut self, model: &Model, state: &mut State) {
        self.unsure = false;
        match &mut self.untangle {
            Some(untangle) => untangle.find_again(&points_of(state)),
            None => {
                // What planes keep apart now they may not have kept apart before.
                let rules = Rules { parted: Vec::new(), ..self.watch.rules().clone() };
                self.find_tangle(Joined::new(model, rules), state);
            }
        }
        self.limit_tangle(state);
    }

    /// Notes how many edges may pass through triangles from now on: contours grow before they
    /// vanish, by half as a rule and where they leave the rim of a face by more.
    pub fn limit_tangle(&self, state: &mut State) {
        let found = self.untangle.as_ref().map_or(0, |untangle| untangle.piercings().len() as u32);
        if found == 0 {
            state.tangle_limit = 0;
        } else {
            let most = found + found + 8;
            let limit = if state.tangle_limit == 0 { most } else { state.tangle_limit.min(most) };
            state.tangle_limit = limit.max(found);
        }
    }

    /// Decides how what is tangled comes apart, and what may pass in the meantime.
    pub(super) fn plan_untangling(&mut self) {
        if let Some(untangle) = self.untangle.as_mut().filter(|u| !u.piercings().is_empty()) {
            untangle.plan(&self.start);
            self.watch.passing.clone_from(&untangle.marks);
        } else {
            self.watch.passing.clear();
        }
    }

    pub(super) fn pull_apart(&mut self, h: f32) {
        if let Some(untangle) = self.untangle.as_mut().filter(|u| !u.piercings().is_empty()) {
            untangle.pull(&self.start, &mut self.end, &self.weights, h);
        }
    }

    /// If a tangle would grow over its limit, what it is made of stays where it is.
    pub(super) fn keep_tangle_small(&mut self, state: &mut State) {
        if !self.is_tangled() {
            return;
        }
        if self.count_tangle() > state.tangle_limit {
            self.expired = true;
            if let Some(untangle) = &self.untangle {
                for &v in untangle.marked() {
                    self.end[v as usize] = self.start[v as usize];
                }
            }
            self.prove(false);
            if self.count_tangle() > state.tangle_limit {
                self.stand_still();
                self.count_tangle();
            }
        }
        self.limit_tangle(state);
        self.expired |= !self.is_tangled();
    }

    /// What was pushed out of a jam must not make a tangle grow either.
    pub(super) fn keep_tangle_from_easing(&mut self, state: &mut State) {
        if self.is_tangled() {
            if self.count_tangle() > state.tangle_limit {
                self.end.copy_from_slice(&self.start);
                self.count_tangle();
            }
            self.limit_tangle(state);
            self.expired |= !self.is_tangled();
        }
    }

    fn count_tangle(&mut self) -> u32 {
        let (untangle, end) = (&mut self.untangle, &self.end);
        untangle.as_mut().map_or(0, |untangle| untangle.count(end) as u32)
    }
}
