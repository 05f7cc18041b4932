//! The eye.

use glam::camera::rh;
use glam::{Mat4, Vec2, Vec3, Vec4Swizzles};

/// Where one looks from and how wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The eye. [m]
    pub eye: Vec3,
    /// What it looks at. [m]
    pub target: Vec3,
    /// Which way is up in the picture; any length but zero.
    pub up: Vec3,
    /// Height of the field of view. [rad]
    pub fov_y: f32,
}

/// Share of the distance to the target at which things begin to show; far is unbounded.
const NEAR_SHARE: f32 = 0.01;

impl Camera {
    /// Unit vector of sight; −z if the eye is at the target.
    pub fn forward(&self) -> Vec3 {
        (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z)
    }

    /// Unit vector to the right of the picture.
    pub fn right(&self) -> Vec3 {
        let forward = self.forward();
        let right = forward.cross(self.up).try_normalize();
        right.unwrap_or_else(|| forward.any_orthonormal_vector())
    }

    /// Unit vector to the top of the picture.
    pub fn up_in_picture(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// Distance at which things begin to show. [m]
    pub fn near(&self) -> f32 {
        (NEAR_SHARE * (self.target - self.eye).length()).clamp(1e-4, 1.0)
    }

    /// Camera space: x to the right, y up, −z ahead.
    pub fn view_from_world(&self) -> Mat4 {
        rh::view::look_to_mat4(self.eye, self.forward(), self.up_in_picture())
    }

    /// Clip space with reversed depth: 1 at the near plane, 0 at infinity.
    pub fn projection_from_view(&self, aspect: f32) -> Mat4 {
        rh::proj::directx::perspective_infinite_reverse(self.fov_y, aspect, self.near())
    }

    /// World to clip space.
    pub fn projection_from_world(&self, aspect: f32) -> Mat4 {
        self.projection_from_view(aspect) * self.view_from_world()
    }

    /// Where a point is in a picture of `size` pixels, from its top left corner, and its depth along
    /// the sight [m]; none if it is behind the near plane.
    pub fn project(&self, point: Vec3, size: Vec2) -> Option<(Vec2, f32)> {
        let depth = (point - self.eye).dot(self.forward());
        if !(depth >= self.near()) {
            return None;
        }
        let clip = self.projection_from_world(size.x / size.y) * point.extend(1.0);
        let device = clip.xy() / clip.w;
        Some(((device * Vec2::new(0.5, -0.5) + 0.5) * size, depth))
    }

    /// Unit vector from the eye through a place in a picture of `size` pixels.
    pub fn ray(&self, place: Vec2, size: Vec2) -> Vec3 {
        let device = (place / size - 0.5) * Vec2::new(2.0, -2.0);
        let half = (0.5 * self.fov_y).tan();
        let across = self.right() * (device.x * half * size.x / size.y);
        (self.forward() + across + self.up_in_picture() * (device.y * half)).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_pass_through_what_is_projected() {
        let camera = Camera {
            eye: Vec3::new(1.0, 2.0, 5.0),
            target: Vec3::new(0.2, 0.4, -0.3),
            up: Vec3::Y,
            fov_y: 0.8,
        };
        let size = Vec2::new(640.0, 360.0);
        for point in [Vec3::ZERO, Vec3::new(1.0, -0.5, 0.3), Vec3::new(-2.0, 1.5, -4.0)] {
            let (place, depth) = camera.project(point, size).unwrap();
            let ray = camera.ray(place, size);
            let along = depth / ray.dot(camera.forward());
            assert!((camera.eye + ray * along - point).length() < 1e-4, "{point}");
        }
        assert_eq!(camera.project(Vec3::new(2.0, 4.0, 12.0), size), None);
    }

    #[test]
    fn the_target_is_in_the_middle_and_up_is_up() {
        let camera =
            Camera { eye: Vec3::new(0.0, 0.0, 3.0), target: Vec3::ZERO, up: Vec3::Y, fov_y: 1.0 };
        let size = Vec2::new(200.0, 100.0);
        let (middle, _) = camera.project(Vec3::ZERO, size).unwrap();
        let (above, _) = camera.project(Vec3::Y, size).unwrap();
        let (beside, _) = camera.project(Vec3::X, size).unwrap();
        assert!((middle - Vec2::new(100.0, 50.0)).length() < 1e-4);
        assert!(above.y < 50.0 && beside.x > 100.0);
    }
}
