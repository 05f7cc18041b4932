//! The present state as the window draws it.

use std::sync::Arc;

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
            held: model.inverse_mass.iter().map(|&w| w == 0.0).collect(),
            collider_poses: (0..model.colliders.len()).map(|i| world.collider_pose(i)).collect(),
            time: state.time,
            frame_number,
            kept: self.history.range().unwrap_or([frame_number; 2]),
            frame_s: schedule.frame_s,
            substeps: schedule.substeps,
            solver: world.solver_kind().name().to_owned(),
            playing: self.playing,
            speed: self.due.speed(),
            real_speed: if self.playing { self.real_speed.value() } else { 0.0 },
            measures,
            explosion: self.explosion.clone(),
            error: self.error.clone(),
            notes: simulation.notes.iter().map(|note| note.text.clone()).collect(),
        }
    }
}
