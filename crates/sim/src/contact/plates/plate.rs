//! One plate.

use std::ops::Range;

use glam::{DMat3, DVec2, DVec3, Vec3};

use super::balance::{balance, level};
use super::extent::{Extent, Plane, find_below, sure_gap};
use super::frame::{Frame, origin};
use super::hulls::normal_between;
use super::pool::Pool;
use super::rub::drag;
use super::sample::Sample;
use super::skins::Skin;
use crate::contact::settle::wanted_gap;
use crate::soa::Soa3;

/// What bodies are pressed apart with.
pub(super) struct Pressing<'a> {
    /// Where points started the step. [m]
    pub start: &'a Soa3,
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Length of the step. [s]
    pub h: f32,
}

/// A plate between two bodies: the first lies above it, the second below.
#[derive(Debug, Default)]
pub(super) struct Plate {
    /// By number among skins, and among bodies.
    pub skins: [u32; 2],
    pub bodies: [u32; 2],
    /// The distance that is kept. [m]
    pub thickness: f32,
    friction: f32,
    /// Unit normals from below to above: of a plane that parts both where the step starts, and of
    /// the plate as it was pressed last.
    pub normal: Vec3,
    pub turned: Vec3,
    /// The normal of a plane that is known to part both where the step ends.
    pub next: Vec3,
    /// Whether the plane is any that parts both, and not one across which they are farthest apart.
    pub is_rough: bool,
    /// How far apart both are at least where the step starts. [m]
    pub gap_before: f32,
    /// Whether nothing of both can have met in the step.
    pub proved: bool,
    /// Points and their ways out, of the last press [m], or changes of their velocities. [m/s]
    pub moves: Vec<(u32, [f32; 3])>,
    /// What friction took from the ways of points in this step. [m]
    pub rubbed: Vec<(u32, Vec3)>,
    /// Σ m lack of one side, all that both were pressed apart by in this step. [kg m]
    given: f64,
    /// What friction has to change velocities by beside what it did, as a part of that. \[1\]
    pub missing: f32,
    /// Points that were pressed in this step, rising, each once and with its side.
    pub pressed: Vec<(u32, f32)>,
    found: Vec<u32>,
    pool: Pool,
    samples: Vec<Sample>,
}

/// Times that a plate is turned in a press.
const TURNS: usize = 2;

/// Of the thickness: what is farther apart does not touch, and the plane between may lie as it likes.
const APART: f32 = 2.0;

/// Slope below which it need not be. \[1\]
const STRAIGHT: f64 = 1e-3;

/// Slope by which it is turned at once, at most. \[1\]
const STEEPEST: f64 = 0.3;

/// What may be lacking of the thickness before bodies are pressed once more.
const ENOUGH: f32 = 0.05;

/// What friction makes up for at most, as a part of what it did. \[1\]
const MOST: f64 = 3.0;

/// What a sum of a few lengths may be wrong by. \[1\]
const ROUNDING: f32 = 1e-5;

/// What parts faster was not only pressed. [m/s]
const FASTEST: f64 = 0.3;

/// What cannot be moved weighs so many times more than what can.
const HEAVY: f64 = 1e3;

/// Of what velocities resist being turned by, what a plate has of its own.
const OWN: f64 = 1e-3;

impl Plate {
    /// Stands between two other bodies from now on.
    pub fn stand_between(&mut self, pair: [u32; 2], skins: &[Skin], friction: f32) {
        let [above, below] = pair.map(|k| &skins[k as usize]);
        (self.skins, self.bodies) = (pair, [above.body, below.body]);
        (self.thickness, self.friction) = (above.half + below.half, friction);
        self.moves.clear();
        self.rubbed.clear();
        self.pressed.clear();
    }

    pub fn points(&self, skins: &[Skin]) -> [Range<usize>; 2] {
        self.skins.map(|k| skins[k as usize].particles.clone())
    }

    /// Finds the plane that parts both as well as any does.
    pub fn part(&mut self, skins: &[Skin], at: &Soa3) {
        let [above, below] = self.skins.map(|k| &skins[k as usize]);
        let first = above.around.center() - below.around.center();
        let sides = self.points(skins).map(|own| at.slice(own));
        self.gap_before = f32::NEG_INFINITY;
        if let Some(normal) = normal_between(&[sides], first, APART * self.thickness) {
            self.next = normal;
            self.begin(skins, at);
            self.is_rough = self.gap_before > self.thickness;
        }
    }

    /// Finds the plane across which both are farthest apart where the step starts.
    fn refine(&mut self, skins: &[Skin], start: &Soa3) {
        self.is_rough = false;
        let sides = self.points(skins).map(|own| start.slice(own));
        if let Some(normal) = normal_between(&[sides], self.normal, f32::INFINITY) {
            let gap = self.gap(normal, skins, start);
            if gap > self.gap_before {
                (self.normal, self.turned, self.gap_before) = (normal, normal, gap);
            }
        }
    }

