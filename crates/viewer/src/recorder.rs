//! Films of what is shown, written beside the window's work.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;
use image::imageops::{FilterType, resize};
use tkanina_render::Image;
use tkanina_stage::Film;

use crate::platform::{Worker, spawn};

/// Pictures that may wait to be encoded. When there are more the film holds the last one longer.
const MOST_WAITING: usize = 8;

/// Most frames a second that a film has. [Hz]
const MOST_RATE: f64 = 60.0;

/// The same for a GIF, whose times are whole hundredths of a second. [Hz]
const GIF_RATE: f64 = 25.0;

/// A longer gap in simulated time is a cut, not a still. [s]
const CUT_S: f64 = 1.0;

/// A film in the making. Dropped, it waits until its file is whole.
pub struct Recorder {
    // Dropped in this order: the worker ends when nobody can send any more.
    pictures: Option<SyncSender<Picture>>,
    worker: Worker,
    progress: Arc<Mutex<Progress>>,
    path: PathBuf,
    rhythm: Rhythm,
}

/// How far a recording is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// It takes pictures.
    On,
    /// Its last pictures are being written.
    Finishing,
    /// Its file is whole.
    Done,
    /// It ended for this reason. What can be saved of it is.
    Failed(String),
}

#[derive(Debug, Default)]
struct Progress {
    frames: u64,
    /// How it ended, once it has.
    ended: Option<Result<(), String>>,
}

struct Picture {
    index: u64,
    image: Image,
}

impl Recorder {
    /// Records to a .gif, an .mp4, or a folder of PNG files, from simulated frames of `frame_s`
    /// seconds. The first picture decides on the size.
    pub fn start(path: &Path, frame_s: f64) -> Result<Self, String> {
        let rhythm = Rhythm::new(rate(path, frame_s));
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let progress = Arc::new(Mutex::new(Progress::default()));
        let encoder = Encoder {
            path: path.to_owned(),
            rate: rhythm.rate,
            film: None,
            next: 0,
            progress: progress.clone(),
        };
        let worker = spawn("recorder", move || encoder.work(&receiver))
            .map_err(|error| format!("the recorder's thread cannot be started: {error}"))?;
        Ok(Self { pictures: Some(sender), worker, progress, path: path.to_owned(), rhythm })
    }

    /// Whether a picture of this simulated time [s] would be another frame of the film.
    pub fn wants(&self, time: f64) -> bool {
        self.pictures.is_some() && self.rhythm.index(time).is_some()
    }

    /// Adds the picture of a simulated time [s]. False if it is not needed, or if too many wait
    /// already; never waits itself.
    pub fn offer(&mut self, time: f64, image: Image) -> bool {
        let (Some(pictures), Some(index)) = (&self.pictures, self.rhythm.index(time)) else {
            return false;
        };
        match pictures.try_send(Picture { index, image }) {
            Ok(()) => {
                self.rhythm.took(time, index);
                true
            }
            Err(TrySendError::Full(_)) => false,
            Err(TrySendError::Disconnected(_)) => {
                self.pictures = None;
                false
            }
        }
    }

    /// Takes no more pictures. The file is whole when [`Self::state`] says so.
    pub fn stop(&mut self) {
        self.pictures = None;
    }

    /// How far it is.
    pub fn state(&self) -> Recording {
        match &self.lock().ended {
            Some(Ok(())) => Recording::Done,
            Some(Err(reason)) => Recording::Failed(reason.clone()),
            None if self.worker.is_over() => {
                Recording::Failed("the film could not be encoded".to_owned())
            }
            None if self.pictures.is_none() => Recording::Finishing,
            None => Recording::On,
        }
    }

    /// Frames written so far.
    pub fn frames(&self) -> u64 {
        self.lock().frames
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn rate(path: &Path, frame_s: f64) -> f64 {
    let gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
    let most = if gif { GIF_RATE } else { MOST_RATE };
    (1.0 / frame_s).clamp(1.0, most)
}

/// Which frame of the film a simulated time falls on.
#[derive(Clone, Copy, Debug)]
struct Rhythm {
    rate: f64,
    /// A time and its frame in the film.
    base: Option<(f64, u64)>,
    /// Time and frame of the last picture.
    last: Option<(f64, u64)>,
}

impl Rhythm {
    fn new(rate: f64) -> Self {
        Self { rate, base: None, last: None }
    }

    /// The film's frame for a picture of `time`; none if it has that already.
    fn index(&self, time: f64) -> Option<u64> {
        let (Some(base), Some(last)) = (self.base, self.last) else { return Some(0) };
        if time == last.0 {
            return None;
        }
        if self.is_cut(time) {
            return Some(last.1 + 1);
        }
        // A time that is a frame's but for rounding is that frame's.
        let index = base.1 + ((time - base.0) * self.rate + 1e-6) as u64;
        (index > last.1).then_some(index)
    }

    fn took(&mut self, time: f64, index: u64) {
        if self.is_cut(time) {
            self.base = Some((time, index));
        }
        self.last = Some((time, index));
    }

    /// Time ran back or leapt: another scene, a reset, a scrubbed timeline.
    fn is_cut(&self, time: f64) -> bool {
        self.last.is_none_or(|(last, _)| time < last || time - last > CUT_S)
    }
}

/// Works beside the window.
struct Encoder {
    path: PathBuf,
    rate: f64,
    film: Option<(Film, Image)>,
    next: u64,
    progress: Arc<Mutex<Progress>>,
}

impl Encoder {
    fn work(mut self, pictures: &Receiver<Picture>) {
        let mut done = Ok(());
        while done.is_ok()
            && let Ok(picture) = pictures.recv()
        {
            done = self.write(picture);
        }
        let finished = match self.film.take() {
            Some((film, _)) => film.finish().map_err(|error| error.to_string()),
            None => Err("nothing was recorded".to_owned()),
        };
        self.report(|progress| progress.ended = Some(done.and(finished)));
    }

    fn write(&mut self, Picture { index, image }: Picture) -> Result<(), String> {
        let fail = |error: tkanina_stage::FilmError| error.to_string();
        if self.film.is_none() {
            let size = [image.width, image.height];
            let film = Film::create(&self.path, size, self.rate).map_err(fail)?;
            self.film = Some((film, image.clone()));
        }
        let Some((film, last)) = &mut self.film else { return Ok(()) };
        while self.next < index {
            film.frame(last).map_err(fail)?;
            self.next += 1;
        }
        *last = fitted(image, [last.width, last.height]);
        film.frame(last).map_err(fail)?;
        self.next = index + 1;
        let frames = self.next;
        self.report(|progress| progress.frames = frames);
        Ok(())
    }

    fn report(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The picture in the film's size: the window may have been resized.
fn fitted(image: Image, [width, height]: [u32; 2]) -> Image {
    if [image.width, image.height] == [width, height] {
        return image;
    }
    match RgbaImage::from_raw(image.width, image.height, image.rgba) {
        Some(pixels) => {
            let rgba = resize(&pixels, width, height, FilterType::Triangle).into_raw();
            Image { width, height, rgba }
        }
        None => Image::filled(width, height, [0, 0, 0, 255]),
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
