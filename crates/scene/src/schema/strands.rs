//! Fibres: hair, fur, ropes, grass.

mod fibre;
mod shape;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FollowKey, Pin, Place, SpringLaw, Vec3};

pub use fibre::{Curl, FibreMaterial};
pub use shape::{Cone, CurveFile, Growth, MapBy, Region, StrandShape, SurfaceMap};

/// Hair, fur, ropes or grass: curves that bend and twist, and hardly stretch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Strands {
    /// Name by which pins, seams and expectations refer to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Where strands are and how they run.
    pub shape: StrandShape,
    /// Where it starts; what grows on a surface has its place from there.
    #[serde(default)]
    pub place: Place,
    /// Points of each strand; choose them as those of a grid: [node, strand]. [1]
    #[serde(default = "default_nodes")]
    #[schemars(range(min = 2, max = 4096))]
    #[schemars(extend("x-formula" = "edge = length/(nodes − 1)", "x-safe" = [2, 512]))]
    pub nodes: u32,
    /// Velocity of all points at the start. [m/s]
    #[serde(default)]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    #[schemars(extend("x-formula" = "v(0) = v₀", "x-safe" = [-20.0, 20.0]))]
    pub velocity_m_s: Vec3,
    /// How strands lie at the start.
    #[serde(default)]
    pub start: StrandStart,
    /// Shape without any load.
    #[serde(default)]
    pub rest: StrandRest,
    /// What holds the first point of each strand; absent: what it grows on, else it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<StrandRoot>,
    /// Whether strands turn freely at their roots; else their first edge keeps its direction too.
    #[serde(default)]
    pub hinged: bool,
    /// How strands resist stretch, bending and twist.
    #[serde(default)]
    pub model: StrandModel,
    /// What they are made of.
    #[serde(default)]
    pub fibre: FibreMaterial,
    /// Damping by the medium, F = −b·v on every point. [kg/s]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = −b·v", "x-safe" = [0.0, 1.0]))]
    pub damping_kg_s: f64,
    /// Which parts of strands touch.
    #[serde(default)]
    pub touch: StrandTouch,
    /// Hair in hair, by a grid of mass and velocity; absent: strands do not notice each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hair_contact: Option<HairContact>,
    /// Strands that are shown between those that are simulated; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followers: Option<StrandFollowers>,
    /// Points that are held besides the roots.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub pins: Vec<Pin>,
}

impl Strands {
    /// Thickness of its fibre. [m]
    pub fn thickness_m(&self) -> f64 {
        let preset = self.fibre.preset.as_deref().unwrap_or("straight");
        let usual = tkanina_sim::materials::strand_preset(preset);
        let usual = usual.map_or(0.0, |preset| f64::from(preset.diameter.value));
        self.fibre.diameter_mm.map_or(usual, |mm| 1e-3 * mm)
    }
}

/// How strands lie at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum StrandStart {
    /// In the shape that they have without any load.
    #[default]
    Natural,
    /// Straight in the direction in which they leave their roots.
    Straight,
    /// They leave their roots as they grow, turn to a direction and lie on what they grow on.
    Combed {
        /// The direction that they turn to; any length but zero.
        #[serde(default = "down")]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "t → t + (d − t)·edge/turn", "x-safe" = [-100.0, 100.0]))]
        direction: Vec3,
        /// Length over which they turn. [m]
        #[serde(default = "default_turn")]
        #[schemars(range(max = 1e4), extend("x-formula" = "t → t + (d − t)·edge/turn", "x-safe" = [0.0005, 1.0], "exclusiveMinimum" = 0))]
        turn_m: f64,
    },
}

/// Shape of strands without any load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrandRest {
    /// As they are drawn, or with the curl of their fibre if it has one.
    #[default]
    Drawn,
    /// Straight, or with the curl of their fibre: what they are drawn in bends them.
    Straight,
}

/// What holds the first point of each strand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum StrandRoot {
    /// Nothing.
    Free,
    /// It stays where it starts.
    Fixed,
    /// It follows a path, all roots as one.
    Follow {
        /// Keyframes, by time.
        #[schemars(length(min = 1, max = 100000))]
        keyframes: Vec<FollowKey>,
    },
    /// A collider carries it; one whose vertices move carries it by its nearest triangle.
    Collider {
        /// Name of the collider.
        #[schemars(length(min = 1, max = 200))]
        name: String,
    },
    /// The nearest triangle of another body carries it.
    Body {
        /// Name of the body, which stands before this one.
        #[schemars(length(min = 1, max = 200))]
        name: String,
    },
}

