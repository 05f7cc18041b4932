//! What is in the way.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MeshFrames, MeshShape, TerrainHeights, Vec3};

/// Something in the way, that moves only as told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Collider {
    /// Name by which pins, glue and winds refer to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Its form.
    #[serde(flatten)]
    pub shape: ColliderShape,
    /// How it moves.
    #[serde(default)]
    pub motion: Motion,
    /// Coulomb friction. [1]
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "|Δv_t| ≤ μ|Δv_n|", "x-safe" = [0.0, 2.0]))]
    pub friction: f64,
    /// Share of the normal speed that a bounce keeps. [1]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "Δv_n = −(1 + e)v_n", "x-safe" = [0.0, 0.9]))]
    pub restitution: f64,
}

/// Form of a collider.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ColliderShape {
    /// A ball.
    Sphere {
        /// Centre. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + c", "x-safe" = [-100.0, 100.0]))]
        center_m: Vec3,
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x − c| ≥ r + thickness", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
    },
    /// A box.
    Box {
        /// Centre. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + c", "x-safe" = [-100.0, 100.0]))]
        center_m: Vec3,
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|xᵢ| ≤ size/2 is inside", "x-safe" = [0.005, 200.0]))]
        size_m: Vec3,
        /// Rotation about its centre, XYZ Euler. [°]
        #[serde(default)]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + c, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
        rotation_deg: Vec3,
    },
    /// Everything behind a plane.
    Plane {
        /// A point of the plane. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "(x − p)·n̂ ≥ thickness", "x-safe" = [-100.0, 100.0]))]
        point_m: Vec3,
        /// Direction out of the solid; any length but zero.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "(x − p)·n̂ ≥ thickness", "x-safe" = [-100.0, 100.0]))]
        normal: Vec3,
    },
    /// All points within a distance of a line segment.
    Capsule {
        /// One end of the segment. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "distance to a…b ≥ r + thickness", "x-safe" = [-100.0, 100.0]))]
        a_m: Vec3,
        /// The other end. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "distance to a…b ≥ r + thickness", "x-safe" = [-100.0, 100.0]))]
        b_m: Vec3,
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "distance to a…b ≥ r + thickness", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
    },
    /// Triangles of a file or by formula, closed or open, in the way from both sides.
    Mesh {
        /// An OBJ or glTF file, relative to the scene.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 1000))]
        file: Option<String>,
        /// A mesh by formula, in place of a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shape: Option<MeshShape>,
        /// Makes its vertices move on their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frames: Option<MeshFrames>,
        /// Position of its origin. [m]
        #[serde(default)]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p", "x-safe" = [-100.0, 100.0]))]
        position_m: Vec3,
        /// Rotation about its origin, XYZ Euler. [°]
        #[serde(default)]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
        rotation_deg: Vec3,
        /// Factor on its coordinates. [1]
        #[serde(default = "one")]
        #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
        scale: f64,
    },
    /// A closed mesh as the distance to its surface, sampled on a grid: quicker to meet than its
    /// triangles, and rounder than they are by less than a cell.
    DistanceField {
        /// An OBJ or glTF file, relative to the scene.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 1000))]
        file: Option<String>,
        /// A mesh by formula, in place of a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shape: Option<MeshShape>,
        /// Size of a cell; absent: 1/64 of its longest side. [m]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 1e5), extend("x-formula" = "|φ − d| ≤ √3/2·cell", "x-safe" = [0.001, 1.0], "exclusiveMinimum" = 0))]
        cell_m: Option<f64>,
        /// Position of its origin. [m]
        #[serde(default)]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p", "x-safe" = [-100.0, 100.0]))]
        position_m: Vec3,
        /// Rotation about its origin, XYZ Euler. [°]
        #[serde(default)]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
        rotation_deg: Vec3,
        /// Factor on its coordinates. [1]
        #[serde(default = "one")]
        #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
        scale: f64,
    },
    /// Ground by heights, centred on its origin; one-sided in use, as nothing gets below it.
    Terrain {
        /// Size along x and z. [m]
        #[schemars(inner(range(min = 1e-4, max = 1e5)))]
        #[schemars(extend("x-formula" = "−size/2 ≤ x ≤ size/2", "x-safe" = [0.1, 1000.0]))]
        size_m: [f64; 2],
        /// How high it is where.
        heights: TerrainHeights,
        /// Position of its origin. [m]
        #[serde(default)]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p", "x-safe" = [-100.0, 100.0]))]
        position_m: Vec3,
        /// Rotation about its origin, XYZ Euler. [°]
        #[serde(default)]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "x = R·x₀ + p, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
        rotation_deg: Vec3,
    },
}

