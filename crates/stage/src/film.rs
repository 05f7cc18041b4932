//! Pictures and films as files, whole or not at all.

mod errors;

use std::path::Path;

use tkanina_render::Image;

pub use errors::FilmError;

/// A film in the making. Dropped unfinished it still leaves a whole file with the frames so far.
#[derive(Debug)]
pub struct Film {}

impl Film {
    /// Starts a film by the ending of its path: `.gif`, `.mp4` (through ffmpeg), or a folder of
    /// PNG files if there is no ending. All frames have `size` pixels.
    pub fn create(_path: &Path, _size: [u32; 2], _frames_per_s: f64) -> Result<Self, FilmError> {
        Ok(Self {})
    }

    /// Adds a frame.
    pub fn frame(&mut self, _image: &Image) -> Result<(), FilmError> {
        Ok(())
    }

    /// Lets the film appear.
    pub fn finish(self) -> Result<(), FilmError> {
        Ok(())
    }
}

/// Saves a picture as a PNG file.
pub fn save_png(_path: &Path, _image: &Image) -> Result<(), FilmError> {
    Ok(())
}
