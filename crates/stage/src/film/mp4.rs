//! A film as an MP4 file, made by ffmpeg.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use tempfile::TempPath;
use tkanina_render::Image;
use tkanina_scene::export::atomic::WriteError;

use super::FilmError;

/// H.264 with the colours of most players, which want even sides: an odd one gets a pixel more.
const FILTER: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,\
                      format=yuv420p";

/// ffmpeg at work on a file beside the film's place.
pub struct Mp4 {
    path: PathBuf,
    beside: TempPath,
    ffmpeg: Child,
    /// None once ffmpeg has gone away.
    input: Option<ChildStdin>,
    complaints: File,
    frames: u64,
}

impl Mp4 {
    /// Starts ffmpeg.
    pub fn create(path: &Path, [width, height]: [u32; 2], rate: f64) -> Result<Self, FilmError> {
        is_there()?;
        let fail = |error| FilmError::Write(WriteError::new(path, error));
        if path.is_dir() {
            return Err(fail(std::io::ErrorKind::IsADirectory.into()));
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tkanina-").suffix(".mp4");
        // Temporaries are private by default, but this one will be the file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let beside = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(fail)?;
        let beside = beside.into_temp_path();
        let complaints = tempfile::tempfile().map_err(fail)?;
        let mut ffmpeg = Command::new("ffmpeg")
            .args(["-hide_banner", "-loglevel", "error", "-y"])
            .args(["-f", "rawvideo", "-pix_fmt", "rgba", "-video_size"])
            .arg(format!("{width}x{height}"))
            .args(["-framerate", &rate.to_string(), "-i", "-", "-an", "-vf", FILTER])
            .args(["-c:v", "libx264", "-crf", "18", "-preset", "medium"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-movflags", "+faststart", "-fflags", "+bitexact", "-f", "mp4"])
            .arg(&beside)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(complaints.try_clone().map_err(fail)?)
            .spawn()
            .map_err(|error| FilmError::NoFfmpeg { reason: error.to_string() })?;
        let input = ffmpeg.stdin.take();
        Ok(Self { path: path.to_owned(), beside, ffmpeg, input, complaints, frames: 0 })
    }

    /// Hands a frame over.
    pub fn frame(&mut self, image: &Image) -> Result<(), FilmError> {
        let written = self.input.as_mut().map(|input| input.write_all(&image.rgba));
        if matches!(written, Some(Ok(()))) {
            self.frames += 1;
            return Ok(());
        }
        self.input = None;
        let _ = self.ffmpeg.wait();
        Err(self.complaint())
    }

    /// Waits for ffmpeg, then lets the film appear; without a frame there is none.
    pub fn finish(mut self) -> Result<(), FilmError> {
        drop(self.input.take());
        let status = self.ffmpeg.wait();
        if self.frames == 0 {
            return Ok(());
        }
        if !status.is_ok_and(|status| status.success()) {
            return Err(self.complaint());
        }
        let Self { path, beside, .. } = self;
        let fail = |error| FilmError::Write(WriteError::new(&path, error));
        File::open(&beside).and_then(|file| file.sync_all()).map_err(fail)?;
        beside.persist(&path).map_err(|error| fail(error.error))
    }

    /// The first line that ffmpeg said of what went wrong.
    fn complaint(&mut self) -> FilmError {
        let mut text = String::new();
        let _ = self.complaints.rewind();
        let _ = (&mut self.complaints).take(1 << 16).read_to_string(&mut text);
        let line = text.lines().find(|line| !line.trim().is_empty());
        let reason = line.unwrap_or("it ended early and did not say why").trim().to_owned();
        FilmError::Ffmpeg { path: self.path.clone(), reason }
    }
}

/// Whether ffmpeg can be started.
fn is_there() -> Result<(), FilmError> {
    let mut command = Command::new("ffmpeg");
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(FilmError::NoFfmpeg { reason: format!("it ends with {status}") }),
        Err(error) => Err(FilmError::NoFfmpeg { reason: error.to_string() }),
    }
}
