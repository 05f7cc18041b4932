//! Colours, textures and shading.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// Colours, textures and shading. What is absent gets a default look.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Look {
    /// Colour of the sky. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub background: Option<Vec3>,
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
    pub color: Option<Vec3>,
    /// Colour of the back. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub back_color: Option<Vec3>,
    /// Picture file, relative to the scene.
    #[schemars(length(min = 1, max = 1000))]
    pub texture: Option<String>,
    /// How often the picture repeats along u and v. [1]
    #[schemars(inner(range(min = 0.001, max = 10000.0)))]
    pub repeat: Option<[f64; 2]>,
    /// How light is spread over the triangles.
    pub shading: Option<Shading>,
    /// Sharpness of the gloss. [1]
    #[schemars(range(min = 0.0, max = 10000.0))]
    pub shininess: Option<f64>,
    /// Lines drawn on the cloth that show how it bends.
    pub pattern: Option<LookPattern>,
    /// Whether it is drawn as lines only.
    pub wireframe: bool,
    /// Whether it is left out of the picture.
    pub hidden: bool,
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
    pub background: Vec3,
    /// Colour of the curves. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub color: Vec3,
    /// How much the curves wave. [1]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub curvature: f64,
    /// Thickness of the curves as a share of their distance. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub thickness: f64,
    /// Curves across the cloth. [1]
    #[schemars(range(min = 0.0, max = 10000.0))]
    pub frequency: f64,
}

impl Default for LookPattern {
    fn default() -> Self {
        let (background, color) = ([0.9, 0.87, 0.8], [0.45, 0.1, 0.15]);
        Self { background, color, curvature: 0.5, thickness: 0.3, frequency: 12.0 }
    }
}
