//! The program `tkanina`.

mod cli;
mod commands;
mod failure;
mod files;
mod output;
mod plot;
mod scene_args;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    failure::set_up_reports();
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
