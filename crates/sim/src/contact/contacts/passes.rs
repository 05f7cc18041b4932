//! Pairs held apart, pass after pass.

use glam::Vec3;

use super::{Contacts, put, take};
use crate::contact::groups::FEW;
use crate::contact::narrow::Watched;
use crate::contact::settle::{CLOSE, Settling};
use crate::contact::watch::Watch;
use crate::soa::Soa3;

/// Times that all pairs are gone through.
const PASSES: usize = 2;

/// Times that pairs which push are gone through once more: each has others for neighbours.
const REPEATS: usize = 8;

impl Contacts {
    /// Holds pairs apart at `y`, where the step of `h` would take particles of these weights
    /// [1/kg], as well as one pass does: another comes at the end of the step.
    pub fn settle(&mut self, y: &mut Soa3, weights: &[f32], h: f32) {
        self.aim(y, weights);
        self.find_close([0; 2]);
        self.close_known = true;
        let count = self.push(h, FEW);
        self.tally.pushes += count as u64;
        if count > 0 {
            take(y, &self.end);
        }
    }

    /// The same for strands that are advanced on their own, once the solver is through with all else:
    /// only pairs that have a part of such a strand are held apart, so that nothing that the solver has
    /// settled is disturbed. `x` is where all particles would end the step of `h`, `v` how fast
    /// they would be then.
    ///
    /// Strands get new places alone: whoever advances them knows what speed comes of that. What
    /// they push of other bodies gets its speed here, by v += Δx/h. It may be called any number of times in
    /// a step, between projections of lengths for example, and before [`Contacts::secure`],
    /// which looks for all pairs about to touch anew. Returns how many pairs were pushed.
    pub fn settle_strands(
        &mut self,
        (x, v): (&mut Soa3, &mut Soa3),
        weights: &[f32],
        h: f32,
    ) -> usize {
        self.aim(x, weights);
        self.find_close([0; 2]);
        let on_their_own = &self.on_their_own;
        let own = |pair: &Watched| pair.points.iter().any(|&p| on_their_own[p as usize]);
        self.groups.retain(&self.watch.pairs, own);
        // The pairs of all else are missing from these.
        self.close_known = false;
        let count = self.push(h, FEW);
        self.tally.pushes += count as u64;
        if count > 0 {
            for i in (0..self.particles).filter(|&i| weights[i] > 0.0) {
                let to = Vec3::from_slice(&self.end[i][..3]);
                let from = x.get(i);
                if to != from && !self.on_their_own[i] {
                    v.add(i, (to - from) / h);
                }
                x.set(i, to);
            }
        }
        count
    }

    /// Takes note of where the step would end.
    pub(super) fn aim(&mut self, x: &Soa3, weights: &[f32]) {
        let (particles, obstacles) = self.end.split_at_mut(self.particles);
        put(x, particles);
        put(&self.led, obstacles);
        self.weights[..self.particles].copy_from_slice(weights);
    }

    /// Finds pairs that are about to touch, but for the first ones of either kind.
    fn find_close(&mut self, from: [usize; 2]) {
        let Watch { pairs, near, behind, .. } = &mut self.watch;
        let near = [0, 1].map(|kind: usize| {
            let (near, from) = (&near[kind], from[kind]);
            &near[near.partition_point(|&index| (index as usize) < from)..]
        });
        self.groups.find((pairs, near), CLOSE, &self.end, behind);
    }

    /// Holds all pairs apart but the first ones of either kind.
    pub(super) fn pass(&mut self, h: f32, from: [usize; 2]) -> usize {
        if !std::mem::take(&mut self.close_known) || from != [0; 2] {
            self.find_close(from);
        }
        self.tight.begin(&self.end);
        let mut most = 0;
        for _ in 0..PASSES {
            let count = self.push(h, REPEATS);
            most = most.max(count);
            for kind in 0..2 {
                self.groups.tell_pushed(kind, |points| self.tight.note(points));
            }
            self.tight.draw(&self.weights, &self.start, &mut self.end);
            if count > 0 {
                let all = self.particles;
                let (weights, before) = (&self.weights[..all], &self.tight.before()[..all]);
                self.ground.hold_off(weights, before, &mut self.end[..all]);
            }
            if count == 0 {
                break;
            }
        }
        self.tally.pushes += most as u64;
        most
    }

    /// Pushes pairs that touch or are about to, and those that it pushed a few times more. Returns their number.
    fn push(&mut self, h: f32, repeats: usize) -> usize {
        let resting_speed = self.resting_speed(h);
        let Self { watch, groups, plates, start, end, weights, bodies, .. } = self;
        let pressed = plates.press(weights, h, end);
        if pressed > 0 {
            groups.moved();
        }
        let settling = Settling { start, weights, h, bodies, resting_speed };
        let Watch { pairs, touched, .. } = watch;
        pressed + groups.push(&settling, repeats, end, (pairs, touched))
    }
}
