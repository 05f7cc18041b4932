//! A scene that was built: its world, its stage and its start.

use std::sync::Arc;

use glam::Vec3;
use miette::Diagnostic;
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::load::LoadedScene;
use tkanina_sim::model::Model;
use tkanina_sim::state::State;
use tkanina_stage::{NamedCamera, Stage, cameras};

use super::stopwatch::Stopwatch;

/// A scene that was built.
pub struct Run {
    /// What it was built from.
    pub loaded: Arc<LoadedScene>,
    /// The world and its schedule.
    pub simulation: Simulation,
    /// What of it is shown.
    pub stage: Stage,
    /// Where it is seen from.
    pub cameras: Vec<NamedCamera>,
    /// The model, for tools; as it was when something last came apart.
    pub model: Arc<Model>,
    /// The state at the start.
    start: State,
}

impl Run {
    /// Builds a scene, or says why not as people read it.
    pub fn build(loaded: Arc<LoadedScene>) -> Result<Self, String> {
        let mut simulation = build(&loaded).map_err(|error| readable(&error))?;
        let world = &mut simulation.world;
        let mut stage = Stage::new(&loaded, world).map_err(|error| readable(&error))?;
        let bounds = stage.shoot(world, &loaded.scene.look.show).bounds;
        Ok(Self {
            cameras: cameras(&loaded.scene, bounds),
            model: Arc::new(world.model().clone()),
            start: world.state().clone(),
            loaded,
            simulation,
            stage,
        })
    }

    /// Gives it threads and has its time measured. Nothing can be adopted any more.
    pub fn equip(&mut self, threads: usize, stopwatch: &Stopwatch) -> Result<(), String> {
        let world = &mut self.simulation.world;
        world.set_threads(threads).map_err(|error| error.to_string())?;
        world.set_probe(Some(stopwatch.probe()));
        world.keep_command_log(false);
        Ok(())
    }

    /// Length of a frame. [s]
    pub fn frame_s(&self) -> f64 {
        self.simulation.schedule.frame_s
    }

    /// Takes the present model for tools if something has come apart, or together again.
    pub fn follow(&mut self) {
        let model = self.simulation.world.model();
        if model.topology_version != self.model.topology_version {
            self.model = Arc::new(model.clone());
        }
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.simulation.world.restore(self.start.clone());
    }

    /// Goes on from a state of this run.
    pub fn restore(&mut self, state: State) {
        self.simulation.world.restore(state);
    }

    /// Shows the same world by another scene that differs only in looks.
    pub fn dress(&mut self, loaded: Arc<LoadedScene>) -> Result<(), String> {
        let fail = |error: tkanina_stage::StageError| readable(&error);
        let world = &mut self.simulation.world;
        if same(&self.loaded.scene.scenery, &loaded.scene.scenery) {
            self.stage.set_look(&loaded.scene.look).map_err(fail)?;
            self.stage.set_lights(&loaded.scene.lights);
        } else {
            self.stage = Stage::new(&loaded, world).map_err(fail)?;
        }
        if !same(&self.loaded.scene.cameras, &loaded.scene.cameras) {
            let bounds: [Vec3; 2] = self.stage.shoot(world, &loaded.scene.look.show).bounds;
            self.cameras = cameras(&loaded.scene, bounds);
        }
        self.loaded = loaded;
        Ok(())
    }
}

/// Whether two parts of scenes say the same.
pub fn same<T: serde::Serialize>(a: &T, b: &T) -> bool {
    match (serde_json::to_value(a), serde_json::to_value(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The whole message without colours: places, carets and remedies.
pub fn readable(error: &dyn Diagnostic) -> String {
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(100);
    let mut text = String::new();
    match handler.render_report(&mut text, error) {
        Ok(()) => text,
        Err(_) => error.to_string(),
    }
}
