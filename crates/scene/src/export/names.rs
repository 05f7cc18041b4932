//! File names from body names, which may hold anything.

use std::collections::BTreeSet;

use super::FrameView;

/// A file stem for each body: safe on every system, and no two alike even
/// where case does not count.
pub fn file_stems(frame: &FrameView<'_>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut unique = |name: &str| {
        let base = safe(name);
        let mut stem = base.clone();
        let mut number = 2;
        while !taken.insert(stem.to_lowercase()) {
            stem = format!("{base}_{number}");
            number += 1;
        }
        stem
    };
    frame.bodies.iter().map(|body| unique(body.name)).collect()
}

/// The name with everything but plain letters, digits, `-` and `_` replaced.
pub fn safe(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let stem: String = name.chars().take(100).map(plain).collect();
    if stem.is_empty() { "body".to_owned() } else { stem }
}

#[cfg(test)]
mod tests {
    use super::super::{BodyView, Faces};
    use super::*;

    #[test]
    fn stems_are_safe_and_differ() {
        let names = ["../x", "A", "a", "", "a_2", "é b"];
        let faces = Faces::Triangles(&[]);
        let body = |name| BodyView { name, positions: &[], faces, uvs: None, normals: None };
        let bodies: Vec<BodyView<'_>> = names.into_iter().map(body).collect();
        let stems = file_stems(&FrameView { bodies: &bodies });
        assert_eq!(stems, ["___x", "A", "a_2", "body", "a_2_2", "__b"]);
    }
}
