//! A camera in double precision: what is before what is decided without rounding showing.

use glam::{DVec2, DVec3, Vec2, Vec3};
use tkanina_render::Camera;

/// A camera and the size of its picture.
#[derive(Clone, Copy, Debug)]
pub struct View {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Pixels to a tangent of 1.
    scale: f64,
    middle: DVec2,
    near: f64,
}

impl View {
    /// As `camera` sees in a picture of `size` pixels.
    pub fn new(camera: &Camera, size: Vec2) -> Self {
        let forward = camera.forward().as_dvec3().normalize();
        let right = camera.right().as_dvec3();
        let right = (right - forward * right.dot(forward)).normalize();
        Self {
            eye: camera.eye.as_dvec3(),
            right,
            up: right.cross(forward),
            forward,
            scale: 0.5 * f64::from(size.y) / (0.5 * f64::from(camera.fov_y)).tan(),
            middle: 0.5 * size.as_dvec2(),
            near: f64::from(camera.near()),
        }
    }

    /// Seen from the eye: x to the right, y up, z along the sight. [m]
    pub fn local(&self, point: Vec3) -> DVec3 {
        let arm = point.as_dvec3() - self.eye;
        DVec3::new(arm.dot(self.right), arm.dot(self.up), arm.dot(self.forward))
    }

    /// The world point of a local one. [m]
    pub fn world(&self, local: DVec3) -> Vec3 {
        (self.eye + self.world_vector(local)).as_vec3()
    }

    /// The world components of a local direction.
    pub fn world_vector(&self, local: DVec3) -> DVec3 {
        self.right * local.x + self.up * local.y + self.forward * local.z
    }

    /// Where a local point is in the picture; none before the near plane. [pixels]
    pub fn place(&self, local: DVec3) -> Option<DVec2> {
        let shown = local.z >= self.near;
        shown.then(|| self.middle + DVec2::new(local.x, -local.y) * (self.scale / local.z))
    }

    /// The local point of depth 1 that is seen at a place in the picture.
    pub fn ray(&self, place: Vec2) -> DVec3 {
        let across = (place.as_dvec2() - self.middle) / self.scale;
        DVec3::new(across.x, -across.y, 1.0)
    }

    /// Where the eye is. [m]
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Depth at which things begin to show. [m]
    pub fn near(&self) -> f64 {
        self.near
    }

    /// Length that is one pixel large at a depth. [m]
    pub fn pixel(&self, depth: f64) -> f64 {
        depth / self.scale
    }
}

/// t ≥ 0 at which t·`direction` meets a triangle, seen from either side. All are local to the eye.
///
/// The line passes inside if it turns the same way about all three edges, which the volumes that it
/// spans with each of them tell.
pub fn meet([a, b, c]: [DVec3; 3], direction: DVec3) -> Option<f64> {
    let normal_from_eye = b.cross(c);
    let turns =
        [direction.dot(normal_from_eye), direction.dot(c.cross(a)), direction.dot(a.cross(b))];
    let inside = turns.iter().all(|&t| t >= 0.0) || turns.iter().all(|&t| t <= 0.0);
    let sum: f64 = turns.iter().sum();
    if !inside || sum == 0.0 {
        return None;
    }
    let t = a.dot(normal_from_eye) / sum;
    (t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sees_as_the_camera_does() {
        let camera = Camera {
            eye: Vec3::new(1.0, 2.0, 5.0),
            target: Vec3::new(0.2, 0.4, -0.3),
            up: Vec3::new(0.1, 1.0, 0.2),
            fov_y: 0.8,
        };
        let size = Vec2::new(640.0, 360.0);
        let view = View::new(&camera, size);
        for point in [Vec3::ZERO, Vec3::new(1.0, -0.5, 0.3), Vec3::new(-2.0, 1.5, -4.0)] {
            let (place, depth) = camera.project(point, size).unwrap();
            let local = view.local(point);
            assert!((view.place(local).unwrap().as_vec2() - place).length() < 2e-3);
            assert!((local.z as f32 - depth).abs() < 1e-5);
            assert!((view.world(local) - point).length() < 1e-5);
            let back = view.ray(place) * local.z;
            assert!((back - local).length() < 1e-4);
        }
        assert_eq!(view.place(view.local(Vec3::new(2.0, 4.0, 12.0))), None);
    }

    #[test]
    fn lines_meet_triangles_from_both_sides_and_only_ahead() {
        let [a, b, c] =
            [DVec3::new(-1.0, -1.0, 4.0), DVec3::new(1.0, -1.0, 4.0), DVec3::new(0.0, 1.0, 2.0)];
        // On the line x = 0 the triangle rises from (y, z) = (−1, 4) to (1, 2).
        assert!((meet([a, b, c], DVec3::Z).unwrap() - 3.0).abs() < 1e-12);
        assert!((meet([b, a, c], DVec3::Z).unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(meet([a, b, c], DVec3::new(0.9, 0.9, 1.0)), None);
        assert_eq!(meet([a, b, c], -DVec3::Z), None);
    }
}
