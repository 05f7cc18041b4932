//! What is only drawn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Place;

/// A mesh that is drawn and touches nothing.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Scenery {
    /// Name by which `look.bodies` refers to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// An OBJ file, relative to the scene.
    #[schemars(length(min = 1, max = 1000))]
    pub file: String,
    /// Where it stands.
    #[serde(default)]
    pub place: Place,
    /// Factor on its coordinates. [1]
    #[serde(default = "one")]
    #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
    pub scale: f64,
}

fn one() -> f64 {
    1.0
}
