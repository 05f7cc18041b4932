//! The map names only places that exist.

use std::path::Path;

#[test]
fn every_path_in_the_architecture_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let starts = ["crates/", "scenes/", "xtask/", "benches/"];
    let named: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "`,;()".contains(c))
        .filter(|word| starts.iter().any(|start| word.starts_with(start)))
        .collect();
    assert!(named.len() > 30, "only {} paths found", named.len());
    for path in named {
        assert!(root.join(path).exists(), "ARCHITECTURE.md names {path}, which is not there");
    }
}
