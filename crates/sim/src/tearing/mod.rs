//! Cloth that comes apart: torn where it is stretched too far, cut by hand.
//!
//! # Plan
//!
//! *What comes apart.* The triangles of the model as it was loaded, the `Whole`, never change:
//! only which particle each corner belongs to does. A tear opens sides of triangles (`open`):
//! around each vertex, triangles that still share a side that is not open are one fan, and every fan
//! gets a particle of its own. So each side has at most two triangles and each vertex one fan,
//! whatever was opened: no edge hangs, no two fans meet in a point.
//!
//! *One source of truth.* [`Torn`], the corners and what each new particle is a copy of, is part of
//! the state. Model = f(whole, torn) (`remake`): a checkpoint, a step back on the timeline or a
//! cut in a grid all lead to the same model, whatever the way there. Masses, air and springs are
//! shared out by area; bending across an open side is gone, and so is a spring whose way through the
//! triangles is. A grid that comes apart is a mesh from then on, with the same springs.
//!
//! *Numbers.* The fan with the largest area keeps the particle. A new one comes after all others of
//! its body; particles of later bodies move up (`Layout`).
//!
//! *What never does.* A solid: its skin is that of its tetrahedra, and cuts pass over it.
//!
//! *What holds on.* What is held stays held on every side of a tear, as in a clamp, and stretch
//! never tears a particle that is held. Seams, springs of pins, grabs and pushes stay with the
//! particle that keeps its number. All copies start where the one was and as fast: mass and momentum
//! are kept.
//!
//! *Lattices.* Their links break, and where a lattice no longer hangs together its cells part
//! (`fracture`). A body then is of several pieces, each with regions of its own, which touch.
//!
//! *Where nothing may pass* copies part by a hair's breadth, with proof that this lets nothing through
//! (`apart`); what cannot be parted so stays whole until it can (`refusals`).
//!
//! *When.* At the end of a frame (`stretch`), in the order of stretch, then of numbers, so that
//! threads do not matter; and where a cut is made (`cut`). The world then makes its solver anew.

mod apart;
mod bends;
mod cut;
mod fracture;
mod layout;
mod open;
mod refusals;
mod remake;
mod shares;
mod springs;
mod strands;
mod stretch;
mod torn;
mod whole;

use std::sync::Arc;

use crate::model::Model;
use crate::state::State;

pub use cut::Cut;
pub use torn::{Torn, pieces};

use apart::Apart;
use layout::Layout;
use open::open;
use refusals::Refusals;
use remake::remake;
use whole::Whole;

/// The model before anything came apart, and how it is numbered now.
#[derive(Debug, Default)]
pub(crate) struct Tearing {
    whole: Option<Box<Whole>>,
    layout: Layout,
    /// What `model` was made for.
    torn: Option<Arc<Torn>>,
}

impl Tearing {
    /// The model before anything came apart, if anything did.
    pub fn whole(&self) -> Option<&Model> {
        self.whole.as_ref().map(|whole| &whole.model)
    }

    /// For each of `count` present particles the one of the whole model that it was.
    pub fn origins(&self, count: usize) -> Vec<u32> {
        match (&self.whole, &self.torn) {
            (Some(whole), Some(torn)) => {
                let names = self.layout.names().iter();
                names.map(|&name| torn.origin(whole.count(), name)).collect()
            }
            _ => (0..count as u32).collect(),
        }
    }

