//! Turning about three axes, nearer and farther, and zoom, by keys (001).

use glam::Quat;
use tkanina_render::Camera;

use super::flight::FAST;
use super::orbit::turn_about_target;
use super::{Movement, Reach};

/// Turning by keys. [rad/s]
const TURN: f32 = 1.0;
/// Notches of the wheel that keys make in a second. [1/s]
const NOTCHES: f32 = 8.0;
/// The field of view shrinks by this power of e in a second. [1/s]
const ZOOM: f32 = 0.8;
/// Narrowest and widest field of view. [rad]
const FOV: [f32; 2] = [0.03, 2.4];

/// Turns about the target's up and right axes and the line of sight, goes nearer or farther, and
/// changes the field of view.
pub fn turn_and_zoom(camera: &mut Camera, keys: &Movement, dt: f32, reach: &Reach) {
    let pace = dt * if keys.fast { FAST } else { 1.0 };
    if keys.yaw != 0.0 || keys.pitch != 0.0 {
        turn_about_target(camera, keys.yaw * TURN * pace, keys.pitch * TURN * pace);
    }
    if keys.roll != 0.0 {
        // A roll to the right turns the picture's top to the right.
        let turn = Quat::from_axis_angle(camera.forward(), keys.roll * TURN * pace);
        camera.up = (turn * camera.up_in_picture()).normalize();
    }
    if keys.nearer != 0.0 {
        let factor = reach.step(camera, keys.nearer * NOTCHES * pace);
        camera.eye = camera.target + (camera.eye - camera.target) * factor;
    }
    if keys.zoom != 0.0 {
        let fov = camera.fov_y * (-keys.zoom * ZOOM * pace).exp();
        camera.fov_y = fov.clamp(FOV[0].min(camera.fov_y), FOV[1].max(camera.fov_y));
    }
}
