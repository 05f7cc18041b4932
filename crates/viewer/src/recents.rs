//! Files that were opened last.

use std::path::{Path, PathBuf};

use crate::platform;

/// Most files that are remembered.
pub const MOST: usize = 12;

/// Puts a file first in the list.
pub fn remember(recent: &mut Vec<PathBuf>, file: &Path) {
    let file = platform::absolute(file);
    recent.retain(|other| *other != file);
    recent.insert(0, file);
    recent.truncate(MOST);
}

/// Takes files out of the list that are gone.
pub fn forget_missing(recent: &mut Vec<PathBuf>) {
    recent.retain(|file| platform::is_file(file));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_come_first_and_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut recent = Vec::new();
        let file = |i: usize| root.join(format!("{i}.scene.yaml"));
        for i in 0..15 {
            std::fs::write(file(i), "").unwrap();
            remember(&mut recent, &file(i));
        }
        std::fs::create_dir(root.join("sub")).unwrap();
        remember(&mut recent, &root.join("sub/../7.scene.yaml"));
        assert_eq!(recent.len(), MOST);
        assert_eq!(recent[..3], [file(7), file(14), file(13)]);
        assert_eq!(recent.iter().filter(|f| **f == file(7)).count(), 1);
        std::fs::remove_file(file(14)).unwrap();
        forget_missing(&mut recent);
        assert_eq!(recent[..2], [file(7), file(13)]);
    }
}
