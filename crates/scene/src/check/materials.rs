//! Materials: presets that exist, and a mass from somewhere.

use super::{Check, steps};
use tkanina_sim::materials::FABRICS;

impl Check<'_> {
    pub(super) fn materials(&mut self) {
        let presets: Vec<&str> = FABRICS.iter().map(|fabric| fabric.name).collect();
        for (name, material) in &self.scene.materials {
            match &material.preset {
                Some(preset) => {
                    self.name(
                        &steps!["materials", name.as_str(), "preset"],
                        "preset",
                        preset,
                        &presets,
                    );
                }
                None if material.mass.is_none() => {
                    let help = "add `mass: { area_density_kg_m2: 0.15 }` or a `preset`".to_owned();
                    self.report(
                        &steps!["materials", name.as_str()],
                        "has neither a mass nor a preset to take it from",
                        Some(help),
                    );
                }
                None => {}
            }
        }
    }
}
