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
        self.scenery();
        let mut known = self.body_names();
        known.extend(self.collider_names());
        known.extend(scene.scenery.iter().map(|scenery| scenery.name.as_str()));
        for (name, look) in &scene.look.bodies {
            let path = steps!["look", "bodies", name.as_str()];
            self.name(&path, "body, collider or scenery", name, &known);
            let field = |rest: &[&str]| {
                let rest = rest.iter().map(|&step| step.into());
                path.iter().cloned().chain(rest).collect::<Vec<_>>()
            };
            if let Some(file) = &look.texture {
                self.picture(&field(&["texture"]), file);
            }
            if let Some(file) = look.bumps.as_ref().and_then(|bumps| bumps.file.as_ref()) {
                self.picture(&field(&["bumps", "file"]), file);
            }
        }
    }

    /// What is only drawn: names of its own, and files that are there.
    fn scenery(&mut self) {
        let scene = self.scene;
        let names: Vec<&str> = scene.scenery.iter().map(|s| s.name.as_str()).collect();
        self.unique("scenery", &names);
        for (index, scenery) in scene.scenery.iter().enumerate() {
            let taken = [(self.body_names(), "body"), (self.collider_names(), "collider")];
            for (_, what) in
                taken.iter().filter(|(names, _)| names.contains(&scenery.name.as_str()))
            {
                let message = format!("`{}` is the name of a {what} too", scenery.name);
                let help = "give it its own name: `look.bodies` goes by names".to_owned();
                self.report(&steps!["scenery", index, "name"], message, Some(help));
            }
            self.file(&steps!["scenery", index, "file"], &scenery.file);
        }
    }

    /// A checkpoint to start from.
    pub(super) fn start_from(&mut self) {
        if let Some(file) = &self.scene.start_from {
            self.file(&steps!["start_from"], file);
        }
    }
}
