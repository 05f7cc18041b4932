//! Going on under an edited scene.

use std::sync::Arc;

use serde_json::Value;
use tkanina_scene::build::{fit_hands, keeps_state};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Scene;

use super::carry::carry_over;
use super::run::Run;
use super::take::Take;

/// Parts of a scene that change nothing in its world.
const ONLY_SEEN: &[&str] = &["name", "about", "cameras", "lights", "look", "scenery", "expect"];

impl Take {
    /// Takes over as much of the present state as the edit allows: all of it, that of the bodies
    /// which are the same as before, or nothing.
    pub(super) fn edit(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        if same_world(&self.run.loaded, &loaded) {
            self.run.dress(loaded)?;
        } else {
            let mut run = Run::build(loaded)?;
            let (before, after) = (&self.run.loaded.scene, &run.loaded.scene);
            let adopted = keeps_state(before, after) && run.simulation.adopt(&self.run.simulation);
            if !adopted {
                carry_over(&self.run, &mut run);
            }
            run.equip(self.settings.threads, &self.stopwatch)?;
            let past_fits = adopted && fits_past(&self.run, &run);
            let before = std::mem::replace(&mut self.run, run);
            if past_fits {
                let (new, old) = (self.run.model.clone(), before.model);
                let step_s = self.run.simulation.step_s();
                self.history.revise(step_s, |hands| fit_hands(hands, &new, &old, false));
                self.enter();
            } else {
                self.begin();
            }
        }
        self.explosion = None;
        Ok(())
    }
}

/// Whether two scenes have the same world, seen otherwise at most.
fn same_world(a: &LoadedScene, b: &LoadedScene) -> bool {
    a.dir == b.dir && simulated(&a.scene) == simulated(&b.scene)
}

fn simulated(scene: &Scene) -> Option<Value> {
    let mut value = serde_json::to_value(scene).ok()?;
    let fields = value.as_object_mut()?;
    ONLY_SEEN.iter().for_each(|name| drop(fields.remove(*name)));
    Some(value)
}

/// Whether past states of one run can be gone back to in another that took over its present one.
fn fits_past(before: &Run, after: &Run) -> bool {
    // Hands move obstacles by number.
    let names = |run: &Run| -> Vec<String> {
        run.model.colliders.iter().map(|collider| collider.name.clone()).collect()
    };
    before.frame_s() == after.frame_s() && names(before) == names(after)
}
