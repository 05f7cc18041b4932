//! The numbers. Sources: Wang, O'Brien, Ramamoorthi 2011 (data-driven elastic
//! models for cloth); Penava, Šimić Penava, Knezić 2014 (elastic constants of
//! woven fabrics); Clyde, Teran, Tamstorf 2017 by way of Li et al. 2021.

// Measured numbers may look like constants of nature.
#![allow(clippy::approx_constant)]

use super::{Basis, Fabric, Fibre, Value};

const WANG: &str = "Wang, O'Brien, Ramamoorthi 2011";
const PENAVA: &str = "Penava et al. 2014";
const CLYDE: &str = "Clyde et al. 2017, as used by Li et al. 2021";

/// Poisson's ratio where the source gives none.
const ASSUMED_POISSON: f32 = 0.3;

/// All cloth presets.
pub const FABRICS: &[Fabric] = &[
    sampled("denim-11oz", "Denim 11 oz, 99 % cotton", 0.324, [205.0, 1014.0, 53.0], [64.0, 97.0]),
    sampled(
        "t-shirt",
        "T-shirt interlock, 60/40 cotton/polyester",
        0.187,
        [16.6, 34.5, 36.9],
        [14.0, 25.0],
    ),
    sampled("rib-knit", "Rib knit, 95 % cotton", 0.276, [42.9, 65.2, 83.2], [30.0, 46.0]),
    sampled(
        "trousers-twill",
        "Trousers twill, 65/35 cotton/polyester",
        0.220,
        [2017.0, 2035.0, 105.0],
        [108.0, 125.0],
    ),
    sampled("tablecloth", "Tablecloth, polyester", 0.128, [2002.0, 2027.0, 19.0], [31.0, 52.0]),
    plate("cotton", "Cotton, plain weave", 0.1503, 0.318, (0.821, Some(0.243)), PENAVA),
    plate("wool", "Wool, plain weave", 0.2348, 0.568, (0.170, Some(0.277)), PENAVA),
    plate("polyester", "Polyester, plain weave", 0.1646, 0.252, (0.478, Some(0.381)), PENAVA),
    with_bending(plate("silk", "Silk", 0.083, 0.18, (0.57, None), CLYDE), 0.28),
    with_bending(plate("cotton-light", "Cotton, light", 0.1036, 0.18, (1.076, None), CLYDE), 0.52),
    with_bending(plate("denim", "Denim", 0.400, 0.66, (2.448, None), CLYDE), 59.0),
    with_bending(plate("wool-coat", "Wool coat", 0.4806, 1.28, (0.371, None), CLYDE), 65.0),
    Fabric {
        name: "paper",
        title: "Paper, 100 g/m²",
        area_density: measured(0.100),
        thickness: Some(measured(1e-4)),
        warp: measured(5e5),
        weft: measured(5e5),
        shear: derived(5e5 / (2.0 * (1.0 + ASSUMED_POISSON))),
        bending: measured(400e-6),
        source: "common handbook values",
    },
    leather("leather-light", "Leather, light", 0.3, 300e-6),
    leather("leather-heavy", "Leather, heavy", 0.6, 1200e-6),
];

/// All fibre presets.
pub const FIBRES: &[Fibre] = &[Fibre {
    name: "human-hair",
    title: "Human hair",
    density: measured(1320.0),
    diameter: measured(6e-5),
    young: measured(3.89e9),
    shear_modulus: measured(0.89e9),
    bending: derived(2.5e-9),
    source: "literature values",
}];

const fn measured(value: f32) -> Value {
    Value { value, basis: Basis::Measured }
}

const fn derived(value: f32) -> Value {
    Value { value, basis: Basis::Derived }
}

const fn guess(value: f32) -> Value {
    Value { value, basis: Basis::Guess }
}

/// A sample of Wang 2011: warp, weft, shear [N/m] and the range of bending [µN·m],
/// of which the middle is taken.
const fn sampled(
    name: &'static str,
    title: &'static str,
    area_density: f32,
    [warp, weft, shear]: [f32; 3],
    [softest, stiffest]: [f32; 2],
) -> Fabric {
    Fabric {
        name,
        title,
        area_density: measured(area_density),
        thickness: None,
        warp: measured(warp),
        weft: measured(weft),
        shear: measured(shear),
        bending: derived(0.5e-6 * (softest + stiffest)),
        source: WANG,
    }
}

/// An isotropic plate of thickness h [mm] and modulus E [MPa]: tension E·h, shear
/// E·h/(2(1 + ν)), bending E·h³/12.
const fn plate(
    name: &'static str,
    title: &'static str,
    area_density: f32,
    thickness_mm: f32,
    (young_mpa, poisson): (f32, Option<f32>),
    source: &'static str,
) -> Fabric {
    let tension = young_mpa * thickness_mm * 1e3;
    let h = thickness_mm * 1e-3;
    let shear = match poisson {
        Some(nu) => derived(tension / (2.0 * (1.0 + nu))),
        None => guess(tension / (2.0 * (1.0 + ASSUMED_POISSON))),
    };
    Fabric {
        name,
        title,
        area_density: measured(area_density),
        thickness: Some(measured(h)),
        warp: derived(tension),
        weft: derived(tension),
        shear,
        bending: derived(young_mpa * 1e6 * h * h * h / 12.0),
        source,
    }
}

/// The same with bending as measured. [µN·m]
const fn with_bending(mut fabric: Fabric, micro: f32) -> Fabric {
    fabric.bending = measured(micro * 1e-6);
    fabric
}

/// Only the density of leather is known to us.
const fn leather(name: &'static str, title: &'static str, area_density: f32, bend: f32) -> Fabric {
    Fabric {
        name,
        title,
        area_density: measured(area_density),
        thickness: None,
        warp: guess(5000.0),
        weft: guess(5000.0),
        shear: guess(2000.0),
        bending: guess(bend),
        source: "density only; stiffness is a guess",
    }
}
