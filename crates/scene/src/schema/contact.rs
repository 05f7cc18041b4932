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
}

impl Default for Contact {
    fn default() -> Self {
        Self { mode: ContactMode::Safe, thickness_m: 0.002, friction: 0.3 }
    }
}

/// How hard the program tries to keep things apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactMode {
    /// Nothing ever passes through anything.
    #[default]
    Safe,
    /// Good enough for moving pictures.
    Fast,
    /// Colliders only; cloth passes through cloth.
    Off,
}
