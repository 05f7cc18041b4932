//! What is remembered of every frame of a run.

use serde::{Deserialize, Serialize};
use tkanina_sim::measure;
use tkanina_sim::world::World;

/// Extremes over all frames so far. Part of a checkpoint, so that a resumed run
/// reports what an uninterrupted one would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Largest structural stretch at any frame's end.
    pub max_stretch: f64,
    /// Largest speed at any frame's end. [m/s]
    pub max_speed: f64,
    /// Last time at which some point was faster than the speed that counts as rest. [s]
    pub last_motion_s: f64,
    /// Lowest and highest y of any point. [m]
    pub height: Option<[f64; 2]>,
    /// Largest distance of any point from the origin. [m]
    pub farthest: f64,
    /// Least and largest total energy. [J]
    pub energy: Option<[f64; 2]>,
    /// Largest kinetic energy. [J]
    pub max_kinetic: f64,
    /// Most crossings of an edge and a triangle in any frame that was searched for them.
    #[serde(default)]
    pub most_crossings: usize,
    /// The first frame's end at which there were any. [s]
    #[serde(default)]
    pub first_crossing_s: Option<f64>,
    /// Pairs of triangles that passed through each other when the run began.
    #[serde(default)]
    pub tangled_start: Option<usize>,
}

impl Record {
    /// Searches the present state for crossings. While what started tangled comes apart there are
    /// some, and they are told apart: see [`Record::tangled_start`].
    pub fn verify(&mut self, world: &World) {
        if self.tangled_start.is_some_and(|count| count > 0) && !world.tangle().is_empty() {
            return;
        }
        let count = measure::crossings_exhaustive(world.model(), world.state()).len();
        self.most_crossings = self.most_crossings.max(count);
        if count > 0 && self.first_crossing_s.is_none() {
            self.first_crossing_s = Some(world.state().time);
        }
    }

    /// Takes the present state into account. Energies are summed only if
    /// `with_energy`, as they cost as much as a step.
    pub fn see(&mut self, world: &World, rest_speed: f64, with_energy: bool) {
        if self.tangled_start.is_none() {
            self.tangled_start = Some(world.tangle().count());
        }
        let state = world.state();
        let stretch = measure::stretch_of(world.model(), state);
        self.max_stretch = self.max_stretch.max(stretch.max);
        let speed = f64::from(measure::fastest(&state.v).1);
        self.max_speed = self.max_speed.max(speed);
        if speed > rest_speed {
            self.last_motion_s = state.time;
        }
        for p in state.x.iter() {
            let y = f64::from(p.y);
            let [low, high] = self.height.unwrap_or([y, y]);
            self.height = Some([low.min(y), high.max(y)]);
            self.farthest = self.farthest.max(p.as_dvec3().length());
        }
        if with_energy {
            let energy = measure::energy(world.model(), state);
            self.max_kinetic = self.max_kinetic.max(energy.kinetic);
            let total = energy.total();
            let [low, high] = self.energy.unwrap_or([total, total]);
            self.energy = Some([low.min(total), high.max(total)]);
        }
    }
}
