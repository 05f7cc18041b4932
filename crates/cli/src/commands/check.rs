//! `tkanina check`.

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::run::Elements;
use tkanina_stage::Stage;

use crate::failure::Failure;
use crate::output;
use crate::scene_args::SceneArgs;

/// Checks a scene and prints every problem, not only the first
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tkanina check my.scene.yaml --set time.substeps=4")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,
}

impl Args {
    /// Opens and builds the scene, as a run would.
    pub fn run(self) -> Result<(), Failure> {
        let loaded = self.scene.open()?;
        let simulation = build(&loaded)?;
        // Pictures and meshes that are only drawn must be right too.
        Stage::new(&loaded, &simulation.world)?;
        let mut text = format!("{} is right: {}\n", self.scene.scene, counts(&simulation));
        for note in &simulation.notes {
            text += &output::note_line(note);
            text.push('\n');
        }
        output::print(&text)
    }
}

fn counts(simulation: &Simulation) -> String {
    let schedule = &simulation.schedule;
    let step = schedule.frame_s / f64::from(schedule.substeps);
    let limit = if schedule.advice.limit.is_finite() {
        format!(", stable up to {:.3} ms", 1e3 * schedule.advice.limit)
    } else {
        String::new()
    };
    format!(
        "{} points, {} springs, {} frames of {} substeps (step {:.3} ms{limit})",
        simulation.world.model().particle_count(),
        Elements::of(&simulation.world).spring,
        schedule.frames,
        schedule.substeps,
        1e3 * step,
    )
}
