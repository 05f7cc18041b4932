//! Cameras and lights.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// Where one looks from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Camera {
    /// Name for `--camera`.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Where the eye is. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "view along target − eye", "x-safe" = [-1000.0, 1000.0]))]
    pub eye_m: Vec3,
    /// What it looks at. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "view along target − eye", "x-safe" = [-1000.0, 1000.0]))]
    pub target_m: Vec3,
    /// Height of the field of view. [°]
    #[serde(default = "default_fov")]
    #[schemars(range(min = 1.0, max = 170.0))]
    #[schemars(extend("x-formula" = "height at distance d = 2d·tan(fov/2)", "x-safe" = [10.0, 100.0]))]
    pub fov_deg: f64,
    /// Which way is up in the picture; any length but zero.
    #[serde(default = "up")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "picture's up ⊥ view, nearest to up", "x-safe" = [-100.0, 100.0]))]
    pub up: Vec3,
}

/// A light.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Light {
    /// Parallel light from far away.
    Sun {
        /// Way the light goes; any length but zero.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "l̂ = −direction/|direction|", "x-safe" = [-100.0, 100.0]))]
        direction: Vec3,
        /// Colour that it adds everywhere. [0..1]
        #[serde(default = "dim")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_a L_a·colour + …", "x-safe" = [0.0, 2.0]))]
        ambient: Vec3,
        /// Colour of matt surfaces under it. [0..1]
        #[serde(default = "white")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_d L_d (n̂·l̂)·colour + …", "x-safe" = [0.0, 10.0]))]
        diffuse: Vec3,
        /// Colour of its gloss. [0..1]
        #[serde(default = "white")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_s L_s (r̂·ê)ˢ + …", "x-safe" = [0.0, 10.0]))]
        specular: Vec3,
    },
    /// A lamp.
    Point {
        /// Where it hangs. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "l̂ ∝ position − x", "x-safe" = [-1000.0, 1000.0]))]
        position_m: Vec3,
        /// Colour that it adds everywhere. [0..1]
        #[serde(default = "dim")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_a L_a·colour + …", "x-safe" = [0.0, 2.0]))]
        ambient: Vec3,
        /// Colour of matt surfaces under it. [0..1]
        #[serde(default = "white")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_d L_d (n̂·l̂)·colour + …", "x-safe" = [0.0, 10.0]))]
        diffuse: Vec3,
        /// Colour of its gloss. [0..1]
        #[serde(default = "white")]
        #[schemars(inner(range(min = 0.0, max = 100.0)))]
        #[schemars(extend("x-formula" = "I = k_s L_s (r̂·ê)ˢ + …", "x-safe" = [0.0, 10.0]))]
        specular: Vec3,
        /// Distance at which it has half its strength. [m]
        #[serde(default = "default_half_distance")]
        #[schemars(range(max = 1e5), extend("x-formula" = "L(d) = L/(1 + (d/half)²)", "x-safe" = [0.1, 1000.0], "exclusiveMinimum" = 0))]
        half_distance_m: f64,
    },
}

fn default_fov() -> f64 {
    45.0
}

fn default_half_distance() -> f64 {
    10.0
}

fn up() -> Vec3 {
    [0.0, 1.0, 0.0]
}

fn dim() -> Vec3 {
    [0.1; 3]
}

fn white() -> Vec3 {
    [1.0; 3]
}
