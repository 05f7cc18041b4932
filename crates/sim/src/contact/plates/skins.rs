//! Bodies that plates may keep apart.

use std::ops::Range;

use glam::Vec3;

use super::extent::{around, farthest};
use crate::aabb::Aabb;
use crate::elements::GasLaw;
use crate::model::Model;
use crate::soa::Soa3;

/// A skin full of gas, convex at rest, with nothing else in it.
#[derive(Clone, Debug)]
pub(super) struct Skin {
    /// The body, by number.
    pub body: u32,
    pub particles: Range<usize>,
    /// The gas, by number.
    gas: usize,
    /// Half the distance it keeps, and how far its points may be off their paths. [m]
    pub half: f32,
    pub tube: f32,
    /// Where it may be until everything is looked at again.
    pub around: Aabb,
    /// Where it goes in a step, about, and how far any of its points goes from there. [m]
    pub way: Vec3,
    pub spread: f32,
    /// p − p₀ when the frame began. [Pa]
    pub overpressure: f64,
}

/// What a corner may stand above the plane of a triangle beside it, as a part of their size. \[1\]
const FLAT: f32 = 1e-3;

impl Skin {
    /// All of a model.
    pub fn all(model: &Model, halves: &[f32], tubes: &[f32]) -> Vec<Self> {
        let gases = model.gases.gases().iter().enumerate();
        gases.filter_map(|(gas, _)| Self::of(model, gas, (halves, tubes))).collect()
    }

    fn of(model: &Model, gas: usize, (halves, tubes): (&[f32], &[f32])) -> Option<Self> {
        let held = &model.gases.gases()[gas];
        let body = model.bodies.get(held.body)?;
        let particles = body.particles.clone();
        let is_skin = held.law == GasLaw::Ideal && body.closed && body.triangles.len() > 3;
        let all_press = model.gases.particles(gas).count() == particles.len();
        let has_rest = body.rest.len() == particles.len();
        if !(is_skin
            && all_press
            && has_rest
            && is_convex(&held.surface, particles.start, &body.rest))
        {
            return None;
        }
        let least = |of: &[f32]| particles.clone().map(|i| of[i]).fold(f32::INFINITY, f32::min);
        let (half, tube) = (least(halves), particles.clone().map(|i| tubes[i]).fold(0.0, f32::max));
        Some(Self {
            body: held.body as u32,
            gas,
            half,
            tube,
            around: Aabb::EMPTY,
            way: Vec3::ZERO,
            spread: f32::INFINITY,
            overpressure: 0.0,
            particles,
        })
    }

    /// Finds out how hard it presses at a time. [s]
    pub fn weigh(&mut self, model: &Model, at: &Soa3, time: f64) {
        let gas = &model.gases.gases()[self.gas];
        self.overpressure =
            gas.at(time).overpressure(gas.volume(|v| at.get(v as usize).as_dvec3()));
    }

    /// Finds out where its points may be until everything is looked at again: some of them tell where
    /// they are going, and if any comes to be elsewhere that is noticed.
    pub fn surround(&mut self, at: &Soa3, way: impl Fn(usize) -> [f32; 3]) {
        let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
        for i in self.particles.clone().step_by(FEW) {
            let way = Vec3::from(way(i));
            (low, high) = (low.min(way), high.max(way));
        }
        let own = around(at.slice(self.particles.clone()));
        let beyond = Vec3::splat(self.half + self.tube);
        self.around = Aabb { min: own.min + low - beyond, max: own.max + high + beyond };
    }

    /// Finds out how far its points go from `start` to `end`.
    pub fn note_ways(&mut self, start: &Soa3, end: &Soa3) {
        let own = || self.particles.clone();
        let middle = |x: &Soa3| own().step_by(FEW).map(|i| x.get(i)).sum::<Vec3>();
        let count = own().step_by(FEW).count().max(1);
        self.way = (middle(end) - middle(start)) / count as f32;
        self.spread = farthest(start.slice(own()), end.slice(own()), self.way.to_array());
    }

    /// Whether all of it is where it may be.
    pub fn is_inside(&self, at: &Soa3) -> bool {
        self.around.contains(&around(at.slice(self.particles.clone())))
    }
}

/// Every so many points are asked where they go.
const FEW: usize = 8;

/// Whether a closed surface bulges outwards at each of its edges.
fn is_convex(surface: &[[u32; 3]], first: usize, rest: &[Vec3]) -> bool {
    let place = |v: u32| rest[v as usize - first];
    // Each edge with the corner that is not on it, by its ends.
    let mut sides: Vec<([u32; 2], usize, u32)> = Vec::with_capacity(3 * surface.len());
    for (index, &[a, b, c]) in surface.iter().enumerate() {
        for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
            sides.push(([p.min(q), p.max(q)], index, r));
        }
    }
    sides.sort_unstable();
    sides.chunk_by(|a, b| a.0 == b.0).all(|both| {
        let [(_, triangle, _), (_, _, corner)] = both else { return false };
        let [a, b, c] = surface[*triangle].map(place);
        let normal = (b - a).cross(c - a);
        let size = (b - a).length().max((c - a).length());
        normal.dot(place(*corner) - a) <= FLAT * size * normal.length()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colliders::forms;

    #[test]
    fn balls_and_boxes_are_convex_and_rings_are_not() {
        let ball = forms::ico_sphere(0.1, 2);
        assert!(is_convex(&ball.triangles, 0, &ball.points));
        let ring = forms::torus(0.3, 0.1, [16, 8]);
        assert!(!is_convex(&ring.triangles, 0, &ring.points));
        let mut dented = ball.clone();
        dented.points[0] *= 0.5;
        assert!(!is_convex(&dented.triangles, 0, &dented.points));
    }
}