    /// A step begins where points are `at`.
    pub fn begin(&mut self, skins: &[Skin], at: &Soa3) {
        self.pressed.clear();
        self.rubbed.clear();
        self.given = 0.0;
        self.normal = self.next;
        self.turned = self.normal;
        self.gap_before = self.gap(self.normal, skins, at);
    }

    /// How far both reach along a normal, from a point of the first.
    pub fn reach(&self, normal: Vec3, skins: &[Skin], at: &Soa3) -> [Extent; 2] {
        let points = self.points(skins);
        let from = origin(&points, at);
        let plane = Plane { normal: normal.to_array(), from };
        points.map(|own| Extent::of(at.slice(own), plane))
    }

    /// By how much the one is certain to lie above the other. [m]
    pub fn gap(&self, normal: Vec3, skins: &[Skin], at: &Soa3) -> f32 {
        let [above, below] = self.reach(normal, skins, at);
        sure_gap(above, below)
    }

    /// How far apart both are at least where the step would end, by how their points go: along the
    /// normal of the plane that parts them where it starts. [m]
    pub fn least_gap(&self, skins: &[Skin]) -> f32 {
        let [above, below] = self.skins.map(|k| &skins[k as usize]);
        let nearer = self.normal.dot(below.way - above.way) + above.spread + below.spread;
        let sizes = above.way.length() + below.way.length() + above.spread + below.spread;
        self.gap_before - nearer - ROUNDING * sizes
    }

    /// Presses both apart from where they are at `end`.
    pub fn press(&mut self, skins: &[Skin], pressing: &Pressing<'_>, end: &Soa3) {
        self.moves.clear();
        let points = self.points(skins);
        if self.least_gap(skins) > self.thickness {
            return;
        }
        if self.is_rough {
            self.refine(skins, pressing.start);
        }
        let wanted = wanted_gap(self.thickness, self.gap_before, pressing.h);
        let half = 0.5 * f64::from(wanted);
        let [above, below] = self.reach(self.turned, skins, end);
        let overlap = wanted - (above.least - below.most);
        // What others have pressed in meanwhile may lack a little.
        let enough = if self.pressed.is_empty() { 0.0 } else { ENOUGH * self.thickness };
        if !(overlap > enough) {
            return;
        }
        let mut frame = Frame::new(self.turned, origin(&points, end));
        frame.height = f64::midpoint(f64::from(above.least), f64::from(below.most));
        self.take_up((&points, pressing.weights), &frame, overlap.max(wanted), end);
        for _ in 0..TURNS {
            self.see(&frame, end);
            let plate = balance(&self.pool, half);
            let slope = DVec2::new(plate.y, plate.z);
            if slope.length() < STRAIGHT {
                break;
            }
            frame = frame.turned(slope.clamp_length_max(STEEPEST), plate.x);
        }
        self.see(&frame, end);
        self.turned = frame.normal;
        self.move_out(&frame, half, (pressing, end));
    }

    /// Takes up points that the plate may meet: those less than `deep` above its plane, on their side.
    fn take_up(
        &mut self,
        (points, weights): (&[Range<usize>; 2], &[f32]),
        frame: &Frame,
        deep: f32,
        x: &Soa3,
    ) {
        let Self { pool, found, .. } = self;
        pool.clear();
        for (own, side) in points.iter().zip([1.0f32, -1.0]) {
            let normal = (frame.normal * side).to_array();
            found.clear();
            let below = side * frame.height as f32 + deep;
            find_below(x.slice(own.clone()), Plane { normal, from: frame.from }, below, found);
            for v in found.iter().map(|&k| own.start + k as usize) {
                let mass = if weights[v] > 0.0 { 1.0 / f64::from(weights[v]) } else { 0.0 };
                pool.push(v as u32, mass, f64::from(side));
            }
        }
        let heaviest = pool.mass.iter().copied().fold(0.0, f64::max);
        let heavy = if heaviest > 0.0 { HEAVY * heaviest } else { 1.0 };
        pool.mass.iter_mut().filter(|mass| **mass == 0.0).for_each(|mass| *mass = heavy);
        pool.pad();
    }

    /// Sees the points that were taken up from a frame; they lie about its middle.
    fn see(&mut self, frame: &Frame, x: &Soa3) {
        let Pool { points, height, along: [xi, eta], .. } = &mut self.pool;
        let mut middle = DVec2::ZERO;
        for (k, &point) in points.iter().enumerate() {
            let at = frame.of(x.get(point as usize));
            (xi[k], eta[k], height[k]) = (at.x, at.y, at.z - frame.height);
            middle += at.truncate();
        }
        middle /= points.len().max(1) as f64;
        xi[..points.len()].iter_mut().for_each(|xi| *xi -= middle.x);
        eta[..points.len()].iter_mut().for_each(|eta| *eta -= middle.y);
    }

