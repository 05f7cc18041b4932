//! Colliders in the way of points, sixteen at a time.

use glam::{Mat3, Quat, Vec3};

use crate::aabb::Aabb;
use crate::colliders::forms::Triangles;
use crate::colliders::{Collider, ColliderShape, ColliderStep, DistanceField, Shape};
use crate::model::Model;
use crate::motion::Pose;
use crate::simd::three::{Three, add, dot, larger, scale, smaller, sub};
use crate::simd::{LANES, Lane};

/// The pose at a part of a step: straight from place to place, evenly from turn to turn.
pub(super) fn between(start: Pose, end: Pose, part: f32) -> Pose {
    if start == end || part >= 1.0 {
        return end;
    }
    let near = if start.rotation.dot(end.rotation) < 0.0 { -end.rotation } else { end.rotation };
    let mixed = start.rotation * (1.0 - part) + near * part;
    let position = start.position.lerp(end.position, part);
    Pose { position, rotation: Quat::from_array(mixed.to_array()).normalize() }
}

/// What fibres know of the colliders of a model.
#[derive(Debug)]
pub(super) struct Obstacles {
    /// A field of distances for each rigid closed mesh, by collider.
    fields: Vec<Option<DistanceField>>,
}

impl Obstacles {
    pub fn new(model: &Model) -> Self {
        let mut fields = vec![None; model.colliders.len()];
        for mesh in model.mesh_colliders.iter().filter(|mesh| !mesh.deforms()) {
            let triangles =
                Triangles { points: mesh.rest.clone(), triangles: mesh.triangles.clone() };
            // An open mesh has no inside: only contact of triangles knows what to do.
            fields[mesh.collider] = DistanceField::new(&triangles, None, 0.0).ok();
        }
        Self { fields }
    }

    /// The shape by which each collider meets points one by one.
    pub fn shapes(&self, model: &Model) -> Vec<ColliderShape> {
        let shape = |(index, collider): (usize, &Collider)| match &self.fields[index] {
            Some(field) => ColliderShape::DistanceField(field.clone()),
            None => collider.shape.clone(),
        };
        model.colliders.iter().enumerate().map(shape).collect()
    }

    /// The form by which a collider meets points; none where triangles do that.
    fn form<'a>(&'a self, index: usize, collider: &'a Collider) -> Option<Form<'a>> {
        match &collider.shape {
            ColliderShape::Sphere(ball) => Some(Form::Round { half: 0.0, radius: ball.radius }),
            ColliderShape::Capsule(rod) => {
                Some(Form::Round { half: rod.half_length.max(0.0), radius: rod.radius })
            }
            ColliderShape::Plane(_) => Some(Form::Below),
            ColliderShape::Box(_) => Some(Form::Other(&collider.shape)),
            ColliderShape::DistanceField(field) => Some(Form::Field(field)),
            ColliderShape::Mesh(_) => self.fields[index].as_ref().map(Form::Field),
        }
    }

    /// Colliders near `bounds` over a step.
    pub fn find(
        &self,
        (colliders, steps): (&[Collider], &[ColliderStep]),
        bounds: Aabb,
        near: &mut Vec<usize>,
    ) {
        let bounds = bounds.grown(MARGIN);
        for (index, (collider, step)) in colliders.iter().zip(steps).enumerate() {
            if step.may_touch(&bounds) && self.form(index, collider).is_some() {
                near.push(index);
            }
        }
    }

    /// A collider that points meet, from one part of a step to another; they stay `offset` off [m]
    /// and rub with `friction` [1].
    pub fn meeting<'a>(
        &'a self,
        (index, collider, step): (usize, &'a Collider, &ColliderStep),
        friction: f32,
        [from, to]: [f32; 2],
        offset: f32,
    ) -> Option<Meeting<'a>> {
        let before = between(step.start, step.end, from);
        let after = between(step.start, step.end, to);
        let (a, b) = (Mat3::from_quat(before.rotation), Mat3::from_quat(after.rotation));
        let columns = |m: Mat3| m.to_cols_array_2d();
        Some(Meeting {
            form: self.form(index, collider)?,
            friction,
            axes: columns(b),
            at: after.position.to_array(),
            turn: if before.rotation == after.rotation { [[0.0; 3]; 3] } else { columns(b - a) },
            way: (after.position - before.position).to_array(),
            offset,
        })
    }
}

/// Beyond bounds a collider may still be felt. [m]
const MARGIN: f32 = 0.01;

