//! The progress bar, for people at a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on stderr, or nothing.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar over `frames` frames of which `done` are done, if anybody looks.
    pub fn new(frames: u64, done: u64, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { bar: None };
        }
        let bar = ProgressBar::with_draw_target(Some(frames), ProgressDrawTarget::stderr());
        let template = "{prefix}{bar:30} frame {pos}/{len}  {msg}  {eta} left";
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(done);
        bar.reset_eta();
        Self { bar: Some(bar) }
    }

    /// The same with a name in front.
    pub fn named(self, name: &str) -> Self {
        if let Some(bar) = &self.bar {
            bar.set_prefix(format!("{name:<24} "));
        }
        self
    }

    /// Shows that a frame is done.
    pub fn frame(&mut self, index: u64, time_s: f64, took_ms: f64) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("t = {time_s:.3} s  {took_ms:.2} ms/frame"));
            bar.set_position(index);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
