//! Motion and height of a step.

use glam::{DVec3, Vec3};

use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

use super::{free, held};

/// K = together + s²·inner and Σ m g·Δx = lowered[0] + s·lowered[1], where s is the part of the
/// way that is gone but for that of the centre of what nothing holds. Masses are with the
/// inertia of the medium. [J]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    /// K₀.
    pub before: f64,
    together: f64,
    inner: f64,
    lowered: [f64; 2],
    /// Σ ½m|v − v₀|²: what springs and weight change.
    pub jerk: f64,
    /// What f32 positions may add to K: Σ m|v|ε|x|/h.
    pub noise: f64,
    /// Mean velocity of what nothing holds. [m/s]
    mean: DVec3,
}

impl Account {
    /// Of `state` and the step that led there.
    pub fn new((free_v, change): (&Soa3, Vec3), state: &State, (model, h): (&Model, f64)) -> Self {
        let gravity = state.hands.gravity(model).as_dvec3();
        let mut out = Self::default();
        let (mut inertia, mut weight) = (0.0, 0.0);
        let mut momentum = DVec3::ZERO;
        let (mut motion, mut lowered) = (0.0, 0.0);
        for i in free(model) {
            let mass = f64::from(model.mass[i]);
            let heavy = mass + h * f64::from(model.damping[i]);
            let v = state.v.get(i).as_dvec3();
            let before = (free_v.get(i) + change).as_dvec3() - gravity * (h * mass / heavy);
            let far = f64::from(state.x.get(i).abs().max_element());
            out.before += 0.5 * heavy * before.length_squared();
            out.noise += heavy * v.length() * far * f64::from(f32::EPSILON) / h;
            out.jerk += 0.5 * heavy * (v - before).length_squared();
            motion += 0.5 * heavy * v.length_squared();
            lowered += h * mass * gravity.dot(v);
            momentum += v * heavy;
            inertia += heavy;
            weight += mass;
        }
        let loose = model.ties.is_empty() && held(model).next().is_none();
        out.mean = if loose && inertia > 0.0 { momentum / inertia } else { DVec3::ZERO };
        out.together = 0.5 * inertia * out.mean.length_squared();
        out.inner = (motion - out.together).max(0.0);
        let mean_lowered = h * weight * gravity.dot(out.mean);
        out.lowered = [mean_lowered, lowered - mean_lowered];
        out
    }

    /// By how much motion and height grow if `part` of the way is gone. [J]
    pub fn gain(&self, part: f64) -> f64 {
        self.together + part * part * self.inner
            - self.lowered[0]
            - part * self.lowered[1]
            - self.before
    }

    /// K₀ + K. [J]
    pub fn motion(&self) -> f64 {
        self.before + self.together + self.inner
    }

    /// What springs have to give for that; less than nothing if they get it. [J]
    pub fn paid(&self, part: f64) -> f64 {
        let gain = self.gain(part);
        if gain > 0.0 { (gain - self.noise).max(0.0) } else { gain }
    }

    /// What is left of a velocity if `part` of the way is gone. [m/s]
    pub fn velocity(&self, part: f64, v: Vec3) -> Vec3 {
        let v = v.as_dvec3();
        (self.mean + (v - self.mean) * part).as_vec3()
    }

    /// The largest part of the way, at most 1, for which gain(s) + s·slope ≤ `given`.
    pub fn part(&self, slope: f64, given: f64) -> f64 {
        let (a, b) = (self.inner, slope - self.lowered[1]);
        let c = self.together - self.lowered[0] - self.before - given;
        if a + b + c <= 0.0 {
            return 1.0;
        }
        if c >= 0.0 {
            return 0.0;
        }
        // The positive root, without cancellation.
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
        let part = if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / (2.0 * a) };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }
}
