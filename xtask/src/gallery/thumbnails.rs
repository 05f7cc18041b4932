//! Small pictures of all scenes on one sheet, for the viewer's browser.

use std::fmt::Write as _;
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
    let folder = std::fs::canonicalize(FOLDER).map_err(|e| format!("{FOLDER}: {e}"))?;
    let mut list = String::from("ffconcat version 1.0\n");
    for name in names {
        let picture = folder.join(format!("{name}.png"));
        let _ = writeln!(list, "file '{}'", picture.display());
    }
    let list_file = Path::new("target").join("thumbnails.ffconcat");
    let write = |path: &Path, text: &str| {
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, text)
    };
    write(&list_file, &list).map_err(|e| format!("{}: {e}", list_file.display()))?;
    let rows = names.len().div_ceil(COLUMNS);
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-f", "concat", "-safe", "0", "-i"]);
    command.arg(&list_file);
    let filter = format!("scale=160:100:flags=area,tile={COLUMNS}x{rows}");
    command.args(["-vf", &filter, "-frames:v", "1", "-q:v", "4", SHEET]);
    finish(command, "ffmpeg")?;
    let lines = names.join("\n") + "\n";
    write(Path::new(NAMES), &lines).map_err(|e| format!("{NAMES}: {e}"))
}
