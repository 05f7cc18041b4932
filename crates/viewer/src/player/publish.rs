//! The present state as the window draws it.

use std::sync::Arc;

use tkanina_scene::build::{NoteLevel, Simulation};
use tkanina_scene::run::HeldUp;
use tkanina_scene::schema::Show;
use tkanina_sim::commands::Command;
use tkanina_sim::model::Model;

use super::Player;
use super::take::Take;
use crate::snapshot::{Beside, Published, Snapshot};

/// What is the same under all solvers.
#[derive(Clone)]
struct Common {
    generation: u64,
    kept: [u64; 2],
    show: Show,
    playing: bool,
    speed: f64,
    real_speed: f64,
}

impl Player {
    /// The present state under the scene's own solver.
    pub fn snapshot(&mut self) -> Arc<Snapshot> {
        self.publish().own
    }

    /// The present state under every solver. The same snapshots as before where nothing has changed.
    pub fn publish(&mut self) -> Published {
        let common = Common {
            generation: self.own.generation,
            kept: self.kept(),
            show: self.show.clone(),
            playing: self.playing,
            speed: self.due.speed(),
            real_speed: if self.playing { self.real_speed.value() } else { 0.0 },
        };
        let Self { own, beside, serial, .. } = self;
        let own = own.snapshot(serial, &common, self.error.as_ref());
        let mut outcome = |take: &mut Result<Take, String>| match take {
            Ok(take) => Ok(take.snapshot(serial, &common, None)),
            Err(why) => Err(why.clone()),
        };
        let beside = beside.iter_mut().map(|companion| Beside {
            solver: companion.solver,
            outcome: outcome(&mut companion.take),
        });
        Published { own, beside: beside.collect() }
    }
}

impl Take {
    fn snapshot(
        &mut self,
        serial: &mut u64,
        common: &Common,
        error: Option<&String>,
    ) -> Arc<Snapshot> {
        if let Some(snapshot) = &self.published {
            return snapshot.clone();
        }
        *serial += 1;
        let snapshot = Snapshot { serial: *serial, error: error.cloned(), ..self.shoot(common) };
        self.published.insert(Arc::new(snapshot)).clone()
    }

    fn shoot(&mut self, common: &Common) -> Snapshot {
        let measures = self.measures.share();
        let run = &mut self.run;
        run.follow();
        let shot = run.stage.shoot(&mut run.simulation.world, &common.show);
        let simulation = &run.simulation;
        let (world, schedule) = (&simulation.world, &simulation.schedule);
        let (model, state) = (world.model(), world.state());
        Snapshot {
            serial: 0,
            generation: common.generation,
            frame: shot.frame,
            legend: shot.legend,
            bounds: shot.bounds,
            cameras: run.cameras.clone(),
            model: run.model.clone(),
            positions: state.x.iter().collect(),
            held: held(model, &self.touches).into(),
            cut: state.fibres.cut.as_slice().into(),
            collider_poses: (0..model.colliders.len()).map(|i| world.collider_pose(i)).collect(),
            time: state.time,
            frame_number: simulation.frame(),
            kept: common.kept,
            frame_s: schedule.frame_s,
            substeps: schedule.substeps,
            solver: solver(simulation),
            playing: common.playing,
            speed: common.speed,
            real_speed: common.real_speed,
            measures,
            explosion: self.explosion.clone(),
            error: None,
            notes: warnings(simulation),
            tangled: world.tangle().count(),
            held_up: HeldUp::of(world),
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
