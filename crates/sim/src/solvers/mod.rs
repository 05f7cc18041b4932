//! Ways from one state to the next.

mod axes;
mod choice;
mod colouring;
mod explicit;
pub mod fibres;
mod finish;
mod idle;
mod implicit;
mod kind;
mod line_projection;
mod passive;
mod potential;
mod projective;
mod rk4;
mod spectrum;
mod stability;
mod sym3;
mod vertex_descent;
mod xpbd;

use crate::contact::Contacts;
use crate::forces::{Conditions, Workspace};
use crate::model::Model;
use crate::probe::{Probe, Stage};
use crate::state::State;

pub use choice::{Choice, choose, refusal};
pub use explicit::SolverExplicit;
pub use implicit::SolverImplicit;
pub use kind::{Newton, SolverKind};
pub use line_projection::SolverLineProjection;
pub use projective::SolverProjective;
pub use stability::{Spectrum, StepAdvice, stable_step};
pub use vertex_descent::SolverVertexDescent;
pub use xpbd::SolverXpbd;

/// Advances a state by one step.
pub trait Solver: Send {
    /// Which method it is.
    fn kind(&self) -> SolverKind;
    /// Makes room in `state` for what the solver remembers between steps.
    fn prepare(&self, state: &mut State);
    /// One step of `context.h`: positions and velocities, held particles, strain
    /// limits and colliders. Time and step count belong to the world.
    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>);
    /// Steps that a frame of `frame` seconds should be cut into; `None` where stability
    /// says it (see [`stable_step`]).
    fn substeps(&self, _model: &Model, _frame: f64) -> Option<u32> {
        None
    }
    /// Steps of it that contact of triangles may take together, if a frame of `frame` seconds is cut
    /// into so many.
    fn steps_per_contact(&self, _substeps: u32, _frame: f64) -> u32 {
        1
    }
    /// Whether it never holds triangles apart within its step: then nobody asks for pairs before its end.
    fn leaves_contact_to_the_end(&self) -> bool {
        false
    }
    /// By what part of a step the velocities that it leaves are older than its end: ½ where they are
    /// means over the step.
    fn velocities_lag(&self) -> f32 {
        0.5
    }
    /// Whether it takes stiff edges for what cannot be drawn out, and solves for that only roughly.
    fn holds_lengths(&self) -> bool {
        false
    }
    /// What it has done so far.
    fn effort(&self) -> Effort {
        Effort::default()
    }
}

/// Work of a solver since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Steps inside the steps that were asked for: more where the step is adaptive.
    pub inner_steps: u64,
    /// Newton steps, sweeps or rounds.
    pub iterations: u64,
    /// Iterations of linear solves inside them.
    pub linear_iterations: u64,
    /// What was left of the residual after the last step, relative to its start.
    pub residual: f64,
}

impl Effort {
    /// The work of two solvers, one after the other.
    pub fn and(self, next: Self) -> Self {
        Self {
            inner_steps: self.inner_steps + next.inner_steps,
            iterations: self.iterations + next.iterations,
            linear_iterations: self.linear_iterations + next.linear_iterations,
            residual: next.residual,
        }
    }
}

/// The solver of a kind.
pub fn solver(kind: SolverKind, model: &Model) -> Box<dyn Solver> {
    if !model.strands.is_empty() && fibres::Fibres::are_all(model) {
        return Box::new(idle::SolverIdle::new(kind));
    }
    match kind {
        SolverKind::ExplicitEuler
        | SolverKind::SemiImplicitEuler
        | SolverKind::Kinematic
        | SolverKind::Verlet { .. }
        | SolverKind::VelocityVerlet
        | SolverKind::Rk4 => Box::new(SolverExplicit::new(kind, model.particle_count())),
        SolverKind::ImplicitEuler(_)
        | SolverKind::ImplicitMidpoint(_)
        | SolverKind::Bdf2(_)
        | SolverKind::Sdirk2 { .. } => Box::new(SolverImplicit::new(kind, model)),
        SolverKind::Projective { iterations } => Box::new(SolverProjective::new(model, iterations)),
        SolverKind::Xpbd { iterations } => Box::new(SolverXpbd::new(model, iterations)),
        SolverKind::LineProjection { iterations, embed } => {
            Box::new(SolverLineProjection::new(model, iterations, embed))
        }
        SolverKind::VertexDescent { iterations } => {
            Box::new(SolverVertexDescent::new(model, iterations))
        }
        // Strands are advanced after it, on their own.
        SolverKind::SuperHelix { .. } => Box::new(SolverLineProjection::new(model, None, None)),
    }
}

/// Steps in 1/60 s, at least, of methods that know nothing of colliders while they solve: what a
/// step draws into an obstacle is put back after it, so that edges over a rim are drawn out in
/// proportion to the step. Measured on a tablecloth under implicit Euler after a second, worst edge
/// by steps a frame: 2: 81 %, 4: 40 %, 8: 19 %, 16: 7.5 %; velocity Verlet 7.6 %.
const STEPS_TOUCHING: f64 = 16.0;

/// `steps` for a frame of `frame` seconds, between two numbers that are meant for 1/60 s.
fn steps_within(steps: f64, [least, most]: [f64; 2], frame: f64) -> u32 {
    let frames = 60.0 * frame;
    steps.clamp(least * frames, most * frames).ceil().max(1.0) as u32
}

/// Steps that nobody looks at but together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// So many steps of the same length come, this one first; until the last is over nobody looks
    /// at places and velocities. 1 is always right.
    pub steps: u32,
    /// What contact of triangles adds to the touches of each before the next.
    pub touching: usize,
}

impl Together {
    /// A step by itself.
    pub const ALONE: Self = Self { steps: 1, touching: 0 };
}

/// What a solver may use during a step.
pub struct StepContext<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// Length of the step. [s]
    pub h: f64,
    /// What acts from outside, at the start of the step.
    pub conditions: &'a mut Conditions,
    /// Buffers that live as long as the world.
    pub workspace: &'a mut Workspace,
    /// Contact of triangles, where there is any.
    pub contacts: Option<&'a mut Contacts>,
    /// This step and those after it.
    pub together: Together,
    /// Is told of stages, if there is one.
    pub probe: &'a mut Option<Box<dyn Probe>>,
}

impl StepContext<'_> {
    /// A stage of the step begins.
    #[inline]
    pub fn enter(&mut self, stage: Stage) {
        if let Some(probe) = self.probe {
            probe.enter(stage);
        }
    }
}
