//! A rectangular box.

use glam::Vec3;

use super::{Aabb, Closest, Hit, Shape};

/// |p.x| ≤ s.x, |p.y| ≤ s.y, |p.z| ≤ s.z. Response: the path is cast back out
/// through the face it came in by, Lovrinović 2024, 2.4. An offset widens the
/// box by as much on every side; its edges stay sharp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderBox {
    /// Half of each side s [m].
    pub half_size: Vec3,
}

/// A start deeper than this part of the smallest half side is not a resting
/// contact that rounding pushed in, but a point placed inside: it may leave by
/// any face.
const RESTING: f32 = 0.1;

impl Shape for ColliderBox {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        let half = self.half_size + Vec3::splat(offset);
        if inside(from, half) {
            return hit_from_inside(from, to, half);
        }
        let (fraction, axis) = entry(from, to - from, half).filter(|&(t, _)| t <= 1.0)?;
        let side = if to[axis] > from[axis] { -1.0 } else { 1.0 };
        Some(face_hit(from + (to - from) * fraction, fraction, axis, side, half))
    }

    fn closest(&self, point: Vec3) -> Closest {
        let half = self.half_size;
        if inside(point, half) {
            let (axis, side, depth) = nearest_face(point, half);
            let hit = face_hit(point, 0.0, axis, side, half);
            return Closest { point: hit.point, normal: hit.normal, distance: -depth };
        }
        let on_box = point.max(-half).min(half);
        let arm = point - on_box;
        let (axis, side, _) = nearest_face(on_box, half);
        let normal = arm.try_normalize().unwrap_or(axis_vector(axis, side));
        Closest { point: on_box, normal, distance: arm.length() }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: -self.half_size, max: self.half_size }
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        if inside(origin, self.half_size) {
            return Some(0.0);
        }
        entry(origin, direction, self.half_size).map(|(t, _)| t)
    }
}

/// A start inside is a resting contact or an overlap. The way back along the
/// path would leave by whatever face lies behind – for a point that slides over
/// the top, a far side – so the point goes out by the face nearest to its start.
fn hit_from_inside(from: Vec3, to: Vec3, half: Vec3) -> Option<Hit> {
    let (axis, side, depth) = nearest_face(from, half);
    let hit = face_hit(to, 0.0, axis, side, half);
    if inside(to, half) {
        return Some(hit);
    }
    // Outside now: it has left by that face, or it was driven in and out elsewhere.
    let rested = depth <= RESTING * half.min_element();
    let inward = side * (to[axis] - from[axis]) < 0.0;
    (rested && inward).then_some(hit)
}

