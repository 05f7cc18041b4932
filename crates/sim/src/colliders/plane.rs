//! A half-space: floors and walls without end.

use glam::Vec3;

use super::{Aabb, Closest, Hit, Shape};

/// d(p) = p.y: solid below the local plane y = 0, whose normal is +Y.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColliderPlane;

impl Shape for ColliderPlane {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        if to.y.is_nan() || to.y >= offset {
            return None;
        }
        let above = (from.y - offset).max(0.0);
        let fraction = above / (above + (offset - to.y));
        Some(Hit { fraction, point: to.with_y(offset), normal: Vec3::Y })
    }

    fn closest(&self, point: Vec3) -> Closest {
        Closest { point: point.with_y(0.0), normal: Vec3::Y, distance: point.y }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY.with_y(0.0) }
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        if origin.y <= 0.0 {
            return Some(0.0);
        }
        (direction.y < 0.0).then(|| -origin.y / direction.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_is_stopped_at_the_offset() {
        let hit = ColliderPlane.hit(Vec3::Y * 0.5, Vec3::new(1.0, -0.3, 2.0), 0.1).unwrap();
        assert!((hit.fraction - 0.5).abs() < 1e-6);
        assert_eq!(hit.point, Vec3::new(1.0, 0.1, 2.0));
        assert!(ColliderPlane.hit(Vec3::Y * -0.5, Vec3::Y * 0.2, 0.1).is_none());
        assert_eq!(ColliderPlane.hit(Vec3::Y * -2.0, Vec3::Y * -1.0, 0.0).unwrap().fraction, 0.0);
        assert!(ColliderPlane.hit(Vec3::ZERO, Vec3::NAN, 0.0).is_none());
    }

    #[test]
    fn rays_go_down_to_the_plane() {
        assert_eq!(ColliderPlane.ray(Vec3::Y * 2.0, Vec3::new(5.0, -0.5, 0.0)), Some(4.0));
        assert_eq!(ColliderPlane.ray(Vec3::Y * 2.0, Vec3::Y), None);
    }
}
