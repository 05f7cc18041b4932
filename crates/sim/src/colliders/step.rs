//! What one step needs to know of a moving collider.

use glam::{Mat3, Quat, Vec3};

use super::bounds::Boxes;
use super::meet::Form;
use super::{Aabb, Collider, ColliderShape, Shape};
use crate::hands::ColliderShift;
use crate::motion::Pose;
use crate::simd::LANES;

/// Slack of contact detection [m]: a point this near counts as touching. At
/// rest gravity moves a point by g h² a step, which for short steps is less than
/// the rounding of its position; without slack it would lose and find its
/// contact in turns, and jitter.
pub const TOUCH_M: f32 = 1e-6;

/// Slack that grows with the distance from the origin, as rounding does: two
/// units in the last place.
pub const TOUCH_RELATIVE: f32 = 2.4e-7;

/// A collider over one step: where it starts, where it ends, what it can reach.
#[derive(Clone, Copy, Debug)]
pub struct ColliderStep {
    /// Pose at the start of the step.
    pub start: Pose,
    /// Pose at its end.
    pub end: Pose,
    pub(super) travel: Vec3,
    /// Rotations of both ends as matrices: half the work of quaternions.
    pub(super) turn: [Mat3; 2],
    pub(super) turns: bool,
    /// Whether its axes are not those of the world, at either end.
    pub(super) turned: bool,
    pub(super) form: Form,
    reach: Reach,
}

/// Where in the world a path must come to touch the collider at all.
#[derive(Clone, Copy, Debug)]
enum Reach {
    Within(Aabb),
    /// normal · x ≤ distance at the end of the path.
    Below {
        normal: Vec3,
        distance: f32,
    },
}

/// Poses of all colliders over the step from `t` to `t + h` [s], for points kept
/// `offset` [m] outside. Shifts by hand glide on during the step. Reuses `steps`: no memory is taken after the first call.
pub fn prepare_steps(
    (colliders, shifts): (&[Collider], &[ColliderShift]),
    t: f64,
    h: f64,
    offset: f32,
    steps: &mut Vec<ColliderStep>,
) {
    steps.clear();
    steps.extend(colliders.iter().enumerate().map(|(index, collider)| {
        let (mut start, mut end) = (collider.pose_at(t), collider.pose_at(t + h));
        if let Some(shift) = shifts.iter().find(|shift| shift.collider as usize == index) {
            let next = shift.glided(start.position, h);
            (start, end) = (shift.now.compose(start), next.compose(end));
        }
        ColliderStep::new(&collider.shape, start, end, offset)
    }));
}

impl ColliderStep {
    /// A step from one pose to another.
    pub fn new(shape: &ColliderShape, start: Pose, end: Pose, offset: f32) -> Self {
        let turns = start.rotation != end.rotation;
        let turned = [start, end].iter().any(|pose| pose.rotation != Quat::IDENTITY);
        let travel = end.position - start.position;
        let turn = [Mat3::from_quat(start.rotation), Mat3::from_quat(end.rotation)];
        let reach = Reach::new(shape, start, end, offset);
        Self { start, end, travel, turn, turns, turned, form: Form::of(shape), reach }
    }

    /// A path in the world as the collider sees it.
    #[inline]
    pub fn local_path(&self, from: Vec3, to: Vec3) -> [Vec3; 2] {
        let back = |turn: &Mat3, arm: Vec3| {
            Vec3::new(turn.x_axis.dot(arm), turn.y_axis.dot(arm), turn.z_axis.dot(arm))
        };
        [
            back(&self.turn[0], from - self.start.position),
            back(&self.turn[1], to - self.end.position),
        ]
    }

    /// World components of a local direction at the end of the step.
    #[inline]
    pub fn end_vector(&self, local: Vec3) -> Vec3 {
        self.turn[1] * local
    }

