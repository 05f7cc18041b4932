//! Pushes on chosen points at chosen times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Selection, Vec3};

/// A push on chosen points.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Force {
    /// One blow, shared equally by the points.
    Punch {
        /// Name of the body.
        body: String,
        /// Its points.
        #[serde(flatten)]
        select: Selection,
        /// Impulse of the whole blow. [N·s]
        #[serde(rename = "impulse_N_s")]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "Δv = J/(n·m)", "x-safe" = [-50.0, 50.0]))]
        impulse_n_s: Vec3,
        /// When. [s]
        #[schemars(range(min = 0.0, max = 100000.0))]
        #[schemars(extend("x-formula" = "v ← v + J/(n·m) at t", "x-safe" = [0.0, 3600.0]))]
        at_s: f64,
    },
    /// A force that lasts, shared equally by the points.
    Hold {
        /// Name of the body.
        body: String,
        /// Its points.
        #[serde(flatten)]
        select: Selection,
        /// Force on all the points together. [N]
        #[serde(rename = "force_N")]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        #[schemars(extend("x-formula" = "F/n on each of n points", "x-safe" = [-1000.0, 1000.0]))]
        force_n: Vec3,
        /// From when. [s]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 100000.0))]
        #[schemars(extend("x-formula" = "F acts for from ≤ t < until", "x-safe" = [0.0, 3600.0]))]
        from_s: f64,
        /// Until when; absent: to the end. [s]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.0, max = 100000.0))]
        #[schemars(extend("x-formula" = "F acts for from ≤ t < until", "x-safe" = [0.0, 3600.0]))]
        until_s: Option<f64>,
    },
}

impl Force {
    /// Name of the body that is pushed, and its points.
    pub fn target(&self) -> (&str, &Selection) {
        match self {
            Self::Punch { body, select, .. } | Self::Hold { body, select, .. } => (body, select),
        }
    }
}
