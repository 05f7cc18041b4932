//! What is shown besides the surfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Shading;

/// What is shown besides the surfaces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Show {
    /// Faces of bodies.
    pub faces: bool,
    /// Edges of the triangles of bodies.
    pub wireframe: bool,
    /// Particles as dots.
    pub particles: bool,
    /// Springs, coloured by kind.
    pub springs: bool,
    /// Normals of vertices.
    pub normals: bool,
    /// Pins and other held points.
    pub pins: bool,
    /// Arrows of the wind.
    pub wind: bool,
    /// Obstacles.
    pub colliders: bool,
    /// Shadows of things on each other.
    pub shadows: bool,
    /// Shading of every body, in place of each one's own.
    pub shading: Option<Shading>,
    /// A quantity as colours over the bodies.
    pub heat_map: Option<HeatMap>,
}

impl Default for Show {
    fn default() -> Self {
        Self {
            faces: true,
            wireframe: false,
            particles: false,
            springs: false,
            normals: false,
            pins: false,
            wind: false,
            colliders: true,
            shadows: true,
            shading: None,
            heat_map: None,
        }
    }
}

/// A quantity as colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HeatMap {
    /// The quantity.
    pub of: HeatQuantity,
    /// The colours.
    #[serde(default)]
    pub colors: HeatColors,
    /// Values at the two ends of the colours, in the quantity's unit; absent: from 0 to the
    /// largest of the frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e9, max = 1e9)))]
    #[schemars(extend("x-formula" = "colour = map((q − min)/(max − min))", "x-safe" = [-1000000.0, 1000000.0]))]
    pub range: Option<[f64; 2]>,
}

/// What a heat map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HeatQuantity {
    /// Largest length/rest − 1 of the structural edges at a point. [1]
    Stretch,
    /// Largest angle between two triangles at an edge of a point. [°]
    Bending,
    /// Speed of a point. [m/s]
    Speed,
    /// 1 where a point touches something. [1]
    Contact,
    /// Sum of all forces on a point but contact: what its support bears where it rests. [N]
    Force,
}

/// Colours of a heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HeatColors {
    /// Dark violet through green to yellow.
    #[default]
    Viridis,
    /// Dark blue through grey to yellow, alike for most colour-blind people.
    Cividis,
}
