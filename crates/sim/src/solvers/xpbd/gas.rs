//! Gas as one constraint on each volume.

use std::ops::Range;

use glam::DVec3;

use super::constraint::Step;
use crate::elements::{Gas, GasBatch, GasLaw};
use crate::model::Model;

/// λ = h²(p − p₀) at the volume that it leads to: with W = Σ w|∂V/∂x|² and
/// p(V + WΔλ) ≈ p − E″WΔλ follows Δλ = (h²(p − p₀) − λ)/(1 + h²E″W), x ← x + w ∂V/∂x Δλ.
#[derive(Debug)]
pub(in crate::solvers) struct GasPass {
    batch: GasBatch,
    multipliers: Vec<f64>,
    slopes: Vec<DVec3>,
}

impl GasPass {
    /// The gas of the bodies of `model` that `is_own` names by their particles.
    pub fn new(model: &Model, is_own: impl Fn(&Range<usize>) -> bool) -> Self {
        let is_own = |gas: &Gas| is_own(&model.bodies[gas.body].particles);
        let mut gases = model.gases.gases().to_vec();
        gases.retain(|gas| gas.law == GasLaw::Ideal && is_own(gas));
        let batch = GasBatch::new(model.particle_count(), gases);
        let particles = if batch.is_empty() { 0 } else { model.particle_count() };
        Self {
            multipliers: vec![0.0; batch.gases().len()],
            slopes: vec![DVec3::ZERO; particles],
            batch,
        }
    }

    /// Forgets the multipliers: a step begins.
    pub fn begin(&mut self) {
        self.multipliers.fill(0.0);
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
