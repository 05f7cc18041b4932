//! Small pictures of all scenes on one sheet, for the viewer's browser.

use std::path::Path;
use std::process::Command;

use super::FOLDER;
use crate::finish;

const SHEET: &str = "crates/viewer/thumbnails/sheet.jpg";
const NAMES: &str = "crates/viewer/thumbnails/names.txt";

/// Pictures in a row, as `crates/viewer/src/thumbnails.rs` cuts them.
const COLUMNS: usize = 8;

/// Puts the gallery's pictures of `names` on the sheet, row after row.
pub fn thumbnails(names: &[&str]) -> Result<(), String> {
    let folder = Path::new("target").join("thumbnails");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (index, name) in names.iter().enumerate() {
        // Pictures differ in size, which the tile filter does not take.
        let picture = format!("{FOLDER}/{name}.png");
        let small = folder.join(format!("{index:03}.png"));
        ffmpeg(Path::new(&picture), "scale=160:100:flags=area", &small)?;
    }
    let tile = format!("tile={COLUMNS}x{}", names.len().div_ceil(COLUMNS));
    ffmpeg(&folder.join("%03d.png"), &tile, Path::new(SHEET))?;
    let lines = names.join("\n") + "\n";
    std::fs::write(NAMES, lines).map_err(|e| format!("{NAMES}: {e}"))
}

fn ffmpeg(from: &Path, filter: &str, to: &Path) -> Result<(), String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-i"]).arg(from);
    command.args(["-vf", filter, "-frames:v", "1", "-q:v", "4"]).arg(to);
    finish(command, "ffmpeg")
}
