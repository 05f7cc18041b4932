//! What shines on a scene.

use glam::Vec3;
use tkanina_render::frame::{Light, LightKind};
use tkanina_scene::build::MAX_LIGHTS;
use tkanina_scene::schema::{self, Look};

use crate::looks::vec3;

/// Strength of the sky's light from above, as a share of its colour. [1]
const SKY: f32 = 0.6;
/// Strength of the light that comes from everywhere, as a share of the horizon's colour. [1]
const AROUND: f32 = 0.44;

// The renderer has a place for each of them and for the sky.
const _: () = assert!(MAX_LIGHTS < tkanina_render::MAX_LIGHTS);

/// The scene's lights, or a sun if it has none; and what the sky sends into the shade of them.
pub fn of(described: &[schema::Light], look: &Look) -> Vec<Light> {
    let mut lights: Vec<Light> = described.iter().take(MAX_LIGHTS).map(light).collect();
    if lights.is_empty() {
        lights.push(sun());
    }
    // One colour in place of the sky is a dark room with that wall.
    if look.background.is_none() {
        lights.push(Light {
            kind: LightKind::Sun { direction: Vec3::NEG_Y },
            ambient: AROUND * vec3(look.sky.horizon),
            diffuse: SKY * vec3(look.sky.top),
            specular: Vec3::ZERO,
            shadows: false,
        });
    }
    lights
}

fn sun() -> Light {
    Light {
        kind: LightKind::Sun { direction: Vec3::new(-1.0, -2.0, -1.5).normalize() },
        ambient: Vec3::splat(0.1),
        diffuse: Vec3::ONE,
        specular: Vec3::ONE,
        shadows: true,
    }
}

fn light(described: &schema::Light) -> Light {
    match described {
        schema::Light::Sun { direction, ambient, diffuse, specular } => Light {
            kind: LightKind::Sun {
                direction: vec3(*direction).try_normalize().unwrap_or(Vec3::NEG_Y),
            },
            ambient: vec3(*ambient),
            diffuse: vec3(*diffuse),
            specular: vec3(*specular),
            shadows: true,
        },
        schema::Light::Point { position_m, ambient, diffuse, specular, half_distance_m } => Light {
            kind: LightKind::Point {
                position: vec3(*position_m),
                half_distance: *half_distance_m as f32,
            },
            ambient: vec3(*ambient),
            diffuse: vec3(*diffuse),
            specular: vec3(*specular),
            shadows: true,
        },
    }
}
