//! Fibres by name: what hair, fur, ropes and grass are made of.

use super::{Basis, Value};

/// A fibre that a scene may name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandPreset {
    /// Name of the preset.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Thickness. [m]
    pub diameter: Value,
    /// Young's modulus, as bending shows it. [Pa]
    pub young: Value,
    /// Shear modulus, as twisting shows it. [Pa]
    pub shear_modulus: Value,
    /// Mass per volume. [kg/m³]
    pub density: Value,
    /// Radius of its natural curl; 0 is straight. [m]
    pub curl_radius: Value,
    /// Way along the curl's axis in a turn. [m]
    pub curl_pitch: Value,
    /// Time constant of inner friction. [s]
    pub inner_friction: Value,
    /// Coulomb friction. [1]
    pub friction: Value,
    /// Thickness at the tip as a part of that at the root. [1]
    pub taper: Value,
    /// Strands slower than this for half a second come to rest. [m/s]
    pub rest_speed: Value,
    /// Where the measured numbers come from.
    pub source: &'static str,
}

/// All fibres by name.
pub const STRAND_PRESETS: &[StrandPreset] = &[
    hair("straight", "Human hair, straight", [0.0, 0.05]),
    hair("wavy", "Human hair, wavy", [0.004, 0.06]),
    hair("curly", "Human hair, curly", [0.006, 0.025]),
    StrandPreset {
        diameter: guess(4e-5),
        taper: guess(0.1),
        ..hair("fur", "Fur of an animal", [0.0, 0.05])
    },
    StrandPreset {
        name: "rope",
        title: "Rope of natural fibre, 10 mm",
        diameter: guess(0.01),
        // Yarns slide along each other: far below the modulus of the fibres.
        young: guess(1e6),
        shear_modulus: guess(4e5),
        density: guess(700.0),
        curl_radius: guess(0.0),
        curl_pitch: guess(0.05),
        inner_friction: guess(0.02),
        friction: guess(0.4),
        taper: guess(1.0),
        rest_speed: guess(0.005),
        source: "our guesses",
    },
    StrandPreset {
        name: "grass",
        title: "Blade of grass, as stiff as a round one",
        diameter: guess(0.0015),
        young: guess(5e8),
        shear_modulus: guess(2e8),
        density: guess(600.0),
        curl_radius: guess(0.0),
        curl_pitch: guess(0.05),
        inner_friction: guess(0.02),
        friction: guess(0.3),
        taper: guess(0.15),
        rest_speed: guess(0.005),
        source: "our guesses",
    },
];

/// What water does to a fibre, as changes of a soaked one; all are guesses of ours.
pub struct Wetness {
    /// Mass that it takes up, as a part of its own. [1]
    pub mass: Value,
    /// Part of Young's modulus that it loses. [1]
    pub young: Value,
    /// Part of the shear modulus that it loses. [1]
    pub shear_modulus: Value,
    /// Square of the frequency at which a strand swings about the lock that it sticks to. [1/s²]
    pub pull: Value,
    /// Strands in a lock. [1]
    pub lock: Value,
}

/// Wet hair is softer in stretch and much softer in twist, and carries about its own mass of water.
pub const SOAKED: Wetness = Wetness {
    mass: guess(1.0),
    young: guess(0.6),
    shear_modulus: guess(0.8),
    pull: guess(900.0),
    lock: guess(24.0),
};

/// The fibre of a name.
pub fn strand_preset(name: &str) -> Option<&'static StrandPreset> {
    STRAND_PRESETS.iter().find(|preset| preset.name == name)
}

const fn hair(
    name: &'static str,
    title: &'static str,
    [curl_radius, curl_pitch]: [f32; 2],
) -> StrandPreset {
    StrandPreset {
        name,
        title,
        diameter: measured(6e-5),
        young: measured(3.89e9),
        shear_modulus: measured(0.89e9),
        density: measured(1320.0),
        curl_radius: guess(curl_radius),
        curl_pitch: guess(curl_pitch),
        inner_friction: guess(0.004),
        friction: guess(0.25),
        taper: guess(0.5),
        rest_speed: guess(0.03),
        source: "literature values of human hair; curl, frictions and taper are our guesses",
    }
}

const fn measured(value: f32) -> Value {
    Value { value, basis: Basis::Measured }
}

const fn guess(value: f32) -> Value {
    Value { value, basis: Basis::Guess }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_hair_has_the_stiffness_of_the_table() {
        for (i, preset) in STRAND_PRESETS.iter().enumerate() {
            assert!(STRAND_PRESETS[..i].iter().all(|p| p.name != preset.name), "{}", preset.name);
            assert_eq!(strand_preset(preset.name), Some(preset));
        }
        // E·πd⁴/64 of 60 µm hair.
        let hair = strand_preset("straight").unwrap();
        let d = f64::from(hair.diameter.value);
        let bending = f64::from(hair.young.value) * std::f64::consts::PI * d.powi(4) / 64.0;
        assert!((bending / 2.475e-9 - 1.0).abs() < 0.01, "{bending}");
    }
}
