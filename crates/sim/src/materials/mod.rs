//! Measured fabrics.

mod strands;
mod table;

pub use strands::{SOAKED, STRAND_PRESETS, StrandPreset, Wetness, strand_preset};
pub use table::{FABRICS, FIBRES};

/// A fabric with measured or stated properties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Name of the preset.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Mass per area. [kg/m²]
    pub area_density: Value,
    /// Thickness. [m]
    pub thickness: Option<Value>,
    /// Tensile stiffness along the warp, force per width. [N/m]
    pub warp: Value,
    /// Tensile stiffness along the weft, force per width. [N/m]
    pub weft: Value,
    /// Shear stiffness, force per width. [N/m]
    pub shear: Value,
    /// Bending stiffness. [N·m]
    pub bending: Value,
    /// Where the measured numbers come from.
    pub source: &'static str,
}

/// A fibre with measured properties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// Name of the preset.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Mass per volume. [kg/m³]
    pub density: Value,
    /// Diameter. [m]
    pub diameter: Value,
    /// Young's modulus. [Pa]
    pub young: Value,
    /// Shear modulus. [Pa]
    pub shear_modulus: Value,
    /// Bending stiffness EI. [N·m²]
    pub bending: Value,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// A number and how it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// In SI units.
    pub value: f32,
    /// Measured, worked out or guessed.
    pub basis: Basis,
}

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Stated by the source.
    Measured,
    /// Worked out from stated numbers.
    Derived,
    /// A guess of ours.
    Guess,
}

impl Basis {
    /// One word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Derived => "derived",
            Self::Guess => "guess",
        }
    }
}

/// The fabric of a name.
pub fn fabric(name: &str) -> Option<&'static Fabric> {
    FABRICS.iter().find(|f| f.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_numbers_are_physical() {
        for (i, f) in FABRICS.iter().enumerate() {
            assert!(FABRICS[..i].iter().all(|g| g.name != f.name), "{}", f.name);
            assert!((0.01..2.0).contains(&f.area_density.value), "{}", f.name);
            for k in [f.warp, f.weft, f.shear] {
                assert!((1.0..1e6).contains(&k.value), "{}: {}", f.name, k.value);
            }
            assert!((1e-8..1e-2).contains(&f.bending.value), "{}", f.name);
        }
    }

    #[test]
    fn plate_formula_gives_the_stated_order_of_bending() {
        // Cotton: E h³/12 = 0.821 MPa · (0.318 mm)³/12.
        let cotton = fabric("cotton").unwrap();
        assert!((cotton.bending.value / 2.2e-6 - 1.0).abs() < 0.01);
        assert!((cotton.warp.value - 261.0).abs() < 1.0);
    }
}
