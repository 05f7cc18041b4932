//! Solvers side by side on one scene.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::FOLDER;
use crate::finish;

const SCENE: &str = "flag-turbulent";
const SOLVERS: &str = "line-projection,vertex-descent,xpbd,implicit-euler,verlet,explicit-euler@40";
/// Three seconds: by then the wind has made the flags differ.
const FRAMES: &str = "180";
/// Budgets. [bytes]
const PICTURE: u64 = 800_000;
const REPORT: u64 = 1_000_000;

/// Draws picture and report and adds them to the page; gives how large they are. [bytes]
pub fn draw(program: &Path, page: &mut String) -> Result<u64, String> {
    let (picture, report) = ("compare-flag.png", "compare-flag");
    let mut command = Command::new(program);
    let drawn = std::env::args().any(|argument| argument == "--missing")
        && Path::new(FOLDER).join(picture).exists();
    command.args(["compare", SCENE, "--solvers", SOLVERS, "--frames", FRAMES, "--quiet"]);
    command.args(["--out", &format!("{FOLDER}/{report}")]);
    command.args(["--picture", &format!("{FOLDER}/{picture}")]);
    if !drawn {
        finish(command, &format!("tkanina compare {SCENE}"))?;
    }
    let sizes = [
        fitting(&format!("{FOLDER}/{picture}"), PICTURE)?,
        fitting(&format!("{FOLDER}/{report}/index.html"), REPORT)?,
    ];
    let _ = write!(
        page,
        "\n## One scene under several solvers\n\nThe flag in turbulent wind, each row a solver, each \
         column a moment. [The report]({report}/index.html) (download it to open it) has the numbers \
         and plots.\n\n![solvers side by side]({picture})\n\n```\ntkanina compare {SCENE} --solvers \
         {SOLVERS} --frames {FRAMES} --out {report}\n```\n"
    );
    Ok(sizes.iter().sum())
}

fn fitting(path: &str, budget: u64) -> Result<u64, String> {
    let bytes = std::fs::metadata(path).map_err(|e| format!("{path}: {e}"))?.len();
    if bytes > budget {
        return Err(format!("{path} has {bytes} bytes; it may have {budget}"));
    }
    Ok(bytes)
}
