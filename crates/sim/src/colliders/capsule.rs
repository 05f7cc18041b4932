//! A rod with round ends.

use glam::Vec3;

use super::{Aabb, Closest, Hit, Shape, round};

/// d(p) = |p − c(p)| − r, where c(p) is the nearest point of the segment
/// from −l to +l on the local Y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderCapsule {
    /// Half length l of the segment, without the round ends [m].
    pub half_length: f32,
    /// Radius r about the segment [m].
    pub radius: f32,
}

impl ColliderCapsule {
    fn core(&self, point: Vec3) -> Vec3 {
        let length = self.half_length.max(0.0);
        Vec3::new(0.0, point.y.max(-length).min(length), 0.0)
    }

    /// Where a path from outside comes in: through the side, else by an end.
    fn entry(&self, origin: Vec3, path: Vec3, reach: f32) -> Option<f32> {
        let on_side = |t: &f32| (origin.y + path.y * t).abs() <= self.half_length;
        let side = round::cylinder_entry(origin, path, reach).filter(on_side);
        let end = |y: f32| round::sphere_entry(origin - Vec3::Y * y, path, reach);
        let ends = [end(self.half_length), end(-self.half_length)];
        ends.into_iter().chain([side]).flatten().reduce(f32::min)
    }
}

impl Shape for ColliderCapsule {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        let reach = self.radius + offset;
        let entry = |origin, path| self.entry(origin, path, reach);
        round::hit([from, to], reach, |p| self.core(p), entry)
    }

    fn closest(&self, point: Vec3) -> Closest {
        round::closest(point, self.radius, self.core(point))
    }

    fn aabb(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.half_length + self.radius, self.radius);
        Aabb { min: -max, max }
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        if self.signed_distance(origin) <= 0.0 {
            return Some(0.0);
        }
        self.entry(origin, direction, self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROD: ColliderCapsule = ColliderCapsule { half_length: 1.0, radius: 0.25 };

    #[test]
    fn distances_over_side_and_end() {
        assert!((ROD.signed_distance(Vec3::new(0.5, 0.7, 0.0)) - 0.25).abs() < 1e-6);
        assert!((ROD.signed_distance(Vec3::new(0.3, 1.4, 0.0)) - 0.25).abs() < 1e-6);
        assert!((ROD.signed_distance(Vec3::new(0.0, 0.2, 0.1)) + 0.15).abs() < 1e-6);
    }

    #[test]
    fn paths_through_side_and_end_stop_where_they_came_in() {
        let hit = ROD.hit(Vec3::new(-4.0, 0.9, 0.0), Vec3::new(4.0, 0.9, 0.0), 0.05).unwrap();
        assert!((hit.point - Vec3::new(-0.3, 0.9, 0.0)).length() < 1e-5);
        let hit = ROD.hit(Vec3::new(0.0, 9.0, 0.0), Vec3::new(0.0, -9.0, 0.0), 0.05).unwrap();
        assert!((hit.point - Vec3::new(0.0, 1.3, 0.0)).length() < 1e-5);
        assert!(ROD.hit(Vec3::new(-4.0, 1.31, 0.0), Vec3::new(4.0, 1.31, 0.0), 0.05).is_none());
    }

    #[test]
    fn an_end_inside_is_projected_radially() {
        let hit = ROD.hit(Vec3::new(0.26, 0.0, 0.0), Vec3::new(0.2, 0.5, 0.0), 0.0).unwrap();
        assert!((hit.point - Vec3::new(0.25, 0.5, 0.0)).length() < 1e-6);
    }

    #[test]
    fn rays_meet_side_and_end() {
        assert_eq!(ROD.ray(Vec3::new(2.25, 0.5, 0.0), -Vec3::X), Some(2.0));
        assert_eq!(ROD.ray(Vec3::new(0.0, 3.25, 0.0), -Vec3::Y), Some(2.0));
        assert_eq!(ROD.ray(Vec3::new(0.3, 3.25, 0.0), -Vec3::Y), None);
    }
}
