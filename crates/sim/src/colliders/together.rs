//! Many points against colliders at once.
//!
//! Of the points of a cloth most are far from a collider or rest on it: both are told, and resting is
//! answered, for [`LANES`] points together. All others (those that arrive, bounce or touch two
//! colliders) are left to be gone through one by one.

use std::ops::Range;

use super::Collider;
use super::obstacle::{Flags, Obstacle, Sixteen};
use super::response::{ContactSettings, Particles};
use super::step::ColliderStep;
use crate::simd::{LANES, Lane};
use crate::soa::{Soa3Mut, Soa3Ref};

/// Colliders that some points are near to.
#[derive(Clone, Copy)]
pub(super) struct Together<'a> {
    pub colliders: &'a [Collider],
    pub steps: &'a [ColliderStep],
    pub settings: &'a ContactSettings,
    /// Which colliders.
    pub near: &'a [usize],
}

/// What became of some points.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    /// Those that are left, a bit each.
    pub left: u64,
    /// Contacts of the others.
    pub contacts: usize,
}

impl Together<'_> {
    /// Answers up to 64 points that touch one collider and rest on it.
    #[inline(always)]
    pub fn answer(&self, particles: &mut Particles<'_>, points: Range<usize>) -> Outcome {
        let mut all = Outcome::default();
        for first in points.clone().step_by(LANES) {
            let some = if first + LANES <= points.end {
                self.sixteen::<true>(particles, first..first + LANES)
            } else {
                self.sixteen::<false>(particles, first..points.end)
            };
            all.left |= some.left << (first - points.start);
            all.contacts += some.contacts;
        }
        all
    }

    /// `WHOLE`: there are sixteen of them.
    #[inline(always)]
    fn sixteen<const WHOLE: bool>(
        &self,
        particles: &mut Particles<'_>,
        range: Range<usize>,
    ) -> Outcome {
        let mut before = Sixteen {
            start: load::<WHOLE>(particles.x_start, &range),
            x: load::<WHOLE>(particles.x.slice(0..particles.x.len()), &range),
            v: [Lane::ZERO; 3],
        };
        let (mut held, mut hard, mut by) = (Flags::NONE, Flags::NONE, Flags::NONE);
        let (mut after, mut met) = (before, false);
        for (slot, obstacle) in self.obstacles() {
            let found = obstacle.sort(&before);
            if !found.near.any() {
                continue;
            }
            if !met {
                before.v = load::<WHOLE>(particles.v.slice(0..particles.v.len()), &range);
                (after, met) = (before, true);
            }
            for l in 0..LANES {
                hard.0[l] |= found.near.0[l] & (held.0[l] | (found.held.0[l] ^ 1));
                held.0[l] |= found.held.0[l];
                by.0[l] = if found.held.0[l] == 1 { slot } else { by.0[l] };
            }
            if found.held.any() {
                obstacle.answer(&before, &found.held, &mut after);
            }
        }
        if !met {
            return Outcome::default();
        }
        if self.near.len() > 1 {
            self.sort_again(&after, (&held, &by), &mut hard);
        }
        let free = free(&particles.inverse_mass[range.clone()]);
        let mut bits = Flags::NONE;
        for l in 0..LANES {
            held.0[l] &= (hard.0[l] ^ 1) & free.0[l];
            bits.0[l] = (hard.0[l] & free.0[l]) << l;
        }
        let (mut left, contacts) = (0, held.count() as usize);
        for l in 0..LANES {
            left |= bits.0[l];
        }
        if contacts > 0 {
            choose(&held, &before.x, &mut after.x);
            choose(&held, &before.v, &mut after.v);
            store::<WHOLE>(&after.x, &mut particles.x, &range);
            store::<WHOLE>(&after.v, &mut particles.v, &range);
        }
        Outcome { left: u64::from(left), contacts }
    }

    /// Held off one collider a point must still be free of the others.
    #[inline(always)]
    fn sort_again(&self, after: &Sixteen, (held, by): (&Flags, &Flags), hard: &mut Flags) {
        for (slot, obstacle) in self.obstacles() {
            let mut of_others = Flags::NONE;
            for l in 0..LANES {
                of_others.0[l] = held.0[l] & u32::from(by.0[l] != slot);
            }
            if of_others.any() {
                let found = obstacle.sort(after);
                for l in 0..LANES {
                    hard.0[l] |= of_others.0[l] & found.near.0[l];
                }
            }
        }
    }

    #[inline(always)]
    fn obstacles(&self) -> impl Iterator<Item = (u32, Obstacle<'_>)> {
        let Self { colliders, steps, settings, near } = *self;
        let of = move |&k: &usize| Obstacle::new(&colliders[k], &steps[k], settings);
        (0..).zip(near.iter().map(of))
    }
}

#[inline(always)]
fn load<const WHOLE: bool>(from: Soa3Ref<'_>, range: &Range<usize>) -> [Lane; 3] {
    if WHOLE {
        let first = range.start;
        return [Lane::full(from.x, first), Lane::full(from.y, first), Lane::full(from.z, first)];
    }
    let from = from.slice(range.clone());
    [Lane::load(from.x), Lane::load(from.y), Lane::load(from.z)]
}

#[inline(always)]
fn store<const WHOLE: bool>([x, y, z]: &[Lane; 3], to: &mut Soa3Mut<'_>, range: &Range<usize>) {
    if WHOLE {
        x.put(to.x, range.start);
        y.put(to.y, range.start);
        z.put(to.z, range.start);
    } else {
        x.store(&mut to.x[range.clone()]);
        y.store(&mut to.y[range.clone()]);
        z.store(&mut to.z[range.clone()]);
    }
}

/// Puts back what is not taken.
#[inline(always)]
fn choose(taken: &Flags, before: &[Lane; 3], after: &mut [Lane; 3]) {
    for (before, after) in before.iter().zip(after) {
        let (taken, before, mut new) = (*taken, *before, *after);
        for l in 0..LANES {
            new.0[l] = if taken.0[l] == 1 { new.0[l] } else { before.0[l] };
        }
        *after = new;
    }
}

#[inline(always)]
fn free(inverse_mass: &[f32]) -> Flags {
    let (weight, mut free) = (Lane::load(inverse_mass), Flags::NONE);
    for l in 0..LANES {
        free.0[l] = u32::from(weight.0[l] > 0.0);
    }
    free
}
