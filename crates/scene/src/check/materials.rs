//! Materials: presets that exist, and a mass from somewhere.

use super::{Check, steps};
use crate::schema::PRESETS;

impl Check<'_> {
    pub(super) fn materials(&mut self) {
        for (name, material) in &self.scene.materials {
            match &material.preset {
                Some(preset) => {
                    self.name(
                        &steps!["materials", name.as_str(), "preset"],
                        "preset",
                        preset,
                        PRESETS,
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
