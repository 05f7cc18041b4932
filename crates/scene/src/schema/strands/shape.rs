//! Where strands are and how they run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{Bounds, Vec3, WorldAxis};

/// Where strands are and how they run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum StrandShape {
    /// One straight strand.
    Single {
        /// Its first point. [m]
        #[serde(default)]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x(s) = from + s·d̂", "x-safe" = [-100.0, 100.0]))]
        from_m: Vec3,
        /// Where it runs to; any length but zero.
        #[serde(default = "down")]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "x(s) = from + s·d̂", "x-safe" = [-100.0, 100.0]))]
        direction: Vec3,
        /// Its length. [m]
        #[schemars(range(min = 1e-5, max = 1e4))]
        #[schemars(extend("x-formula" = "x(s) = from + s·d̂, s ≤ length", "x-safe" = [0.001, 100.0]))]
        length_m: f64,
    },
    /// One strand that runs smoothly through points.
    Rope {
        /// The points. [m]
        #[schemars(length(min = 2, max = 100000), inner(inner(range(min = -1e5, max = 1e5))))]
        #[schemars(extend("x-formula" = "x(s) through the points", "x-safe" = [-100.0, 100.0]))]
        through_m: Vec<Vec3>,
    },
    /// A rope with a loose overhand knot in its middle; its ends run along x.
    Knot {
        /// Length of the rope. [m]
        #[schemars(range(min = 1e-5, max = 1e4))]
        #[schemars(extend("x-formula" = "(t³ − 3t, t⁴ − 4t², t⁵ − 10t)", "x-safe" = [0.001, 100.0]))]
        length_m: f64,
    },
    /// Strands that grow on a collider or on a body.
    OnSurface {
        /// Name of the collider, or of a body that stands before this one.
        #[schemars(length(min = 1, max = 200))]
        on: String,
        /// How many and how they grow.
        #[serde(flatten)]
        growth: Box<Growth>,
        /// The part of the surface that they grow on; absent: all of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
        /// Parts of the OBJ file of the surface that they grow on, by names of its `g`, `o` or `usemtl`
        /// lines; empty: all of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
        groups: Vec<String>,
        /// Size of the patch that is grown on if the surface is a plane, about its point. [m]
        #[serde(default = "default_patch")]
        #[schemars(inner(range(min = 1e-4, max = 1e5)))]
        #[schemars(extend("x-formula" = "−size/2 ≤ x ≤ size/2", "x-safe" = [0.01, 1000.0]))]
        patch_m: [f64; 2],
        /// A picture that says how densely they grow; absent: evenly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        density_map: Option<SurfaceMap>,
        /// A picture that says how long they are; absent: alike.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length_map: Option<SurfaceMap>,
        /// A picture that says where they are combed to: red, green and blue are x, y and z of the direction,
        /// from -1 (black) to 1 (white); grey is none. `combed` says how much it counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        direction_map: Option<SurfaceMap>,
    },
    /// Strands that stand on a level rectangle about their place.
    Field {
        /// Size along x and z. [m]
        #[schemars(inner(range(min = 1e-4, max = 1e5)))]
        #[schemars(extend("x-formula" = "−size/2 ≤ x ≤ size/2", "x-safe" = [0.01, 1000.0]))]
        size_m: [f64; 2],
        /// How many and how they grow.
        #[serde(flatten)]
        growth: Box<Growth>,
    },
    /// Curves of a file.
    Curves(CurveFile),
}

impl StrandShape {
    /// The number that its noise follows from.
    pub fn seed(&self) -> u32 {
        match self {
            Self::OnSurface { growth, .. } | Self::Field { growth, .. } => growth.seed,
            _ => 0,
        }
    }
}

/// Curves of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CurveFile {
    /// Lines of an OBJ file, CSV with the columns strand, x, y, z, or YAML, relative to the scene.
    #[schemars(length(min = 1, max = 1000))]
    pub file: String,
    /// Factor on its coordinates. [1]
    #[serde(default = "one")]
    #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
    pub scale: f64,
}