/// How a collider moves.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Motion {
    /// Not at all.
    #[default]
    Static,
    /// At a constant velocity.
    Linear {
        /// Velocity. [m/s]
        #[schemars(inner(range(min = -1e4, max = 1e4)))]
        #[schemars(extend("x-formula" = "x = x₀ + v·t", "x-safe" = [-20.0, 20.0]))]
        velocity_m_s: Vec3,
    },
    /// Turning at a constant rate.
    Rotate {
        /// Axis; any length but zero.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "R = rotation by ω·t about the axis", "x-safe" = [-100.0, 100.0]))]
        axis: Vec3,
        /// Rate, counter-clockwise seen against the axis. [°/s]
        #[schemars(range(min = -1e6, max = 1e6))]
        #[schemars(extend("x-formula" = "φ = ω·t", "x-safe" = [-720.0, 720.0]))]
        deg_s: f64,
        /// A point of the axis; absent: the collider's centre. [m]
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = p + R(ω·t)·(x₀ − p)", "x-safe" = [-100.0, 100.0]))]
        pivot_m: Option<Vec3>,
    },
    /// x = x₀ + amplitude · sin(2π f t + phase).
    Oscillate {
        /// Farthest from the start. [m]
        #[schemars(inner(range(min = -1e5, max = 1e5)))]
        #[schemars(extend("x-formula" = "x = x₀ + A·sin(2πf t + φ)", "x-safe" = [-10.0, 10.0]))]
        amplitude_m: Vec3,
        /// Swings a second. [Hz]
        #[schemars(range(min = 0.0, max = 10000.0))]
        #[schemars(extend("x-formula" = "x = x₀ + A·sin(2πf t + φ)", "x-safe" = [0.0, 5.0]))]
        frequency_hz: f64,
        /// Phase at the start. [°]
        #[serde(default)]
        #[schemars(range(min = -1e6, max = 1e6))]
        #[schemars(extend("x-formula" = "x = x₀ + A·sin(2πf t + φ)", "x-safe" = [-360.0, 360.0]))]
        phase_deg: f64,
    },
    /// Along keyframes, straight between them and at rest outside.
    Keyframes {
        /// Keyframes, by time.
        #[serde(default)]
        #[schemars(length(max = 100000))]
        keys: Vec<MotionKey>,
        /// A file with keyframes, in place of `keys`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 1000))]
        file: Option<String>,
    },
}

/// One keyframe of a collider, relative to where it starts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MotionKey {
    /// When. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "x = x₀ + lerp(key, next key)", "x-safe" = [0.0, 3600.0]))]
    pub t_s: f64,
    /// How far from the start. [m]
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "x = x₀ + lerp(key, next key)", "x-safe" = [-100.0, 100.0]))]
    pub position_m: Vec3,
    /// Rotation about the collider's centre, XYZ Euler. [°]
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "R = slerp(key, next key)", "x-safe" = [-720.0, 720.0]))]
    pub rotation_deg: Vec3,
}

/// Dry cloth on common surfaces lies around this. [1]
fn default_friction() -> f64 {
    0.3
}

fn one() -> f64 {
    1.0
}
