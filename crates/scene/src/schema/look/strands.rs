//! How fibres look.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Vec3;

/// Look of fibres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct LookStrands {
    /// What strands are drawn as.
    pub display: StrandDisplay,
    /// How light is spread by strands.
    pub light: StrandLight,
    /// Colour at the roots; absent: that of the body. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour = mix(root, tip, s), sRGB", "x-safe" = [0.0, 1.0]))]
    pub root_color: Option<Vec3>,
    /// Colour at the tips; absent: that of the roots, lighter. [0..1]
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    #[schemars(extend("x-formula" = "colour = mix(root, tip, s), sRGB", "x-safe" = [0.0, 1.0]))]
    pub tip_color: Option<Vec3>,
    /// How much strands differ in brightness, to either side. [1]
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-formula" = "colour·(1 ± variation)", "x-safe" = [0.0, 0.5]))]
    pub variation: f64,
    /// Factor on the thickness, for pictures only; absent: 1, up to 4 for thin hair of few strands. [1]
    #[schemars(range(min = 0.001, max = 1000.0))]
    #[schemars(extend("x-formula" = "drawn radius = width·r", "x-safe" = [0.1, 20.0]))]
    pub width: Option<f64>,
    /// Strands that one card or billboard stands for. [1]
    #[schemars(range(min = 1.0, max = 10000.0))]
    #[schemars(extend("x-formula" = "strips = strands/bunch", "x-safe" = [4.0, 200.0]))]
    pub bunch: f64,
    /// Layers of shells.
    #[schemars(range(min = 2, max = 128))]
    #[schemars(extend("x-formula" = "layer i at s = i/shells", "x-safe" = [8, 64]))]
    pub shells: u32,
    /// Hairs on shells, as a factor on how many strands there are. [1]
    #[schemars(range(min = 0.01, max = 100.0))]
    #[schemars(extend("x-formula" = "hairs/m² = density·strands/m²", "x-safe" = [0.2, 10.0]))]
    pub density: f64,
}

impl Default for LookStrands {
    fn default() -> Self {
        Self {
            display: StrandDisplay::Ribbons,
            light: StrandLight::Marschner,
            root_color: None,
            tip_color: None,
            variation: 0.15,
            width: None,
            bunch: 24.0,
            shells: 24,
            density: 1.0,
        }
    }
}

/// What strands are drawn as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrandDisplay {
    /// Each as a ribbon of its thickness that faces the eye.
    #[default]
    Ribbons,
    /// Bunches as wide strips that face the eye, with hairs painted on them.
    Billboards,
    /// Bunches as strips that lie as the hair does, with hairs painted on them.
    Cards,
    /// The surface they grow on in layers with dots for hairs, and fins at its outline.
    Shells,
}

/// How light is spread by strands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrandLight {
    /// As by a thin matt and glossy cylinder.
    KajiyaKay,
    /// Reflected, passed through and reflected inside: three lobes, as of real hair.
    #[default]
    Marschner,
}
