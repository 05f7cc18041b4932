//! Scenes and what belongs to them, from and to the disk.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tkanina_scene::checkpoint::{self, Checkpoint};
use tkanina_scene::errors::SceneError;
use tkanina_scene::export::atomic::{WriteError, write_file};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Scene;

/// Opens a scene file.
pub fn open_scene(path: &Path) -> Result<LoadedScene, SceneError> {
    Scene::load(path, &[])
}

/// Opens a built-in scene by name; a file of that name does not hide it.
pub fn open_builtin(name: &str) -> Result<LoadedScene, SceneError> {
    match tkanina_scene::builtin::find(name) {
        Some(text) => Scene::load_text(name, text, None, &[]),
        None => Scene::open(name, &[]),
    }
}

/// Writes a text, whole or not at all.
pub fn write_text(path: &Path, text: &str) -> Result<(), WriteError> {
    write_file(path, |out| out.write_all(text.as_bytes()))
}

/// Writes a checkpoint, whole or not at all.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), WriteError> {
    checkpoint::write(path, checkpoint)
}

/// Whether there is a file.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// The same path from the root, through links where it exists.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| whole())
}

/// Copies a file to where none is, making folders on the way. One that is there with the same
/// content will do; any other is left alone and said.
pub fn copy_new(from: &Path, to: &Path) -> Result<(), String> {
    let fail = |error: io::Error| format!("`{}` cannot be written: {error}", to.display());
    if absolute(from) == absolute(to) {
        return Ok(());
    }
    if to.exists() {
        return match same_content(from, to) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!(
                "`{}` is there already and is another file than `{}`: choose another folder",
                to.display(),
                from.display()
            )),
            Err(error) => Err(fail(error)),
        };
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut source = fs::File::open(from)
        .map_err(|error| format!("`{}` cannot be read: {error}", from.display()))?;
    write_file(to, |out| io::copy(&mut source, out).map(|_| ())).map_err(|error| error.to_string())
}

/// Brings a file to another place of this machine: by a second name if the file system can do
/// that, else by a copy.
pub fn link_or_copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        // If it cannot be made, writing into it says so.
        let _ = fs::create_dir_all(folder);
    }
    if !to.exists() && fs::hard_link(absolute(from), to).is_ok() {
        return Ok(());
    }
    copy_new(from, to)
}

/// A folder that is gone when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    dir: tempfile::TempDir,
}

impl Scratch {
    /// An empty one.
    pub fn new() -> Result<Self, String> {
        let dir = tempfile::Builder::new().prefix("tkanina-").tempdir();
        let dir = dir.map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
        Ok(Self { dir })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

fn same_content(a: &Path, b: &Path) -> io::Result<bool> {
    if fs::metadata(a)?.len() != fs::metadata(b)?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (fs::File::open(a)?, fs::File::open(b)?);
    let mut parts = [vec![0; 1 << 16], vec![0; 1 << 16]];
    loop {
        let count = a.read(&mut parts[0])?;
        if count == 0 {
            return Ok(b.read(&mut parts[1])? == 0);
        }
        b.read_exact(&mut parts[1][..count])?;
        if parts[0][..count] != parts[1][..count] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_never_replace_another_file() {
        let dir = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "deep/down/c"].map(|name| dir.path().join(name));
        fs::write(&a, "one").unwrap();
        fs::write(&b, "two").unwrap();
        let error = copy_new(&a, &b).unwrap_err();
        assert!(error.contains("another file") && error.contains("another folder"), "{error}");
        assert_eq!(fs::read(&b).unwrap(), b"two");
        copy_new(&a, &c).unwrap();
        copy_new(&a, &c).unwrap();
        copy_new(&a, &a).unwrap();
        assert_eq!(fs::read(&c).unwrap(), b"one");
        assert!(copy_new(&dir.path().join("none"), &dir.path().join("d")).is_err());
    }

    #[test]
    fn a_second_name_has_the_same_content() {
        let dir = tempfile::tempdir().unwrap();
        let scratch = Scratch::new().unwrap();
        let a = dir.path().join("a");
        fs::write(&a, "one").unwrap();
        let to = scratch.path().join("sub/a");
        link_or_copy(&a, &to).unwrap();
        link_or_copy(&a, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"one");
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists() && a.exists());
    }
}