    /// How far the material point at local `q` moves over the step, in world
    /// axes [m]: s = (R₁ − R₀) q + c₁ − c₀. Exactly zero for a collider at rest.
    #[inline]
    pub fn displacement(&self, q: Vec3) -> Vec3 {
        if self.turns { self.turn[1] * q - self.turn[0] * q + self.travel } else { self.travel }
    }

    /// Whether a path with these bounds, or any path within them, may touch.
    #[inline]
    pub fn may_touch(&self, path: &Aabb) -> bool {
        match &self.reach {
            Reach::Within(swept) => {
                !(path.min.x > swept.max.x
                    || path.max.x < swept.min.x
                    || path.min.y > swept.max.y
                    || path.max.y < swept.min.y
                    || path.min.z > swept.max.z
                    || path.max.z < swept.min.z)
            }
            Reach::Below { normal, distance } => {
                let lowest = |n: f32, min: f32, max: f32| n * if n > 0.0 { min } else { max };
                let height = lowest(normal.x, path.min.x, path.max.x)
                    + lowest(normal.y, path.min.y, path.max.y)
                    + lowest(normal.z, path.min.z, path.max.z);
                height <= *distance
            }
        }
    }

    /// Whether a path within one of these boxes may touch.
    #[inline(always)]
    pub(super) fn may_touch_any(&self, boxes: &Boxes) -> bool {
        let ([ax, ay, az], [bx, by, bz]) = (boxes.min, boxes.max);
        let mut any = 0;
        match self.reach {
            Reach::Within(Aabb { min, max }) => {
                for l in 0..LANES {
                    let beyond = (ax.0[l] > max.x) | (ay.0[l] > max.y) | (az.0[l] > max.z);
                    let short = (bx.0[l] < min.x) | (by.0[l] < min.y) | (bz.0[l] < min.z);
                    any |= u32::from(!(beyond | short));
                }
            }
            Reach::Below { normal, distance } => {
                // The lowest corners, chosen once for all lanes.
                let x = if normal.x > 0.0 { ax } else { bx };
                let y = if normal.y > 0.0 { ay } else { by };
                let z = if normal.z > 0.0 { az } else { bz };
                for l in 0..LANES {
                    let low = normal.x * x.0[l] + normal.y * y.0[l] + normal.z * z.0[l];
                    any |= u32::from(low <= distance);
                }
            }
        }
        any != 0
    }
}

impl Reach {
    fn new(shape: &ColliderShape, start: Pose, end: Pose, offset: f32) -> Self {
        if matches!(shape, ColliderShape::Plane(_)) {
            let normal = end.vector(Vec3::Y);
            let distance = normal.dot(end.position);
            // The height is a sum of three products: allow each its rounding.
            let slack = offset + 2.0 * TOUCH_M + 8.0 * TOUCH_RELATIVE * distance.abs();
            return Self::Below { normal, distance: distance + slack };
        }
        if matches!(shape, ColliderShape::Mesh(_)) {
            // Its triangles meet cloth elsewhere.
            return Self::Within(Aabb::EMPTY);
        }
        let local = shape.aabb();
        let middle = 0.5 * (local.min + local.max);
        let half = 0.5 * (local.max - local.min) + Vec3::splat(offset);
        // While it turns, corners leave the boxes of both ends: take the sphere round it.
        let turns = start.rotation != end.rotation;
        let world = |pose: Pose| {
            let centre = pose.point(middle);
            let extent =
                if turns { Vec3::splat(half.length()) } else { rotated_extent(pose, half) };
            Aabb { min: centre - extent, max: centre + extent }
        };
        let (a, b) = (world(start), world(end));
        let (min, max) = (a.min.min(b.min), a.max.max(b.max));
        let furthest = min.abs().max(max.abs()).max_element();
        let slack = Vec3::splat(2.0 * TOUCH_M + 4.0 * TOUCH_RELATIVE * furthest);
        Self::Within(Aabb { min: min - slack, max: max + slack })
    }
}

/// Half sides of the world box round a turned box.
fn rotated_extent(pose: Pose, half: Vec3) -> Vec3 {
    let turn = Mat3::from_quat(pose.rotation);
    turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z
}
