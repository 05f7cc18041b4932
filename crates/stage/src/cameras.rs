//! Where a scene is seen from.

use glam::Vec3;
use tkanina_render::Camera;
use tkanina_scene::schema::{self, Scene};

/// A camera with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCamera {
    /// Name in the scene.
    pub name: String,
    /// The camera.
    pub camera: Camera,
}

/// Name of the camera that a scene without cameras gets.
const OF_ITS_OWN: &str = "all";
/// From the target to the eye of that camera: a little from above and from the right.
const FROM: Vec3 = Vec3::new(0.45, 0.4, 1.0);
/// Height of its field of view. [rad]
const FOV_Y: f32 = 40.0 * std::f32::consts::PI / 180.0;
/// Shape of the picture that it fits, width over height.
const ASPECT: f32 = 16.0 / 9.0;
/// Space around what is framed, as a factor on its size.
const MARGIN: f32 = 1.1;

/// The scene's cameras in their order; if it has none, one that sees everything within `bounds`.
pub fn cameras(scene: &Scene, bounds: [Vec3; 2]) -> Vec<NamedCamera> {
    if scene.cameras.is_empty() {
        let target = 0.5 * (bounds[0] + bounds[1]);
        let camera = Camera { eye: target + FROM, target, up: Vec3::Y, fov_y: FOV_Y };
        let camera = frame_all(camera, bounds, ASPECT);
        return vec![NamedCamera { name: OF_ITS_OWN.to_owned(), camera }];
    }
    scene.cameras.iter().map(named).collect()
}

/// The camera moved along its sight, and sideways, until `bounds` fill a picture of that shape
/// (width over height).
pub fn frame_all(camera: Camera, bounds: [Vec3; 2], aspect: f32) -> Camera {
    let target = 0.5 * (bounds[0] + bounds[1]);
    let (forward, right, up) = (camera.forward(), camera.right(), camera.up_in_picture());
    let half_height = (0.5 * camera.fov_y).tan() / MARGIN;
    let half_width = half_height * aspect;
    let mut distance = 0.0f32;
    for corner in corners(bounds) {
        let arm = corner - target;
        let sideways = (arm.dot(right).abs() / half_width).max(arm.dot(up).abs() / half_height);
        distance = distance.max(sideways - arm.dot(forward));
    }
    // Nothing at all is looked at from a metre away.
    let distance = if distance > 0.0 && distance.is_finite() { distance } else { 1.0 };
    Camera { eye: target - forward * distance, target, ..camera }
}

fn named(described: &schema::Camera) -> NamedCamera {
    let vec3 = |v: schema::Vec3| Vec3::from(v.map(|c| c as f32));
    let camera = Camera {
        eye: vec3(described.eye_m),
        target: vec3(described.target_m),
        up: vec3(described.up),
        fov_y: described.fov_deg.to_radians() as f32,
    };
    NamedCamera { name: described.name.clone(), camera }
}

fn corners([low, high]: [Vec3; 2]) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |i| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn framed_things_fill_the_picture_and_stay_inside_it() {
        let bounds = [Vec3::new(-1.0, 0.5, -3.0), Vec3::new(2.0, 1.5, 0.25)];
        let from =
            Camera { eye: Vec3::new(3.0, 2.0, 5.0), target: Vec3::Y, up: Vec3::Y, fov_y: 0.7 };
        for size in [Vec2::new(640.0, 360.0), Vec2::new(200.0, 500.0)] {
            let camera = frame_all(from, bounds, size.x / size.y);
            assert!((camera.forward() - from.forward()).length() < 1e-5);
            let mut farthest = 0.0f32;
            for corner in corners(bounds) {
                let (place, _) = camera.project(corner, size).unwrap();
                let off = ((place / size - 0.5) * 2.0).abs();
                farthest = farthest.max(off.max_element());
            }
            assert!((0.9..=1.0).contains(&(farthest * 1.0)), "{size}: {farthest}");
        }
    }

    #[test]
    fn nothing_is_framed_without_numbers_that_are_none() {
        let camera = Camera { eye: Vec3::Z, target: Vec3::ZERO, up: Vec3::Y, fov_y: 0.7 };
        let framed = frame_all(camera, [Vec3::X; 2], 1.0);
        assert!(framed.eye.is_finite() && framed.eye != framed.target);
    }

    #[test]
    fn a_scene_without_cameras_has_one() {
        let mut scene = Scene::open("cloth-on-sphere", &[]).unwrap().scene;
        assert_eq!(cameras(&scene, [Vec3::ZERO, Vec3::ONE])[0].name, "main");
        scene.cameras.clear();
        let found = cameras(&scene, [Vec3::ZERO, Vec3::ONE]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].camera.target, Vec3::splat(0.5));
    }
}
