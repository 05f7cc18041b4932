//! Motion and height of a step.

use glam::{DVec3, Vec3};

use crate::model::Model;
use crate::simd::three::larger;
use crate::simd::{Kernel, dispatch};
use crate::soa::Soa3;
use crate::state::State;

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
    /// `weights` are inverse masses, 0 of what is held or not asked about.
    pub fn new(
        (free_v, change): (&Soa3, Vec3),
        (state, weights): (&State, &[f32]),
        (model, h): (&Model, f64),
    ) -> Self {
        let gravity = state.hands.gravity(model).as_dvec3();
        let mut sums = [0.0; SUMS];
        dispatch(Sums { model, weights, state, free_v, change, gravity, h, sums: &mut sums });
        // Without an early end: so many are compared at once.
        let held = weights.iter().fold(false, |held, &w| held | !(w > 0.0));
        Self::of_sums(sums, model.ties.is_empty() && !held, (gravity, h))
    }

    /// From K₀, noise, jerk, K, Σ m g·Δx, inertia, mass and momentum; `loose`: nothing is held.
    pub fn of_sums(sums: [f64; SUMS], loose: bool, (gravity, h): (DVec3, f64)) -> Self {
        let [before, noise, jerk, motion, lowered, inertia, weight, px, py, pz] = sums;
        let mut out = Self { before, noise, jerk, ..Self::default() };
        let momentum = DVec3::new(px, py, pz);
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

/// K₀, noise, jerk, K, Σ m g·Δx, inertia, mass and momentum.
pub(super) const SUMS: usize = 10;

/// Where momentum begins.
const MOMENTUM: usize = 7;

/// Sums of doubles that are kept side by side.
const WIDE: usize = 8;

/// Sums over all particles that move.
struct Sums<'a> {
    model: &'a Model,
    weights: &'a [f32],
    state: &'a State,
    free_v: &'a Soa3,
    change: Vec3,
    gravity: DVec3,
    h: f64,
    sums: &'a mut [f64; SUMS],
}

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let count = self.model.particle_count();
        let whole = count - count % WIDE;
        let mut wide = [[0.0; WIDE]; SUMS];
        for first in (0..whole).step_by(WIDE) {
            wide = self.add::<true>(first, wide);
        }
        if whole < count {
            wide = self.add::<false>(whole, wide);
        }
        for (sum, wide) in self.sums.iter_mut().zip(&wide) {
            *sum = wide.iter().sum();
        }
    }
}

impl Sums<'_> {
    /// Those of eight particles; not `WHOLE`: of fewer, the last ones.
    #[inline(always)]
    fn add<const WHOLE: bool>(
        &self,
        first: usize,
        sums: [[f64; WIDE]; SUMS],
    ) -> [[f64; WIDE]; SUMS] {
        let Self { model, state: State { x, v, .. }, free_v: u, h, .. } = *self;
        let (c, g) = (self.change.to_array(), self.gravity.to_array());
        let weight = eight::<WHOLE>(self.weights, first);
        let mass = eight::<WHOLE>(&model.mass, first);
        let damping = eight::<WHOLE>(&model.damping, first);
        let (x, v, u) =
            (three::<WHOLE>(x, first), three::<WHOLE>(v, first), three::<WHOLE>(u, first));
        let rounding = f64::from(f32::EPSILON) / h;
        let mut sums = sums;
        for l in 0..WIDE {
            // What is held has no mass here.
            let free = if weight[l] > 0.0 { 1.0 } else { 0.0 };
            let mass = free * f64::from(mass[l]);
            let heavy = mass + h * free * f64::from(damping[l]);
            let fall = if heavy > 0.0 { h * mass / heavy } else { 0.0 };
            let far = larger(larger(x[0][l].abs(), x[1][l].abs()), x[2][l].abs());
            let (mut size, mut size_before, mut jerk, mut lowered) = (0.0, 0.0, 0.0, 0.0);
            for d in 0..3 {
                let v = f64::from(v[d][l]);
                let before = f64::from(u[d][l] + c[d]) - g[d] * fall;
                size += v * v;
                size_before += before * before;
                jerk += (v - before) * (v - before);
                lowered += g[d] * v;
                sums[MOMENTUM + d][l] += v * heavy;
            }
            sums[0][l] += 0.5 * heavy * size_before;
            sums[1][l] += heavy * size.sqrt() * f64::from(far) * rounding;
            sums[2][l] += 0.5 * heavy * jerk;
            sums[3][l] += 0.5 * heavy * size;
            sums[4][l] += h * mass * lowered;
            sums[5][l] += heavy;
            sums[6][l] += mass;
        }
        sums
    }
}

#[inline(always)]
fn three<const WHOLE: bool>(of: &Soa3, first: usize) -> [[f32; WIDE]; 3] {
    [eight::<WHOLE>(&of.x, first), eight::<WHOLE>(&of.y, first), eight::<WHOLE>(&of.z, first)]
}

/// Eight numbers from `first` on; nothing beyond the end.
#[inline(always)]
fn eight<const WHOLE: bool>(from: &[f32], first: usize) -> [f32; WIDE] {
    let mut some = [0.0; WIDE];
    if WHOLE {
        some.copy_from_slice(&from[first..first + WIDE]);
    } else {
        let from = &from[first..];
        some[..from.len()].copy_from_slice(from);
    }
    some
}
