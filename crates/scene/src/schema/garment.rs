//! Clothes: flat panels and the seams between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// A flat piece of cloth by its outline, as seen from the side that becomes the outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Panel {
    /// Name by which seams refer to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Sides of its outline, counter-clockwise; each ends where the next begins.
    #[schemars(length(min = 2, max = 1000))]
    pub sides: Vec<PanelSide>,
    /// Where its origin starts, relative to the garment. [m]
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "x = R·x₀ + p", "x-safe" = [-100.0, 100.0]))]
    pub position_m: Vec3,
    /// How it is turned from facing z, XYZ Euler. [°]
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "x = R·x₀ + p, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
    pub rotation_deg: Vec3,
    /// Radius of a cylinder along its y, behind its origin, that it starts bent round; absent:
    /// flat. [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e5))]
    #[schemars(extend("x-formula" = "x₀ = (r·sin(u/r), v, r·cos(u/r) − r)", "x-safe" = [0.02, 10.0]))]
    pub bend_m: Option<f64>,
}

/// A side of a panel's outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PanelSide {
    /// Name by which seams refer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub name: Option<String>,
    /// Where it begins. [m]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    #[schemars(extend("x-formula" = "p(0) = from", "x-safe" = [-10.0, 10.0]))]
    pub from_m: [f64; 2],
    /// One or two handles of a Bézier curve; none: a straight line. [m]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 2), inner(inner(range(min = -1e4, max = 1e4))))]
    #[schemars(extend("x-formula" = "p(t) = Σ Bᵢ(t)·pᵢ, from first, next side's last", "x-safe" = [-10.0, 10.0]))]
    pub handles_m: Vec<[f64; 2]>,
}

/// Two sides that become one line: the begin of each meets the end of the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PanelSeam {
    /// One side.
    pub a: SeamSide,
    /// The other.
    pub b: SeamSide,
    /// By how much of the longer side the lengths may differ; the longer one is gathered. [1]
    #[serde(default = "default_ease")]
    #[schemars(range(min = 0.0, max = 0.9))]
    #[schemars(extend("x-formula" = "|a − b| ≤ ease·max(a, b)", "x-safe" = [0.0, 0.5]))]
    pub ease: f64,
}

/// A side of a panel, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SeamSide {
    /// Name of the panel.
    pub panel: String,
    /// Name of its side.
    pub side: String,
}

/// A shirt of two panels and two sleeves; its origin is where its neck meets its shoulders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct TShirtSize {
    /// Round the chest. [m]
    #[schemars(range(min = 0.05, max = 100.0))]
    #[schemars(extend("x-formula" = "width of a panel = chest/2", "x-safe" = [0.3, 3.0]))]
    pub chest_m: f64,
    /// From neck to hem. [m]
    #[schemars(range(min = 0.05, max = 100.0))]
    #[schemars(extend("x-formula" = "height of a panel", "x-safe" = [0.3, 3.0]))]
    pub hem_m: f64,
    /// From tip to tip of the shoulders. [m]
    #[schemars(range(min = 0.05, max = 100.0))]
    #[schemars(extend("x-formula" = "width of a panel at its top", "x-safe" = [0.15, 2.0]))]
    pub shoulders_m: f64,
    /// From the tip of a shoulder to the end of its sleeve. [m]
    #[schemars(range(min = 0.05, max = 100.0))]
    #[schemars(extend("x-formula" = "height of a sleeve's panel", "x-safe" = [0.1, 2.0]))]
    pub sleeve_m: f64,
    /// How far sleeves are raised from hanging. [°]
    #[schemars(range(min = 20.0, max = 90.0))]
    #[schemars(extend("x-formula" = "axis = (sin φ, −cos φ, 0)", "x-safe" = [30.0, 90.0]))]
    pub arms_deg: f64,
}

impl Default for TShirtSize {
    fn default() -> Self {
        Self { chest_m: 1.12, hem_m: 0.7, shoulders_m: 0.46, sleeve_m: 0.25, arms_deg: 50.0 }
    }
}

/// A careful tailor's.
fn default_ease() -> f64 {
    0.03
}
