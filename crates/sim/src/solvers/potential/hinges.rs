//! Hinges of G, seen from each of their corners.

use glam::DVec3;

use super::{Local, Which};
use crate::elastic::{ElasticHinge, HingeShape};
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;

/// E(θ) of [`ElasticHinge`] and D = (c/2h)(u₀·(x − x₀))², u = ∂θ/∂x.
#[derive(Debug)]
pub(super) struct Hinges {
    hinges: Vec<ElasticHinge>,
    incidence: Incidence,
    /// One a hinge; empty if none is damped.
    dashpots: Vec<Dashpot>,
}

/// D = ½(Σ q·x − r)², q = u₀√(c/h), r = Σ q·x₀.
#[derive(Clone, Copy, Debug, Default)]
struct Dashpot {
    q: [DVec3; 4],
    r: f64,
}

impl Hinges {
    pub fn new(particles: usize, hinges: Vec<ElasticHinge>) -> Self {
        let corners: Vec<[u32; 4]> = hinges.iter().map(|h| h.corners).collect();
        let damped = hinges.iter().any(|h| h.damping > 0.0);
        let dashpots = vec![Dashpot::default(); if damped { hinges.len() } else { 0 }];
        Self { incidence: Incidence::new(particles, &corners), hinges, dashpots }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.hinges.iter().map(|h| h.corners.as_slice())
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        if self.dashpots.is_empty() {
            return;
        }
        let items = (self.hinges.as_slice(), self.dashpots.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (hinges, out): (&[ElasticHinge], &mut [Dashpot])| {
            for (hinge, out) in hinges.iter().zip(out) {
                let at = hinge.corners.map(|c| x.get(c as usize).as_dvec3());
                let shape = HingeShape::new(at);
                let scale = (hinge.damping / h).sqrt();
                let q = shape.map_or([DVec3::ZERO; 4], |shape| shape.gradient.map(|u| u * scale));
                *out = Dashpot { q, r: turn(&q, &at) };
            }
        });
    }

    /// Hinge, corner and present corners of an entry of vertex `i`, which is at `at`.
    #[inline]
    fn corners(&self, entry: u32, at: DVec3, x: &[DVec3]) -> (usize, usize, [DVec3; 4]) {
        let (hinge, corner) = (entry as usize / 4, entry as usize % 4);
        let mut corners = self.hinges[hinge].corners.map(|c| x[c as usize]);
        corners[corner] = at;
        (hinge, corner, corners)
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        for &entry in self.incidence.of(i) {
            if which == Which::Owned && !entry.is_multiple_of(4) {
                continue;
            }
            let (index, _, corners) = self.corners(entry, at, x);
            let hinge = &self.hinges[index];
            sum +=
                HingeShape::new(corners).map_or_else(|| hinge.worst(), |s| hinge.energy(s.angle));
            if let Some(Dashpot { q, r }) = self.dashpots.get(index) {
                let s = turn(q, &corners) - r;
                sum += 0.5 * s * s;
            }
        }
        sum
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        for &entry in self.incidence.of(i) {
            let (index, corner, corners) = self.corners(entry, at, x);
            let hinge = &self.hinges[index];
            if let Some(shape) = HingeShape::new(corners) {
                let u = shape.gradient[corner];
                out.energy += hinge.energy(shape.angle);
                let slope = u * hinge.torque(shape.angle);
                out.add_outer(hinge.curvature(shape.angle), u, slope);
            } else {
                out.energy += hinge.worst();
            }
            if let Some(Dashpot { q, r }) = self.dashpots.get(index) {
                let s = turn(q, &corners) - r;
                out.energy += 0.5 * s * s;
                out.add_outer(1.0, q[corner], q[corner] * s);
            }
        }
    }
}

#[inline]
fn turn(q: &[DVec3; 4], x: &[DVec3; 4]) -> f64 {
    q[0].dot(x[0]) + q[1].dot(x[1]) + q[2].dot(x[2]) + q[3].dot(x[3])
}
