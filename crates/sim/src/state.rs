//! What varies from step to step.

use std::sync::Arc;

use crate::hands::Hands;
use crate::model::Model;
use crate::soa::Soa3;
use crate::tearing::Torn;

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
    /// Vertices of mesh colliders, one mesh after another: they may have been held up. [m]
    pub obstacles: Soa3,
    /// Steps that contact means to look ahead.
    pub contact_plan: u32,
    /// How much slower mesh colliders go that are held up, in quarters of halvings.
    pub contact_slow: u32,
    /// Steps for which contact has its say after each of the solver's, as triangles have touched.
    pub contact_close: u32,
    /// Edges that may pass through triangles while a tangle comes apart; 0 where nothing does.
    pub tangle_limit: u32,
    /// What fibres remember between steps.
    pub fibres: FibreMemory,
    /// What a user holds, pins and moves.
    pub hands: Hands,
    /// What has come apart of the model as it was loaded; numbers of particles are those after it.
    pub torn: Option<Arc<Torn>>,
}

/// What fibres remember between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FibreMemory {
    /// For each particle of a strand a unit vector across the edge to the next one, which turns
    /// with the material. Empty without strands.
    pub directors: Soa3,
    /// Other numbers: generalised coordinates, times at rest.
    pub numbers: Vec<f64>,
    /// Particles after which strands are cut, rising: the edge from each to the next is gone.
    pub cut: Vec<u32>,
}

impl FibreMemory {
    /// Whether the edge between two particles is cut.
    pub fn is_cut(&self, [a, b]: [u32; 2]) -> bool {
        !self.cut.is_empty() && self.cut.binary_search(&a.min(b)).is_ok()
    }
}

/// A solver's own memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverMemory {
    /// Whether a step has been taken since the velocities were last set from outside.
    pub started: bool,
    /// One entry a particle each: past accelerations, positions, velocities, as the solver
    /// needs them.
    pub vectors: Vec<Soa3>,
    /// Other numbers that it goes on from, such as multipliers of constraints.
    pub numbers: Vec<f32>,
}

impl SolverMemory {
    /// Makes room for `vectors` vectors of `particles` entries and `numbers` numbers. What
    /// has another size is forgotten.
    pub fn reserve(&mut self, vectors: usize, particles: usize, numbers: usize) {
        let fits = self.vectors.len() == vectors
            && self.vectors.iter().all(|v| v.len() == particles)
            && self.numbers.len() == numbers;
        if !fits {
            *self = Self {
                started: false,
                vectors: vec![Soa3::zeros(particles); vectors],
                numbers: vec![0.0; numbers],
            };
        }
    }

    fn copy_from(&mut self, other: &Self) {
        self.started = other.started;
        self.numbers.clone_from(&other.numbers);
        self.vectors.resize_with(other.vectors.len(), Soa3::default);
        for (to, from) in self.vectors.iter_mut().zip(&other.vectors) {
            to.x.clone_from(&from.x);
            to.y.clone_from(&from.y);
            to.z.clone_from(&from.z);
        }
    }
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
        self.memory.copy_from(&other.memory);
        self.broken.clone_from(&other.broken);
        self.contacts = other.contacts;
        self.contact_plan = other.contact_plan;
        self.contact_slow = other.contact_slow;
        self.contact_close = other.contact_close;
        self.tangle_limit = other.tangle_limit;
        self.obstacles.x.clone_from(&other.obstacles.x);
        self.obstacles.y.clone_from(&other.obstacles.y);
        self.obstacles.z.clone_from(&other.obstacles.z);
        if self.fibres.directors.len() == other.fibres.directors.len() {
            self.fibres.directors.copy_from(&other.fibres.directors);
        } else {
            self.fibres.directors = other.fibres.directors.clone();
        }
        self.fibres.numbers.clone_from(&other.fibres.numbers);
        self.fibres.cut.clone_from(&other.fibres.cut);
        self.hands.copy_from(&other.hands);
        self.torn.clone_from(&other.torn);
    }
}
