//! Round a target, across it, and towards the cursor.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec2, Vec3};
use tkanina_render::Camera;

/// The sight stays this far from straight up and down, where right and left would swap. [rad]
const POLE_GAP: f32 = 0.01;

/// Turns about the target by a drag given in heights of the picture; a whole height is half a turn.
pub fn orbit(camera: &mut Camera, drag: Vec2) {
    turn_about_target(camera, -drag.x * PI, drag.y * PI);
}

/// Turns the eye about the target: `yaw` counter-clockwise about the up axis, `pitch` upwards. [rad]
pub(super) fn turn_about_target(camera: &mut Camera, yaw: f32, pitch: f32) {
    let distance = (camera.eye - camera.target).length();
    let sight = turned(camera, yaw, -pitch);
    camera.eye = camera.target - sight * distance;
}

/// The sight turned by `yaw` counter-clockwise about the up axis and by `pitch` upwards, never over
/// a pole. [rad]
pub(super) fn turned(camera: &Camera, yaw: f32, pitch: f32) -> Vec3 {
    let pole = camera.up.normalize_or(Vec3::Y);
    let sight = camera.forward();
    let height = sight.dot(pole).clamp(-1.0, 1.0).asin();
    let limit = (FRAC_PI_2 - POLE_GAP).max(height.abs());
    let pitch = (height + pitch).clamp(-limit, limit) - height;
    let turn = Quat::from_axis_angle(pole, yaw) * Quat::from_axis_angle(camera.right(), pitch);
    (turn * sight).normalize_or(sight)
}

/// Shifts the camera so that what is at the target's depth follows the cursor. [pixels]
pub fn pan(camera: &mut Camera, from: Vec2, to: Vec2, size: Vec2) {
    let shift = at_target_depth(camera, from, size) - at_target_depth(camera, to, size);
    camera.eye += shift;
    camera.target += shift;
}

/// Scales the camera's distance by `factor` about what is at the target's depth under the cursor,
/// which stays where it is in the picture.
pub fn zoom_to(camera: &mut Camera, pointer: Vec2, size: Vec2, factor: f32) {
    let fixed = at_target_depth(camera, pointer, size);
    camera.eye = fixed + (camera.eye - fixed) * factor;
    camera.target = fixed + (camera.target - fixed) * factor;
}

/// Looks straight at a point from as far as before.
pub fn focus(camera: &mut Camera, point: Vec3) {
    let shift = point - camera.target;
    camera.target = point;
    camera.eye += shift;
}

/// The point under the cursor at the target's depth. [m]
fn at_target_depth(camera: &Camera, pointer: Vec2, size: Vec2) -> Vec3 {
    let ray = camera.ray(pointer, size);
    let depth = (camera.target - camera.eye).length();
    camera.eye + ray * (depth / ray.dot(camera.forward()))
}
