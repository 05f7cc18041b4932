//! Rigid cores inside soft bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SpringLaw, Vec3};

/// A chain of rigid cores inside a body: they fall, turn and bend at their joints, and take the skin along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cores {
    /// Ends of the cores in the body's own frame; neighbours share one. [m]
    #[schemars(length(min = 2, max = 1000), inner(inner(range(min = -1e5, max = 1e5))))]
    #[schemars(extend("x-formula" = "core k from joint k to k + 1", "x-safe" = [-50.0, 50.0]))]
    pub joints_m: Vec<Vec3>,
    /// Half the thickness of a core. [m]
    #[schemars(range(max = 1e4), extend("x-formula" = "four points r off the middle", "x-safe" = [0.002, 10.0], "exclusiveMinimum" = 0))]
    pub radius_m: f64,
    /// Mass of all cores together. [kg]
    #[schemars(range(min = 1e-9, max = 1e9), extend("x-formula" = "Σm = M", "x-safe" = [0.001, 1000.0]))]
    pub mass_kg: f64,
    /// Springs from every point of the skin to its core.
    pub springs: SpringLaw,
}
