//! What the window asks of the player.

use std::sync::Arc;

use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Show;
use tkanina_sim::commands::Command;
use tkanina_sim::solvers::SolverKind;

/// One thing for the player to do.
#[derive(Clone, Debug)]
pub enum Request {
    /// Simulates this scene from its start.
    Open(Arc<LoadedScene>),
    /// Goes on under an edited scene: in the present state if the edit allows it, else from the start.
    Edit(Arc<LoadedScene>),
    /// Plays or halts.
    Play(bool),
    /// Simulates one frame, then halts.
    StepOnce,
    /// Back to the start of the present scene.
    Reset,
    /// Simulated seconds a second.
    Speed(f64),
    /// Goes to a frame that is kept, and halts.
    Seek(u64),
    /// Does something to the running world.
    Touch(Command),
    /// Changes what is shown.
    Show(Show),
    /// Keeps this much of the past. [s] and [MB]
    Timeline {
        /// Seconds at most. [s]
        seconds: f64,
        /// Memory at most. [MB]
        megabytes: usize,
    },
    /// Runs the scene under these solvers too, in step with its own.
    Compare(Vec<SolverKind>),
    /// Puts the last error out of sight.
    Dismiss,
    /// Writes the present state as a checkpoint file.
    SaveState(std::path::PathBuf),
}
