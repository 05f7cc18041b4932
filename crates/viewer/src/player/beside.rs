//! The same scene under other solvers, in step with the scene's own.

use std::sync::Arc;

use serde_json::{Value, json};
use tkanina_scene::load::LoadedScene;
use tkanina_sim::solvers::SolverKind;

use super::carry::carry_over;
use super::run::Run;
use super::take::Take;
use super::{Player, PlayerSettings};

/// Solvers beside the scene's own at most: four pictures are what a window has room for.
pub const MOST_BESIDE: usize = 3;

/// The scene under another solver, or why that refuses it.
pub(super) struct Companion {
    pub solver: SolverKind,
    pub take: Result<Take, String>,
}

impl Player {
    /// Runs the scene under these solvers too, from where it is now.
    pub(super) fn compare(&mut self, solvers: Vec<SolverKind>) {
        let mut before = std::mem::take(&mut self.beside);
        let settings = PlayerSettings { timeline_mb: self.room(solvers.len()), ..self.settings };
        for solver in solvers.into_iter().take(MOST_BESIDE) {
            let known = before.iter().position(|one| one.solver.name() == solver.name());
            let companion = match known {
                Some(index) => before.swap_remove(index),
                None => Companion { solver, take: join(solver, &self.own, settings) },
            };
            self.beside.push(companion);
        }
        self.share_timeline();
    }

    /// Lets the other solvers follow an edit of the scene. One that is not at the frame of the
    /// scene's own after it goes on from there.
    pub(super) fn follow(&mut self) {
        let Self { own, beside, .. } = self;
        for Companion { solver, take } in beside {
            let edited = match take {
                Ok(take) => {
                    with_solver(&own.run.loaded, *solver).and_then(|scene| take.edit(scene))
                }
                Err(_) => Err(String::new()),
            };
            let in_step = take.as_ref().is_ok_and(|take| take.frame() == own.frame());
            if edited.is_err() || !in_step {
                *take = join(*solver, own, own.settings);
            }
        }
        self.share_timeline();
    }

    /// Lets all begin with another scene.
    pub(super) fn begin_beside(&mut self) {
        let Self { own, beside, .. } = self;
        for Companion { solver, take } in beside {
            *take = join(*solver, own, own.settings);
        }
        self.share_timeline();
    }

    /// Gives each its part of the timeline's memory. All keep the same frames, or one could not go
    /// back to what another keeps.
    pub(super) fn share_timeline(&mut self) {
        let (seconds, megabytes) = (self.settings.timeline_s, self.room(self.beside.len()));
        self.takes_mut().for_each(|take| take.set_timeline(seconds, megabytes));
        let stride = self.takes().map(|take| take.history.stride()).max().unwrap_or(1);
        self.takes_mut().for_each(|take| take.history.set_stride(stride));
    }

    /// Memory for the timeline of each. [MB]
    fn room(&self, beside: usize) -> usize {
        (self.settings.timeline_mb / (1 + beside)).max(1)
    }
}

/// The scene of `own` under another solver, from where that is now, or why not.
fn join(solver: SolverKind, own: &Take, settings: PlayerSettings) -> Result<Take, String> {
    let mut run = Run::build(with_solver(&own.run.loaded, solver)?)?;
    if !run.simulation.adopt(&own.run.simulation) {
        carry_over(&own.run, &mut run);
    }
    let mut take = Take::new(run, settings);
    take.run.equip(settings.threads, &take.stopwatch)?;
    take.touches.clone_from(&own.touches);
    Ok(take)
}

/// The scene with nothing changed but its solver, which chooses its own steps.
fn with_solver(loaded: &LoadedScene, solver: SolverKind) -> Result<Arc<LoadedScene>, String> {
    let mut value = loaded.value();
    value["solver"] = json!({ "kind": solver.name() });
    if let Some(time) = value.get_mut("time").and_then(Value::as_object_mut) {
        time.remove("substeps");
    }
    let scene = LoadedScene::from_value(solver.name(), &value, loaded.dir.as_deref());
    scene.map(Arc::new).map_err(|error| error.render())
}
