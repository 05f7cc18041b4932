//! Gas of a stage: one term of the Hessian that joins all particles of a surface.

use glam::DVec3;

use crate::elements::{GasBatch, GasLaw, GasNow};
use crate::model::Model;

/// E(V) with ∂E = −(p − p₀)∂V; of its Hessian the part E″∂V∂Vᵀ counts, which has no negative
/// eigenvalue.
#[derive(Debug, Default)]
pub(super) struct Gases {
    batch: GasBatch,
    now: Vec<GasNow>,
    /// E″ of each gas where it was last differentiated. [Pa/m³]
    stiffness: Vec<f64>,
    /// p − p₀ there. [Pa]
    pressure: Vec<f64>,
    /// ∂V/∂x of each particle there; empty if there is no gas. [m²]
    slopes: Vec<DVec3>,
}

impl Gases {
    pub fn new(model: &Model) -> Self {
        let batch = if model.gases.has_ideal() { model.gases.clone() } else { GasBatch::default() };
        let count = batch.gases().len();
        let particles = if count > 0 { model.particle_count() } else { 0 };
        Self {
            now: batch.gases().iter().map(|gas| gas.at(0.0)).collect(),
            stiffness: vec![0.0; count],
            pressure: vec![0.0; count],
            slopes: vec![DVec3::ZERO; particles],
            batch,
        }
    }

    /// Takes it as it is at `time`. [s]
    pub fn look(&mut self, time: f64) {
        for (now, gas) in self.now.iter_mut().zip(self.batch.gases()) {
            *now = gas.at(time);
        }
    }

    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let ideal = self.batch.obeying(GasLaw::Ideal);
        ideal.map(|(k, gas)| self.now[k].energy(gas.volume(|v| x[v as usize]))).sum()
    }

    pub fn differentiate(&mut self, x: &[DVec3]) {
        for (k, gas) in self.batch.obeying(GasLaw::Ideal) {
            let volume = gas.volume(|v| x[v as usize]);
            self.stiffness[k] = self.now[k].stiffness(volume);
            self.pressure[k] = self.now[k].overpressure(volume);
            for i in self.batch.particles(k) {
                self.slopes[i] = self.batch.slope(i, |v| x[v]);
            }
        }
    }

    pub fn add_gradient(&self, out: &mut [DVec3]) {
        for (k, _) in self.batch.obeying(GasLaw::Ideal) {
            self.batch.particles(k).for_each(|i| out[i] -= self.slopes[i] * self.pressure[k]);
        }
    }

    /// Adds E″∂V(∂V·p) to `out`, but for particles that are `fixed`.
    pub fn add_product(&self, fixed: &[bool], p: &[DVec3], out: &mut [DVec3]) {
        for (k, _) in self.batch.obeying(GasLaw::Ideal) {
            let free = || self.batch.particles(k).filter(|&i| !fixed[i]);
            let along: f64 = free().map(|i| self.slopes[i].dot(p[i])).sum();
            free().for_each(|i| out[i] += self.slopes[i] * (self.stiffness[k] * along));
        }
    }
}
