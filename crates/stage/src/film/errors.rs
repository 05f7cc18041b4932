//! Why a picture or film could not be written.

use std::path::PathBuf;

use tkanina_scene::export::atomic::WriteError;

/// Why a picture or film could not be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum FilmError {
    /// The file cannot be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
    /// The ending is none that we know.
    #[error("`{}` has an ending that is no film's", path.display())]
    #[diagnostic(help("end it in .gif or .mp4, or name a folder for PNG files by a / at its end"))]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// There is no ffmpeg.
    #[error("MP4 films need the program ffmpeg, which is not there: {reason}")]
    #[diagnostic(help(
        "install it (Debian, Ubuntu: `apt-get install ffmpeg`), or make a .gif or a folder of PNG \
         files instead"
    ))]
    NoFfmpeg {
        /// What the system said.
        reason: String,
    },
    /// ffmpeg gave up.
    #[error("ffmpeg could not make `{}`: {reason}", path.display())]
    #[diagnostic(help("make a .gif or a folder of PNG files instead"))]
    Ffmpeg {
        /// The film.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
    /// The film cannot have this size or rate.
    #[error("{what}")]
    #[diagnostic(help("choose another size or rate, or another kind of file"))]
    Unsuitable {
        /// What is wrong.
        what: String,
    },
    /// A frame has another size than the film.
    #[error("a frame of {} × {} in a film of {} × {}", found[0], found[1], wanted[0], wanted[1])]
    Size {
        /// Size of the frame.
        found: [u32; 2],
        /// Size of the film.
        wanted: [u32; 2],
    },
}