/// How a collider meets points.
#[derive(Clone, Copy)]
enum Form<'a> {
    /// All within `radius` of a segment along y.
    Round { half: f32, radius: f32 },
    /// All below y = 0.
    Below,
    /// By samples of the distance.
    Field(&'a DistanceField),
    /// Point by point.
    Other(&'a dyn Shape),
}

/// How far sixteen points may go before they can touch a field: where they were, as it sees them [m],
/// and how far they could go from there [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    from: [Lane; 3],
    left: Lane,
}

impl Reach {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { from: [Lane::ZERO; 3], left: Lane([-1.0; LANES]) };
}

/// No field rises faster: |∇φ| ≤ √3.
const STEEPEST: f32 = 1.733;

/// A collider from one moment to another, in the numbers that lanes need.
#[derive(Clone, Copy)]
pub(super) struct Meeting<'a> {
    form: Form<'a>,
    friction: f32,
    /// Axes and place at the end.
    axes: [Three; 3],
    at: Three,
    /// How the frame turns from the start to the end, less what stays: x − x⁻ = turn·q + way of a
    /// material point q.
    turn: [Three; 3],
    way: Three,
    /// How far points stay off. [m]
    offset: f32,
}

#[inline(always)]
fn turned(axes: &[Three; 3], q: Three) -> Three {
    add(add(scale(axes[0], q[0]), scale(axes[1], q[1])), scale(axes[2], q[2]))
}

