//! `tkanina schema`.

use tkanina_scene::schema::json_schema;

use crate::failure::Failure;
use crate::output;

/// Prints the JSON Schema of the scene format, for editors
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tkanina schema > scene.schema.json")]
pub struct Args {}

impl Args {
    /// The schema, with line breaks.
    pub fn run(self) -> Result<(), Failure> {
        output::print(&format!("{:#}\n", json_schema()))
    }
}
