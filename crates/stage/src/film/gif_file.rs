//! A film as an animated GIF.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use tkanina_render::Image;
use tkanina_scene::export::atomic::{AtomicFile, WriteError};

use super::FilmError;
use super::palette::{COLORS, Palette};

/// Many viewers show shorter delays ten times longer. [1/100 s]
const MIN_DELAY: u64 = 2;
/// A pixel whose channels changed by no more is left as it is: a palette tells them apart
/// no better, and what rests does not flicker.
const UNSEEN: u8 = 2;

/// An animated GIF that repeats for ever. Each frame has a palette of its own and holds only
/// what changed.
pub struct GifFile {
    path: PathBuf,
    file: AtomicFile,
    encoder: Encoder<Vec<u8>>,
    size: [u16; 2],
    frames_per_s: f64,
    /// Frames that were given, some of which a GIF is too slow to show.
    given: u64,
    /// What is on the screen.
    shown: Vec<[u8; 4]>,
    /// The last frame, and when it comes on. [1/100 s]
    pending: Option<(Frame<'static>, u64)>,
}

impl GifFile {
    /// Starts the file beside its place.
    pub fn create(path: &Path, size: [u32; 2], frames_per_s: f64) -> Result<Self, FilmError> {
        let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
            let what = format!("a GIF has at most 65535 pixels a side, not {size:?}");
            return Err(FilmError::Unsuitable { what });
        };
        let file = AtomicFile::create(path)?;
        let mut encoder =
            Encoder::new(Vec::new(), width, height, &[]).map_err(|e| fail(path, e))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|e| fail(path, e))?;
        let (path, size) = (path.to_owned(), [width, height]);
        let (shown, pending) = (Vec::new(), None);
        Ok(Self { path, file, encoder, size, frames_per_s, given: 0, shown, pending })
    }

    /// Takes a frame; it is written when it is known how long it is shown.
    pub fn frame(&mut self, image: &Image) -> Result<(), FilmError> {
        let due = self.due(self.given);
        self.given += 1;
        if let Some((_, since)) = &self.pending {
            if due - since < MIN_DELAY {
                return Ok(());
            }
            self.write_pending(due)?;
        }
        self.pending = Some((self.difference(image), due));
        Ok(())
    }

    /// Ends the film; without a frame there is none.
    pub fn finish(mut self: Box<Self>) -> Result<(), FilmError> {
        let Some((_, since)) = self.pending else { return Ok(()) };
        let end = self.due(self.given).max(since + MIN_DELAY);
        self.write_pending(end)?;
        let Self { path, mut file, encoder, .. } = *self;
        let rest = encoder.into_inner().map_err(|e| fail(&path, e))?;
        file.write(|out| out.write_all(&rest))?;
        Ok(file.commit()?)
    }

    /// When a frame comes on; rounded from the start on, so that the film keeps its time. [1/100 s]
    fn due(&self, index: u64) -> u64 {
        (100.0 * index as f64 / self.frames_per_s).round() as u64
    }

    fn write_pending(&mut self, until: u64) -> Result<(), FilmError> {
        let Some((mut frame, since)) = self.pending.take() else { return Ok(()) };
        frame.delay = (until - since).min(u64::from(u16::MAX)) as u16;
        self.encoder.write_frame(&frame).map_err(|e| fail(&self.path, e))?;
        let bytes = std::mem::take(self.encoder.get_mut());
        Ok(self.file.write(|out| out.write_all(&bytes))?)
    }

    /// The smallest rectangle in which anything changed; pixels of it that did not show through.
    fn difference(&mut self, image: &Image) -> Frame<'static> {
        let pixels = image.rgba.as_chunks::<4>().0;
        let width = usize::from(self.size[0]);
        if self.shown.len() != pixels.len() {
            self.shown = pixels.to_vec();
            let area = Area { left: 0, top: 0, right: self.size[0], bottom: self.size[1] };
            return part(area, (0..pixels.len()).collect(), pixels, width);
        }
        let mut area = Area { left: u16::MAX, top: u16::MAX, right: 0, bottom: 0 };
        let mut changed = Vec::new();
        for (i, (new, old)) in pixels.iter().zip(&mut self.shown).enumerate() {
            if (0..3).any(|c| new[c].abs_diff(old[c]) > UNSEEN) {
                *old = *new;
                changed.push(i);
                area.include((i % width) as u16, (i / width) as u16);
            }
        }
        if changed.is_empty() {
            area = Area { left: 0, top: 0, right: 1, bottom: 1 };
        }
        part(area, changed, pixels, width)
    }
}

/// A rectangle of pixels, right and bottom excluded.
#[derive(Clone, Copy)]
struct Area {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
}

impl Area {
    fn include(&mut self, x: u16, y: u16) {
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x + 1);
        self.bottom = self.bottom.max(y + 1);
    }
}

/// A frame over `area` in which only the pixels `drawn` are not clear.
fn part(area: Area, drawn: Vec<usize>, pixels: &[[u8; 4]], width: usize) -> Frame<'static> {
    let Area { left, top, right, bottom } = area;
    let colors: Vec<[u8; 4]> = drawn.iter().map(|&i| pixels[i]).collect();
    let Palette { mut rgb, indices } = Palette::of(&colors);
    let clear = (rgb.len() / 3).min(COLORS) as u8;
    rgb.extend([0; 3]);
    let columns = usize::from(right - left);
    let mut buffer = vec![clear; columns * usize::from(bottom - top)];
    for (&i, color) in drawn.iter().zip(indices) {
        let (x, y) = (i % width - usize::from(left), i / width - usize::from(top));
        buffer[y * columns + x] = color;
    }
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(clear),
        left,
        top,
        width: right - left,
        height: bottom - top,
        palette: Some(rgb),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

fn fail(path: &Path, error: EncodingError) -> FilmError {
    let error = match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    };
    FilmError::Write(WriteError::new(path, error))
}