impl Meeting<'_> {
    /// Whether it is a field, for which it pays to know how far points are.
    pub fn is_field(&self) -> bool {
        matches!(self.form, Form::Field(_))
    }

    /// Holds sixteen points off that came from `start`: each is put on the surface, and what it slid
    /// over it is shortened by friction, up to μ times the depth.
    ///
    /// Counts those that it held off in `touched`.
    #[inline(always)]
    pub fn answer(
        &self,
        start: &[Lane; 3],
        x: &mut [Lane; 3],
        free: &Lane,
        (reach, touched): (&mut Reach, &mut Lane),
    ) {
        match self.form {
            Form::Round { half, radius } => {
                if !self.may_reach(x, free, half + radius) {
                    return;
                }
                self.answer_by(start, x, (free, touched), |q| {
                    let y = q[1] - larger(smaller(q[1], half), -half);
                    let arm = [q[0], y, q[2]];
                    let square = larger(dot(arm, arm), 1e-20);
                    let length = square.sqrt();
                    (length - radius, scale(arm, 1.0 / length))
                });
            }
            Form::Below => {
                self.answer_by(start, x, (free, touched), |q| (q[1], [0.0, 1.0, 0.0]));
            }
            Form::Field(field) => self.answer_by_samples((field, reach), start, x, (free, touched)),
            Form::Other(shape) => self.answer_one_by_one(shape, start, x, (free, touched)),
        }
    }

    /// Whether any of sixteen points that move is within `reach` and the offset of the collider's
    /// place: most are not, and the rest of them is spared roots and divisions.
    #[inline(always)]
    fn may_reach(&self, x: &[Lane; 3], free: &Lane, reach: f32) -> bool {
        let (at, x, free) = (self.at, *x, *free);
        // More than rounding can take away.
        let limit = (reach + self.offset) * (1.0 + 1e-4);
        let mut any = 0;
        for l in 0..LANES {
            let arm = sub([x[0].0[l], x[1].0[l], x[2].0[l]], at);
            // Also what is no number is looked at.
            any |= u32::from(!(dot(arm, arm) > limit * limit)) & u32::from(free.0[l] > 0.0);
        }
        any != 0
    }

    /// Most points are far, or lie still: only those are looked up that could have come near.
    #[inline(always)]
    fn answer_by_samples(
        &self,
        (field, reach): (&DistanceField, &mut Reach),
        start: &[Lane; 3],
        x: &mut [Lane; 3],
        (free, touched): (&Lane, &mut Lane),
    ) {
        let (this, places, known, free) = (*self, *x, *reach, *free);
        let (mut local, mut asked) = ([Lane::ZERO; 3], Lane::ZERO);
        for l in 0..LANES {
            let arm = sub([places[0].0[l], places[1].0[l], places[2].0[l]], this.at);
            let q = [dot(this.axes[0], arm), dot(this.axes[1], arm), dot(this.axes[2], arm)];
            let from = [known.from[0].0[l], known.from[1].0[l], known.from[2].0[l]];
            let (way, left) = (sub(q, from), larger(known.left.0[l], 0.0));
            asked.0[l] = if dot(way, way) < left * left { 0.0 } else { free.0[l] };
            for k in 0..3 {
                local[k].0[l] = q[k];
            }
        }
        if asked.0.iter().any(|&asked| asked > 0.0) {
            self.look_up((field, reach), (&local, &asked, touched), start, x);
        }
    }

    #[inline(never)]
    fn look_up(
        &self,
        (field, reach): (&DistanceField, &mut Reach),
        (local, asked, touched): (&[Lane; 3], &Lane, &mut Lane),
        start: &[Lane; 3],
        x: &mut [Lane; 3],
    ) {
        for l in (0..LANES).filter(|&l| asked.0[l] > 0.0) {
            let q = [0, 1, 2].map(|k| local[k].0[l]);
            let (distance, normal) = field.sample(Vec3::from(q));
            for (from, q) in reach.from.iter_mut().zip(q) {
                from.0[l] = q;
            }
            reach.left.0[l] = (distance - self.offset) / STEEPEST;
            if distance < self.offset {
                let [from, place] = [start, &*x].map(|p| [0, 1, 2].map(|k| p[k].0[l]));
                let depth = self.offset - distance;
                touched.0[l] += 1.0;
                let to = self.held_off(from, place, q, normal.to_array(), depth);
                for (lane, to) in x.iter_mut().zip(to) {
                    lane.0[l] = to;
                }
            }
        }
    }

    #[inline(always)]
    fn answer_by(
        &self,
        start: &[Lane; 3],
        x: &mut [Lane; 3],
        (free, touched): (&Lane, &mut Lane),
        distance: impl Fn(Three) -> (f32, Three),
    ) {
        let (this, start, mut after, free) = (*self, *start, *x, *free);
        let mut count = *touched;
        for l in 0..LANES {
            let place = [after[0].0[l], after[1].0[l], after[2].0[l]];
            let from = [start[0].0[l], start[1].0[l], start[2].0[l]];
            let arm = sub(place, this.at);
            let q = [dot(this.axes[0], arm), dot(this.axes[1], arm), dot(this.axes[2], arm)];
            let (d, normal) = distance(q);
            let depth = larger(this.offset - d, 0.0) * free.0[l];
            let to = this.held_off(from, place, q, normal, depth);
            for k in 0..3 {
                after[k].0[l] = if depth > 0.0 { to[k] } else { place[k] };
            }
            count.0[l] += if depth > 0.0 { 1.0 } else { 0.0 };
        }
        (*x, *touched) = (after, count);
    }

    /// `normal` in the collider's frame.
    #[inline(always)]
    fn held_off(&self, from: Three, place: Three, q: Three, normal: Three, depth: f32) -> Three {
        let n = turned(&self.axes, normal);
        let out = add(place, scale(n, depth));
        let slid = sub(sub(out, from), add(turned(&self.turn, q), self.way));
        let along = sub(slid, scale(n, dot(slid, n)));
        let length = larger(dot(along, along), 1e-24).sqrt();
        let part = smaller(self.friction * depth / length, 1.0);
        sub(out, scale(along, part))
    }

    #[inline(never)]
    fn answer_one_by_one(
        &self,
        shape: &dyn Shape,
        start: &[Lane; 3],
        x: &mut [Lane; 3],
        (free, touched): (&Lane, &mut Lane),
    ) {
        let bounds = shape.aabb().grown(self.offset);
        for l in (0..LANES).filter(|&l| free.0[l] > 0.0) {
            let place = [0, 1, 2].map(|k| x[k].0[l]);
            let arm = sub(place, self.at);
            let q = [dot(self.axes[0], arm), dot(self.axes[1], arm), dot(self.axes[2], arm)];
            let point = Vec3::from(q);
            let inside = point.cmpge(bounds.min).all() && point.cmple(bounds.max).all();
            if !inside {
                continue;
            }
            let closest = shape.closest(point);
            let depth = self.offset - closest.distance;
            if depth > 0.0 {
                touched.0[l] += 1.0;
                let from = [0, 1, 2].map(|k| start[k].0[l]);
                let to = self.held_off(from, place, q, closest.normal.to_array(), depth);
                for (lane, to) in x.iter_mut().zip(to) {
                    lane.0[l] = to;
                }
            }
        }
    }
}
