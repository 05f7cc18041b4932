//! Restitution.

use glam::Vec3;

use super::narrow::Watched;
use super::setup::{Bodies, Rub};
use super::swept::Point4;
use crate::soa::Soa3;

/// v_n⁺ = −e v_n⁻ along the plane's normal, both at the instant of the impact, for pairs that met faster
/// than they would by resting on each other; what friction took of the slide meanwhile is at most μ
/// times that. What is led keeps its velocity.
pub(super) struct Bounce<'a> {
    /// How they rub.
    pub bodies: &'a Bodies,
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Velocities of particles at the start of the step, then of what is led. [m/s]
    pub before: &'a Soa3,
    /// Where points were at its start. [m]
    pub start: &'a [Point4],
    /// Acceleration by weight. [m/s²]
    pub gravity: Vec3,
    /// Length of the step, and by how much velocities are older than its end. [s]
    pub h: f32,
    pub lag: f32,
    /// Impacts slower than this do not bounce. [m/s]
    pub resting_speed: f32,
}

/// What parts faster was not only pushed. [m/s]
const FASTEST: f32 = 0.3;

/// What a gap may be wrong by, of its points' coordinates.
const ROUNDING: f32 = 4.0 / 16_777_216.0;

/// What was pushed keeps no speed of parting: that is the speed at which a gap was opened, not one
/// that anything had. Without this, single points would twitch where cloth lies still.
///
/// Pushed back over several steps of a solver it keeps a part of the speed that it gained in them.
/// Where it goes on `meeting` so, that is stopped as well.
///
/// What rounding of places gives it in the mean has either sign, and is let be: if only what parts were
/// stopped, what slides in short steps would press too hard on what it slides on.
pub(super) struct Stop<'a> {
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Where points came to. [m]
    pub end: &'a [Point4],
    /// Steps in a second. [1/s]
    pub per_second: f32,
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
            let size =
                |k: usize| self.end[points[k]][..3].iter().fold(0.0f32, |s, x| s.max(x.abs()));
            let noise = ROUNDING * size(0).max(size(3)) * self.per_second;
            let parting: f32 =
                (0..4).map(|k| pair.weights[k] * normal.dot(velocity(points[k]))).sum();
            let shares = [0, 1, 2, 3].map(|k: usize| weights[points[k]] * pair.weights[k]);
            let mobility: f32 = (0..4).map(|k| shares[k] * pair.weights[k]).sum();
            let stops = parting > slowest && parting <= FASTEST && parting.abs() > noise;
            if stops && mobility > 0.0 {
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
        let particles = v.len();
        for pair in touched.iter().map(|&index| &pairs[index as usize]) {
            let points = pair.points.map(|v| v as usize);
            let Rub { friction, restitution } = self.bodies.rub(points[0], points[3]);
            if restitution == 0.0 {
                continue;
            }
            let Some(parting) = self.parting(pair, restitution) else { continue };
            let normal = Vec3::from(pair.normal);
            let velocity = |i: usize| if i < particles { v.get(i) } else { self.before.get(i) };
            let now: Vec3 = (0..4).map(|k| pair.weights[k] * velocity(points[k])).sum();
            let lack = parting - normal.dot(now);
            let shares = [0, 1, 2, 3].map(|k: usize| self.weights[points[k]] * pair.weights[k]);
            let mobility: f32 = (0..4).map(|k| shares[k] * pair.weights[k]).sum();
            if lack <= 0.0 || mobility <= 0.0 {
                continue;
            }
            let slide = now - normal * normal.dot(now);
            let slid = slide.length();
            let stop = if slid > 0.0 { (friction * lack / slid).min(1.0) } else { 0.0 };
            let push = (normal * lack - slide * stop) / mobility;
            for k in (0..4).filter(|&k| points[k] < particles) {
                v.add(points[k], push * shares[k]);
            }
        }
    }

    /// How fast a pair should part at the end of the step, if it met fast enough. The mean velocity of a
    /// step is the velocity at its middle; weight takes it from there to the instant of the impact, and
    /// then on. [m/s]
    fn parting(&self, pair: &Watched, restitution: f32) -> Option<f32> {
        let points = pair.points.map(|v| v as usize);
        let normal = Vec3::from(pair.normal);
        let (mut met, mut pull) = (0.0, 0.0);
        for (k, &i) in points.iter().enumerate() {
            met += pair.weights[k] * normal.dot(self.before.get(i));
            if self.weights[i] > 0.0 {
                pull += pair.weights[k] * normal.dot(self.gravity);
            }
        }
        let mean = met + pull * (0.5 * self.h + self.lag);
        let way = pair.gap(&pair.points, self.start) - pair.kept();
        // What was not pushed gets there later.
        if !(mean < 0.0) || (way >= -mean * self.h && !pair.pushed) {
            return None;
        }
        let fraction = (way / (-mean * self.h)).clamp(0.0, 1.0);
        let impact = mean + pull * self.h * (fraction - 0.5);
        let parting = met + pull * self.h - (1.0 + restitution) * impact;
        (impact < -self.resting_speed).then_some(parting)
    }
}