    /// Moves what is in the plate out of it, and rubs it.
    fn move_out(&mut self, frame: &Frame, half: f64, (by, end): (&Pressing<'_>, &Soa3)) {
        let plate = DVec3::new(level(&self.pool, half), 0.0, 0.0);
        let Self { pool, samples, pressed, moves, rubbed, given, .. } = self;
        samples.clear();
        for (k, &point) in pool.points.iter().enumerate() {
            let lack = pool.lack(k, plate, half);
            if lack > 0.0 {
                let v = point as usize;
                samples.push(Sample {
                    point,
                    mass: pool.mass[k],
                    along: DVec2::new(pool.along[0][k], pool.along[1][k]),
                    side: pool.side[k],
                    lack,
                    way: (frame.of(end.get(v)) - frame.of(by.start.get(v))).truncate(),
                    stop: DVec2::ZERO,
                });
            }
        }
        drag(samples, f64::from(self.friction));
        *given += samples.iter().map(|s| s.mass * s.lack).sum::<f64>() / 2.0;
        let known = pressed.len();
        for s in samples.iter() {
            if pressed[..known].binary_search_by_key(&s.point, |&(point, _)| point).is_err() {
                pressed.push((s.point, s.side as f32));
            }
            if by.weights[s.point as usize] > 0.0 {
                let way = frame.back(s.stop.extend(s.side * s.lack));
                moves.push((s.point, way.as_vec3().to_array()));
                if s.stop != DVec2::ZERO {
                    rubbed.push((s.point, frame.back(s.stop.extend(0.0)).as_vec3()));
                }
            }
        }
        if known > 0 && pressed.len() > known {
            pressed.sort_unstable_by_key(|&(point, _)| point);
        }
    }

    /// Finds out what lets that which was pressed, at `x` after a step of `h`, go on as the plate does: each
    /// side gives it what it takes from the other. Friction has changed velocities by a part μ of what they
    /// were pressed apart by; what else turns the motion round is rubbed as well.
    pub fn stop(&mut self, (weights, h): (&[f32], f32), x: &Soa3, v: &Soa3) {
        self.moves.clear();
        self.missing = 0.0;
        let Some(&(first, _)) = self.pressed.first() else { return };
        let frame = Frame::new(self.turned, x.get(first as usize).to_array());
        let normal = frame.normal;
        let weight = |point: u32| weights[point as usize];
        let least = self.pressed.iter().map(|&(point, _)| weight(point)).filter(|&w| w > 0.0);
        let least = f64::from(least.fold(f32::INFINITY, f32::min)) / HEAVY;
        let of = |point: u32, v: &Soa3| {
            let at = frame.of(x.get(point as usize));
            let speed = f64::from(normal.dot(v.get(point as usize)));
            let weight = f64::from(weight(point));
            (1.0 / weight.max(least), DVec3::new(1.0, at.x, at.y), speed)
        };
        let fit = |is_in: &dyn Fn(f32, DVec3, f64) -> bool| {
            let (mut rows, mut sum) = (DMat3::ZERO, DVec3::ZERO);
            for &(point, side) in &self.pressed {
                let (mass, basis, speed) = of(point, v);
                if is_in(side, basis, speed) {
                    let weighted = basis * mass;
                    rows.x_axis += weighted * basis.x;
                    rows.y_axis += weighted * basis.y;
                    rows.z_axis += weighted * basis.z;
                    sum += weighted * speed;
                }
            }
            let own = OWN * (rows.y_axis.y + rows.z_axis.z);
            rows.y_axis.y += own;
            rows.z_axis.z += own;
            rows.inverse() * sum
        };
        // What parts fast from where all go together does so by itself.
        let together = fit(&|_, _, _| true);
        let stays = |side: f32, basis: DVec3, speed: f64| {
            f64::from(side) * (speed - together.dot(basis)) <= FASTEST
        };
        let plate = fit(&stays);
        if !(together.is_finite() && plate.is_finite()) {
            return;
        }
        let mut turned = 0.0;
        for &(point, side) in &self.pressed {
            let (mass, basis, speed) = of(point, v);
            if stays(side, basis, speed) {
                let change = plate.dot(basis) - speed;
                turned += mass * f64::from(side) * change / 2.0;
                if weight(point) > 0.0 {
                    self.moves.push((point, (normal * change as f32).to_array()));
                }
            }
        }
        if self.given > 0.0 {
            self.missing = (turned * f64::from(h) / self.given).clamp(-1.0, MOST) as f32;
        }
    }
}
