//! `cargo xtask demo` and `cargo xtask test`: all set-up, then the main job or all tests.

mod gallery;
mod guide;
mod packages;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask demo    set up what is missing, then open the viewer (without a display: draw into out/)
cargo xtask test    set up what is missing, then format check, lints, all tests, docs
cargo xtask gallery draw docs/gallery: a picture of every scene, films of some; --missing: only new ones
cargo xtask guide   measure docs/choosing-a-solver.md: every solver on six scenes, which takes a while
cargo xtask setup   only set up what is missing";

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let result = match task.as_str() {
        "demo" => demo(),
        "test" => test(),
        "gallery" => packages::install_missing().and_then(|()| gallery::gallery()),
        "guide" => guide::guide(&std::env::args().skip(2).collect::<Vec<_>>()),
        "setup" => packages::install_missing(),
        _ => {
            println!("{HELP}");
            return if task.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> Result<(), String> {
    packages::install_missing()?;
    cargo(&["run", "--release", "--package", "tkanina"])
}

fn test() -> Result<(), String> {
    packages::install_missing()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace"])?;
    documentation()
}

fn documentation() -> Result<(), String> {
    let mut command = cargo_command();
    command.args(["doc", "--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    finish(command, "cargo doc")
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    println!("> cargo {}", arguments.join(" "));
    let mut command = cargo_command();
    command.args(arguments);
    finish(command, &format!("cargo {}", arguments[0]))
}

fn cargo_command() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where cargo puts the program.
fn program() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    target.join("release").join(format!("tkanina{}", std::env::consts::EXE_SUFFIX))
}

fn finish(mut command: Command, name: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("cannot start {name}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed ({status})")) }
}
