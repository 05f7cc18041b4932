//! What must hold of the outcome.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// What must hold of the outcome. Each field given is a demand.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Expect {
    /// Structural stretch at the end at most: 0.02 is 2 %. [1]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub max_stretch: Option<f64>,
    /// Structural stretch in any frame at most. [1]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub max_stretch_ever: Option<f64>,
    /// Triangle–edge crossings of the final state, exactly. [1]
    pub intersections: Option<u32>,
    /// Pairs of triangles that pass through each other at the start at least. [1]
    pub min_tangled_start: Option<u32>,
    /// How far a mesh collider is held up behind its motion in some step at least. [m]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub min_lag_m: Option<f64>,
    /// From this time on no point is faster than `rest_speed_m_s`. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    pub at_rest_by_s: Option<f64>,
    /// Speed that counts as rest; absent: 0.01. [m/s]
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0))]
    pub rest_speed_m_s: Option<f64>,
    /// Points in contact at the end at least. [1]
    pub min_contacts: Option<u32>,
    /// Points in contact at the end at most. [1]
    pub max_contacts: Option<u32>,
    /// Height y that every point stays above in every frame. [m]
    #[schemars(range(min = -1e5, max = 1e5))]
    pub above_m: Option<f64>,
    /// Height y that every point stays below in every frame. [m]
    #[schemars(range(min = -1e5, max = 1e5))]
    pub below_m: Option<f64>,
    /// Distance from the origin that no point exceeds in any frame. [m]
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0))]
    pub within_m: Option<f64>,
    /// Largest change of the total energy in any frame, as a share of the
    /// largest kinetic energy. [1]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub energy_drift: Option<f64>,
    /// Pins, stitches and glue that broke by the end, exactly. [1]
    pub pins_broken: Option<u32>,
    /// Pieces that the bodies end in, exactly: a cloth in one piece counts as one. [1]
    pub pieces: Option<u32>,
    /// Whether the simulation stops being physical.
    pub explodes: Option<bool>,
    /// Speed that no point exceeds in any frame. [m/s]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub max_speed_m_s: Option<f64>,
    /// Speed that some point exceeds at the end: it must not be at rest. [m/s]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub min_speed_m_s: Option<f64>,
    /// How far chosen points end from where they start.
    #[schemars(length(max = 1000))]
    pub moved_m: Vec<ExpectMoved>,
    /// Volumes of closed bodies at the end.
    #[schemars(length(max = 1000))]
    pub volume: Vec<ExpectVolume>,
    /// Boxes that hold the centres of mass of bodies at the end.
    #[schemars(length(max = 1000))]
    pub center_m: Vec<ExpectCenter>,
}

/// How far one point ends from where it starts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectMoved {
    /// Name of the body.
    pub body: String,
    /// Point of a grid as [i, j]; either this or `vertex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[u32; 2]>,
    /// Vertex by number, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertex: Option<u32>,
    /// At least this far. [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub at_least: Option<f64>,
    /// At most this far. [m]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub at_most: Option<f64>,
}

/// A box that holds the centre of mass of a body at the end.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectCenter {
    /// Name of the body.
    pub body: String,
    /// Least x, y, z. [m]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub min: Vec3,
    /// Greatest x, y, z. [m]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub max: Vec3,
}

/// Volume of a closed body at the end, as a part of the one at its start.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectVolume {
    /// Name of the body.
    pub body: String,
    /// At least this part. [1]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -1e6, max = 1e6))]
    pub at_least: Option<f64>,
    /// At most this part. [1]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -1e6, max = 1e6))]
    pub at_most: Option<f64>,
}
