//! What strands are made of, in numbers of the model.

use std::f64::consts::PI;

use tkanina_sim::materials::{SOAKED, STRAND_PRESETS, StrandPreset, strand_preset};
use tkanina_sim::strands::{Fibre, FibreDrag};

use crate::schema::{Curl, FibreMaterial};

/// A fibre with what the scene's description of it means.
pub(super) struct Made {
    pub fibre: Fibre,
    pub curl: Curl,
    pub friction: f32,
}

/// E I = Eπd⁴/64, G J = Gπd⁴/32, m/L = ρπd²/4, each of so many fibres; in air of a density [kg/m³].
pub(super) fn made(material: &FibreMaterial, air_density: f64) -> Made {
    let preset = material.preset.as_deref().and_then(strand_preset).unwrap_or(usual());
    let or = |own: Option<f64>, value: f32| own.unwrap_or(f64::from(value));
    let wet = material.wetness;
    let lost = |part: f32| 1.0 - wet * f64::from(part);
    let d = material.diameter_mm.map_or(f64::from(preset.diameter.value), |mm| 1e-3 * mm);
    let young = or(material.young_pa, preset.young.value) * lost(SOAKED.young.value);
    let shear =
        or(material.shear_pa, preset.shear_modulus.value) * lost(SOAKED.shear_modulus.value);
    let water = 1.0 + wet * f64::from(SOAKED.mass.value);
    let density = or(material.density_kg_m3, preset.density.value) * water;
    let bundle = f64::from(material.fibres_per_strand.unwrap_or(1));
    let fourth = PI * d * d * d * d;
    let drag = FibreDrag::of_cylinder(d, air_density).times(material.drag.unwrap_or(1.0) * bundle);
    Made {
        fibre: Fibre {
            bending: (bundle * young * fourth / 64.0) as f32,
            twisting: (bundle * shear * fourth / 32.0) as f32,
            density: (bundle * density * PI * d * d / 4.0) as f32,
            radius: (0.5 * d) as f32,
            taper: or(material.taper, preset.taper.value) as f32,
            inner_friction: or(material.inner_friction_s, preset.inner_friction.value) as f32,
            drag,
            rest_speed: or(material.rest_speed_m_s, preset.rest_speed.value) as f32,
        },
        curl: material.curl.unwrap_or(Curl {
            radius_m: f64::from(preset.curl_radius.value),
            pitch_m: f64::from(preset.curl_pitch.value),
        }),
        friction: or(material.friction, preset.friction.value) as f32,
    }
}

/// What strands are without a word about it.
fn usual() -> &'static StrandPreset {
    &STRAND_PRESETS[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_and_water_change_what_they_should() {
        let dry = made(&FibreMaterial::default(), 1.2).fibre;
        // 60 µm of 3.89 GPa, 0.89 GPa and 1320 kg/m³.
        assert!((dry.bending / 2.4747e-9 - 1.0).abs() < 1e-3, "{}", dry.bending);
        assert!((dry.twisting / 1.1324e-9 - 1.0).abs() < 1e-3, "{}", dry.twisting);
        assert!((dry.density / 3.7322e-6 - 1.0).abs() < 1e-3, "{}", dry.density);
        let many = FibreMaterial { fibres_per_strand: Some(50), ..FibreMaterial::default() };
        let many = made(&many, 1.2).fibre;
        let ratio = |f: &Fibre| {
            [f.bending, f.twisting, f.drag.viscous, f.drag.inertial].map(|c| c / f.density)
        };
        for (a, b) in ratio(&many).iter().zip(ratio(&dry)) {
            assert!((a / b - 1.0).abs() < 1e-5);
        }
        let wet = made(&FibreMaterial { wetness: 1.0, ..FibreMaterial::default() }, 1.2).fibre;
        assert!(wet.density > 1.9 * dry.density && wet.bending < 0.5 * dry.bending);
        assert!(wet.twisting < 0.25 * dry.twisting);
    }
}
