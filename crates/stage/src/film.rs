//! Pictures and films as files, whole or not at all.

mod errors;
mod folder;
mod gif_file;
mod jpeg;
mod mp4;
mod palette;
mod png;
#[cfg(test)]
mod tests;

use std::path::Path;

use tkanina_render::Image;

pub use errors::FilmError;
pub use folder::frame_name;
pub use jpeg::jpeg_bytes;
pub use png::{png_bytes, save_png};

/// A film in the making. Dropped unfinished it still leaves a whole file with the frames so far.
pub struct Film {
    size: [u32; 2],
    /// None once it is finished.
    kind: Option<Kind>,
}

/// The kinds of film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmKind {
    /// An animated GIF.
    Gif,
    /// An MP4 through ffmpeg.
    Mp4,
    /// A folder of PNG files.
    Folder,
}

impl FilmKind {
    /// The kind of film that a path asks for; none if its ending is no film's.
    pub fn of(path: &Path) -> Option<Self> {
        let ends_in_slash = path.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        if ends_in_slash || path.is_dir() {
            return Some(Self::Folder);
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("gif") => Some(Self::Gif),
            Some("mp4") => Some(Self::Mp4),
            Some(_) => None,
            None => Some(Self::Folder),
        }
    }
}

enum Kind {
    Gif(Box<gif_file::GifFile>),
    Mp4(mp4::Mp4),
    Folder(folder::PngFolder),
}

impl Film {
    /// Starts a film by the ending of its path: `.gif`, `.mp4` (through ffmpeg), or a folder of
    /// PNG files if there is no ending. All frames have `size` pixels.
    pub fn create(path: &Path, size: [u32; 2], frames_per_s: f64) -> Result<Self, FilmError> {
        if size.contains(&0) || !(frames_per_s > 0.0 && frames_per_s <= MAX_RATE) {
            let [w, h] = size;
            let what = format!("a film of {w} × {h} pixels at {frames_per_s} frames a second");
            return Err(FilmError::Unsuitable { what });
        }
        let kind = match FilmKind::of(path) {
            Some(FilmKind::Gif) => {
                Kind::Gif(Box::new(gif_file::GifFile::create(path, size, frames_per_s)?))
            }
            Some(FilmKind::Mp4) => Kind::Mp4(mp4::Mp4::create(path, size, frames_per_s)?),
            Some(FilmKind::Folder) => Kind::Folder(folder::PngFolder::create(path)?),
            None => return Err(FilmError::Ending { path: path.to_owned() }),
        };
        Ok(Self { size, kind: Some(kind) })
    }

    /// Adds a frame.
    pub fn frame(&mut self, image: &Image) -> Result<(), FilmError> {
        let found = [image.width, image.height];
        if found != self.size {
            return Err(FilmError::Size { found, wanted: self.size });
        }
        match &mut self.kind {
            Some(Kind::Gif(film)) => film.frame(image),
            Some(Kind::Mp4(film)) => film.frame(image),
            Some(Kind::Folder(film)) => film.frame(image),
            None => Ok(()),
        }
    }

    /// Lets the film appear. Without a single frame there is none.
    pub fn finish(mut self) -> Result<(), FilmError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), FilmError> {
        match self.kind.take() {
            Some(Kind::Gif(film)) => film.finish(),
            Some(Kind::Mp4(film)) => film.finish(),
            Some(Kind::Folder(film)) => film.finish(),
            None => Ok(()),
        }
    }
}

/// More frames a second than any file needs. [Hz]
const MAX_RATE: f64 = 10_000.0;

impl Drop for Film {
    fn drop(&mut self) {
        // Whoever wants to know how it went calls `finish`.
        let _ = self.end();
    }
}
