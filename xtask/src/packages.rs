//! System packages that the workspace needs, installed through apt where we may.

use std::path::Path;
use std::process::{Command, Stdio};

/// Something that must be there, and the Debian package that brings it.
struct Need {
    package: &'static str,
    is_there: fn() -> bool,
}

const NEEDED: &[Need] = &[
    Need { package: "build-essential", is_there: || answers("cc", "--version") },
    // Films.
    Need { package: "ffmpeg", is_there: || answers("ffmpeg", "-version") },
    // Windows without a screen, for tests.
    Need { package: "xvfb", is_there: || is_on_path("Xvfb") },
    // What finds Vulkan drivers, and a driver that needs no graphics card.
    Need { package: "libvulkan1", is_there: has_vulkan_loader },
    Need { package: "mesa-vulkan-drivers", is_there: has_vulkan_driver },
];

/// Installs what is missing, or says the one command that would.
pub fn install_missing() -> Result<(), String> {
    let missing: Vec<&str> =
        NEEDED.iter().filter(|need| !(need.is_there)()).map(|need| need.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("sudo apt-get install -y {}", missing.join(" "));
    if !answers("apt-get", "--version") || !may_install() {
        return Err(format!("missing system packages; run: {by_hand}"));
    }
    println!("> installing {}", missing.join(" "));
    apt(&["update"])
        .and_then(|()| apt(&[&["install", "-y"], missing.as_slice()].concat()))
        .map_err(|e| format!("{e}; run: {by_hand}"))
}

/// Other systems bring their own graphics.
fn has_vulkan_loader() -> bool {
    !cfg!(target_os = "linux")
        || LIBRARIES.iter().any(|folder| Path::new(folder).join("libvulkan.so.1").exists())
}

/// Any driver will do; Mesa's software one is the least.
fn has_vulkan_driver() -> bool {
    let lists_one = |folder: &&str| {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.into_iter().any(|file| file.path().extension().is_some_and(|e| e == "json"))
    };
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];
    !cfg!(target_os = "linux")
        || named.iter().any(|variable| std::env::var_os(variable).is_some())
        || DRIVERS.iter().any(|folder| lists_one(&folder))
}

/// Where Debian and others keep libraries.
const LIBRARIES: [&str; 5] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
];
/// Where drivers are listed.
const DRIVERS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

fn answers(program: &str, question: &str) -> bool {
    Command::new(program)
        .arg(question)
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
