//! One rod of points and orientations over a step.

mod adjust;
mod kept;

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::banded::{Banded, Half};
use super::rubs::{Ground, hold_off};
use crate::colliders::{ColliderShape, ColliderStep};
use crate::soa::Soa3;
use crate::solvers::fibres::step::pose_between;
use crate::solvers::fibres::{Drawn, RodStep, RootStep};
use crate::strands::{Director, Fibre, Strand, TouchParts, directors_along, perpendicular};

/// Inertia of an edge against turning as a part of its mass times the square of its length. A
/// straight rod's own is 1/12; what is about its axis would need far shorter steps.
const TURNING_INERTIA: f64 = 1.0 / 12.0;

/// Stiffness of colliders in terms of a point's inertia.
const STOP: f64 = 1e4;

/// A Newton step that moves no point farther than this part of an edge is the last.
const SOLVED: f64 = 1e-4;

/// An edge turns by so much in one Newton step at most. [rad]
const FARTHEST: f64 = 0.5;

/// What acts on rods over a step.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// What acts on all of them.
    pub rods: &'a RodStep<'a>,
    /// Where particles are that are held. [m]
    pub x: &'a Soa3,
    /// Shapes of colliders.
    pub shapes: &'a [ColliderShape],
    /// Colliders over each short step.
    pub colliders: &'a [Vec<ColliderStep>],
    /// Newton steps a short step.
    pub sweeps: u32,
    /// Short steps.
    pub count: usize,
}

/// One rod.
#[derive(Clone, Debug)]
pub(super) struct Rod {
    first: usize,
    count: usize,
    edge: f64,
    fibre: Fibre,
    /// Whether its root holds a point, and the first edge too.
    holds: bool,
    clamped: bool,
    /// Whether it is what has been cut off: then half of the edge that was cut is its own.
    fallen: bool,
    /// 2 Im(q̄₋ q)/edge at each inner point in its natural shape. [1/m]
    natural: Vec<DVec3>,
    points: Vec<Point>,
    edges: Vec<Edge>,
    banded: Banded,
}

#[derive(Clone, Copy, Debug, Default)]
struct Point {
    x: DVec3,
    v: DVec3,
    /// Where it was before a short step. [m]
    was: DVec3,
    /// Where it would be if nothing held it. [m]
    wanted: DVec3,
    /// A place that a collider keeps it at. [m]
    stop: Option<DVec3>,
    /// [kg]
    mass: f64,
    /// How much harder it is to move for what resists: 1 + h·(all of that).
    harder: f64,
    held: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    q: DQuat,
    /// Rate of turning. [rad/s]
    w: DVec3,
    was: DQuat,
    wanted: DQuat,
    /// [kg·m²]
    inertia: f64,
    /// Whether it holds its ends: nothing holds those of one that is cut.
    whole: bool,
}

impl Point {
    /// Of all that acts over a step. [kg]
    fn inertia(&self) -> f64 {
        self.mass * self.harder
    }
}

impl Rod {
    /// A strand of a model; `rest` are its points in its natural shape. [m]
    pub fn new(strand: &Strand, fibre: Fibre, rest: &[Vec3]) -> Self {
        let edge = f64::from(strand.edge);
        let count = strand.count as usize;
        let tangent = crate::strands::first_tangent(rest);
        let first = Director { tangent, across: perpendicular(tangent) };
        let frames: Vec<DQuat> = directors_along(rest, first).iter().map(turn_of).collect();
        let natural = frames.windows(2).map(|pair| bend(pair[0], pair[1], edge)).collect();
        Self {
            first: strand.first as usize,
            count,
            edge,
            fibre,
            holds: !strand.held().is_empty(),
            clamped: strand.is_clamped(),
            fallen: false,
            natural,
            points: vec![Point::default(); count],
            edges: vec![Edge::default(); count.saturating_sub(1)],
            banded: Banded::new(count),
        }
    }

    #[cfg(test)]
    pub fn thin(&mut self, radius: f32) {
        self.fibre.radius = radius;
    }

    /// A step as many short ones.
    pub fn step(&mut self, around: &Around<'_>, root: &RootStep) {
        let h = around.rods.h / around.count as f64;
        self.weigh(around);
        for inner in 0..around.count {
            self.predict(around, h);
            self.place_root(around, root, (inner + 1) as f64 / around.count as f64);
            for _ in 0..around.sweeps {
                if self.solve(h) < SOLVED * self.edge {
                    break;
                }
            }
            if self.touch(around, inner) {
                self.solve(h);
                self.touch(around, inner);
            }
            for point in &mut self.points {
                point.v = (point.x - point.was) / h;
                point.stop = None;
            }
            for edge in &mut self.edges {
                edge.w = between(edge.was, edge.q) / h;
            }
        }
    }

