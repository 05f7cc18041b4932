//! How surfaces meet.

use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};

use super::Build;
use crate::check::steps;
use crate::schema::{Body, ContactMode};

impl Build<'_> {
    /// Tells the model how its bodies meet, unless the scene wants none of it.
    pub(super) fn contact(&mut self) {
        let scene = &self.loaded.scene;
        let contact = &scene.contact;
        if contact.mode == ContactMode::Off {
            let asking = scene.bodies.iter().find(|body| body.self_contact());
            if let Some(body) = asking {
                self.warn(format!(
                    "`{}` asks for self-contact, and `contact.mode` is off: it may pass through itself",
                    body.name()
                ));
            }
            return;
        }
        let thickness = |body: &Body| {
            let material = body.as_cloth().and_then(|cloth| scene.materials.get(&cloth.material));
            let fabric = material.and_then(|m| m.thickness_mm).map_or(0.0, |mm| 1e-3 * mm);
            let fabric = body.as_strands().map_or(fabric, |strands| strands.thickness_m());
            fabric.max(contact.thickness_m) as f32
        };
        let bodies = scene.bodies.iter().map(|body| BodyContact {
            touches_itself: body.self_contact(),
            thickness: thickness(body),
        });
        let mut law = ContactLaw {
            bodies: bodies.collect(),
            thickness: contact.thickness_m as f32,
            safe: contact.mode == ContactMode::Safe,
            rub: Rub { friction: contact.friction as f32, restitution: contact.restitution as f32 },
            pairs: Vec::new(),
        };
        let mut names: Vec<String> =
            scene.bodies.iter().map(|body| body.name().to_owned()).collect();
        names.extend(self.builder.mesh_collider_names());
        for (index, pair) in contact.pairs.iter().enumerate() {
            let rub = Rub { friction: pair.friction as f32, restitution: pair.restitution as f32 };
            let mut found = [0; 2];
            for (side, name) in pair.between.iter().enumerate() {
                match names.iter().position(|known| known == name) {
                    Some(place) => found[side] = place as u32,
                    None => self.problem(
                        &steps!["contact", "pairs", index, "between", side],
                        format!("there is no body and no mesh collider called `{name}`"),
                        format!("name one of: {}", names.join(", ")),
                    ),
                }
            }
            law.pairs.push((found[0], found[1], rub));
        }
        self.builder.set_contact_budget(contact.detections_per_frame);
        self.builder.set_contact(law);
    }
}
