//! Materials: presets that exist, and a mass from somewhere.

use super::{Check, steps};
use crate::schema::{Material, Tear};
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
            self.tear(name, material);
        }
    }

    /// A limit to tear at that would never be reached is a mistake.
    fn tear(&mut self, name: &str, material: &Material) {
        let path = |field: &str| steps!["materials", name, "tear", field];
        match (material.tear, material.max_stretch) {
            (Some(Tear::AtStretch(limit)), Some(most)) if most <= limit => {
                let message = format!("is never reached: `max_stretch` holds it at {most}");
                let help = "give a smaller `at_stretch`, or leave `max_stretch` out".to_owned();
                self.report(&path("at_stretch"), message, Some(help));
            }
            (Some(Tear::AtNM(_)), _) if material.springs.is_some() => {
                let message = "needs a surface's stiffness, and this material has `springs`";
                let help = "use `at_stretch`, or a `membrane` or `preset` in place of `springs`";
                self.report(&path("at_N_m"), message, Some(help.to_owned()));
            }
            _ => {}
        }
    }
}
