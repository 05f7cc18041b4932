//! Restitution.

use glam::Vec3;

use super::narrow::Watched;
use super::setup::Bodies;
use crate::soa::Soa3;

/// v_n⁺ = −e v_n⁻ along the plane's normal, for pairs that met faster than they would by resting on
/// each other. What is led keeps its velocity.
pub(super) struct Bounce<'a> {
    /// How they rub.
    pub bodies: &'a Bodies,
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Velocities of particles at the start of the step, then of what is led. [m/s]
    pub before: &'a Soa3,
    /// Impacts slower than this do not bounce. [m/s]
    pub resting_speed: f32,
}

/// What parts faster was not only pushed. [m/s]
const FASTEST: f32 = 0.3;

/// What was pushed keeps no speed of parting: that is the speed at which a gap was opened, not one
/// that anything had. Without this, single points would twitch where cloth lies still.
///
/// Pushed back over several steps of a solver it keeps a part of the speed that it gained in them.
/// Where it goes on `meeting` so, that is stopped as well.
pub(super) struct Stop<'a> {
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Whether meeting is stopped.
    pub meeting: bool,
}

impl Stop<'_> {
    /// Stops pairs in the velocities `v` of all particles. Points beyond them have the velocities
    /// `led`. [m/s]
    pub fn apply(
        &self,
        (pairs, touched): (&[Watched], &[u32]),
        led: impl Fn(usize) -> Vec3,
        v: &mut Soa3,
    ) {
        let (particles, weights) = (v.len(), self.weights);
        let slowest = if self.meeting { f32::NEG_INFINITY } else { 0.0 };
        let touched = touched.iter().map(|&index| &pairs[index as usize]);
        for pair in touched.filter(|pair| pair.pushed) {
            let points = pair.points.map(|v| v as usize);
            let velocity = |i: usize| if i < particles { v.get(i) } else { led(i - particles) };
            let normal = Vec3::from(pair.normal);
            let parting: f32 =
                (0..4).map(|k| pair.weights[k] * normal.dot(velocity(points[k]))).sum();
            let shares = [0, 1, 2, 3].map(|k: usize| weights[points[k]] * pair.weights[k]);
            let mobility: f32 = (0..4).map(|k| shares[k] * pair.weights[k]).sum();
            if parting > slowest && parting <= FASTEST && mobility > 0.0 {
                for k in (0..4).filter(|&k| points[k] < particles) {
                    v.add(points[k], normal * (-shares[k] * parting / mobility));
                }
            }
        }
    }
}

impl Bounce<'_> {
    /// Answers the impacts of one kind of pairs in the velocities `v` of all particles.
    pub fn apply(&self, (pairs, touched): (&[Watched], &[u32]), v: &mut Soa3) {
        for pair in touched.iter().map(|&index| &pairs[index as usize]) {
            let points = pair.points.map(|v| v as usize);
            let restitution = self.bodies.rub(points[0], points[3]).restitution;
            if restitution == 0.0 {
                continue;
            }
            let normal = Vec3::from(pair.normal);
            let along = |of: &dyn Fn(usize) -> Vec3| -> f32 {
                (0..4).map(|k| pair.weights[k] * normal.dot(of(points[k]))).sum()
            };
            let met = along(&|i| self.before.get(i));
            if met > -self.resting_speed {
                continue;
            }
            let now = along(&|i| if i < v.len() { v.get(i) } else { self.before.get(i) });
            let lack = -restitution * met - now;
            let shares = [0, 1, 2, 3].map(|k: usize| self.weights[points[k]] * pair.weights[k]);
            let mobility: f32 = (0..4).map(|k| shares[k] * pair.weights[k]).sum();
            if lack <= 0.0 || mobility <= 0.0 {
                continue;
            }
            let particles = v.len();
            for k in (0..4).filter(|&k| points[k] < particles) {
                v.add(points[k], normal * (shares[k] * lack / mobility));
            }
        }
    }
}
