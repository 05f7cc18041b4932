//! A ball.

use glam::Vec3;

use super::{Aabb, Closest, Hit, Shape, round};

/// d(p) = |p| − r. Response: radial projection, Lovrinović 2024, 2.3; paths
/// that pass through are stopped where they came in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderSphere {
    /// Radius r about the local origin [m].
    pub radius: f32,
}

impl Shape for ColliderSphere {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        let reach = self.radius + offset;
        let entry = |origin, path| round::sphere_entry(origin, path, reach);
        round::hit([from, to], reach, |_| Vec3::ZERO, entry)
    }

    fn closest(&self, point: Vec3) -> Closest {
        round::closest(point, self.radius, Vec3::ZERO)
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: Vec3::splat(-self.radius), max: Vec3::splat(self.radius) }
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        if origin.length_squared() <= self.radius * self.radius {
            return Some(0.0);
        }
        round::sphere_entry(origin, direction, self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: ColliderSphere = ColliderSphere { radius: 0.5 };

    #[test]
    fn an_end_inside_is_projected_radially() {
        let hit = BALL.hit(Vec3::new(0.0, 0.51, 0.0), Vec3::new(0.03, 0.4, 0.04), 0.0).unwrap();
        let normal = Vec3::new(0.03, 0.4, 0.04).normalize();
        assert!((hit.normal - normal).length() < 1e-6);
        assert!((hit.point - normal * 0.5).length() < 1e-6);
        // |(0.03 t, 0.51 − 0.11 t, 0.04 t)| = 0.5, the lesser root.
        assert!((hit.fraction - 0.091_098).abs() < 1e-5, "{}", hit.fraction);
    }

    #[test]
    fn a_path_right_through_stops_where_it_came_in() {
        let hit = BALL.hit(Vec3::new(-100.0, 0.3, 0.0), Vec3::new(100.0, 0.3, 0.0), 0.0).unwrap();
        assert!((hit.point - Vec3::new(-0.4, 0.3, 0.0)).length() < 1e-5, "{}", hit.point);
        assert!((hit.fraction - 0.498).abs() < 1e-6);
        assert!(BALL.hit(Vec3::new(-9.0, 0.51, 0.0), Vec3::new(9.0, 0.51, 0.0), 0.0).is_none());
        assert!(BALL.hit(Vec3::new(-9.0, 0.51, 0.0), Vec3::new(9.0, 0.51, 0.0), 0.02).is_some());
    }

    #[test]
    fn an_end_past_the_centre_is_not_put_out_behind() {
        let hit = BALL.hit(Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.0), 0.0).unwrap();
        assert!((hit.normal + Vec3::X).length() < 1e-6);
        // Resting on the left when the ball rushes left by more than its width.
        let rested = BALL.hit(Vec3::new(-0.499_999, 0.0, 0.0), Vec3::X * 2.0, 0.0).unwrap();
        assert!((rested.normal + Vec3::X).length() < 1e-6 && rested.fraction == 0.0);
    }

    #[test]
    fn leaving_is_no_hit_and_the_centre_has_a_way_out() {
        assert!(BALL.hit(Vec3::Y * 0.4999, Vec3::Y * 0.6, 0.0).is_none());
        let hit = BALL.hit(Vec3::ZERO, Vec3::ZERO, 0.0).unwrap();
        assert_eq!(hit.point, Vec3::Y * 0.5);
    }

    #[test]
    fn rays_meet_the_near_side() {
        let t = BALL.ray(Vec3::new(-3.0, 0.0, 0.0), Vec3::X * 2.0).unwrap();
        assert!((t - 1.25).abs() < 1e-6);
        assert!(BALL.ray(Vec3::new(-3.0, 0.0, 0.0), -Vec3::X).is_none());
        assert_eq!(BALL.ray(Vec3::ZERO, Vec3::X), Some(0.0));
    }
}