    /// Makes `model` what it is at `state`. Whether that is another one.
    pub fn restore(&mut self, model: &mut Model, state: &mut State) -> bool {
        let same = match (&self.torn, &state.torn) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        };
        if same {
            return false;
        }
        let whole = Whole::kept(&mut self.whole, model);
        // What does not fit was made for another scene: nothing of it can be used.
        state.torn = state.torn.take().filter(|torn| torn.fits(&whole.model).is_ok());
        let torn = state.torn.clone().unwrap_or_else(|| Arc::new(Torn::none(&whole.model)));
        self.layout = Layout::new(&whole.model, &torn);
        remake(model, whole, &torn, &self.layout);
        self.torn.clone_from(&state.torn);
        true
    }

    /// Tears what is stretched beyond its limit. Whether anything was.
    pub fn tear(&mut self, model: &mut Model, state: &mut State) -> bool {
        if !stretch::any_beyond(model, &state.x) && !fracture::any_beyond(model, &state.x) {
            return false;
        }
        self.open(model, state, |now| (stretch::sides(now), fracture::stretched(now)))
    }

    /// Cuts. Whether anything came apart.
    pub fn cut(&mut self, model: &mut Model, state: &mut State, by: &Cut) -> bool {
        by.is_sound() && self.open(model, state, |now| (by.sides(now), by.links(now)))
    }

    /// Opens the sides of triangles between pairs of particles. Whether anything came apart.
    pub fn slit(&mut self, model: &mut Model, state: &mut State, pairs: &[[u32; 2]]) -> bool {
        self.open(model, state, |now| (now.sides_between(pairs), Vec::new()))
    }

    fn open(
        &mut self,
        model: &mut Model,
        state: &mut State,
        choose: impl FnOnce(&Now<'_>) -> (Vec<u32>, Vec<[u32; 2]>),
    ) -> bool {
        let whole = Whole::kept(&mut self.whole, model);
        let mut torn = match &self.torn {
            Some(torn) => Torn::clone(torn),
            None => Torn::none(&whole.model),
        };
        if self.torn.is_none() {
            self.layout = Layout::new(&whole.model, &torn);
        }
        let now = Now { model, x: &state.x, whole, torn: &torn, layout: &self.layout };
        let (mut sides, mut links) = choose(&now);
        sides.retain(|&side| !whole.is_solid(side));
        let kept = torn.clone();
        let mut refusals = Refusals::default();
        let (parents, after, ways) = loop {
            let mut parents = open(whole, &mut torn, &sides);
            parents.extend(fracture::part(whole, &mut torn, &links));
            if parents.is_empty() && links.is_empty() {
                return false;
            }
            let after = Layout::new(&whole.model, &torn);
            let apart = Apart {
                model,
                state,
                whole,
                torn: &torn,
                before: &self.layout,
                after: &after,
                parents: &parents,
            };
            let ways = apart.ways();
            if ways.refused.is_empty() {
                break (parents, after, ways);
            }
            torn.clone_from(&kept);
            refusals.take_back(&ways.refused, (whole, &kept), (&mut sides, &mut links));
        };
        layout::carry(state, &self.layout, &after, &parents);
        remake(model, whole, &torn, &after);
        ways.go(&mut state.x);
        self.layout = after;
        let torn = Arc::new(torn);
        state.torn = Some(torn.clone());
        self.torn = Some(torn);
        true
    }
}

/// A moment at which something may come apart.
pub(crate) struct Now<'a> {
    /// The present model.
    pub model: &'a Model,
    /// Positions by present number. [m]
    pub x: &'a crate::soa::Soa3,
    /// The model as it was loaded.
    pub whole: &'a Whole,
    /// What came apart before.
    pub torn: &'a Torn,
    /// Numbers by name.
    pub layout: &'a Layout,
}

impl Now<'_> {
    /// Position of a particle by its name. [m]
    pub fn at(&self, name: u32) -> glam::DVec3 {
        self.x.get(self.layout.number(name) as usize).as_dvec3()
    }

    /// Sides of triangles between pairs of particles by their present numbers.
    fn sides_between(&self, pairs: &[[u32; 2]]) -> Vec<u32> {
        let mut out = Vec::new();
        let known = |&number: &u32| (number as usize) < self.layout.count();
        for pair in pairs.iter().filter(|pair| pair.iter().all(known)) {
            let [a, b] = pair.map(|number| self.layout.name(number));
            for corner in self.whole.fan(self.torn, a) {
                let (t, c) = (corner / 3, corner % 3);
                let triangle = self.torn.triangles[t as usize];
                let sides = [(c, (c + 1) % 3), ((c + 2) % 3, (c + 2) % 3)];
                let found = sides.into_iter().filter(|&(_, far)| triangle[far as usize] == b);
                out.extend(found.map(|(side, _)| 3 * t + side));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
