//! What a strand has of energy, and that a step adds none.

use glam::{DVec3, Vec3};

use super::{Helix, Scene};
use crate::soa::Soa3;
use crate::solvers::fibres::RodStep;
#[cfg(test)]
use crate::solvers::fibres::RootStep;

/// Going up by less than what a speed of this part of the length a step is worth is the tolerance of
/// Newton's method.
const NOISE: f64 = 2e-7;

/// Motion, and bending and height. [J]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Energy {
    motion: f64,
    place: f64,
}

/// When in a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moment {
    Start,
    End,
}

impl Helix {
    /// Motion, bending and height. [J]
    pub(super) fn energy(&self, gravity: DVec3, moment: Moment) -> Energy {
        let points = match moment {
            Moment::Start => &self.samples.start,
            Moment::End => &self.samples.x,
        };
        let density = f64::from(self.fibre.density);
        let mut energy = Energy::default();
        let gauss = self.layout.gauss.len();
        for (i, x) in points[..self.left.samples].iter().enumerate() {
            let mass = density * self.layout.gauss[i % gauss].1 * self.left.of_sample(i);
            energy.motion += 0.5 * mass * self.samples.v[i].length_squared();
            energy.place -= mass * gravity.dot(*x - self.samples.start[i]);
        }
        for k in 0..self.left.pieces {
            let apart = self.curve.darboux[k] - self.natural.darboux[k];
            energy.place += 0.5 * self.newton.parts[k] * (apart * apart).dot(self.stiffness());
        }
        energy
    }

    /// Motion, bending and height of a strand with these numbers. [J]
    #[cfg(test)]
    pub fn energy_of(&self, numbers: &[f64], root: &RootStep, gravity: Vec3) -> f64 {
        let mut other = self.clone();
        other.read(numbers);
        other.samples.start.fill(DVec3::ZERO);
        other.curve.follow(&other.layout, other.root(root, 1.0));
        other.samples.x.copy_from_slice(&other.curve.samples);
        let energy = other.energy(gravity.as_dvec3(), Moment::End);
        energy.motion + energy.place
    }

    /// A strand that nothing drives gains no energy: what a step of finite length would add is
    /// taken from its motion. Whether all of that was not enough.
    pub(super) fn gains_energy(&mut self, scene: &Scene<'_>, before: Energy) -> bool {
        let RodStep { air, .. } = *scene.rods;
        let particles = self.first..self.first + self.count;
        let still = |of: &Soa3| particles.clone().all(|i| of.get(i) == Vec3::ZERO);
        if scene.root.start != scene.root.end || self.outside.acts || !still(air) {
            return false;
        }
        let now = self.energy(scene.rods.gravity.as_dvec3(), Moment::End);
        let left = before.motion + before.place - now.place;
        let may = left.max(0.0);
        if now.motion > may {
            let part = (may / now.motion).sqrt();
            let all = self.samples.v.iter_mut().chain(&mut self.nodes.v).chain(&mut self.rate);
            all.for_each(|v| *v *= part);
        }
        let noise = NOISE * self.length() / scene.h();
        left < -f64::from(self.fibre.density) * self.length() * noise * noise
    }
}
