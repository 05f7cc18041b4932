//! `tkanina view`.

use std::path::PathBuf;

use miette::miette;
use tkanina_viewer::{App, Preferences, ViewerError, platform, run};

use super::render;
use crate::failure::Failure;
use crate::output;
use crate::scene_args::SceneArgs;

/// What opens when nothing is asked for.
const DEFAULT_SCENE: &str = "flag-turbulent";

/// Opens the viewer; without a display it draws the scene into `out/` instead
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tkanina view flag-turbulent")]
pub struct Args {
    /// A scene file, or the name of a built-in scene; default: a flag in turbulent wind
    scene: Option<String>,
    /// Solver instead of the scene's, without options
    #[arg(long, value_name = "KIND")]
    solver: Option<String>,
    /// Replaces a field of the scene; the value is YAML. May be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Closes holes of soft bodies' meshes and turns their faces outwards
    #[arg(long)]
    repair: bool,
}

impl Args {
    /// Shows the scene until the window is closed.
    pub fn run(self) -> Result<(), Failure> {
        let scene = self.scene.unwrap_or_else(|| DEFAULT_SCENE.to_owned());
        let scene = SceneArgs { scene, solver: self.solver, set: self.set, repair: self.repair };
        let loaded = scene.open()?;
        if !platform::has_display() {
            output::tell("note: there is no display, so the scene is drawn into out/ instead");
            return render::in_place_of_window(&scene);
        }
        let path = loaded.dir.is_some().then(|| PathBuf::from(&scene.scene));
        let app = App::new(&scene.scene, path, loaded, Preferences::load());
        let app = app.map_err(|error| Failure::other(miette!("{error}")))?;
        match run(app.keeping_preferences()) {
            Ok(()) => Ok(()),
            Err(ViewerError::Window(why)) => {
                output::tell(&format!("warning: the window cannot be opened: {why}"));
                output::tell("note: the scene is drawn into out/ instead");
                render::in_place_of_window(&scene)
            }
            Err(error) => Err(Failure::other(miette!("{error}"))),
        }
    }
}