    /// What is free to move, and how easily.
    fn weigh(&mut self, around: &Around<'_>) {
        let density = f64::from(self.fibre.density);
        let last = self.count.saturating_sub(1);
        let held = if self.clamped { 2 } else { usize::from(self.holds) };
        for (i, point) in self.points.iter_mut().enumerate() {
            let ends = i == last || (i == 0 && !self.fallen);
            let whole = if ends { 0.5 } else { 1.0 };
            point.held = i < held || around.rods.model.inverse_mass[self.first + i] == 0.0;
            point.mass = whole * density * self.edge;
        }
        let inertia = TURNING_INERTIA * density * self.edge * self.edge * self.edge;
        self.edges.iter_mut().for_each(|edge| edge.inertia = inertia);
    }

    /// v⁺ = v through medium and air over h, and what weight and pushes add to that. Both resist those
    /// too, and points are harder to move by as much: so a rod at rest bears all of its weight.
    fn predict(&mut self, around: &Around<'_>, h: f64) {
        let RodStep { gravity, push, air, drawn, model, .. } = *around.rods;
        let drag = self.fibre.drag;
        let density = f64::from(self.fibre.density).max(1e-30);
        let damping = f64::from(model.damping[self.first]) / (density * self.edge.max(1e-30));
        for (i, point) in self.points.iter_mut().enumerate() {
            point.was = point.x;
            if point.held {
                continue;
            }
            let particle = self.first + i;
            let mut acting = (gravity + push.get(particle)).as_dvec3();
            let mut resists = damping;
            if let Some(Drawn { carried, rates }) = drawn {
                acting += carried.get(particle).as_dvec3();
                resists += f64::from(rates[particle]);
            }
            point.harder = 1.0 + resists * h;
            point.v /= point.harder;
            let through = point.v - air.get(particle).as_dvec3();
            let rate = f64::from(drag.viscous) + f64::from(drag.inertial) * through.length();
            let rate = rate * h / density;
            let edge = self.edges.get(i.saturating_sub(1));
            let tangent = edge.map_or(DVec3::ZERO, |edge| edge.q * DVec3::Z);
            let along = tangent * tangent.dot(through);
            let left =
                (through - along) / (1.0 + rate) + along / (1.0 + rate * f64::from(drag.along));
            point.harder *= 1.0 + rate;
            point.v += left - through + acting * (h / point.harder);
            point.x += point.v * h;
            point.wanted = point.x;
        }
        for edge in &mut self.edges {
            edge.was = edge.q;
            edge.q = turned(edge.q, edge.w * h);
            edge.wanted = edge.q;
        }
    }

    fn place_root(&mut self, around: &Around<'_>, root: &RootStep, part: f64) {
        let (place, turn) = pose_between(&root.start, &root.end, part);
        if self.holds {
            self.points[0].x = place;
        }
        if self.clamped {
            self.edges[0].q = turn;
            self.points[1].x = place + turn * DVec3::Z * self.edge;
        }
        let held = if self.clamped { 2 } else { usize::from(self.holds) };
        for (i, point) in self.points.iter_mut().enumerate().skip(held) {
            if point.held {
                let end = around.x.get(self.first + i).as_dvec3();
                point.x = point.was.lerp(end, 1.0 / (around.count as f64 * (1.0 - part) + 1.0));
            }
        }
    }

    /// A Newton step towards min ½m|x − y|²/h² + ½J|φ|²/h² + W of stretch, shear, bending and twist,
    /// all of the rod at once. Returns how far a point moved at most. [m]
    fn solve(&mut self, h: f64) -> f64 {
        let Self { points, edges, banded, .. } = self;
        banded.begin(|i| {
            let point = points[i].inertia() / (h * h);
            [point, edges.get(i).map_or(1.0, |edge| edge.inertia / (h * h))]
        });
        for (i, point) in self.points.iter().enumerate() {
            let pull = (point.wanted - point.x) * (point.inertia() / (h * h));
            self.banded.push((i, Half::Point), pull);
            if let Some(stop) = point.stop {
                let hard = STOP * point.inertia() / (h * h);
                let m = DMat3::from_diagonal(DVec3::splat(hard));
                self.banded.add((i, Half::Point), (i, Half::Point), &m);
                self.banded.push((i, Half::Point), (stop - point.x) * hard);
            }
        }
        for (i, edge) in self.edges.iter().enumerate() {
            let back = between(edge.q, edge.wanted) * (edge.inertia / (h * h));
            self.banded.push((i, Half::Turn), back);
        }
        for i in 0..self.edges.len() {
            if self.edges[i].whole {
                self.stretch(i);
            }
        }
        for i in 0..self.natural.len() {
            if self.edges[i].whole && self.edges[i + 1].whole {
                self.bend(i, h);
            }
        }
        for i in (0..self.points.len()).filter(|&i| self.points[i].held) {
            self.banded.hold((i, Half::Point));
        }
        if self.clamped {
            self.banded.hold((0, Half::Turn));
        }
        self.banded.solve();
        let mut farthest = 0.0_f64;
        for (i, point) in self.points.iter_mut().enumerate() {
            let way = self.banded.answer((i, Half::Point));
            point.x += way;
            farthest = farthest.max(way.length_squared());
        }
        for (i, edge) in self.edges.iter_mut().enumerate() {
            let turn = self.banded.answer((i, Half::Turn));
            edge.q = turned(edge.q, turn.clamp_length_max(FARTHEST));
        }
        farthest.sqrt()
    }

