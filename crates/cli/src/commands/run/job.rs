//! The run itself: frame by frame to the end, or to the explosion.

use std::time::Instant;

use tkanina_scene::build::Simulation;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::run::{FrameMs, Record, Stats, checkpoint, unmet};
use tkanina_sim::explosion::Explosion;
use tkanina_sim::soa::Soa3;

use super::outputs::Outputs;
use super::progress::Progress;
use super::{Args, explosion, summary};
use crate::failure::Failure;
use crate::output;

/// A run in progress.
pub struct Job<'a> {
    /// What was asked for.
    pub args: &'a Args,
    /// The scene.
    pub loaded: &'a LoadedScene,
    /// Its world.
    pub simulation: Simulation,
    /// What was seen so far.
    pub record: Record,
    /// Positions at time 0. [m]
    pub start: Soa3,
    /// Number of the last frame.
    pub frames: u64,
    /// Threads in use.
    pub threads: usize,
    /// Steps that were done before, by the run that is resumed.
    pub first_step: u64,
    /// What each frame of this process took. [ms]
    pub times_ms: Vec<f64>,
    /// Where results go.
    pub outputs: Outputs,
}

impl Job<'_> {
    /// Simulates, then says and writes how it went.
    pub fn run(mut self) -> Result<(), Failure> {
        let mut progress = Progress::new(self.frames, self.simulation.frame(), self.args.quiet);
        let result = self.simulate(&mut progress);
        progress.clear();
        let explosion = result?;
        let mut kept = Ok(());
        if explosion.is_some() {
            kept = self.outputs.last_good(self.simulation.frame(), &mut self.simulation.world);
        }
        kept = kept.and(self.outputs.finish());
        let stats = self.stats(explosion.as_ref());
        kept = kept.and(self.outputs.write_stats(&stats));
        for unmet in stats.unmet_expectations.iter().flatten() {
            output::tell(&format!("warning: not as the scene expects: {unmet}"));
        }
        let text = summary::text(&stats, &self.outputs);
        match explosion {
            None => {
                kept?;
                output::print(&text)
            }
            Some(explosion) => {
                if let Err(failure) = kept {
                    failure.report();
                }
                output::print(&text)?;
                Err(explosion::failure(&explosion, &self.simulation.schedule))
            }
        }
    }

    fn simulate(&mut self, progress: &mut Progress) -> Result<Option<Explosion>, Failure> {
        if self.args.resume.is_none() {
            self.see();
            self.outputs.frame(0, &mut self.simulation.world)?;
        }
        while self.simulation.frame() < self.frames {
            let before = Instant::now();
            let advanced = self.simulation.advance();
            let took_ms = 1e3 * before.elapsed().as_secs_f64();
            if let Err(explosion) = advanced {
                return Ok(Some(explosion));
            }
            self.times_ms.push(took_ms);
            self.see();
            let frame = self.simulation.frame();
            progress.frame(frame, self.simulation.world.state().time, took_ms);
            self.outputs.frame(frame, &mut self.simulation.world)?;
            // After the export, so that a resumed run misses no frame.
            if self.outputs.wants_checkpoint(frame) {
                let state = checkpoint(self.loaded, &self.simulation, &self.record);
                self.outputs.write_checkpoint(&state)?;
            }
        }
        Ok(None)
    }

    fn see(&mut self) {
        let expect = &self.loaded.scene.expect;
        let with_energy = expect.energy_drift.is_some();
        self.record.see(&self.simulation.world, expect.rest_speed(), with_energy);
        if self.args.verify {
            self.record.verify(&self.simulation.world);
        }
    }

    fn stats(&self, explosion: Option<&Explosion>) -> Stats {
        let world = &self.simulation.world;
        let mut stats = Stats::of(world, &self.record, self.args.verify);
        let wall_s = self.times_ms.iter().fold(0.0, |sum, ms| sum + 1e-3 * ms);
        let updates = stats.particles as f64 * (stats.steps - self.first_step) as f64;
        stats.scene = self.args.scene.scene.clone();
        stats.threads = self.threads;
        stats.frames = self.simulation.frame();
        stats.wall_s = wall_s;
        stats.particle_updates_per_s = if wall_s > 0.0 { updates / wall_s } else { 0.0 };
        stats.frame_ms = FrameMs::of(self.times_ms.clone());
        stats.exploded = explosion.map(Explosion::to_string);
        let expect = &self.loaded.scene.expect;
        // Expectations speak of the scene's whole duration, no less and no more.
        let ended = match explosion {
            None => stats.frames == self.simulation.schedule.frames,
            Some(_) => expect.explodes == Some(true),
        };
        if ended {
            let unmet = unmet(expect, &stats, &self.record, world, &self.start);
            stats.unmet_expectations = Some(unmet);
        }
        stats
    }
}
