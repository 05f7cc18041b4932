//! Nothing but the platform reaches for threads, clocks, files and dialogs.

use std::fs;
use std::path::{Path, PathBuf};

/// What only the platform may name.
const RESERVED: &[&str] = &[
    "std::thread",
    "std::fs",
    "std::env",
    "Instant::",
    "SystemTime",
    "rfd::",
    "File::open",
    "File::create",
    ".exists()",
    ".is_file()",
    ".is_dir()",
    "canonicalize()",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "platform" && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_the_platform_reaches_for_the_machine() {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 8, "{found:?}");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        // Tests stand at the end of a file.
        let text = text.split("#[cfg(test)]\nmod").next().unwrap();
        for word in RESERVED {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
}
