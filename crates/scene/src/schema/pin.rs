//! What holds points: pins, seams and glue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Selection, Vec3};

/// Points that are held: outright, by a spring that may break, along a path,
/// or to a collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Pin {
    /// The points.
    #[serde(flatten)]
    pub select: Selection,
    /// Force at which the pin lets go; absent: never. [N]
    #[serde(rename = "breaks_at_N", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e9), extend("x-formula" = "breaks when k|d| ≥ limit", "x-safe" = [0.001, 100000.0], "exclusiveMinimum" = 0))]
    pub breaks_at_n: Option<f64>,
    /// Stiffness of the spring that ties the point; absent: held outright. [N/m]
    #[serde(rename = "stiffness_N_m", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e9), extend("x-formula" = "F = k·d + c·ḋ", "x-safe" = [0.1, 5000.0], "exclusiveMinimum" = 0))]
    pub stiffness_n_m: Option<f64>,
    /// Path of the pin, relative to where it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<Follow>,
    /// Collider that carries the pin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attach_to: Option<String>,
    /// When the pin lets go by itself; absent: never. [s]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "held while t < release", "x-safe" = [0.0, 3600.0]))]
    pub release_at_s: Option<f64>,
}

/// A path by keyframes, straight between them and at rest outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Follow {
    /// Keyframes, by time.
    #[schemars(length(min = 1, max = 100000))]
    pub keyframes: Vec<FollowKey>,
}

/// One keyframe of a pin's path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FollowKey {
    /// When. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "x = x₀ + lerp(key, next key)", "x-safe" = [0.0, 3600.0]))]
    pub t_s: f64,
    /// How far from the start. [m]
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "x = x₀ + lerp(key, next key)", "x-safe" = [-100.0, 100.0]))]
    pub offset_m: Vec3,
    /// Rotation about the centre of the pinned points, XYZ Euler. [°]
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "R = slerp(key, next key)", "x-safe" = [-720.0, 720.0]))]
    pub rotation_deg: Vec3,
}

/// A seam: the n-th point of one side is drawn to the n-th of the other.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sew {
    /// One side.
    pub a: SewSide,
    /// The other side, with as many points.
    pub b: SewSide,
    /// Stiffness of the stitches. [N/m]
    #[serde(rename = "stiffness_N_m")]
    #[schemars(range(max = 1e9), extend("x-formula" = "F = k·d + c·ḋ", "x-safe" = [0.1, 5000.0], "exclusiveMinimum" = 0))]
    pub stiffness_n_m: f64,
    /// Damping of the stitches. [N·s/m]
    #[serde(rename = "damping_N_s_m", default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = k·d + c·ḋ", "x-safe" = [0.0, 50.0]))]
    pub damping_n_s_m: f64,
    /// Force at which a stitch breaks; absent: never. [N]
    #[serde(rename = "breaks_at_N", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e9), extend("x-formula" = "breaks when k|d| ≥ limit", "x-safe" = [0.001, 100000.0], "exclusiveMinimum" = 0))]
    pub breaks_at_n: Option<f64>,
}

/// One side of a seam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SewSide {
    /// Name of the body.
    pub body: String,
    /// Its points.
    #[serde(flatten)]
    pub select: Selection,
}

/// Points of a body held to a collider where they touch it at the start.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Glue {
    /// Name of the body.
    pub body: String,
    /// Its points.
    #[serde(flatten)]
    pub select: Selection,
    /// Name of the collider.
    pub collider: String,
    /// Stiffness of the glue; absent: held outright. [N/m]
    #[serde(rename = "stiffness_N_m", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e9), extend("x-formula" = "F = k·d + c·ḋ", "x-safe" = [0.1, 5000.0], "exclusiveMinimum" = 0))]
    pub stiffness_n_m: Option<f64>,
    /// Force at which the glue lets go; absent: never. [N]
    #[serde(rename = "breaks_at_N", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e9), extend("x-formula" = "breaks when k|d| ≥ limit", "x-safe" = [0.001, 100000.0], "exclusiveMinimum" = 0))]
    pub breaks_at_n: Option<f64>,
}
