//! Places of files: known to be good before work begins, filled all together after it.

use std::io::Write;
use std::path::{Path, PathBuf};

use miette::miette;
use tkanina_scene::export::atomic::{AtomicFile, WriteError};

use crate::failure::Failure;

/// Starts and drops a file at `path`; a failure is told of `shown`.
pub fn try_to_write(path: &Path, shown: &Path) -> Result<(), Failure> {
    match AtomicFile::create(path) {
        Ok(_) => Ok(()),
        Err(WriteError { error, .. }) => Err(Failure::input(WriteError::new(shown, error))),
    }
}

/// Makes a folder with all above it; gives those that were missing, innermost first.
pub fn make_folder(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    if dir.exists() && !dir.is_dir() {
        return Err(Failure::input(miette!(
            help = "choose another folder by `--out`, or move the file away",
            "`{}` is a file, so that nothing can be written into it",
            dir.display(),
        )));
    }
    let above = dir.ancestors().filter(|a| !a.as_os_str().is_empty());
    let missing: Vec<PathBuf> = above.take_while(|a| !a.exists()).map(Path::to_owned).collect();
    std::fs::create_dir_all(dir).map_err(|error| {
        remove_folders(&missing);
        Failure::input(WriteError::new(dir, error))
    })?;
    Ok(missing)
}

/// Removes folders that are empty; others stay.
pub fn remove_folders(folders: &[PathBuf]) {
    for folder in folders {
        let _ = std::fs::remove_dir(folder);
    }
}

/// Files that appear together once all of them are on the disk.
#[derive(Default)]
pub struct Together(Vec<AtomicFile>);

impl Together {
    /// Writes a file that does not show yet.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = AtomicFile::create(path).map_err(Failure::other)?;
        file.write(|out| out.write_all(bytes).and_then(|()| out.flush()))
            .map_err(Failure::other)?;
        self.0.push(file);
        Ok(())
    }

    /// Lets all of them appear.
    pub fn commit(self) -> Result<(), Failure> {
        self.0.into_iter().try_for_each(AtomicFile::commit).map_err(Failure::other)
    }
}
