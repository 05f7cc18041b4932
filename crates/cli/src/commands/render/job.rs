//! The drawing itself: frame by frame to the end, or to the explosion.

use std::time::Instant;

use tkanina_render::{Image, Offscreen};
use tkanina_scene::build::Simulation;
use tkanina_scene::export::atomic::AtomicFile;
use tkanina_scene::load::LoadedScene;
use tkanina_sim::explosion::Explosion;
use tkanina_stage::{Film, FilmError, NamedCamera, Stage, legend, save_png};

use super::Args;
use super::moments::Moments;
use super::target::Target;
use crate::commands::run::explosion;
use crate::commands::run::progress::Progress;
use crate::failure::Failure;
use crate::output;

/// A drawing in progress.
pub struct Job<'a> {
    /// What was asked for.
    pub args: &'a Args,
    /// The scene.
    pub loaded: &'a LoadedScene,
    /// Its world.
    pub simulation: Simulation,
    /// Which moments are drawn.
    pub moments: Moments,
    /// The scene as pictures.
    pub stage: Stage,
    /// Where one looks from.
    pub camera: NamedCamera,
    /// What draws.
    pub offscreen: Offscreen,
}

impl Job<'_> {
    /// Simulates and draws, then says what was written.
    pub fn run(mut self, target: Target) -> Result<(), Failure> {
        match target {
            Target::Picture => self.picture(),
            Target::Film(_) => self.film(),
        }
    }

    fn picture(&mut self) -> Result<(), Failure> {
        // Started and dropped: whether it can be written is known before the work is done.
        drop(AtomicFile::create(&self.args.out).map_err(Failure::input)?);
        let mut progress = Progress::new(self.moments.last, 0, self.args.quiet);
        let mut exploded = None;
        while exploded.is_none() && self.simulation.frame() < self.moments.last {
            exploded = self.advance(&mut progress).err();
        }
        if exploded.is_none() && self.moments.rest > 0 {
            let (schedule, rest) = (&self.simulation.schedule, self.moments.rest);
            let duration = schedule.frame_s / f64::from(schedule.substeps) * f64::from(rest);
            exploded = self.simulation.world.advance_frame(duration, rest).err();
        }
        let image = self.draw();
        progress.clear();
        save_png(&self.args.out, &image?).map_err(Failure::other)?;
        output::print(&self.summary(None))?;
        self.end(exploded)
    }

    fn film(&mut self) -> Result<(), Failure> {
        let Moments { first, last, rate, .. } = self.moments;
        let size = self.args.size.0;
        let mut film = Film::create(&self.args.out, size, rate).map_err(film_failure)?;
        let mut progress = Progress::new(last, 0, self.args.quiet);
        let mut frames = 0;
        let exploded = loop {
            let frame = self.simulation.frame();
            if self.moments.draws(frame) {
                film.frame(&self.draw()?).map_err(Failure::other)?;
                frames += 1;
            }
            if frame >= last {
                break None;
            }
            if let Err(explosion) = self.advance(&mut progress) {
                break Some(explosion);
            }
        };
        progress.clear();
        film.finish().map_err(Failure::other)?;
        if frames == 0 {
            let text = format!("nothing was drawn: frame {first} was not reached\n");
            output::print(&text)?;
        } else {
            output::print(&self.summary(Some(frames)))?;
        }
        self.end(exploded)
    }

    fn advance(&mut self, progress: &mut Progress) -> Result<(), Explosion> {
        let before = Instant::now();
        self.simulation.advance()?;
        let took_ms = 1e3 * before.elapsed().as_secs_f64();
        let time = self.simulation.world.state().time;
        progress.frame(self.simulation.frame(), time, took_ms);
        Ok(())
    }

    fn draw(&mut self) -> Result<Image, Failure> {
        let show = &self.loaded.scene.look.show;
        let shot = self.stage.shoot(&mut self.simulation.world, show);
        let size = self.args.size.0;
        let mut image = self.offscreen.picture(&shot.frame, &self.camera.camera, size)?;
        if let Some(shown) = &shot.legend {
            legend::draw(&mut image, shown);
        }
        Ok(image)
    }

    fn end(&self, exploded: Option<Explosion>) -> Result<(), Failure> {
        match exploded {
            None => Ok(()),
            Some(found) => Err(explosion::failure(&found, &self.simulation.schedule)),
        }
    }

    fn summary(&self, frames: Option<u64>) -> String {
        let [width, height] = self.args.size.0;
        let what = match frames {
            None => format!("t = {:.4} s", self.simulation.world.state().time),
            Some(1) => "1 frame".to_owned(),
            Some(frames) => {
                let rate = self.moments.rate;
                format!("{frames} frames, {:.2} s at {} Hz", frames as f64 / rate, round(rate))
            }
        };
        format!(
            "{}: {what}, {width} × {height}, camera `{}`, drawn by {}\n",
            self.args.out.display(),
            self.camera.name,
            self.offscreen.gpu().adapter,
        )
    }
}

/// A place that cannot be written or a size that no film has is wrong input; what fails later
/// is not.
fn film_failure(error: FilmError) -> Failure {
    match error {
        FilmError::NoFfmpeg { .. } | FilmError::Ffmpeg { .. } => Failure::other(error),
        _ => Failure::input(error),
    }
}

/// Two decimals, and no more than there are.
fn round(rate: f64) -> f64 {
    (100.0 * rate).round() / 100.0
}
