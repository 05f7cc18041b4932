//! Free flight (002).

use glam::{Vec2, Vec3};
use tkanina_render::Camera;

use super::orbit::turned;
use super::{Movement, Reach};

/// Share of the scene's size that is flown in a second. [1/s]
const SPEED: f32 = 0.4;
/// Shift flies so many times faster. [1]
pub(super) const FAST: f32 = 4.0;
/// The sight turns so far for each pixel that the mouse moves. [rad]
const LOOK: f32 = 0.0025;

/// Flies as the keys say: W S along the sight, A D across, Space and C up and down.
pub fn fly(camera: &mut Camera, keys: &Movement, dt: f32, reach: &Reach) {
    let up = camera.up.normalize_or(Vec3::Y);
    let way = camera.forward() * keys.forward + camera.right() * keys.right + up * keys.up;
    let speed = SPEED * reach.size * if keys.fast { FAST } else { 1.0 };
    let shift = way.normalize_or_zero() * (speed * dt);
    camera.eye += shift;
    camera.target += shift;
}

/// Looks round by a motion of the mouse. [pixels]
pub fn look_round(camera: &mut Camera, motion: Vec2) {
    if motion == Vec2::ZERO {
        return;
    }
    let distance = (camera.target - camera.eye).length();
    let sight = turned(camera, -motion.x * LOOK, -motion.y * LOOK);
    camera.target = camera.eye + sight * distance;
}
