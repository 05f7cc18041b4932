//! `cargo xtask guide`: measures docs/choosing-a-solver.md and its plots.

use std::process::Command;

use crate::{cargo, finish, program};

const FOLDER: &str = "docs";
/// All plots and the page. [bytes]
const BUDGET: u64 = 300_000;

/// Runs `tkanina guide` with further `arguments`, such as `--quick` or `--solvers verlet,rk4`.
pub fn guide(arguments: &[String]) -> Result<(), String> {
    cargo(&["build", "--release", "--package", "tkanina"])?;
    let mut command = Command::new(program());
    command.args(["guide", "--out", FOLDER]).args(arguments);
    finish(command, "tkanina guide")?;
    let mut sum = bytes(&format!("{FOLDER}/choosing-a-solver.md"))?;
    let plots = format!("{FOLDER}/choosing-a-solver");
    for entry in std::fs::read_dir(&plots).map_err(|e| format!("{plots}: {e}"))? {
        let path = entry.map_err(|e| format!("{plots}: {e}"))?.path();
        sum += bytes(&path.display().to_string())?;
    }
    if sum > BUDGET {
        return Err(format!("page and plots have {sum} bytes; they may have {BUDGET}"));
    }
    println!("{} kB", sum / 1000);
    Ok(())
}

fn bytes(path: &str) -> Result<u64, String> {
    Ok(std::fs::metadata(path).map_err(|e| format!("{path}: {e}"))?.len())
}
