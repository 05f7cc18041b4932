//! Screenshots and films of what is shown.

use std::path::{Path, PathBuf};

use eframe::egui_wgpu::RenderState;
use tkanina_stage::save_png;

use super::App;
use super::copies::Copy;
use crate::recorder::{Recorder, Recording};

/// Copies of the picture that are on their way, and what they are for.
#[derive(Default)]
pub struct Pictures {
    wanted: Vec<PathBuf>,
    screenshots: Vec<(PathBuf, Copy)>,
    recorder: Option<Recorder>,
    /// Films whose last pictures are being written.
    finishing: Vec<Recorder>,
    /// Copies for the film, with their simulated times, oldest first.
    film: Vec<(f64, Copy)>,
}

/// Copies of the picture that may be on their way at once; a slow device then drops frames of the
/// film rather than filling its memory.
const MOST_COPIES: usize = 4;

impl Pictures {
    /// Has the next picture saved.
    pub fn want_screenshot(&mut self, path: PathBuf) {
        self.wanted.push(path);
    }

    /// Whether a film is being recorded.
    pub fn is_recording(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.state() == Recording::On)
    }

    /// Frames of the film that are written so far.
    pub fn frames(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::frames)
    }

    /// Ends the film.
    pub fn stop(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.stop();
        }
    }

    /// Ends the film and waits until its file is whole.
    pub fn finish(&mut self) {
        *self = Self::default();
    }

    fn is_busy(&self) -> bool {
        !self.wanted.is_empty()
            || !self.screenshots.is_empty()
            || self.recorder.is_some()
            || !self.film.is_empty()
            || !self.finishing.is_empty()
    }
}

impl App {
    pub(super) fn record(&mut self, path: &Path) {
        match Recorder::start(path, self.snapshot.frame_s) {
            Ok(recorder) => {
                let before = self.pictures.recorder.replace(recorder);
                self.pictures.finishing.extend(before);
            }
            Err(why) => self.message = Some(why),
        }
    }

    /// Asks for copies, and brings those that arrived to where they go.
    pub(super) fn take_pictures(&mut self, ctx: &egui::Context, state: Option<&RenderState>) {
        let Some(state) = state else { return };
        if !self.pictures.is_busy() {
            return;
        }
        for path in std::mem::take(&mut self.pictures.wanted) {
            if let Some(copy) = Copy::start(&mut self.views, &self.shown, state) {
                self.pictures.screenshots.push((path, copy));
            }
        }
        let time = self.published.furthest().time;
        let asked = self.pictures.film.last().is_some_and(|(last, _)| *last == time);
        if let Some(recorder) = &self.pictures.recorder
            && !asked
            && self.pictures.film.len() < MOST_COPIES
            && recorder.wants(time)
            && let Some(copy) = Copy::start(&mut self.views, &self.shown, state)
        {
            self.pictures.film.push((time, copy));
        }
        self.views.iter_mut().for_each(|view| view.deliver(state));
        self.save_screenshots();
        self.feed_film();
        ctx.request_repaint();
    }

    /// Waits for the copies that are on their way: the window closes.
    pub(super) fn take_last_pictures(&mut self, state: Option<&RenderState>) {
        if let Some(state) = state {
            self.views.iter_mut().for_each(|view| view.wait(state));
            self.save_screenshots();
            self.feed_film();
        }
    }

    fn save_screenshots(&mut self) {
        let mut failed = None;
        self.pictures.screenshots.retain_mut(|(path, copy)| {
            let Some(image) = copy.take() else { return true };
            if let Err(error) = save_png(path, &image) {
                failed = Some(error.to_string());
            }
            false
        });
        if failed.is_some() {
            self.message = failed;
        }
    }

    fn feed_film(&mut self) {
        let Pictures { recorder, film, finishing, .. } = &mut self.pictures;
        finishing.iter_mut().for_each(Recorder::stop);
        finishing.retain(|recorder| recorder.state() == Recording::Finishing);
        while let Some((time, copy)) = film.first_mut() {
            let Some(image) = copy.take() else { break };
            if let Some(recorder) = recorder {
                recorder.offer(*time, image);
            }
            film.remove(0);
        }
        match recorder.as_ref().map(Recorder::state) {
            Some(Recording::Done) => *recorder = None,
            Some(Recording::Failed(why)) => {
                *recorder = None;
                self.message = Some(why);
            }
            _ => {}
        }
    }
}
