//! Ground by heights.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Heights of a terrain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum TerrainHeights {
    /// Rolling hills that follow from a number.
    Hills {
        /// Farthest above and below level. [m]
        #[schemars(range(min = 0.0, max = 1e5))]
        #[schemars(extend("x-formula" = "|y| ≤ h", "x-safe" = [0.0, 100.0]))]
        height_m: f64,
        /// Length of the longest waves. [m]
        #[schemars(range(min = 1e-4, max = 1e6))]
        #[schemars(extend("x-formula" = "y = h·Σ aᵢ·cos(2π dᵢ·x/λᵢ + φᵢ)", "x-safe" = [0.1, 1000.0]))]
        wave_m: f64,
        /// Number that the hills follow from.
        #[serde(default)]
        #[schemars(extend("x-formula" = "dᵢ, φᵢ of the seed's sequence", "x-safe" = [0.0, 1e6]))]
        seed: u32,
        /// Squares along x and z. [1]
        #[serde(default = "default_ground")]
        #[schemars(inner(range(min = 1, max = 2048)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 512]))]
        cells: [u32; 2],
    },
    /// Heights one by one: a list of rows along x, from the back to the front.
    Rows {
        /// Rows of as many heights each. [m]
        #[schemars(length(min = 2, max = 2048), inner(length(min = 2, max = 2048), inner(range(min = -1e5, max = 1e5))))]
        #[schemars(extend("x-formula" = "y(xᵢ, zⱼ) = rows[j][i]", "x-safe" = [-100.0, 100.0]))]
        rows_m: Vec<Vec<f64>>,
    },
    /// Brightness of a picture: black is level 0, white the full height.
    Picture {
        /// A PNG or JPEG picture, relative to the scene; its top is at the back.
        #[schemars(length(min = 1, max = 1000))]
        file: String,
        /// Height of white. [m]
        #[schemars(range(min = -1e5, max = 1e5))]
        #[schemars(extend("x-formula" = "y = h·brightness", "x-safe" = [-100.0, 100.0]))]
        height_m: f64,
    },
}

fn default_ground() -> [u32; 2] {
    [64, 64]
}
