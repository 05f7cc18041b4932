//! The air around, with its winds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vec3;

/// The air around, with its winds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Air {
    /// Density; 0 is a vacuum. [kg/m³]
    #[schemars(range(min = 0.0, max = 2000.0))]
    #[schemars(extend("x-formula" = "F = ½ρC A v²", "x-safe" = [0.0, 1000.0]))]
    pub density_kg_m3: f64,
    /// Winds; they add up.
    #[schemars(length(max = 100))]
    pub wind: Vec<Wind>,
}

impl Default for Air {
    fn default() -> Self {
        Self { density_kg_m3: 1.2, wind: Vec::new() }
    }
}

/// One wind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Wind {
    /// The same velocity everywhere and always.
    Uniform {
        /// Velocity of the air. [m/s]
        #[schemars(inner(range(min = -1000.0, max = 1000.0)))]
        #[schemars(extend("x-formula" = "u = v − w, F = −d|u·n̂|u", "x-safe" = [-40.0, 40.0]))]
        velocity_m_s: Vec3,
        /// Colliders that keep this wind off what lies behind them.
        #[serde(default)]
        sheltered_by: Vec<String>,
    },
    /// A mean velocity with eddies of one typical size.
    Turbulent {
        /// Mean velocity of the air. [m/s]
        #[schemars(inner(range(min = -1000.0, max = 1000.0)))]
        #[schemars(extend("x-formula" = "w(x, t) = mean + eddies(x − mean·t, t)", "x-safe" = [-40.0, 40.0]))]
        mean_m_s: Vec3,
        /// Root mean square of the eddies' speed in each direction. [m/s]
        #[schemars(range(min = 0.0, max = 1000.0))]
        #[schemars(extend("x-formula" = "√⟨w′ᵢ²⟩ = rms", "x-safe" = [0.0, 10.0]))]
        rms_m_s: f64,
        /// Size of the eddies. [m]
        #[schemars(range(min = 0.001, max = 1000.0))]
        #[schemars(extend("x-formula" = "most energetic waves: λ = length", "x-safe" = [0.05, 10.0]))]
        length_m: f64,
        /// Same seed, same eddies.
        #[serde(default)]
        #[schemars(range(min = 0, max = 4294967295_i64))]
        seed: u32,
        /// Colliders that keep this wind off what lies behind them.
        #[serde(default)]
        sheltered_by: Vec<String>,
    },
    /// F (F̂ · n̂) on every point, with n̂ its normal.
    Force {
        /// Force on a point that faces the wind. [N]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[serde(rename = "force_N")]
        #[schemars(extend("x-formula" = "F = F₀|F̂₀·n̂| on every point", "x-safe" = [-10.0, 10.0]))]
        force_n: Vec3,
        /// Colliders that keep this wind off what lies behind them.
        #[serde(default)]
        sheltered_by: Vec<String>,
    },
}

impl Wind {
    /// Names of the colliders that keep this wind off.
    pub fn sheltered_by(&self) -> &[String] {
        match self {
            Self::Uniform { sheltered_by, .. }
            | Self::Turbulent { sheltered_by, .. }
            | Self::Force { sheltered_by, .. } => sheltered_by,
        }
    }
}
