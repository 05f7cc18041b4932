//! The scene format: what a `.scene.yaml` file may hold, with units and ranges.
//!
//! The doc comment of a field is its description in the JSON Schema, and the
//! unit in brackets at its end is the unit that error messages name. Unknown
//! fields are refused by the schema (`schemars(deny_unknown_fields)`) rather
//! than by serde, so that all of them are reported with their places.

mod air;
mod body;
mod carries;
mod collider;
mod contact;
mod cores;
mod expect;
mod force;
mod garment;
mod inside;
mod look;
mod material;
mod mesh;
mod pin;
mod scenery;
mod select;
mod show;
mod soft_body;
mod solver;
mod strands;
mod terrain;
mod time;
mod view;

pub use air::{Air, Wind};
pub use body::{Body, Cloth, Disorder, GridPlane, Place, Shape, Slit, WorldAxis};
pub use carries::{Carries, CarryWeights};
pub use collider::{Collider, ColliderShape, Motion, MotionKey};
pub use contact::{Contact, ContactMode, ContactPair};
pub use cores::Cores;
pub use expect::{Expect, ExpectCenter, ExpectMoved, ExpectVolume};
pub use force::Force;
pub use garment::{Panel, PanelSeam, PanelSide, SeamSide, TShirtSize};
pub use inside::{Inside, SolidLaw};
pub use look::{
    Look, LookBody, LookBumps, LookFloor, LookPattern, LookSky, LookStrands, Shading,
    StrandDisplay, StrandLight,
};
pub use material::{Bending, Mass, Material, Membrane, SpringLaw, Springs, Stretching, Tear};
pub use mesh::{MeshFrames, MeshShape};
pub use pin::{Follow, FollowKey, Glue, Pin, Sew, SewSide};
pub use scenery::Scenery;
pub use select::{Ball, Bounds, GridEdge, Selection};
pub use show::{HeatColors, HeatMap, HeatQuantity, Show};
pub use soft_body::{GasFill, GasLaw, InflationKey, Letter, SoftBody, SoftMass, SoftShape};
pub use solver::Solver;
pub use strands::{
    Cone, Curl, CurveFile, FibreMaterial, Growth, HairContact, MapBy, Region, StrandFollowers,
    StrandModel, StrandRest, StrandRoot, StrandShape, StrandStart, StrandTouch, Strands,
    SurfaceMap,
};
pub use terrain::TerrainHeights;
pub use time::{Substeps, SubstepsAuto, Time};
pub use view::{Camera, Light};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Three numbers: x, y, z.
pub type Vec3 = [f64; 3];

/// A scene: what is simulated, under which forces, and how it is shown.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "Tkanina scene")]
pub struct Scene {
    /// Version of the scene format.
    #[schemars(range(min = 1, max = 1))]
    pub format: u32,
    /// Title of the scene.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub name: String,
    /// What the scene shows, in a sentence.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub about: String,
    /// Document and figure that the scene reproduces, such as `000, Slika 3.1.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 500))]
    pub reproduces: Option<String>,
    /// Frames, substeps and duration.
    #[serde(default)]
    pub time: Time,
    /// How the scene is stepped through time.
    #[serde(default)]
    pub solver: Solver,
    /// Acceleration of gravity. [m/s²]
    #[serde(default = "earth_gravity")]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    #[schemars(extend("x-formula" = "F = m·g", "x-safe" = [-30.0, 30.0]))]
    pub gravity_m_s2: Vec3,
    /// Gravity over time, straight lines between keyframes; none: it stays as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100000))]
    pub gravity_keyframes: Vec<GravityKey>,
    /// How cloth meets cloth and colliders.
    #[serde(default)]
    pub contact: Contact,
    /// The air around, with its winds.
    #[serde(default)]
    pub air: Air,
    /// Materials by name.
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// What is simulated.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub bodies: Vec<Body>,
    /// What is in the way; moves only as told.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub colliders: Vec<Collider>,
    /// Meshes that are drawn and touch nothing.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub scenery: Vec<Scenery>,
    /// Seams: points of two bodies drawn together.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub sew: Vec<Sew>,
    /// Points of bodies held to colliders.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub glue: Vec<Glue>,
    /// Pushes on chosen points at chosen times.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub forces: Vec<Force>,
    /// Where one looks from; the first is the default.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub cameras: Vec<Camera>,
    /// Lights; none means a sun from above.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub lights: Vec<Light>,
    /// Colours, textures and shading.
    #[serde(default)]
    pub look: Look,
    /// A checkpoint beside the scene to start from, in place of the bodies' places. Time goes
    /// on from its time; frames and `duration_s` count from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub start_from: Option<String>,
    /// What must hold of the outcome; tests enforce it.
    #[serde(default)]
    pub expect: Expect,
}

/// Gravity at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GravityKey {
    /// When. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "g = lerp(key, next key)", "x-safe" = [0.0, 3600.0]))]
    pub t_s: f64,
    /// Acceleration of gravity. [m/s²]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    #[schemars(extend("x-formula" = "F = m·g", "x-safe" = [-30.0, 30.0]))]
    pub gravity_m_s2: Vec3,
}

/// Gravity where y points up. [m/s²]
fn earth_gravity() -> Vec3 {
    [0.0, -9.81, 0.0]
}

/// The JSON Schema of the scene format.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(Scene).to_value()
}
