//! Meshes that are in the way: where their triangles come from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// A mesh by formula. All are closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum MeshShape {
    /// A ball about its origin.
    Sphere {
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x| = r", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Segments round the axis and along it. [1]
        #[serde(default = "default_round")]
        #[schemars(inner(range(min = 3, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [3, 512]))]
        segments: [u32; 2],
    },
    /// A ring that lies level about its origin.
    Torus {
        /// Radius of the ring, to the middle of its tube. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "(|x_xz| − R)² + y² = r²", "x-safe" = [0.01, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Radius of its tube; less than the ring's. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "(|x_xz| − R)² + y² = r²", "x-safe" = [0.005, 20.0], "exclusiveMinimum" = 0))]
        tube_m: f64,
        /// Segments round the ring and round its tube. [1]
        #[serde(default = "default_ring")]
        #[schemars(inner(range(min = 3, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [3, 512]))]
        segments: [u32; 2],
    },
    /// Half of a hollow ball, open above, that stands on its origin.
    Bowl {
        /// Radius outside. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "r − d ≤ |x − (0, r, 0)| ≤ r", "x-safe" = [0.01, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Thickness of the wall; less than the radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "r − d ≤ |x − (0, r, 0)| ≤ r", "x-safe" = [0.002, 10.0], "exclusiveMinimum" = 0))]
        thickness_m: f64,
        /// Segments round the axis and along it. [1]
        #[serde(default = "default_round")]
        #[schemars(inner(range(min = 3, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [3, 512]))]
        segments: [u32; 2],
    },
    /// A solid cylinder along y, about its origin.
    Cylinder {
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x_xz| ≤ r, |y| ≤ h/2", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Height along y. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x_xz| ≤ r, |y| ≤ h/2", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        height_m: f64,
        /// Segments round the axis and along it. [1]
        #[serde(default = "default_pipe")]
        #[schemars(inner(range(min = 1, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 512]))]
        segments: [u32; 2],
    },
    /// A pipe along y, about its origin.
    Tube {
        /// Radius outside. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "r − d ≤ |x_xz| ≤ r, |y| ≤ h/2", "x-safe" = [0.01, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Thickness of the wall; less than the radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "r − d ≤ |x_xz| ≤ r, |y| ≤ h/2", "x-safe" = [0.002, 10.0], "exclusiveMinimum" = 0))]
        thickness_m: f64,
        /// Height along y. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "r − d ≤ |x_xz| ≤ r, |y| ≤ h/2", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        height_m: f64,
        /// Segments round the axis and along it. [1]
        #[serde(default = "default_pipe")]
        #[schemars(inner(range(min = 1, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 512]))]
        segments: [u32; 2],
    },
    /// A box about its origin.
    Box {
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|xᵢ| ≤ size/2 is inside", "x-safe" = [0.005, 200.0]))]
        size_m: Vec3,
        /// Squares along each of its axes. [1]
        #[serde(default = "default_cells")]
        #[schemars(inner(range(min = 1, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 512]))]
        cells: [u32; 3],
    },
    /// A table that stands on its origin.
    Table {
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|x| ≤ s_x/2, 0 ≤ y ≤ s_y, |z| ≤ s_z/2", "x-safe" = [0.05, 50.0]))]
        size_m: Vec3,
        /// Thickness of its top. [m]
        #[serde(default = "default_board")]
        #[schemars(range(max = 1e5), extend("x-formula" = "s_y − d ≤ y ≤ s_y", "x-safe" = [0.005, 1.0], "exclusiveMinimum" = 0))]
        top_m: f64,
        /// Width of its legs. [m]
        #[serde(default = "default_leg")]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x − x_leg| ≤ w/2", "x-safe" = [0.005, 1.0], "exclusiveMinimum" = 0))]
        leg_m: f64,
    },
    /// A chair that stands on its origin and faces z.
    Chair {
        /// Whole size along its three axes, with its back. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|x| ≤ s_x/2, 0 ≤ y ≤ s_y, |z| ≤ s_z/2", "x-safe" = [0.05, 50.0]))]
        size_m: Vec3,
        /// Height of its seat. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "y = h on the seat", "x-safe" = [0.02, 10.0], "exclusiveMinimum" = 0))]
        seat_m: f64,
        /// Width of its legs, and thickness of seat and back. [m]
        #[serde(default = "default_leg")]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x − x_leg| ≤ w/2", "x-safe" = [0.005, 1.0], "exclusiveMinimum" = 0))]
        leg_m: f64,
    },
    /// A person that stands on its origin and faces z, then walks; its arms are held off its body.
    Figure {
        /// From the ground to the top of the head. [m]
        #[serde(default = "default_height")]
        #[schemars(range(min = 0.1, max = 100.0))]
        #[schemars(extend("x-formula" = "x = x₀·height/1.75", "x-safe" = [0.5, 3.0]))]
        height_m: f64,
        /// Length of a step, from foot to foot. [m]
        #[serde(default = "default_stride")]
        #[schemars(range(min = 0.0, max = 50.0))]
        #[schemars(extend("x-formula" = "stride = 2·leg·sin θ", "x-safe" = [0.0, 0.8]))]
        stride_m: f64,
        /// Pairs of steps a second. [Hz]
        #[serde(default = "default_pace")]
        #[schemars(range(min = 0.0, max = 10.0))]
        #[schemars(extend("x-formula" = "v = 2·stride·pace", "x-safe" = [0.0, 1.5]))]
        pace_hz: f64,
        /// How long it stands before it walks. [s]
        #[serde(default = "default_stand")]
        #[schemars(range(min = 0.0, max = 600.0))]
        #[schemars(extend("x-formula" = "rest pose for t ≤ stand", "x-safe" = [0.0, 10.0]))]
        stand_s: f64,
        /// How long it walks, with getting into it and out of it; then it stands. [s]
        #[serde(default = "default_walk")]
        #[schemars(range(min = 0.0, max = 600.0))]
        #[schemars(extend("x-formula" = "walks for stand ≤ t ≤ stand + walk", "x-safe" = [0.0, 60.0]))]
        walk_s: f64,
        /// Whether it moves along z; else it walks on the spot.
        #[serde(default)]
        forward: bool,
        /// Size of the cells that its surface is found in, for a person 1.75 m tall. [m]
        #[serde(default = "default_skin")]
        #[schemars(range(min = 0.01, max = 0.05))]
        #[schemars(extend("x-formula" = "triangles ≈ 4.8 m²/cell²", "x-safe" = [0.02, 0.045]))]
        cell_m: f64,
    },
    /// A head of common size that faces z, its origin in the middle of the skull.
    Bust {
        /// Whether it has shoulders, else it ends with its neck.
        #[serde(default = "yes")]
        shoulders: bool,
        /// Size of the cells that its surface is found in. [m]
        #[serde(default = "default_face")]
        #[schemars(range(min = 0.002, max = 0.03))]
        #[schemars(extend("x-formula" = "triangles ≈ 0.9 m²/cell²", "x-safe" = [0.004, 0.025]))]
        cell_m: f64,
    },
}

