//! What strands are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fibre: a preset, or a preset with some numbers overridden. Fields that are absent come from the preset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct FibreMaterial {
    /// A fibre of the table; absent: `straight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200), extend("x-table" = "fibres"))]
    pub preset: Option<String>,
    /// Thickness d. [mm]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-4, max = 1e4), extend("x-formula" = "I = πd⁴/64", "x-safe" = [0.005, 500.0]))]
    pub diameter_mm: Option<f64>,
    /// Young's modulus E. [Pa]
    #[serde(rename = "young_Pa", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e13), extend("x-formula" = "M = E·I·κ, I = πd⁴/64", "x-safe" = [0.0, 1e12]))]
    pub young_pa: Option<f64>,
    /// Shear modulus G. [Pa]
    #[serde(rename = "shear_Pa", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e13), extend("x-formula" = "T = G·J·τ, J = πd⁴/32", "x-safe" = [0.0, 1e12]))]
    pub shear_pa: Option<f64>,
    /// Mass by volume. [kg/m³]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e5), extend("x-formula" = "m/L = ρπd²/4", "x-safe" = [1.0, 20000.0]))]
    pub density_kg_m3: Option<f64>,
    /// Natural curl: a helix; absent: that of the preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curl: Option<Curl>,
    /// Time constant of inner friction: moments are those of κ + β·dκ/dt. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100.0), extend("x-formula" = "M = E·I·(κ − κ₀ + β·dκ/dt)", "x-safe" = [0.0, 1.0]))]
    pub inner_friction_s: Option<f64>,
    /// Drag of the air beside that of a smooth cylinder; absent: 1. [1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e4), extend("x-formula" = "F/L = −D·(3.04η + 0.93ρd|u|)·u", "x-safe" = [0.0, 10.0]))]
    pub drag: Option<f64>,
    /// Coulomb friction of strands on strands and on what they touch. [1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100.0), extend("x-formula" = "|Δv_t| ≤ μ|Δv_n|", "x-safe" = [0.0, 2.0]))]
    pub friction: Option<f64>,
    /// Thickness at the tip as a part of that at the root, for pictures. [1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-formula" = "d(s) = d·(1 − (1 − taper)·s/L)", "x-safe" = [0.0, 1.0]))]
    pub taper: Option<f64>,
    /// Strands slower than this for half a second, with nothing round them moving, come to rest; 0: none does. [m/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e3), extend("x-formula" = "v → 0 if |v| < limit for 0.5 s", "x-safe" = [0.0, 0.1]))]
    pub rest_speed_m_s: Option<f64>,
    /// 0 is dry, 1 is dripping: water adds mass, draws strands together and makes them limp. [1]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-formula" = "ρ·(1 + w), E·(1 − 0.6w), G·(1 − 0.8w)", "x-safe" = [0.0, 1.0]))]
    pub wetness: f64,
    /// Fibres that a strand stands for. They move as one would: mass, stiffness and drag grow alike. [1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000), extend("x-formula" = "N·EI, N·GJ, N·m/L, N·drag", "x-safe" = [1, 10000]))]
    pub fibres_per_strand: Option<u32>,
}

/// A helix.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Curl {
    /// Its radius; 0 is straight. [m]
    #[schemars(range(min = 0.0, max = 1e3))]
    #[schemars(extend("x-formula" = "κ = r/(r² + (p/2π)²)", "x-safe" = [0.0, 1.0]))]
    pub radius_m: f64,
    /// Way along its axis in a turn. [m]
    #[schemars(range(min = 1e-6, max = 1e4))]
    #[schemars(extend("x-formula" = "τ = (p/2π)/(r² + (p/2π)²)", "x-safe" = [0.0005, 10.0]))]
    pub pitch_m: f64,
}
