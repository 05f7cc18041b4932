//! What the player last published: all that the window draws and says.

mod strand_count;

use std::sync::Arc;

use glam::Vec3;
use tkanina_render::Frame;
use tkanina_scene::run::HeldUp;
use tkanina_sim::explosion::Explosion;
use tkanina_sim::model::Model;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_stage::{Legend, NamedCamera};

pub use strand_count::StrandCount;

/// The scene under its own solver, and under those that it is compared with.
#[derive(Clone, Debug)]
pub struct Published {
    /// Under its own.
    pub own: Arc<Snapshot>,
    /// Under others, in step with it.
    pub beside: Vec<Beside>,
}

/// The scene under a solver that it is compared with.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The solver.
    pub solver: SolverKind,
    /// What became of it, or why it refuses the scene.
    pub outcome: Result<Arc<Snapshot>, String>,
}

impl Published {
    /// Pictures to show: the scene's own first.
    pub fn count(&self) -> usize {
        1 + self.beside.len()
    }

    /// What a picture shows; none where the solver refuses the scene.
    pub fn get(&self, picture: usize) -> Option<&Arc<Snapshot>> {
        match picture.checked_sub(1) {
            None => Some(&self.own),
            Some(beside) => self.beside.get(beside)?.outcome.as_ref().ok(),
        }
    }

    /// Why the solver of a picture refuses the scene, if it does.
    pub fn refusal(&self, picture: usize) -> Option<&str> {
        let beside = self.beside.get(picture.checked_sub(1)?)?;
        beside.outcome.as_ref().err().map(String::as_str)
    }

    /// Name of the solver of a picture, as scenes have it.
    pub fn solver(&self, picture: usize) -> &str {
        match picture.checked_sub(1).and_then(|beside| self.beside.get(beside)) {
            Some(beside) => beside.solver.name(),
            None => self.own.method(),
        }
    }

    /// Snapshots with their pictures.
    pub fn snapshots(&self) -> impl Iterator<Item = (usize, &Arc<Snapshot>)> {
        (0..self.count()).filter_map(|picture| Some((picture, self.get(picture)?)))
    }

    /// The snapshot of the latest simulated time: a solver that exploded stays behind.
    pub fn furthest(&self) -> &Arc<Snapshot> {
        let later = |a, b: (usize, _)| if frame(b.1) > frame(a) { b.1 } else { a };
        fn frame(snapshot: &Arc<Snapshot>) -> u64 {
            snapshot.frame_number
        }
        self.snapshots().fold(&self.own, later)
    }
}

/// A moment of the simulation, for the window.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Counts up with every snapshot.
    pub serial: u64,
    /// Counts up whenever the world is another one: opened, edited or reset.
    pub generation: u64,
    /// The picture.
    pub frame: Frame,
    /// Colours of the heat map, if one is shown.
    pub legend: Option<Legend>,
    /// Least and greatest corner of what is simulated. [m]
    pub bounds: [Vec3; 2],
    /// Cameras of the scene, or one that sees all.
    pub cameras: Vec<NamedCamera>,
    /// The model, for tools: names, triangles, masses.
    pub model: Arc<Model>,
    /// Positions of all particles. [m]
    pub positions: Arc<[Vec3]>,
    /// For each particle whether it is held now.
    pub held: Arc<[bool]>,
    /// Particles after which strands are cut, rising.
    pub cut: Arc<[u32]>,
    /// Present poses of the colliders.
    pub collider_poses: Vec<Pose>,
    /// Simulated time. [s]
    pub time: f64,
    /// Frame of the simulation.
    pub frame_number: u64,
    /// First and last frame that the timeline keeps.
    pub kept: [u64; 2],
    /// Length of a frame. [s]
    pub frame_s: f64,
    /// Steps in a frame.
    pub substeps: u32,
    /// The method in use, and why if it was chosen.
    pub solver: String,
    /// Whether it plays.
    pub playing: bool,
    /// Simulated seconds a second that were asked for.
    pub speed: f64,
    /// Simulated seconds a second that are reached while playing.
    pub real_speed: f64,
    /// Measures of the kept frames, oldest first.
    pub measures: Arc<[Measure]>,
    /// Why it stopped, if it exploded.
    pub explosion: Option<Explosion>,
    /// Why the last request failed, as people read it.
    pub error: Option<String>,
    /// Notes from building the scene.
    pub notes: Vec<String>,
    /// Pairs of triangles that pass through each other.
    pub tangled: usize,
    /// What contact holds back.
    pub held_up: HeldUp,
}

impl Snapshot {
    /// The method in use, as scenes name it.
    pub fn method(&self) -> &str {
        self.solver.split(',').next().unwrap_or_default()
    }
}

/// What was measured of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Frame of the simulation.
    pub frame_number: u64,
    /// Simulated time. [s]
    pub time: f64,
    /// Energies. [J]
    pub kinetic: f64,
    /// Energy in springs. [J]
    pub elastic: f64,
    /// Energy of height. [J]
    pub gravity: f64,
    /// Worst structural stretch. [1]
    pub stretch_max: f64,
    /// Mean structural stretch. [1]
    pub stretch_mean: f64,
    /// Touches of particles and colliders.
    pub contacts: usize,
    /// Time that the frame took to simulate. [ms]
    pub step_ms: f64,
    /// The same by stage, in the order of `tkanina_sim::probe::Stage::ALL`. [ms]
    pub stage_ms: [f64; 5],
}
