//! Detailed meshes that simple bodies carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Place, SoftShape};

/// A detailed mesh that a body carries: it is shown and exported in the body's place, and has no mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Carries {
    /// The mesh; it need not be closed.
    pub shape: SoftShape,
    /// Where it is in the body's own frame.
    #[serde(default)]
    pub place: Place,
    /// How points of the body carry it.
    #[serde(default)]
    pub weights: CarryWeights,
}

/// How points of a body carry a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CarryWeights {
    /// Every point of its skin, the nearer the more: mean value coordinates.
    #[default]
    MeanValue,
    /// The eight corners of the box around it.
    Trilinear,
}