/// How many strands there are and how they grow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Growth {
    /// How many strands; either this or `per_m2`. [1]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 2000000), extend("x-formula" = "roots spread evenly by area", "x-safe" = [1, 200000]))]
    pub count: Option<u32>,
    /// Strands by area; either this or `count`. [1/m²]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e9), extend("x-formula" = "strands = density·area", "x-safe" = [0.001, 10000000.0]))]
    pub per_m2: Option<f64>,
    /// Number that places and noise follow from.
    #[serde(default)]
    #[schemars(extend("x-formula" = "r of the seed's sequence", "x-safe" = [0.0, 1e6]))]
    pub seed: u32,
    /// Length of the strands. [m]
    #[schemars(range(min = 1e-5, max = 1e4))]
    #[schemars(extend("x-formula" = "length·(1 − noise·r), 0 ≤ r ≤ 1", "x-safe" = [0.001, 100.0]))]
    pub length_m: f64,
    /// How much shorter a strand may be, as a part. [1]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.99))]
    #[schemars(extend("x-formula" = "length·(1 − noise·r), 0 ≤ r ≤ 1", "x-safe" = [0.0, 0.9]))]
    pub length_noise: f64,
    /// Direction in which they are combed as they leave the surface. [1]
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "t ∝ (1 − a)·n + a·c", "x-safe" = [-100.0, 100.0]))]
    pub comb: Vec3,
    /// How much the combing counts beside the normal of the surface. [1]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "t ∝ (1 − a)·n + a·c", "x-safe" = [0.0, 1.0]))]
    pub combed: f64,
    /// Farthest that strands lean from there at random. [°]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 90.0))]
    #[schemars(extend("x-formula" = "t turned by up to the angle", "x-safe" = [0.0, 60.0]))]
    pub lean_deg: f64,
}

/// A part of a surface, by where it is at the start: one of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Region {
    /// What lies in a box along the axes.
    #[serde(rename = "box")]
    Box(Bounds),
    /// What is seen from a point within an angle of an axis.
    #[serde(rename = "cone")]
    Cone(Cone),
}

/// Directions within an angle of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cone {
    /// The point that is looked from. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "(x − p)·a ≥ |x − p| cos φ", "x-safe" = [-100.0, 100.0]))]
    pub apex_m: Vec3,
    /// The axis; any length but zero.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "(x − p)·a ≥ |x − p| cos φ", "x-safe" = [-100.0, 100.0]))]
    pub axis: Vec3,
    /// Between the axis and the edge of the cone. [°]
    #[schemars(range(min = 0.0, max = 180.0))]
    #[schemars(extend("x-formula" = "(x − p)·a ≥ |x − p| cos φ", "x-safe" = [0.1, 180.0]))]
    pub angle_deg: f64,
}

/// A picture laid over a surface: white is all, black nothing. Along an axis of the world it
/// reaches from edge to edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SurfaceMap {
    /// A PNG or JPEG file, relative to the scene.
    #[schemars(length(min = 1, max = 1000))]
    pub file: String,
    /// The axis that one looks against to see the picture upright.
    #[serde(default = "from_above")]
    pub axis: WorldAxis,
    /// Whether it is laid along that axis or by the texture coordinates of the surface's OBJ file.
    #[serde(default)]
    pub by: MapBy,
}

/// How a picture is laid over a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MapBy {
    /// Along an axis of the world.
    #[default]
    Axis,
    /// By texture coordinates: u to the right, v up, both from 0 to 1 and again from there.
    Uv,
}

fn down() -> Vec3 {
    [0.0, -1.0, 0.0]
}

fn default_patch() -> [f64; 2] {
    [1.0, 1.0]
}

fn one() -> f64 {
    1.0
}

fn from_above() -> WorldAxis {
    WorldAxis::Y
}
