//! System packages that the workspace needs, installed through apt where we may.

use std::process::{Command, Stdio};

/// A program the build needs and the Debian package that brings it.
const NEEDED: &[(&str, &str)] = &[("cc", "build-essential")];

/// Installs what is missing, or says the one command that would.
pub fn install_missing() -> Result<(), String> {
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| !answers(program))
        .map(|&(_, package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("sudo apt-get install -y {}", missing.join(" "));
    if !answers("apt-get") || !may_install() {
        return Err(format!("missing system packages; run: {by_hand}"));
    }
    println!("> installing {}", missing.join(" "));
    apt(&["update"])
        .and_then(|()| apt(&[&["install", "-y"], missing.as_slice()].concat()))
        .map_err(|e| format!("{e}; run: {by_hand}"))
}

fn answers(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Only root may install without being asked for a password.
fn may_install() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0")
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("cannot start apt-get: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("apt-get {} failed", arguments[0])) }
}
