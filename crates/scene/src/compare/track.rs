//! What is seen of a run, frame by frame.

use serde::Serialize;
use tkanina_sim::explosion::Explosion;
use tkanina_sim::measure;
use tkanina_sim::solvers::Effort;
use tkanina_sim::state::State;

use super::distance::Trajectory;
use super::summary::Energies;
use crate::build::Simulation;

/// A run: everything measured, frame after frame from the first.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Measures by frame.
    pub series: Series,
    /// Energies at the start.
    pub start: Energies,
    /// Steps a frame that were asked for.
    pub substeps: u32,
    /// Why it ended early, if it did.
    pub end: Option<End>,
    /// States of the frames that were asked for, by their numbers.
    pub kept: Vec<(u64, State)>,
    /// Fingerprint of the last state.
    pub hash: String,
    before: Effort,
}

/// One value a frame each.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    /// Simulated time. [s]
    pub time_s: Vec<f64>,
    /// Time that the frame took: the least of all repeats. [ms]
    pub ms: Vec<f64>,
    /// Largest length/rest − 1 of structural edges.
    pub stretch_max: Vec<f64>,
    /// Mean of its size.
    pub stretch_mean: Vec<f64>,
    /// Σ ½m|v|². [J]
    #[serde(rename = "kinetic_J")]
    pub kinetic: Vec<f64>,
    /// What springs, hinges and ties store. [J]
    #[serde(rename = "elastic_J")]
    pub elastic: Vec<f64>,
    /// −Σ m g·x. [J]
    #[serde(rename = "gravity_J")]
    pub gravity: Vec<f64>,
    /// All three. [J]
    #[serde(rename = "total_J")]
    pub total: Vec<f64>,
    /// Distance to the reference, root of the mean square; absent where there is none. [m]
    pub distance_rms_m: Vec<Option<f64>>,
    /// Distance to the reference, the farthest point. [m]
    pub distance_max_m: Vec<Option<f64>>,
    /// Steps.
    pub steps: Vec<u64>,
    /// Newton steps, sweeps or rounds.
    pub iterations: Vec<u64>,
    /// Iterations of linear solves inside them.
    pub linear_iterations: Vec<u64>,
    /// What was left of the residual after the last step of the frame, relative.
    pub residual: Vec<f64>,
}

/// The end of a run that did not reach its last frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End {
    /// When. [s]
    pub time_s: f64,
    /// The whole sentence.
    pub reason: String,
}

impl Track {
    /// Of a simulation at its start.
    pub fn new(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        Self {
            start: Energies::of(&measure::energy(world.model(), world.state())),
            substeps: simulation.schedule.substeps,
            before: world.effort(),
            ..Self::default()
        }
    }

    /// Takes the frame that was just simulated into account.
    pub fn see(&mut self, simulation: &Simulation, took_ms: f64, reference: Option<&Trajectory>) {
        let (world, series) = (&simulation.world, &mut self.series);
        let (model, state) = (world.model(), world.state());
        let stretch = measure::stretch_of(model, state);
        let energy = measure::energy(model, state);
        let distance = reference.and_then(|r| r.distance(simulation.frame(), &state.x));
        let (effort, before) = (world.effort(), self.before);
        let inner = effort.inner_steps.saturating_sub(before.inner_steps);
        series.time_s.push(state.time);
        series.ms.push(took_ms);
        series.stretch_max.push(stretch.max);
        series.stretch_mean.push(stretch.mean);
        series.kinetic.push(energy.kinetic);
        series.elastic.push(energy.elastic);
        series.gravity.push(energy.gravity);
        series.total.push(energy.total());
        series.distance_rms_m.push(distance.map(|d| d.rms_m));
        series.distance_max_m.push(distance.map(|d| d.max_m));
        // A solver that cuts steps further counts them itself.
        series.steps.push(inner.max(u64::from(self.substeps)));
        series.iterations.push(effort.iterations.saturating_sub(before.iterations));
        let linear = effort.linear_iterations.saturating_sub(before.linear_iterations);
        series.linear_iterations.push(linear);
        series.residual.push(effort.residual);
        self.before = effort;
    }

    /// Ends the run, early or not.
    pub fn finish(&mut self, simulation: &Simulation, explosion: Option<&Explosion>) {
        self.hash = measure::state_hash(simulation.world.state());
        self.end = explosion
            .map(|explosion| End { time_s: explosion.time, reason: explosion.to_string() });
    }

    /// Keeps the state of the present frame, to be drawn later.
    pub fn keep(&mut self, simulation: &Simulation) {
        self.kept.push((simulation.frame(), simulation.world.state().clone()));
    }

    /// Takes the times of the same run done again where they are shorter.
    pub fn take_shorter_times(&mut self, again: &Self) {
        for (ms, other) in self.series.ms.iter_mut().zip(&again.series.ms) {
            *ms = ms.min(*other);
        }
    }

    /// Frames that were simulated.
    pub fn frames(&self) -> usize {
        self.series.time_s.len()
    }
}
