//! The statistics of a run, as `--stats` writes them.

use serde::Serialize;
use tkanina_sim::measure;
use tkanina_sim::world::World;

use super::{HeldUp, Record};

/// Everything `--stats` says.
#[derive(Clone, Debug, Serialize)]
pub struct Stats {
    /// Version of the program.
    pub tkanina: &'static str,
    /// Name of the scene as it was asked for.
    pub scene: String,
    /// Kind of solver.
    pub solver: &'static str,
    /// Where it ran.
    pub backend: &'static str,
    /// Threads.
    pub threads: usize,
    /// Number of particles.
    pub particles: usize,
    /// Number of elements by type.
    pub elements: Elements,
    /// Frames simulated.
    pub frames: u64,
    /// Steps simulated.
    pub steps: u64,
    /// Simulated time. [s]
    pub simulated_s: f64,
    /// Time that simulating took. [s]
    pub wall_s: f64,
    /// Particles × steps / time.
    pub particle_updates_per_s: f64,
    /// Time a frame.
    pub frame_ms: FrameMs,
    /// Stretch of structural edges.
    pub stretch: StretchStats,
    /// Energies of the final state.
    #[serde(rename = "energy_J")]
    pub energy_j: EnergyStats,
    /// Momentum of the final state.
    pub momentum_kg_m_s: [f64; 3],
    /// Volumes of closed bodies.
    pub volume_m3: Vec<f64>,
    /// Touches of particles and colliders in the last step.
    pub contacts: usize,
    /// Pins, stitches and glue that have broken.
    pub broken: usize,
    /// Pieces that the bodies have come apart into, or always were.
    pub pieces: usize,
    /// Edges that pass through triangles.
    pub intersections: usize,
    /// Pairs of triangles that passed through each other at the start.
    pub tangled_start: usize,
    /// Pairs of triangles that still do.
    pub tangled_end: usize,
    /// What contact held back.
    pub held_up: HeldUp,
    /// Particles that are not finite.
    pub nonfinite: usize,
    /// Why the run ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploded: Option<String>,
    /// Expectations of the scene that did not hold; absent where they were not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmet_expectations: Option<Vec<String>>,
    /// BLAKE3 of positions and velocities.
    pub state_hash: String,
}

/// Number of elements by type.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Elements {
    /// Springs, of grids and meshes.
    pub spring: usize,
    /// Hinges that bend by angle.
    pub bend_angle: usize,
    /// Triangles that resist strain.
    pub membrane: usize,
    /// Tetrahedra of solids.
    pub tetra: usize,
    /// Closed bodies with gas in them.
    pub gas: usize,
    /// Pins that give way, and stitches.
    pub tie: usize,
    /// Triangles.
    pub triangle: usize,
}

/// Time a frame. [ms]
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FrameMs {
    /// Half of the frames took less.
    pub median: f64,
    /// 99 % took less.
    pub p99: f64,
    /// The slowest.
    pub max: f64,
}

/// Length/rest − 1 of structural edges.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StretchStats {
    /// Largest in the final state.
    pub max: f64,
    /// Mean of its size in the final state.
    pub mean: f64,
    /// Largest at any frame's end.
    pub max_ever: f64,
}

/// Energies. [J]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EnergyStats {
    /// Of motion.
    pub kinetic: f64,
    /// In springs, hinges, membranes, solids and ties.
    pub elastic: f64,
    /// Of height, zero at the origin.
    pub gravity: f64,
    /// All together.
    pub total: f64,
}

impl FrameMs {
    /// Of the given times. [ms]
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let index = (part * times.len() as f64).ceil() as usize;
            times.get(index.clamp(1, times.len().max(1)) - 1).copied().unwrap_or(0.0)
        };
        Self { median: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

impl Stats {
    /// What can be read off a world; times and names are the caller's to fill in.
    /// `verify` counts intersections by a search that shares nothing with contact.
    pub fn of(world: &World, record: &Record, verify: bool) -> Self {
        let (model, state) = (world.model(), world.state());
        let stretch = measure::stretch_of(model, state);
        let energy = measure::energy(model, state);
        let search = if verify { measure::crossings_exhaustive } else { measure::crossings };
        Self {
            tkanina: env!("CARGO_PKG_VERSION"),
            scene: String::new(),
            solver: world.solver_kind().name(),
            backend: "cpu",
            threads: 1,
            particles: model.particle_count(),
            elements: Elements::of(world),
            frames: 0,
            steps: state.step,
            simulated_s: state.time,
            wall_s: 0.0,
            particle_updates_per_s: 0.0,
            frame_ms: FrameMs::default(),
            stretch: StretchStats {
                max: stretch.max,
                mean: stretch.mean,
                max_ever: record.max_stretch,
            },
            energy_j: EnergyStats {
                kinetic: energy.kinetic,
                elastic: energy.elastic,
                gravity: energy.gravity,
                total: energy.total(),
            },
            momentum_kg_m_s: measure::momentum(model, state).to_array(),
            volume_m3: model
                .bodies
                .iter()
                .filter_map(|body| measure::volume(model, body, &state.x))
                .collect(),
            contacts: state.contacts,
            broken: state.broken.iter().filter(|b| **b).count(),
            pieces: world.pieces(),
            intersections: search(model, state).len().max(record.most_crossings),
            tangled_start: record.tangled_start.unwrap_or(0),
            tangled_end: world.tangle().count(),
            held_up: HeldUp::of(world),
            nonfinite: measure::nonfinite(state),
            exploded: None,
            unmet_expectations: None,
            state_hash: measure::state_hash(state),
        }
    }
}

impl Elements {
    /// Counts the elements of a world.
    pub fn of(world: &World) -> Self {
        let model = world.model();
        let mut spring = model.springs.springs().len();
        for grid in &model.grids {
            grid.for_each_spring(|_, _, _| spring += 1);
        }
        Self {
            spring,
            bend_angle: model.bends.bends().len(),
            membrane: model.membranes.triangles().len(),
            tetra: model.tetras.tetras().len(),
            gas: model.gases.gases().len(),
            tie: model.ties.len(),
            triangle: model.triangles.len(),
        }
    }
}
