//! What pushes and draws single particles, on Gauss points.

use glam::DVec3;

use super::Helix;
use crate::solvers::fibres::{Drawn, RodStep};

/// What pushes and draws the Gauss points of a strand.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    /// [N]
    pub push: Vec<DVec3>,
    /// What takes part of a velocity away. [kg/s]
    pub resists: Vec<f64>,
    /// Whether there is any of that.
    pub acts: bool,
}

impl Outside {
    pub fn new(samples: usize) -> Self {
        Self { push: vec![DVec3::ZERO; samples], resists: vec![0.0; samples], acts: false }
    }
}

impl Helix {
    /// Gives what acts on nodes to the two Gauss points beside each, so that forces and moments are the
    /// same; beyond the last one goes on as a line does. What resists goes to the nearest, as it must
    /// not be less than nothing.
    pub(super) fn share_out(&mut self, rods: &RodStep<'_>) {
        let RodStep { push, drawn, .. } = *rods;
        let Self { outside, left, fibre, edge, places, .. } = self;
        if std::mem::take(&mut outside.acts) {
            outside.push.fill(DVec3::ZERO);
            outside.resists.fill(0.0);
        }
        let last = left.samples.saturating_sub(1);
        for (node, &(sample, part)) in places.iter().enumerate().take(left.nodes).skip(1) {
            let particle = self.first + 1 + node;
            let mut force = push.get(particle).as_dvec3();
            let mut rate = 0.0;
            if let Some(Drawn { carried, rates }) = drawn {
                force += carried.get(particle).as_dvec3();
                rate = f64::from(rates[particle]);
            }
            if force == DVec3::ZERO && rate == 0.0 {
                continue;
            }
            outside.acts = true;
            let whole = if particle + 1 == self.first + self.count { 0.5 } else { 1.0 };
            let mass = whole * f64::from(fibre.density) * *edge;
            let (sample, part) = match sample as usize {
                sample if sample < last => (sample, part),
                // What is cut has its last Gauss point sooner.
                _ => (last.saturating_sub(1), if last > 0 { 1.0 } else { 0.0 }),
            };
            outside.push[sample] += force * (mass * (1.0 - part));
            if last > 0 {
                outside.push[sample + 1] += force * (mass * part);
            }
            outside.resists[if part < 0.5 { sample } else { sample + 1 }] += mass * rate;
        }
    }
}
