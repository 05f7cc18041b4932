//! `tkanina completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output;

/// Prints completions for a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tkanina completions bash > ~/.local/share/bash-completion/completions/tkanina"
)]
pub struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    /// The script that the shell loads.
    pub fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "tkanina", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}
