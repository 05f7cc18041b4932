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
        let pairs = self.contact_pairs();
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
        let budget = contact.detections_per_frame;
        let law = ContactLaw {
            bodies: bodies.collect(),
            thickness: contact.thickness_m as f32,
            safe: contact.mode == ContactMode::Safe,
            rub: Rub { friction: contact.friction as f32, restitution: contact.restitution as f32 },
            pairs,
        };
        self.builder.set_contact_budget(budget);
        self.builder.set_contact(law);
    }

    /// Tells the builder of bodies and colliders that meet in their own way; returns pairs of surfaces.
    fn contact_pairs(&mut self) -> Vec<(u32, u32, Rub)> {
        let scene = &self.loaded.scene;
        let mut pairs = Vec::new();
        let mut names: Vec<String> =
            scene.bodies.iter().map(|body| body.name().to_owned()).collect();
        let bodies = names.len();
        names.extend(self.builder.mesh_collider_names());
        let surfaces = names.len();
        // Those that are no meshes, by their numbers among all.
        let meshes = names[bodies..].to_vec();
        let others: Vec<(u32, String)> = (0..).zip(self.builder.collider_names()).collect();
        let others: Vec<(u32, String)> =
            others.into_iter().filter(|(_, name)| !meshes.contains(name)).collect();
        names.extend(others.iter().map(|(_, name)| name.clone()));
        for (index, pair) in scene.contact.pairs.iter().enumerate() {
            let rub = Rub { friction: pair.friction as f32, restitution: pair.restitution as f32 };
            let mut found = [0; 2];
            for (side, name) in pair.between.iter().enumerate() {
                match names.iter().position(|known| known == name) {
                    Some(place) => found[side] = place as u32,
                    None => self.problem(
                        &steps!["contact", "pairs", index, "between", side],
                        format!("there is no body and no collider called `{name}`"),
                        format!("name one of: {}", names.join(", ")),
                    ),
                }
            }
            let [one, other] = [found[0].min(found[1]), found[0].max(found[1])];
            match others.get((other as usize).wrapping_sub(surfaces)) {
                Some(&(collider, _)) => self.builder.set_rub(one, collider, rub),
                None => pairs.push((one, other, rub)),
            }
        }
        pairs
    }
}
