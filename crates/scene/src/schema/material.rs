//! What a body is made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material: a preset, raw parameters, or a preset with some overridden.
/// Fields that are absent come from the preset, else they are off.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Material {
    /// Row of the fabric table to start from (see `tkanina materials`).
    #[schemars(extend("x-table" = "fabrics"))]
    pub preset: Option<String>,
    /// Mass, by point or by area.
    pub mass: Option<Mass>,
    /// Springs between the points of a grid or along the edges of a mesh.
    pub springs: Option<Springs>,
    /// How bending is resisted.
    pub bending: Option<Bending>,
    /// Air drag by point, F = −drag·|v_air·n|·v_air. [kg/m]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = −d|u·n̂|u, u = v − w", "x-safe" = [0.0, 1.0]))]
    pub drag: Option<f64>,
    /// Air drag across the surface by area, C_d of ½ρC_d A v². [1]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "F = −½ρC_d A|u·n̂|u, u = v − w", "x-safe" = [0.0, 5.0]))]
    pub drag_coefficient: Option<f64>,
    /// Air lift by area, C_l of ½ρC_l A v². [1]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "|F| = ½ρC_l A|u|²|cos θ|sin θ", "x-safe" = [0.0, 5.0]))]
    pub lift_coefficient: Option<f64>,
    /// Largest elongation of structural springs: 0.1 is 10 %. [1]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "|d| ≤ (1 + s)L", "x-safe" = [0.005, 3.0]))]
    pub max_stretch: Option<f64>,
    /// When it tears; absent: never.
    pub tear: Option<Tear>,
    /// Damping by the medium, F = −b·v on every point. [kg/s]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = −b·v", "x-safe" = [0.0, 1.0]))]
    pub damping_kg_s: Option<f64>,
    /// Share of the speed that the air takes each step: 0.1 is 10 %. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "v ← (1 − s)v each step", "x-safe" = [0.0, 0.2]))]
    pub air_damping_per_step: Option<f64>,
    /// Damping of the springs as a share of critical damping. [1]
    #[schemars(range(min = 0.0, max = 10.0))]
    #[schemars(extend("x-formula" = "c = 2ζ√(k m/2)", "x-safe" = [0.0, 1.0]))]
    pub damping_ratio: Option<f64>,
    /// Thickness of the fabric. [mm]
    #[schemars(range(min = 0.001, max = 1000.0))]
    #[schemars(extend("x-formula" = "t of the fabric; no force depends on it", "x-safe" = [0.05, 5.0]))]
    pub thickness_mm: Option<f64>,
    /// Stiffness of the surface in its plane.
    pub membrane: Option<Membrane>,
    /// What a membrane's or preset's stiffness becomes; absent: springs.
    pub stretching: Option<Stretching>,
    /// Bending rigidity of the surface: moment by length over curvature. [N·m]
    #[serde(rename = "bending_N_m")]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "W = ½Bκ²·area", "x-safe" = [0.0, 0.1]))]
    pub bending_n_m: Option<f64>,
}

/// Mass of a body: one of the two fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Mass {
    /// Mass of every point. [kg]
    #[serde(rename = "per_point_kg")]
    PerPointKg(
        #[schemars(range(min = 1e-12, max = 1e6), extend("x-formula" = "a = F/m", "x-safe" = [1e-05, 10.0]))]
         f64,
    ),
    /// Mass by area, shared among the points. [kg/m²]
    #[serde(rename = "area_density_kg_m2")]
    AreaDensityKgM2(
        #[schemars(range(min = 1e-9, max = 1e6), extend("x-formula" = "m = ρ·A of a point", "x-safe" = [0.01, 5.0]))]
         f64,
    ),
}

/// What a body does not bear: one of the two fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Tear {
    /// Elongation of structural edges beyond which it tears: 0.3 is 30 %. [1]
    #[serde(rename = "at_stretch")]
    AtStretch(
        #[schemars(range(max = 100.0), extend("x-formula" = "|d| > (1 + s)L", "x-safe" = [0.01, 2.0], "exclusiveMinimum" = 0))]
         f64,
    ),
    /// Force by width beyond which it tears, of a surface with a membrane or preset. [N/m]
    #[serde(rename = "at_N_m")]
    AtNM(
        #[schemars(range(max = 1e9), extend("x-formula" = "Y·ε > N", "x-safe" = [1.0, 100000.0], "exclusiveMinimum" = 0))]
         f64,
    ),
}

/// Springs between a point and its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stencil")]
#[schemars(deny_unknown_fields)]
pub enum Springs {
    /// The 5 × 5 block less corners and centre; a neighbour at u grid steps
    /// pulls with 1/u of the stiffness.
    #[serde(rename = "neighbours-20")]
    Neighbours20 {
        /// Stiffness of the springs. [N/m]
        #[schemars(range(min = 0.0, max = 1e9))]
        #[schemars(extend("x-formula" = "F = (k/u)(|d| − L)d̂, u grid steps away", "x-safe" = [0.0, 5000.0]))]
        stiffness: f64,
        /// Damping along the springs. [N·s/m]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        #[schemars(extend("x-formula" = "F = −(c/u)((vᵢ − vⱼ)·d̂)d̂", "x-safe" = [0.0, 50.0]))]
        damping: f64,
    },
    /// Structural, shear and bend springs, each with its own law.
    #[serde(rename = "neighbours-12")]
    Neighbours12 {
        /// To the next point along warp and weft.
        structural: SpringLaw,
        /// To the next point along the diagonals.
        #[serde(default)]
        shear: SpringLaw,
        /// To the point after the next along warp and weft.
        #[serde(default)]
        bend: SpringLaw,
    },
}

/// F = k(|d| − L) + c ḋ along the spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SpringLaw {
    /// Stiffness k. [N/m]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "F = k(|d| − L)d̂", "x-safe" = [0.0, 5000.0]))]
    pub stiffness: f64,
    /// Damping c along the spring. [N·s/m]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = −c((vᵢ − vⱼ)·d̂)d̂", "x-safe" = [0.0, 50.0]))]
    pub damping: f64,
}

/// What resists stretch and shear of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stretching {
    /// Springs between points.
    Springs,
    /// Finite elements: every triangle resists strain along warp, weft and in shear.
    Triangles,
}

/// How bending is resisted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Bending {
    /// By the springs of the stencil.
    Springs,
    /// By the angle between two triangles.
    Angle {
        /// Stiffness k of F = k sin(α/2)|E|/(h₁ + h₂). [N]
        #[schemars(range(min = 0.0, max = 1e9))]
        #[schemars(extend("x-formula" = "F = k sin(α/2)|E|/(h₁ + h₂)", "x-safe" = [0.0, 10.0]))]
        stiffness: f64,
    },
}

/// Stiffness of a surface in its plane: force by width over strain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Membrane {
    /// Along the warp. [N/m]
    #[serde(rename = "warp_N_m")]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "N = Y·ε, k = Y·width/L", "x-safe" = [0.0, 20000.0]))]
    pub warp_n_m: f64,
    /// Along the weft. [N/m]
    #[serde(rename = "weft_N_m")]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "N = Y·ε, k = Y·width/L", "x-safe" = [0.0, 20000.0]))]
    pub weft_n_m: f64,
    /// Against shear. [N/m]
    #[serde(rename = "shear_N_m")]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "N = G·γ, W = ½Gγ²·area", "x-safe" = [0.0, 5000.0]))]
    pub shear_n_m: f64,
}