    /// W = ½ EA l |C|², C = (x₊ − x)/l − d₃, δC = (δx₊ − δx)/l + [d₃]δφ.
    fn stretch(&mut self, i: usize) {
        let radius = f64::from(self.fibre.radius);
        // A round fibre has E A = 4 E I/r².
        let stiffness = 4.0 * f64::from(self.fibre.bending) / (radius * radius).max(1e-30);
        let axis = self.edges[i].q * DVec3::Z;
        let off = (self.points[i + 1].x - self.points[i].x) / self.edge - axis;
        let force = off * stiffness;
        let k = stiffness / self.edge;
        let along = DMat3::from_diagonal(DVec3::splat(k));
        let cross = DMat3::from_cols(
            DVec3::new(0.0, axis.z, -axis.y),
            DVec3::new(-axis.z, 0.0, axis.x),
            DVec3::new(axis.y, -axis.x, 0.0),
        );
        let square = cross.transpose() * cross * (stiffness * self.edge);
        let (here, next, turn) = ((i, Half::Point), (i + 1, Half::Point), (i, Half::Turn));
        let banded = &mut self.banded;
        banded.add(here, here, &along);
        banded.add(next, next, &along);
        banded.add(here, next, &(-along));
        banded.add(turn, turn, &square);
        banded.add(here, turn, &(cross * -stiffness));
        banded.add(turn, next, &(cross.transpose() * stiffness));
        banded.push(here, force);
        banded.push(next, -force);
        banded.push(turn, cross.transpose() * (force * -self.edge));
    }

    /// W = ½ l (EI(C₁² + C₂²) + GJ C₃²), C = 2 Im(r)/l − Ω⁰, r = q̄₋q, δC = (r_w − [r])R₋ᵀ(δφ − δφ₋)/l;
    /// moments are those of C + β C′.
    fn bend(&mut self, i: usize, h: f64) {
        // Half a cell belongs to the clamp: twice as stiff.
        let half = if self.clamped && i == 0 { 2.0 } else { 1.0 };
        let Fibre { bending, twisting, inner_friction, .. } = self.fibre;
        let [bending, twisting] = [bending, twisting].map(|k| f64::from(k) * half);
        let stiffness = DVec3::new(bending, bending, twisting);
        let friction = f64::from(inner_friction) / h;
        let (a, b) = (self.edges[i], self.edges[i + 1]);
        let now = bend(a.q, b.q, self.edge);
        let was = bend(a.was, b.was, self.edge);
        let moment = stiffness * ((now - self.natural[i]) + (now - was) * friction);
        let r = a.q.conjugate() * b.q;
        let r = if r.w < 0.0 { -r } else { r };
        let turn = DMat3::from_cols(
            DVec3::new(r.w, -r.z, r.y),
            DVec3::new(r.z, r.w, -r.x),
            DVec3::new(-r.y, r.x, r.w),
        ) * DMat3::from_quat(a.q).transpose();
        let k = stiffness * ((1.0 + friction) / self.edge);
        let square = turn.transpose() * DMat3::from_diagonal(k) * turn;
        let torque = turn.transpose() * moment;
        let (before, after) = ((i, Half::Turn), (i + 1, Half::Turn));
        self.banded.add(before, before, &square);
        self.banded.add(after, after, &square);
        self.banded.add(before, after, &(-square));
        self.banded.push(before, torque);
        self.banded.push(after, -torque);
    }

    /// Holds points off colliders; whether any had to be.
    fn touch(&mut self, around: &Around<'_>, inner: usize) -> bool {
        let mut any = false;
        if around.rods.set.touch.parts == TouchParts::Nothing {
            return any;
        }
        for point in self.points.iter_mut().filter(|point| !point.held) {
            let ground = Ground {
                offset: around.rods.keeps_off(),
                rubs: around.rods.rubs,
                shapes: around.shapes,
                steps: &around.colliders[inner],
            };
            if hold_off(ground, point.was, &mut point.x) {
                (any, point.stop) = (true, Some(point.x));
            }
        }
        any
    }
}

/// The rotation vector from one orientation to another that is near. [rad]
fn between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    DVec3::new(turn.x, turn.y, turn.z) * if turn.w < 0.0 { -2.0 } else { 2.0 }
}

/// 2 Im(q̄₋ q)/l, on the shorter way. [1/m]
fn bend(before: DQuat, after: DQuat, edge: f64) -> DVec3 {
    let between = before.conjugate() * after;
    let sign = if between.w < 0.0 { -2.0 } else { 2.0 };
    DVec3::new(between.x, between.y, between.z) * (sign / edge)
}

/// A rotation turned on by a small angle.
fn turned(q: DQuat, by: DVec3) -> DQuat {
    (q + DQuat::from_vec4((by * 0.5).extend(0.0)) * q).normalize()
}

/// The rotation whose axes are director, tangent × director and tangent.
fn turn_of(director: &Director) -> DQuat {
    let Director { tangent, across } = *director;
    DQuat::from_mat3(&DMat3::from_cols(across, tangent.cross(across), tangent)).normalize()
}
