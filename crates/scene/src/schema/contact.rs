//! How things touch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How cloth meets cloth and colliders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Contact {
    /// How hard the program tries.
    pub mode: ContactMode,
    /// Distance that surfaces keep. [m]
    #[schemars(range(min = 1e-6, max = 10.0))]
    #[schemars(extend("x-formula" = "distance ≥ thickness", "x-safe" = [0.0005, 0.5]))]
    pub thickness_m: f64,
    /// Coulomb friction of cloth on cloth. [1]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "|Δv_t| ≤ μ|Δv_n|", "x-safe" = [0.0, 2.0]))]
    pub friction: f64,
    /// Restitution of cloth on cloth: speed after over speed before. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "v_n⁺ = −e v_n⁻", "x-safe" = [0.0, 1.0]))]
    pub restitution: f64,
    /// Pairs that may be compared in a frame; beyond that simulated time slows. [1]
    #[schemars(range(min = 1000, max = 1_000_000_000_000u64))]
    #[schemars(extend("x-formula" = "pairs compared ≤ budget", "x-safe" = [1e6, 1e12]))]
    pub detections_per_frame: u64,
    /// Pairs that rub or bounce in their own way.
    #[schemars(length(max = 1000))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<ContactPair>,
}

/// Friction and restitution of two bodies, or of a body and a collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ContactPair {
    /// Names of the two; twice the same: of a body on itself.
    pub between: [String; 2],
    /// Coulomb friction. [1]
    #[schemars(range(min = 0.0, max = 100.0))]
    #[schemars(extend("x-formula" = "|Δv_t| ≤ μ|Δv_n|", "x-safe" = [0.0, 2.0]))]
    pub friction: f64,
    /// Restitution: speed after over speed before. [1]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "v_n⁺ = −e v_n⁻", "x-safe" = [0.0, 1.0]))]
    pub restitution: f64,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            mode: ContactMode::Safe,
            thickness_m: 0.002,
            friction: 0.3,
            restitution: 0.0,
            detections_per_frame: 1_000_000_000,
            pairs: Vec::new(),
        }
    }
}

/// How hard the program tries to keep things apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactMode {
    /// Nothing ever passes through anything.
    #[default]
    Safe,
    /// Good enough for moving pictures, at a bounded cost: what slips through comes apart later.
    Fast,
    /// Colliders only; cloth passes through cloth.
    Off,
}
