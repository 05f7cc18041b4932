//! Choosing points of a body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// Points of a body. Every field given adds points; at least one must be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Selection {
    /// Points of a grid as [i, j].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub points: Option<Vec<[u32; 2]>>,
    /// Vertices by number, from 0, in the mesh's order or row by row of a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub vertices: Option<Vec<u32>>,
    /// An edge of a grid: left i = 0, right i = last, bottom j = 0, top j = last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<GridEdge>,
    /// All points of a grid with this j.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// All points of a grid with this i.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// All points that start inside a ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<Ball>,
    /// All points that start inside a box along the axes.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub within: Option<Bounds>,
    /// All points of the body, if true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Selection {
    /// Names of the fields, for messages.
    pub const FIELDS: &[&str] =
        &["points", "vertices", "edge", "row", "column", "ball", "box", "all"];

    /// Whether no field chooses anything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Edge of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridEdge {
    /// i = 0.
    Left,
    /// i = last.
    Right,
    /// j = last.
    Top,
    /// j = 0.
    Bottom,
    /// All four.
    All,
}

/// A ball in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ball {
    /// Its centre. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "|x − c| ≤ r", "x-safe" = [-100.0, 100.0]))]
    pub center_m: Vec3,
    /// Its radius. [m]
    #[schemars(range(max = 1e5), extend("x-formula" = "|x − c| ≤ r", "x-safe" = [0.001, 100.0], "exclusiveMinimum" = 0))]
    pub radius_m: f64,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Bounds {
    /// Its least corner. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "min ≤ x ≤ max", "x-safe" = [-100.0, 100.0]))]
    pub min_m: Vec3,
    /// Its greatest corner. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "min ≤ x ≤ max", "x-safe" = [-100.0, 100.0]))]
    pub max_m: Vec3,
}