/// The least t ≥ 0 at which o + t d comes into the box, and the axis of the
/// face it comes in by; for o outside.
fn entry(origin: Vec3, path: Vec3, half: Vec3) -> Option<(f32, usize)> {
    let (mut enter, mut leave, mut enter_axis) = (f32::NEG_INFINITY, f32::INFINITY, 0);
    for axis in 0..3 {
        let (o, d, h) = (origin[axis], path[axis], half[axis]);
        if d == 0.0 {
            if o.abs() >= h {
                return None;
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (-h, h) } else { (h, -h) };
        let (t_near, t_far) = ((near - o) / d, (far - o) / d);
        if t_near > enter {
            (enter, enter_axis) = (t_near, axis);
        }
        leave = leave.min(t_far);
    }
    (enter >= 0.0 && enter < leave).then_some((enter, enter_axis))
}

fn inside(point: Vec3, half: Vec3) -> bool {
    point.x.abs() < half.x && point.y.abs() < half.y && point.z.abs() < half.z
}

/// Axis, side and depth of the face nearest to an inner point. Up wins a tie:
/// the middle of a cube has to leave somewhere.
fn nearest_face(point: Vec3, half: Vec3) -> (usize, f32, f32) {
    let depth = half - point.abs();
    let mut axis = 1;
    for other in [0, 2] {
        if depth[other] < depth[axis] {
            axis = other;
        }
    }
    (axis, if point[axis] < 0.0 { -1.0 } else { 1.0 }, depth[axis])
}

/// The hit that keeps `point` on the plane of a face.
fn face_hit(mut point: Vec3, fraction: f32, axis: usize, side: f32, half: Vec3) -> Hit {
    point[axis] = side * half[axis];
    Hit { fraction, point, normal: axis_vector(axis, side) }
}

fn axis_vector(axis: usize, side: f32) -> Vec3 {
    Vec3::AXES[axis] * side
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLAB: ColliderBox = ColliderBox { half_size: Vec3::new(1.0, 0.1, 1.0) };

    #[test]
    fn an_end_inside_is_cast_back_through_the_face_it_came_in_by() {
        // The end is nearer to the side x = 1 than to the top; it came in by the top.
        let hit = SLAB.hit(Vec3::new(0.9, 0.2, 0.0), Vec3::new(0.98, 0.04, 0.0), 0.0).unwrap();
        assert_eq!(hit.normal, Vec3::Y);
        assert!((hit.fraction - 0.625).abs() < 1e-5);
        assert!((hit.point - Vec3::new(0.95, 0.1, 0.0)).length() < 1e-6);
    }

    #[test]
    fn resting_point_that_slides_is_not_teleported_to_a_far_face() {
        // A millionth below the top, moving along it: the way back along the
        // path leads out at x = −1.
        let (from, to) = (Vec3::new(0.3, 0.1 - 1e-6, 0.0), Vec3::new(0.31, 0.1 - 1e-5, 0.0));
        let hit = SLAB.hit(from, to, 0.0).unwrap();
        assert_eq!((hit.normal, hit.fraction), (Vec3::Y, 0.0));
        assert_eq!(hit.point, Vec3::new(0.31, 0.1, 0.0));
        // Near an edge and pushed deeper than the edge is far: still the top.
        let (from, to) = (Vec3::new(0.999, 0.1 - 1e-6, 0.0), Vec3::new(0.999, 0.095, 0.0));
        assert_eq!(SLAB.hit(from, to, 0.0).unwrap().normal, Vec3::Y);
    }

    #[test]
    fn thin_slab_is_not_tunnelled() {
        let hit = SLAB.hit(Vec3::new(0.0, 50.0, 0.0), Vec3::new(0.0, -50.0, 0.0), 0.0).unwrap();
        assert_eq!(hit.normal, Vec3::Y);
        // From rest on the top, by a slab that jumps up.
        let hit = SLAB.hit(Vec3::Y * (0.1 - 1e-6), Vec3::Y * -5.0, 0.0).unwrap();
        assert_eq!((hit.normal, hit.fraction), (Vec3::Y, 0.0));
        assert!(SLAB.hit(Vec3::Y * (0.1 - 1e-6), Vec3::Y * 5.0, 0.0).is_none());
        assert!(SLAB.hit(Vec3::new(-9.0, 0.11, 0.0), Vec3::new(9.0, 0.11, 0.0), 0.0).is_none());
        assert!(SLAB.hit(Vec3::new(-9.0, 0.11, 0.0), Vec3::new(9.0, 0.11, 0.0), 0.02).is_some());
    }

    #[test]
    fn a_deep_start_leaves_by_the_nearest_face() {
        let hit = SLAB.hit(Vec3::new(0.95, 0.0, 0.0), Vec3::new(0.95, 0.0, 0.0), 0.0).unwrap();
        assert_eq!((hit.normal, hit.point), (Vec3::X, Vec3::new(1.0, 0.0, 0.0)));
    }

    #[test]
    fn distances_inside_over_face_and_corner() {
        assert!((SLAB.signed_distance(Vec3::new(0.0, 0.04, 0.0)) + 0.06).abs() < 1e-6);
        assert!((SLAB.signed_distance(Vec3::new(0.5, 0.6, 0.0)) - 0.5).abs() < 1e-6);
        assert!((SLAB.signed_distance(Vec3::new(1.3, 0.5, 1.0)) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn rays_meet_the_near_face() {
        assert_eq!(SLAB.ray(Vec3::new(-3.0, 0.0, 0.0), Vec3::X), Some(2.0));
        assert_eq!(SLAB.ray(Vec3::new(-3.0, 0.0, 0.0), -Vec3::X), None);
        assert_eq!(SLAB.ray(Vec3::new(-3.0, 0.2, 0.0), Vec3::X), None);
    }
}
