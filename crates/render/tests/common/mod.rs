//! Small scenes with answers that can be worked out by hand.
#![allow(dead_code)]

use std::cell::RefCell;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use tkanina_render::frame::{Backdrop, Light, LightKind, Surface, SurfaceLook};
use tkanina_render::meshes::{self, Mesh};
use tkanina_render::{Camera, Frame, Gpu, Image, Offscreen};

thread_local! {
    static OFFSCREEN: RefCell<Offscreen> = RefCell::new(offscreen());
}

/// A renderer of its own.
pub fn offscreen() -> Offscreen {
    match Gpu::headless() {
        Ok(gpu) => Offscreen::new(gpu),
        Err(error) => panic!("picture tests need a graphics adapter: {error}"),
    }
}

/// A picture of 64 x 64 pixels.
pub fn picture(frame: &Frame, camera: &Camera) -> Image {
    picture_of(frame, camera, [64, 64])
}

/// A picture of some size.
pub fn picture_of(frame: &Frame, camera: &Camera, size: [u32; 2]) -> Image {
    OFFSCREEN
        .with_borrow_mut(|offscreen| offscreen.picture(frame, camera, size))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The eye above the origin that looks down; x goes right, −z up. A picture is 2 m high at y = 0.
pub fn from_above() -> Camera {
    Camera { eye: Vec3::Y * 2.0, target: Vec3::ZERO, up: Vec3::NEG_Z, fov_y: 2.0 * 0.5_f32.atan() }
}

/// The same from below; x goes right, z up.
pub fn from_below() -> Camera {
    Camera { eye: Vec3::Y * -2.0, up: Vec3::Z, ..from_above() }
}

/// White light straight down, nothing else.
pub fn noon() -> Light {
    Light {
        kind: LightKind::Sun { direction: Vec3::NEG_Y },
        ambient: Vec3::ZERO,
        diffuse: Vec3::ONE,
        specular: Vec3::ZERO,
        shadows: false,
    }
}

/// Matt, of one colour.
pub fn matt(color: Vec3) -> SurfaceLook {
    SurfaceLook { front: color, back: color, reflects: [1.0, 1.0, 0.0], ..Default::default() }
}

/// A mesh with a look.
pub fn surface(mesh: Mesh, look: SurfaceLook) -> Surface {
    Surface {
        positions: mesh.positions,
        normals: mesh.normals,
        uvs: mesh.uvs,
        values: None,
        triangles: mesh.triangles,
        world_from_local: Mat4::IDENTITY,
        look,
    }
}

/// A square of 2 m that fills the picture from above.
pub fn floor(look: SurfaceLook) -> Surface {
    surface(meshes::rectangle([1.0, 1.0]), look)
}

/// Surfaces in lights before black.
pub fn frame(surfaces: Vec<Surface>, lights: Vec<Light>) -> Frame {
    Frame { surfaces, lights, backdrop: Backdrop::Plain(Vec3::ZERO), ..Default::default() }
}

/// The sRGB byte of linear light.
pub fn byte(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let srgb =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * srgb).round() as u8
}

/// Linear light of an sRGB channel.
pub fn light(srgb: f32) -> f32 {
    if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

/// Fails unless a pixel is as expected within `within`.
#[track_caller]
pub fn assert_close(pixel: [u8; 4], expected: [u8; 3], within: u8) {
    let close = (0..3).all(|i| pixel[i].abs_diff(expected[i]) <= within);
    assert!(close, "{pixel:?} is not {expected:?} within {within}");
}

/// A picture with these pixels.
pub fn image(width: u32, height: u32, pixels: &[[u8; 4]]) -> Arc<Image> {
    Arc::new(Image { width, height, rgba: pixels.concat() })
}
