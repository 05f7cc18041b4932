//! What is inside a soft body besides gas.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What fills a soft body so that it keeps its shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Inside {
    /// Finite elements: an elastic solid of tetrahedra.
    Tetrahedra {
        /// How wide they are, about; absent: a tenth of the longest side. [m]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 1e5), extend("x-formula" = "a lattice of this width, cut at the skin", "x-safe" = [0.002, 50.0], "exclusiveMinimum" = 0))]
        spacing_m: Option<f64>,
        /// How it resists.
        #[serde(default)]
        law: SolidLaw,
        /// Young's modulus E. [Pa]
        #[serde(rename = "young_Pa")]
        #[schemars(range(min = 0.0, max = 1e12))]
        #[schemars(extend("x-formula" = "μ = E/(2(1 + ν))", "x-safe" = [100.0, 10000000.0]))]
        young_pa: f64,
        /// Poisson's ratio ν: 0.5 would keep its volume. [1]
        #[serde(default = "default_poisson")]
        #[schemars(range(min = 0.0, max = 0.499))]
        #[schemars(extend("x-formula" = "λ = Eν/((1 + ν)(1 − 2ν))", "x-safe" = [0.0, 0.49]))]
        poisson: f64,
        /// Damping beside stiffness: a stress of this times the rate of the elastic one. [s]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e3))]
        #[schemars(extend("x-formula" = "P = P(F) + β·dP/dt", "x-safe" = [0.0, 0.1]))]
        damping_s: f64,
    },
    /// Regions of a lattice that each want to be rigid, overlapping: the wider, the stiffer.
    Lattice {
        /// Width of its cells; absent: a tenth of the longest side. [m]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 1e5), extend("x-formula" = "x⁰ = p + s·(i, j, k)", "x-safe" = [0.002, 50.0], "exclusiveMinimum" = 0))]
        spacing_m: Option<f64>,
        /// Half width w of regions in cells: 1 takes the nearest neighbours. [1]
        #[serde(default = "default_region")]
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "(2w + 1)³ points a region", "x-safe" = [1, 20]))]
        region_width: u32,
        /// How fast points are drawn to where their regions want them. [Hz]
        #[serde(rename = "frequency_Hz", default = "default_frequency")]
        #[schemars(range(min = 0.0, max = 1e6))]
        #[schemars(extend("x-formula" = "a = (2πf)²(g − x)", "x-safe" = [1.0, 10000.0]))]
        frequency_hz: f64,
        /// Part of what is not rigid in a region's motion that is lost in a second. [1/s]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        #[schemars(extend("x-formula" = "v ← u + (v − u)e^(−dh)", "x-safe" = [0.0, 100.0]))]
        damping_per_second: f64,
        /// Elongation of links beyond which they break, and the body with them; absent: never. [1]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 100.0), extend("x-formula" = "|d| > (1 + s)L", "x-safe" = [0.01, 2.0], "exclusiveMinimum" = 0))]
        breaks_at_stretch: Option<f64>,
    },
    /// The whole body wants to be a rigid copy of itself.
    ShapeMatching {
        /// How fast points are drawn to where the body wants them. [Hz]
        #[serde(rename = "frequency_Hz", default = "default_frequency")]
        #[schemars(range(min = 0.0, max = 1e6))]
        #[schemars(extend("x-formula" = "a = (2πf)²(g − x)", "x-safe" = [0.1, 10000.0]))]
        frequency_hz: f64,
        /// Part of what is not rigid in its motion that is lost in a second. [1/s]
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        #[schemars(extend("x-formula" = "v ← u + (v − u)e^(−dh)", "x-safe" = [0.0, 100.0]))]
        damping_per_second: f64,
    },
}

/// How an elastic solid resists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolidLaw {
    /// Neo-Hookean, in a form that stays finite when turned inside out.
    #[default]
    NeoHookean,
    /// Linear elasticity in a frame that turns along.
    Corotated,
}

/// Soft, as rubber foam.
fn default_poisson() -> f64 {
    0.4
}

fn default_region() -> u32 {
    2
}

/// Points follow their regions within a few milliseconds. [Hz]
fn default_frequency() -> f64 {
    100.0
}
