//! `tkanina view`.

use crate::failure::Failure;
use crate::output;

/// Opens the viewer (not built yet: says what to do instead)
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tkanina view flag-turbulent")]
pub struct Args {
    /// A scene file, or the name of a built-in scene
    scene: Option<String>,
}

impl Args {
    /// Says that there is no viewer, and what there is.
    pub fn run(self) -> Result<(), Failure> {
        let scene = self.scene.as_deref().unwrap_or("flag-turbulent");
        output::print(&format!(
            "There is no viewer yet; scenes can be simulated without one:\n\
             \n  \
             tkanina run {scene} --out out   simulates and writes a mesh a frame\n  \
             tkanina scenes{pad}          lists the scenes that come with the program\n  \
             tkanina --help{pad}          lists all commands\n",
            pad = " ".repeat(scene.chars().count() + 1),
        ))
    }
}
