//! How long a step may be.
//!
//! A mode of the linearised system obeys ẍ = −ω²x − γẋ. One step of a method maps
//! (x, v) to A(h)(x, v); the step is stable while no eigenvalue of A is larger than 1.

use glam::{DMat2, DVec2};

use crate::model::Model;
use crate::soa::Soa3;

use super::SolverKind;
use super::spectrum::Linearised;

/// The stiffest and the most damped mode of a model at a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// Largest angular frequency of M⁻¹K. [rad/s]
    pub omega: f64,
    /// Damping rate γ of that mode. [1/s]
    pub gamma: f64,
    /// Largest damping rate of any mode. [1/s]
    pub gamma_max: f64,
}

/// What a solver says about the step of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepAdvice {
    /// Longest stable step; zero where no step is stable, infinite without springs. [s]
    pub limit: f64,
    /// What damping alone allows. [s]
    pub damped_limit: f64,
    /// The modes it follows from.
    pub spectrum: Spectrum,
}

impl StepAdvice {
    /// Whether there is a step that does not gain energy. Explicit Euler and the
    /// kinematic method have none for undamped springs.
    pub fn has_stable_step(&self) -> bool {
        // A method that has a limit has it within a few times 1/ω or 1/γ.
        let Spectrum { omega, gamma_max, .. } = self.spectrum;
        omega == 0.0 || self.limit * omega.max(gamma_max) > 1e-3
    }

    /// Steps that `duration` must be cut into, with a margin for shapes in which
    /// springs line up and act together more stiffly than at rest.
    pub fn substeps_for(&self, duration: f64) -> f64 {
        let safe = if self.has_stable_step() {
            MARGIN * self.limit
        } else {
            // No step is stable: one that gains a percent a second on the stiffest mode.
            let slow = 0.02 / (self.spectrum.omega * self.spectrum.omega);
            slow.min(MARGIN * self.damped_limit)
        };
        (duration / safe).ceil().max(1.0)
    }
}

/// Part of the stable step that is used when the choice is ours.
const MARGIN: f64 = 0.6;

/// The longest stable step of `kind` for the springs of `model` near `x`.
/// Infinite for methods that are stable at any step.
pub fn stable_step(kind: SolverKind, model: &Model, x: &Soa3) -> StepAdvice {
    if !kind.is_explicit() {
        let (limit, spectrum) = (f64::INFINITY, Spectrum::default());
        return StepAdvice { limit, damped_limit: limit, spectrum };
    }
    let spectrum = Spectrum::of(model, x);
    let stiff = limit(kind, spectrum.omega, spectrum.gamma);
    let damped = limit(kind, 0.0, spectrum.gamma_max);
    StepAdvice { limit: stiff.min(damped), damped_limit: damped, spectrum }
}

impl Spectrum {
    /// Largest eigenvalues of M⁻¹K and M⁻¹C at `x`, springs taken along their present direction.
    pub fn of(model: &Model, x: &Soa3) -> Self {
        Linearised::new(model, x).spectrum()
    }
}

/// Longest h for which one step of `kind` does not amplify the mode (ω, γ).
fn limit(kind: SolverKind, omega: f64, gamma: f64) -> f64 {
    let scale = omega.max(gamma);
    if scale == 0.0 {
        return f64::INFINITY;
    }
    let stable = |h: f64| spectral_radius(amplification(kind, omega, gamma, h)) <= 1.0 + 1e-9;
    // Walk up in small steps of hω, then close in on the first unstable one.
    let mut low = 0.0;
    let mut high = None;
    for i in 1..=400 {
        let h = f64::from(i) * 0.01 / scale;
        if !stable(h) {
            high = Some(h);
            break;
        }
        low = h;
    }
    let Some(mut high) = high else {
        return low;
    };
    for _ in 0..50 {
        let mid = 0.5 * (low + high);
        if stable(mid) { low = mid } else { high = mid }
    }
    low
}

/// A(h) of ẋ = v, v̇ = −ω²x − γv.
fn amplification(kind: SolverKind, omega: f64, gamma: f64, h: f64) -> DMat2 {
    let k = omega * omega;
    // Columns: what becomes of x, what becomes of v.
    let map = |f: &dyn Fn(f64, f64) -> (f64, f64)| {
        let (a, c) = f(1.0, 0.0);
        let (b, d) = f(0.0, 1.0);
        DMat2::from_cols(DVec2::new(a, c), DVec2::new(b, d))
    };
    let rate = move |x: f64, v: f64| -k * x - gamma * v;
    match kind {
        SolverKind::ExplicitEuler => map(&|x, v| (x + h * v, v + h * rate(x, v))),
        SolverKind::SemiImplicitEuler | SolverKind::VelocityVerlet => {
            map(&|x, v| leap(x, v, h, 1.0, rate(x, v)))
        }
        SolverKind::Verlet { loss } => {
            map(&|x, v| leap(x, v, h, 1.0 - f64::from(loss), rate(x, v)))
        }
        SolverKind::Kinematic => {
            map(&|x, v| (x + h * v + 0.5 * h * h * rate(x, v), v + h * rate(x, v)))
        }
        SolverKind::Rk4 => {
            let a = h * DMat2::from_cols(DVec2::new(0.0, -k), DVec2::new(1.0, -gamma));
            let (a2, one) = (a * a, DMat2::IDENTITY);
            one + a + a2 * 0.5 + a2 * a * (1.0 / 6.0) + a2 * a2 * (1.0 / 24.0)
        }
        _ => DMat2::ZERO,
    }
}

fn leap(x: f64, v: f64, h: f64, kept: f64, a: f64) -> (f64, f64) {
    let v = kept * v + h * a;
    (x + h * v, v)
}

/// Largest |eigenvalue| of a 2×2 matrix.
fn spectral_radius(m: DMat2) -> f64 {
    let half_trace = 0.5 * (m.x_axis.x + m.y_axis.y);
    let determinant = m.determinant();
    let discriminant = half_trace * half_trace - determinant;
    if discriminant >= 0.0 {
        half_trace.abs() + discriminant.sqrt()
    } else {
        determinant.max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_textbook_ones() {
        let omega = 37.0;
        let close = |kind, gamma, expected: f64| {
            let h = limit(kind, omega, gamma);
            assert!((h - expected).abs() < 1e-6 * expected.max(1e-3), "{kind:?}: {h} {expected}");
        };
        close(SolverKind::Verlet { loss: 0.0 }, 0.0, 2.0 / omega);
        close(SolverKind::SemiImplicitEuler, 0.0, 2.0 / omega);
        close(SolverKind::Rk4, 0.0, 8f64.sqrt() / omega);
        // |1 + hλ| ≤ 1 with λ = −γ/2 ± iω_d gives h = γ/ω².
        close(SolverKind::ExplicitEuler, 3.0, 3.0 / (omega * omega));
        close(SolverKind::Kinematic, 3.0, 6.0 / (omega * omega));
        assert!(limit(SolverKind::ExplicitEuler, omega, 0.0) < 1e-5);
        // h²ω² + 2hγ = 4 for Verlet with lagged damping.
        let gamma = 11.0;
        let expected = (-gamma + (gamma * gamma + 4.0 * omega * omega).sqrt()) / (omega * omega);
        close(SolverKind::Verlet { loss: 0.0 }, gamma, expected);
    }
}
