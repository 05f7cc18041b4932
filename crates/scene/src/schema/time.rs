//! Time: frames, substeps, duration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Frames, substeps and duration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Time {
    /// Frames a second. [Hz]
    #[schemars(range(min = 1.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "h = 1/(rate·substeps)", "x-safe" = [10.0, 240.0]))]
    pub frame_rate_hz: f64,
    /// Steps a frame, or `auto`: what the solver recommends.
    pub substeps: Substeps,
    /// How long the scene runs. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "frames = duration·rate", "x-safe" = [0.0, 600.0]))]
    pub duration_s: f64,
}

impl Default for Time {
    fn default() -> Self {
        Self { frame_rate_hz: 60.0, substeps: Substeps::default(), duration_s: 5.0 }
    }
}

/// Steps a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Substeps {
    /// What the solver recommends for this scene.
    Auto(SubstepsAuto),
    /// This many.
    Count(
        #[schemars(range(min = 1, max = 10000), extend("x-formula" = "h = 1/(rate·substeps)", "x-safe" = [1.0, 500.0]))]
         u32,
    ),
}

impl Default for Substeps {
    fn default() -> Self {
        Self::Auto(SubstepsAuto::Auto)
    }
}

/// The word `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubstepsAuto {
    /// What the solver recommends for this scene.
    Auto,
}
