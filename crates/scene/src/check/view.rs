//! Cameras, lights and looks.

use super::{Check, steps};
use crate::schema::Light;

impl Check<'_> {
    pub(super) fn view(&mut self) {
        let scene = self.scene;
        let cameras: Vec<&str> = scene.cameras.iter().map(|camera| camera.name.as_str()).collect();
        self.unique("cameras", &cameras);
        for (index, camera) in scene.cameras.iter().enumerate() {
            if camera.eye_m == camera.target_m {
                let help = Some("move the eye or the target".to_owned());
                let path = steps!["cameras", index, "target_m"];
                self.report(&path, "is where the eye is: the camera looks nowhere", help);
            }
            self.direction(&steps!["cameras", index, "up"], camera.up);
        }
        for (index, light) in scene.lights.iter().enumerate() {
            if let Light::Sun { direction, .. } = light {
                self.direction(&steps!["lights", index, "direction"], *direction);
            }
        }
        let mut known = self.body_names();
        known.extend(self.collider_names());
        for (name, look) in &scene.look.bodies {
            let path = steps!["look", "bodies", name.as_str()];
            self.name(&path, "body or collider", name, &known);
            if let Some(file) = &look.texture {
                self.file(&steps!["look", "bodies", name.as_str(), "texture"], file);
            }
        }
    }
}
