//! Colours, textures and shading.

mod strands;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Show, Vec3};

pub use strands::{LookStrands, StrandDisplay, StrandLight};

/// Colours, textures and shading. What is absent gets a default look.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Look {
    /// One colour in place of the sky. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour of a pixel that nothing covers, sRGB", "x-safe" = [0.0, 1.0]))]
    pub background: Option<Vec3>,
    /// The sky behind everything.
    pub sky: LookSky,
    /// A floor that is only drawn; things fall through it unless a collider is there.
    pub floor: Option<LookFloor>,
    /// What is shown besides the surfaces.
    pub show: Show,
    /// Looks of bodies and colliders by name.
    pub bodies: BTreeMap<String, LookBody>,
}

/// Look of one body or collider.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookBody {
    /// Colour. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "I = colour·(k_a L_a + k_d L_d (n̂·l̂)) + gloss, sRGB", "x-safe" = [0.0, 1.0]))]
    pub color: Option<Vec3>,
    /// Colour of the back. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "I = colour·(k_a L_a + k_d L_d (n̂·l̂)) + gloss, sRGB", "x-safe" = [0.0, 1.0]))]
    pub back_color: Option<Vec3>,
    /// Colours of even and odd rows of points, in place of `color`. [0..1]
    #[schemars(inner(inner(range(min = 0.0, max = 1.0))), extend("x-formula" = "colour = rows[j mod 2], sRGB", "x-safe" = [0.0, 1.0]))]
    pub row_colors: Option<[Vec3; 2]>,
    /// Picture file (PNG or JPEG), relative to the scene.
    #[schemars(length(min = 1, max = 1000))]
    pub texture: Option<String>,
    /// How often the picture repeats along u and v. [1]
    #[schemars(inner(range(min = 0.001, max = 10000.0)))]
    #[schemars(extend("x-formula" = "picture at (u, v)·repeat", "x-safe" = [0.01, 1000.0]))]
    pub repeat: Option<[f64; 2]>,
    /// How light is spread over the triangles.
    pub shading: Option<Shading>,
    /// Sharpness of the gloss. [1]
    #[schemars(range(min = 0.0, max = 10000.0))]
    #[schemars(extend("x-formula" = "gloss = k_s L_s (r̂·ê)ˢ", "x-safe" = [1.0, 500.0]))]
    pub shininess: Option<f64>,
    /// Part of the ambient light that is sent back. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "I = k_a L_a·colour + …", "x-safe" = [0.0, 1.0]))]
    pub ambient: Option<f64>,
    /// Part of the diffuse light that is sent back. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "I = k_d L_d (n̂·l̂)·colour + …", "x-safe" = [0.0, 1.0]))]
    pub diffuse: Option<f64>,
    /// Part of the specular light that is sent back. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "I = k_s L_s (r̂·ê)ˢ + …", "x-safe" = [0.0, 1.0]))]
    pub specular: Option<f64>,
    /// Bumps that turn the light but move nothing.
    pub bumps: Option<LookBumps>,
    /// Lines drawn on the cloth that show how it bends.
    pub pattern: Option<LookPattern>,
    /// How it looks if it is made of strands.
    pub strands: Option<LookStrands>,
    /// Whether it is drawn as lines only.
    pub wireframe: bool,
    /// Whether it is left out of the picture.
    pub hidden: bool,
}

/// The sky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookSky {
    /// Colour straight up. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour of a pixel that nothing covers, sRGB", "x-safe" = [0.0, 1.0]))]
    pub top: Vec3,
    /// Colour at the horizon; floors fade into it. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour of a pixel that nothing covers, sRGB", "x-safe" = [0.0, 1.0]))]
    pub horizon: Vec3,
    /// Colour below the horizon. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour of a pixel that nothing covers, sRGB", "x-safe" = [0.0, 1.0]))]
    pub ground: Vec3,
    /// Whether a disc marks each sun.
    pub sun_disc: bool,
}

impl Default for LookSky {
    fn default() -> Self {
        Self {
            top: [0.36, 0.55, 0.80],
            horizon: [0.86, 0.89, 0.92],
            ground: [0.62, 0.62, 0.60],
            sun_disc: true,
        }
    }
}

/// A floor that is only drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookFloor {
    /// Height y of the floor. [m]
    #[schemars(range(min = -1e5, max = 1e5))]
    #[schemars(extend("x-formula" = "y = height", "x-safe" = [-100.0, 100.0]))]
    pub height_m: f64,
    /// Its colour. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "I = colour·(k_a L_a + k_d L_d (n̂·l̂)) + gloss, sRGB", "x-safe" = [0.0, 1.0]))]
    pub color: Vec3,
    /// Distance of its lines; 0 for none. [m]
    #[schemars(range(min = 0.0, max = 1e5))]
    #[schemars(extend("x-formula" = "lines at x, z = i·grid", "x-safe" = [0.0, 100.0]))]
    pub grid_m: f64,
}

impl Default for LookFloor {
    fn default() -> Self {
        Self { height_m: 0.0, color: [0.72, 0.71, 0.68], grid_m: 0.5 }
    }
}

/// Bumps that turn the light but move nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookBumps {
    /// A normal map (PNG or JPEG), relative to the scene; absent: a plain weave.
    #[schemars(length(min = 1, max = 1000))]
    pub file: Option<String>,
    /// How often it repeats along u and v. [1]
    #[schemars(inner(range(min = 0.001, max = 10000.0)))]
    #[schemars(extend("x-formula" = "map at (u, v)·repeat", "x-safe" = [0.01, 1000.0]))]
    pub repeat: [f64; 2],
    /// 0 is flat, 1 is as the map says. [1]
    #[schemars(range(min = 0.0, max = 10.0))]
    #[schemars(extend("x-formula" = "n̂′ ∝ n̂ + strength·bump", "x-safe" = [0.0, 2.0]))]
    pub strength: f64,
}

impl Default for LookBumps {
    fn default() -> Self {
        Self { file: None, repeat: [60.0, 60.0], strength: 0.6 }
    }
}

/// How light is spread over the triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shading {
    /// One shade a triangle.
    Flat,
    /// Shades mixed between the corners.
    Gouraud,
    /// Normals mixed between the corners.
    Phong,
}

/// A pattern of curves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookPattern {
    /// Colour between the curves. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "mix(background, colour, curve(u, v)), sRGB", "x-safe" = [0.0, 1.0]))]
    pub background: Vec3,
    /// Colour of the curves. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "mix(background, colour, curve(u, v)), sRGB", "x-safe" = [0.0, 1.0]))]
    pub color: Vec3,
    /// How much the curves wave. [1]
    #[schemars(range(min = 0.0, max = 10.0))]
    #[schemars(extend("x-formula" = "curve along crests of sin(p(u + v) + c·sin(p(u − v))), p = 2πf", "x-safe" = [0.0, 5.0]))]
    pub curvature: f64,
    /// Thickness of the curves as a share of their distance. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "curve is thickness·distance of crests wide", "x-safe" = [0.01, 1.0]))]
    pub thickness: f64,
    /// Curves across the cloth. [1]
    #[schemars(range(min = 0.0, max = 10000.0))]
    #[schemars(extend("x-formula" = "curve along crests of sin(p(u + v) + c·sin(p(u − v))), p = 2πf", "x-safe" = [0.0, 100.0]))]
    pub frequency: f64,
}

impl Default for LookPattern {
    fn default() -> Self {
        let (background, color) = ([0.9, 0.87, 0.8], [0.45, 0.1, 0.15]);
        Self { background, color, curvature: 0.5, thickness: 0.3, frequency: 12.0 }
    }
}
