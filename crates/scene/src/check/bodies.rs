//! Bodies: materials, points within budget, pins that hold.

use super::{Check, steps};
use crate::node::Step;
use crate::schema::{Body, Cloth, Pin, Shape};

/// Most points that a scene may simulate; about a gigabyte of state.
pub const MAX_POINTS: u64 = 4_000_000;

impl Check<'_> {
    pub(super) fn bodies(&mut self) {
        let scene = self.scene;
        let names = self.body_names();
        self.unique("bodies", &names);
        let mut total = 0_u64;
        for (index, Body::Cloth(cloth)) in scene.bodies.iter().enumerate() {
            let before = total;
            if let Shape::Grid { points: [a, b], .. } = cloth.shape {
                total = total.saturating_add(u64::from(a) * u64::from(b));
            }
            // Said once, at the body that goes over.
            if before <= MAX_POINTS && total > MAX_POINTS {
                let message =
                    format!("{total} points so far; a scene may have {MAX_POINTS} in all");
                let help = Some("use a coarser grid".to_owned());
                self.report(&steps!["bodies", index, "shape", "points"], message, help);
            }
            self.cloth(index, cloth);
        }
    }

    fn cloth(&mut self, index: usize, cloth: &Cloth) {
        let materials: Vec<&str> = self.scene.materials.keys().map(String::as_str).collect();
        self.name(&steps!["bodies", index, "material"], "material", &cloth.material, &materials);
        if let Shape::Mesh { file, .. } = &cloth.shape {
            self.file(&steps!["bodies", index, "shape", "file"], file);
        }
        if let Shape::Garment { around: Some(name), .. }
        | Shape::TShirt { around: Some(name), .. } = &cloth.shape
        {
            self.collider_name(&steps!["bodies", index, "shape", "around"], name);
        }
        for (number, pin) in cloth.pins.iter().enumerate() {
            self.pin(&steps!["bodies", index, "pins", number], cloth, pin);
        }
    }

    fn pin(&mut self, path: &[Step], cloth: &Cloth, pin: &Pin) {
        self.selection(path, &pin.select, Some(&cloth.shape));
        let field = |name: &str| [path, &steps![name]].concat();
        if pin.breaks_at_n.is_some() && pin.stiffness_n_m.is_none() {
            let help = Some("add `stiffness_N_m: 500`, the spring that breaks".to_owned());
            self.report(&field("breaks_at_N"), "needs a `stiffness_N_m` beside it", help);
        }
        if pin.follow.is_some() && pin.attach_to.is_some() {
            let help = Some("keep one of the two".to_owned());
            self.report(&field("attach_to"), "cannot stand beside `follow`", help);
        }
        if let Some(collider) = &pin.attach_to {
            self.collider_name(&field("attach_to"), collider);
        }
        if let Some(follow) = &pin.follow {
            let keys = [path, &steps!["follow", "keyframes"]].concat();
            self.increasing(&keys, follow.keyframes.iter().map(|key| key.t_s));
        }
    }
}
