//! Pairs held apart, pass after pass.

use super::{Contacts, put, take};
use crate::contact::settle::Settling;
use crate::contact::watch::Watch;
use crate::soa::Soa3;

/// Gaps that are too small grow no faster than this. [m/s]
pub(super) const GROWTH: f32 = 0.3;

/// Times that all pairs are gone through.
const PASSES: usize = 2;

/// Times that pairs which push are gone through once more: each has others for neighbours.
const REPEATS: usize = 8;

/// Pushes of one pass beyond which fewer repeats have to do.
const PUSHES: usize = 40_000;

impl Contacts {
    /// Holds pairs apart at `y`, where the step of `h` would take particles of these weights. [1/kg]
    pub fn settle(&mut self, y: &mut Soa3, weights: &[f32], h: f32) {
        self.aim(y, weights);
        if self.pass(h, [0; 2]) > 0 {
            take(y, &self.end);
        }
    }

    /// Takes note of where the step would end.
    pub(super) fn aim(&mut self, x: &Soa3, weights: &[f32]) {
        let (particles, obstacles) = self.end.split_at_mut(self.particles);
        put(x, particles);
        put(&self.led, obstacles);
        self.weights[..self.particles].copy_from_slice(weights);
    }

    /// One pass over all pairs but the first ones of either kind.
    pub(super) fn pass(&mut self, h: f32, from: [usize; 2]) -> usize {
        let settling = Settling {
            start: &self.start,
            weights: &self.weights,
            growth: GROWTH * h,
            bodies: &self.bodies,
        };
        self.tight.begin(&self.end);
        let Watch { pairs, near, .. } = &mut self.watch;
        for kind in 0..2 {
            let found = (&mut self.parts, &mut self.close[kind]);
            settling.find_close((&pairs[kind], &near[kind]), from[kind], &self.end, found);
        }
        let [vertices, edges] = pairs;
        let [pushed, pushed_edges] = &mut self.pushed;
        let mut count = 0;
        for _ in 0..PASSES {
            pushed.clear();
            pushed_edges.clear();
            settling.pass::<1>((vertices, &self.close[0]), &mut self.end, pushed);
            settling.pass::<2>((edges, &self.close[1]), &mut self.end, pushed_edges);
            let repeats = PUSHES / (pushed.len() + pushed_edges.len()).max(1);
            for _ in 0..repeats.clamp(2, REPEATS) {
                let any = settling.pass_over::<1>(vertices, pushed, &mut self.end);
                if !settling.pass_over::<2>(edges, pushed_edges, &mut self.end) && !any {
                    break;
                }
            }
            count = count.max(pushed.len() + pushed_edges.len());
            if count == 0 {
                break;
            }
            self.tight.note(vertices, pushed);
            self.tight.note(edges, pushed_edges);
            self.tight.draw(&self.weights, &mut self.end);
        }
        self.tally.pushes += count as u64;
        count
    }
}
