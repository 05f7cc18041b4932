//! What varies from step to step.

use crate::hands::Hands;
use crate::model::Model;
use crate::soa::Soa3;

/// Everything that a run needs in order to go on: restored from a checkpoint
/// it continues with the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Simulated time. [s]
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Positions. [m]
    pub x: Soa3,
    /// Velocities. [m/s] Under [`crate::solvers::SolverKind::Verlet`] they belong to the
    /// middle of the last step, as (x − x⁻)/h does.
    pub v: Soa3,
    /// What a solver remembers between steps.
    pub memory: SolverMemory,
    /// For each tie of the model, whether it has broken.
    pub broken: Vec<bool>,
    /// Touches of a particle and a collider in the last step.
    pub contacts: usize,
    /// What a user holds, pins and moves.
    pub hands: Hands,
}

/// A solver's own memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverMemory {
    /// Whether a step has been taken since the velocities were last set from outside.
    pub started: bool,
    /// Acceleration at the end of the last step [m/s²]; empty for solvers that do not keep it.
    pub acceleration: Soa3,
}

impl State {
    /// All particles of `model` at `x`, moving with `v`.
    pub fn new(model: &Model, x: Soa3, v: Soa3) -> Self {
        debug_assert_eq!(x.len(), model.particle_count());
        debug_assert_eq!(v.len(), model.particle_count());
        Self { x, v, broken: vec![false; model.ties.len()], ..Self::default() }
    }

    /// Overwrites this state without taking memory, unless the other's hands hold more;
    /// both belong to one model.
    pub fn copy_from(&mut self, other: &State) {
        self.time = other.time;
        self.step = other.step;
        self.x.copy_from(&other.x);
        self.v.copy_from(&other.v);
        self.memory.started = other.memory.started;
        self.memory.acceleration.x.clone_from(&other.memory.acceleration.x);
        self.memory.acceleration.y.clone_from(&other.memory.acceleration.y);
        self.memory.acceleration.z.clone_from(&other.memory.acceleration.z);
        self.broken.clone_from(&other.broken);
        self.contacts = other.contacts;
        self.hands.copy_from(&other.hands);
    }
}