/// How strands resist stretch, bending and twist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum StrandModel {
    /// A rod: stretch and bending of a strand in one solve, twist at rest in every step.
    #[default]
    Rod,
    /// Springs between neighbours, as document 004 has them; any solver takes them.
    Springs {
        /// Stiffness between neighbours, k of F = k(|d| − L) + c·ḋ. [N/m]
        #[schemars(range(min = 0.0, max = 1e12))]
        #[schemars(extend("x-formula" = "F = k(|d| − L) + c·ḋ", "x-safe" = [0.0, 1000000.0]))]
        stiffness: f64,
        /// Damping between neighbours, c of F = k(|d| − L) + c·ḋ. [N·s/m]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e9))]
        #[schemars(extend("x-formula" = "F = k(|d| − L) + c·ḋ", "x-safe" = [0.0, 1000.0]))]
        damping: f64,
        /// Mass of every point; absent: that of the fibre. [kg]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1e-12, max = 1e6), extend("x-formula" = "a = F/m", "x-safe" = [1e-08, 10.0]))]
        per_point_kg: Option<f64>,
        /// Springs between every other point, against bending; absent: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bend: Option<SpringLaw>,
    },
    /// A rod of Cosserat: a rotation for each edge, all of a strand solved at once.
    Cosserat {
        /// Newton steps in a short step at most. [1]
        #[serde(default = "default_sweeps")]
        #[schemars(range(min = 1, max = 10000))]
        #[schemars(extend("x-formula" = "H(x, q) δ = −∇W(x, q)", "x-safe" = [1, 20]))]
        sweeps: u32,
    },
    /// Pieces of constant curvature and twist: helices end to end, whose length cannot change.
    SuperHelix {
        /// Pieces of a strand. [1]
        #[serde(default = "default_pieces")]
        #[schemars(range(min = 1, max = 256))]
        #[schemars(extend("x-formula" = "q = (κ₁, κ₂, τ) of N pieces", "x-safe" = [1, 64]))]
        pieces: u32,
    },
}

/// Which parts of strands touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrandTouch {
    /// None.
    Nothing,
    /// Their points, against colliders.
    #[default]
    Points,
    /// Points against colliders, and segments as thick as they are against each other, cloth and
    /// meshes.
    Segments,
}

/// Hair in hair, by a grid of mass and velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct HairContact {
    /// Width of the grid's cells. [m]
    #[schemars(range(min = 1e-5, max = 1e4))]
    #[schemars(extend("x-formula" = "ρ(x) = Σm·w(x/cell)/cell³", "x-safe" = [0.002, 1.0]))]
    pub cell_m: f64,
    /// Part of the difference to the velocity of the hair round it that a point loses in a second. [1/s]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "dv/dt = f·(v_grid − v)", "x-safe" = [0.0, 1000.0]))]
    pub friction_per_second: f64,
    /// Mass in a volume from which on hair resists. [kg/m³]
    #[schemars(range(min = 1e-9, max = 1e5))]
    #[schemars(extend("x-formula" = "a = −p·cell·grad(ρ/ρ₀) where ρ > ρ₀", "x-safe" = [0.001, 2000.0]))]
    pub density_kg_m3: f64,
    /// Acceleration where the density is twice that over a cell. [m/s²]
    #[schemars(range(min = 0.0, max = 1e5))]
    #[schemars(extend("x-formula" = "a = −p·cell·grad(ρ/ρ₀) where ρ > ρ₀", "x-safe" = [0.0, 100.0]))]
    pub pressure_m_s2: f64,
}

impl Default for HairContact {
    fn default() -> Self {
        Self { cell_m: 0.01, friction_per_second: 5.0, density_kg_m3: 0.5, pressure_m_s2: 2.0 }
    }
}

/// Strands that are shown between those that are simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct StrandFollowers {
    /// How many for each strand that is simulated. [1]
    #[schemars(range(min = 1, max = 1000))]
    #[schemars(extend("x-formula" = "shown = strands·(1 + per strand)", "x-safe" = [1, 100]))]
    pub per_strand: u32,
    /// How far from a strand's root those of its followers are, where it grows on nothing. [m]
    #[serde(default = "default_spread")]
    #[schemars(range(min = 0.0, max = 1e3))]
    #[schemars(extend("x-formula" = "|x − root| ≤ spread", "x-safe" = [0.0, 1.0]))]
    pub spread_m: f64,
    /// How much shorter a follower may be than its guides, as a part. [1]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "length·(1 − noise·r), 0 ≤ r ≤ 1", "x-safe" = [0.0, 0.9]))]
    pub length_noise: f64,
}

/// A curl of 2 cm has eight points a turn over 6 cm.
fn default_nodes() -> u32 {
    24
}

fn down() -> Vec3 {
    [0.0, -1.0, 0.0]
}

/// A parting is some centimetres wide. [m]
fn default_turn() -> f64 {
    0.02
}

/// One is enough for what moves slowly; more are only taken while they matter.
fn default_sweeps() -> u32 {
    4
}

/// 004 has five to eight.
fn default_pieces() -> u32 {
    8
}

/// Locks are some millimetres wide. [m]
fn default_spread() -> f64 {
    0.003
}