/// A mesh whose vertices move on their own: straight between frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MeshFrames {
    /// OBJ files with the same faces, one a frame; a `*` in a name stands for all that fit, in the
    /// order of their numbers.
    #[serde(default)]
    #[schemars(length(max = 100000), inner(length(min = 1, max = 1000)))]
    pub files: Vec<String>,
    /// Animation of a glTF file, by name; absent: its first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub animation: Option<String>,
    /// Frames a second; a glTF animation is sampled at this rate. [Hz]
    #[serde(default = "default_rate")]
    #[schemars(range(min = 0.001, max = 10000.0))]
    #[schemars(extend("x-formula" = "x(t) = lerp(frame, next frame), frame = rate·t", "x-safe" = [1.0, 240.0]))]
    pub rate_hz: f64,
    /// After the last frame comes the first; else the last is held.
    #[serde(default)]
    pub repeat: bool,
}

fn default_round() -> [u32; 2] {
    [48, 24]
}

fn default_ring() -> [u32; 2] {
    [48, 16]
}

fn default_pipe() -> [u32; 2] {
    [48, 1]
}

fn default_cells() -> [u32; 3] {
    [1; 3]
}

/// A common board. [m]
fn default_board() -> f64 {
    0.03
}

/// A common leg. [m]
fn default_leg() -> f64 {
    0.05
}

/// A common person. [m]
fn default_height() -> f64 {
    1.75
}

/// An easy step. [m]
fn default_stride() -> f64 {
    0.6
}

/// An easy pace. [Hz]
fn default_pace() -> f64 {
    0.9
}

/// Time for clothes to settle. [s]
fn default_stand() -> f64 {
    1.0
}

/// A few steps. [s]
fn default_walk() -> f64 {
    5.0
}

/// Some five thousand triangles: forearms are seven cells round. [m]
fn default_skin() -> f64 {
    0.03
}

/// Some five thousand triangles with shoulders: a nose has its tip. [m]
fn default_face() -> f64 {
    0.013
}

fn yes() -> bool {
    true
}

/// What films run at. [Hz]
fn default_rate() -> f64 {
    24.0
}
