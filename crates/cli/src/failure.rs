//! Why the program ends otherwise than well, and with which exit code.

use std::io::IsTerminal;
use std::process::ExitCode;

use miette::{MietteHandlerOpts, Report};
use tkanina_scene::build::BuildError;
use tkanina_scene::checkpoint::CheckpointError;
use tkanina_scene::errors::SceneError;
use tkanina_scene::run::RestoreError;

use crate::output;

/// What the user is told at the end, and what the shell is.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    report: Report,
}

impl Failure {
    /// Arguments, scene, mesh or checkpoint are wrong.
    pub fn input(report: impl Into<Report>) -> Self {
        Self { code: 2, report: report.into() }
    }

    /// The simulation stopped being physical.
    pub fn exploded(report: impl Into<Report>) -> Self {
        Self { code: 3, report: report.into() }
    }

    /// Anything else, such as a full disk.
    pub fn other(report: impl Into<Report>) -> Self {
        Self { code: 1, report: report.into() }
    }

    /// Says what happened and gives the exit code.
    pub fn report(self) -> ExitCode {
        output::tell(&format!("{:?}", self.report));
        ExitCode::from(self.code)
    }
}

macro_rules! wrong_input {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::input(error)
            }
        })*
    };
}

wrong_input!(SceneError, BuildError, CheckpointError, RestoreError);

/// Colours and folded lines are for people at a terminal; a log keeps every
/// message on its line.
pub fn set_up_reports() {
    let terminal = std::io::stderr().is_terminal();
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    // A hook can be set only once, and this is the one time.
    let _ = miette::set_hook(Box::new(move |_| {
        // Messages name their causes themselves.
        let options = MietteHandlerOpts::new().without_cause_chain();
        let options = options.terminal_links(false).color(terminal && !plain);
        let options = if terminal { options } else { options.unicode(true).wrap_lines(false) };
        Box::new(options.build())
    }));
}
