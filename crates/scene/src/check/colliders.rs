//! Colliders and winds: directions, motions, names.

use super::meshes::MeshFrom;
use super::{Check, steps};
use crate::schema::{ColliderShape, Motion};

impl Check<'_> {
    pub(super) fn colliders(&mut self) {
        let scene = self.scene;
        let names = self.collider_names();
        self.unique("colliders", &names);
        for (index, collider) in scene.colliders.iter().enumerate() {
            match &collider.shape {
                ColliderShape::Plane { normal, .. } => {
                    self.direction(&steps!["colliders", index, "normal"], *normal);
                }
                ColliderShape::Mesh { file, shape, frames, .. } => {
                    let (file, shape, frames) = (file.as_deref(), shape.as_ref(), frames.as_ref());
                    self.mesh(&steps!["colliders", index], &MeshFrom { file, shape, frames });
                }
                ColliderShape::DistanceField { file, shape, .. } => {
                    let (file, shape) = (file.as_deref(), shape.as_ref());
                    let from = MeshFrom { file, shape, frames: None };
                    self.mesh(&steps!["colliders", index], &from);
                }
                ColliderShape::Terrain { heights, .. } => {
                    self.terrain(&steps!["colliders", index, "heights"], heights);
                }
                _ => {}
            }
            self.motion(index, &collider.motion);
        }
        for (number, wind) in scene.air.wind.iter().enumerate() {
            for (index, name) in wind.sheltered_by().iter().enumerate() {
                let path = steps!["air", "wind", number, "sheltered_by", index];
                self.collider_name(&path, name);
            }
        }
    }

    fn motion(&mut self, index: usize, motion: &Motion) {
        let here = steps!["colliders", index, "motion"];
        match motion {
            Motion::Rotate { axis, .. } => {
                self.direction(&[here.as_slice(), &steps!["axis"]].concat(), *axis);
            }
            Motion::Keyframes { keys, file } => {
                let keys_path = [here.as_slice(), &steps!["keys"]].concat();
                if keys.is_empty() == file.is_none() {
                    let help = Some("give `keys: [{ t_s: 0, position_m: [0, 0, 0] }]`".to_owned());
                    self.report(&here, "must have either `keys` or a `file`", help);
                }
                self.increasing(&keys_path, keys.iter().map(|key| key.t_s));
                if let Some(file) = file {
                    self.file(&[here.as_slice(), &steps!["file"]].concat(), file);
                }
            }
            _ => {}
        }
    }
}
