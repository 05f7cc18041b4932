//! A film as a folder of PNG files.

use std::path::{Path, PathBuf};

use tkanina_render::Image;
use tkanina_scene::export::atomic::{AtomicFile, WriteError};

use super::{FilmError, save_png};

/// A numbered file a frame.
pub struct PngFolder {
    dir: PathBuf,
    next: u64,
    /// Folders that were made for it, innermost first.
    made: Vec<PathBuf>,
}

/// The file name of a frame.
pub fn frame_name(index: u64) -> String {
    format!("frame_{index:06}.png")
}

impl PngFolder {
    /// Makes the folder and finds out whether it can be written to.
    pub fn create(dir: &Path) -> Result<Self, FilmError> {
        let fail = |error| FilmError::Write(WriteError::new(dir, error));
        let above = dir.ancestors().filter(|a| !a.as_os_str().is_empty());
        let made: Vec<PathBuf> = above.take_while(|a| !a.exists()).map(Path::to_owned).collect();
        let film = Self { dir: dir.to_owned(), next: 0, made };
        std::fs::create_dir_all(dir).map_err(fail)?;
        match AtomicFile::create(&dir.join(frame_name(0))) {
            Ok(_) => Ok(film),
            Err(WriteError { error, .. }) => Err(fail(error)),
        }
    }

    /// Writes the next frame.
    pub fn frame(&mut self, image: &Image) -> Result<(), FilmError> {
        save_png(&self.dir.join(frame_name(self.next)), image)?;
        self.next += 1;
        Ok(())
    }

    /// Everything is on the disk already, but for frames of a longer film that was here before.
    pub fn finish(self) -> Result<(), FilmError> {
        for index in self.next.. {
            if std::fs::remove_file(self.dir.join(frame_name(index))).is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl Drop for PngFolder {
    fn drop(&mut self) {
        // A film without frames leaves nothing behind; folders that hold something stay.
        if self.next == 0 {
            for folder in &self.made {
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}
