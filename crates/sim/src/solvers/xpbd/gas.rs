//! Gas as one constraint on each volume.

use std::ops::Range;

use glam::DVec3;

use super::constraint::Step;
use crate::elements::{Gas, GasBatch, GasLaw, Tie, TieEnd};
use crate::model::Model;
use crate::solvers::sym3::Sym3;

/// What is turned by more in a step has no axis to turn about. [rad]
pub(super) const LARGEST_TURN: f64 = 0.1;

/// λ = h²(p − p₀) at the volume that it leads to: with W = Σ w|∂V/∂x|² and
/// p(V + WΔλ) ≈ p − E″WΔλ follows Δλ = (h²(p − p₀) − λ)/(1 + h²E″W), x ← x + w ∂V/∂x Δλ.
#[derive(Debug)]
pub(in crate::solvers) struct GasPass {
    batch: GasBatch,
    multipliers: Vec<f64>,
    slopes: Vec<DVec3>,
    /// Particles of bodies with gas that nothing is tied to.
    loose: Vec<Range<usize>>,
    /// Where a step would take particles without any constraint. [m]
    aims: Vec<DVec3>,
}

impl GasPass {
    /// The gas of the bodies of `model` that `is_own` names by their particles.
    pub fn new(model: &Model, is_own: impl Fn(&Range<usize>) -> bool) -> Self {
        let is_own = |gas: &Gas| is_own(&model.bodies[gas.body].particles);
        let mut gases = model.gases.gases().to_vec();
        gases.retain(|gas| gas.law == GasLaw::Ideal && is_own(gas));
        let batch = GasBatch::new(model.particle_count(), gases);
        let particles = if batch.is_empty() { 0 } else { model.particle_count() };
        let tied = |i: usize| {
            let to = |tie: &Tie| match tie.end {
                TieEnd::Particle(other) => [tie.particle, other],
                TieEnd::Anchor(_) => [tie.particle; 2],
            };
            model.ties.iter().any(|tie| to(tie).contains(&(i as u32)))
        };
        let bodies = batch.obeying(GasLaw::Ideal).map(|(_, gas)| &model.bodies[gas.body]);
        let own = bodies.map(|body| body.particles.clone());
        let loose = own.filter(|own| model.ties.is_empty() || !own.clone().any(tied)).collect();
        Self {
            multipliers: vec![0.0; batch.gases().len()],
            slopes: vec![DVec3::ZERO; particles],
            aims: vec![DVec3::ZERO; particles],
            loose,
            batch,
        }
    }

    /// Forgets the multipliers: a step begins, with particles where nothing but inertia takes them.
    pub fn begin(&mut self, step: &Step) {
        self.multipliers.fill(0.0);
        for own in &self.loose {
            self.aims[own.clone()].copy_from_slice(&step.x[own.clone()]);
        }
    }

    /// Turns each body that nothing holds back by what constraints have turned it. Each of them
    /// keeps Σ m x × Δx where it finds particles; one after the other they do not, and a taut skin
    /// would begin to spin. θ = I⁻¹ Σ m r × Δx, x ← x − θ × r.
    pub fn keep_from_turning(&self, step: &mut Step) {
        for own in &self.loose {
            if own.clone().any(|i| !(step.weight[i] > 0.0)) {
                continue;
            }
            let mass = |i: usize| 1.0 / step.weight[i];
            let whole: f64 = own.clone().map(mass).sum();
            let centre = own.clone().map(|i| step.x[i] * mass(i)).sum::<DVec3>() / whole;
            let (mut inertia, mut turn) = (Sym3::default(), DVec3::ZERO);
            for i in own.clone() {
                let (m, r) = (mass(i), step.x[i] - centre);
                inertia.add_scalar(m * r.length_squared());
                inertia.add_outer(-m, r);
                turn += r.cross(step.x[i] - self.aims[i]) * m;
            }
            let angle = inertia.solve(turn);
            if !angle.is_finite() || angle.length() > LARGEST_TURN {
                continue;
            }
            for i in own.clone() {
                let r = step.x[i] - centre;
                step.x[i] -= angle.cross(r);
            }
        }
    }

    /// Solves every gas once, as it is at `time`. Returns the largest way of a particle squared. [m²]
    pub fn sweep(&mut self, step: &mut Step, time: f64) -> f64 {
        let mut longest = 0.0f64;
        for (k, gas) in self.batch.obeying(GasLaw::Ideal) {
            let multiplier = &mut self.multipliers[k];
            let now = gas.at(time);
            let volume = gas.volume(|v| step.x[v as usize]);
            self.batch.particles(k).for_each(|i| self.slopes[i] = DVec3::ZERO);
            for &[a, b, c] in &gas.surface {
                let [x, y, z] = [a, b, c].map(|v| step.x[v as usize]);
                let third = (y - x).cross(z - x) / 6.0;
                [a, b, c].iter().for_each(|&v| self.slopes[v as usize] += third);
            }
            let own = || self.batch.particles(k);
            let weight: f64 = own().map(|i| step.weight[i] * self.slopes[i].length_squared()).sum();
            let square = step.h * step.h;
            let change = (square * now.overpressure(volume) - *multiplier)
                / (1.0 + square * now.stiffness(volume) * weight);
            if !change.is_finite() {
                continue;
            }
            *multiplier += change;
            for i in own() {
                let way = self.slopes[i] * (step.weight[i] * change);
                step.x[i] += way;
                longest = longest.max(way.length_squared());
            }
        }
        longest
    }
}
