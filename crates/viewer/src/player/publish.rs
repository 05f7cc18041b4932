//! The present state as the window draws it.

use std::sync::Arc;

use tkanina_scene::build::{NoteLevel, Simulation};
use tkanina_sim::commands::Command;
use tkanina_sim::model::Model;

use super::Player;
use crate::snapshot::Snapshot;

impl Player {
    /// The present state. The same snapshot as before if nothing has changed.
    pub fn snapshot(&mut self) -> Arc<Snapshot> {
        if let Some(snapshot) = &self.published {
            return snapshot.clone();
        }
        self.serial += 1;
        let snapshot = Arc::new(self.shoot());
        self.published = Some(snapshot.clone());
        snapshot
    }

    fn shoot(&mut self) -> Snapshot {
        let measures = self.measures.share();
        let run = &mut self.run;
        let shot = run.stage.shoot(&mut run.simulation.world, &self.show);
        let simulation = &run.simulation;
        let (world, schedule) = (&simulation.world, &simulation.schedule);
        let (model, state) = (world.model(), world.state());
        let frame_number = simulation.frame();
        Snapshot {
            serial: self.serial,
            generation: self.generation,
            frame: shot.frame,
            legend: shot.legend,
            bounds: shot.bounds,
            cameras: run.cameras.clone(),
            model: run.model.clone(),
            positions: state.x.iter().collect(),
            held: held(model, &self.touches).into(),
            collider_poses: (0..model.colliders.len()).map(|i| world.collider_pose(i)).collect(),
            time: state.time,
            frame_number,
            kept: self.history.range().unwrap_or([frame_number; 2]),
            frame_s: schedule.frame_s,
            substeps: schedule.substeps,
            solver: solver(simulation),
            playing: self.playing,
            speed: self.due.speed(),
            real_speed: if self.playing { self.real_speed.value() } else { 0.0 },
            measures,
            explosion: self.explosion.clone(),
            error: self.error.clone(),
            notes: warnings(simulation),
        }
    }
}

/// What is held, or will be from the next step on.
fn held(model: &Model, touches: &[Command]) -> Vec<bool> {
    let mut held: Vec<bool> = model.inverse_mass.iter().map(|&w| w == 0.0).collect();
    for touch in touches {
        let (particles, to) = match touch {
            Command::Pin { particles } => (particles, true),
            Command::Unpin { particles } => (particles, false),
            _ => continue,
        };
        for &particle in particles {
            if let Some(held) = held.get_mut(particle as usize) {
                *held = to;
            }
        }
    }
    held
}

/// What may go wrong; choices that were made need no banner.
fn warnings(simulation: &Simulation) -> Vec<String> {
    let warnings = simulation.notes.iter().filter(|note| note.level == NoteLevel::Warning);
    warnings.map(|note| note.text.clone()).collect()
}

/// The method, and why if it was chosen.
fn solver(simulation: &Simulation) -> String {
    let mut notes = simulation.notes.iter();
    match notes.find_map(|note| note.text.strip_prefix("solver: ")) {
        Some(chosen) => chosen.to_owned(),
        None => simulation.world.solver_kind().name().to_owned(),
    }
}
