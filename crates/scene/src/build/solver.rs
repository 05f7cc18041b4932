//! Which solver, and how many steps a frame.

use tkanina_sim::model::Model;
use tkanina_sim::solvers::{Choice, Newton, SolverKind, StepAdvice, choose, refusal};
use tkanina_sim::world::World;

use super::{Note, NoteLevel};
use crate::schema::{Solver, Substeps, Time};

/// Frames and steps of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Length of a frame. [s]
    pub frame_s: f64,
    /// Frames of the whole run.
    pub frames: u64,
    /// Steps a frame.
    pub substeps: u32,
    /// What the springs allow.
    pub advice: StepAdvice,
}

/// More steps a frame than this are not taken unasked.
const MOST_SUBSTEPS: f64 = 10_000.0;

/// The method that the scene asks for, if it can run the model; what is chosen by itself is
/// said in the notes.
pub(super) fn solver_kind(
    solver: &Solver,
    model: &Model,
    notes: &mut Vec<Note>,
) -> Result<SolverKind, Refusal> {
    let kind = match *solver {
        Solver::Auto => {
            let Choice { kind, why } = choose(model);
            let text = format!("solver: {}, {why}", kind.name());
            notes.push(Note { level: NoteLevel::Info, text });
            kind
        }
        Solver::ExplicitEuler => SolverKind::ExplicitEuler,
        Solver::SemiImplicitEuler => SolverKind::SemiImplicitEuler,
        Solver::Kinematic => SolverKind::Kinematic,
        Solver::Verlet { loss } => SolverKind::Verlet { loss: loss as f32 },
        Solver::VelocityVerlet => SolverKind::VelocityVerlet,
        Solver::Rk4 => SolverKind::Rk4,
        Solver::ImplicitEuler { iterations, tolerance } => {
            SolverKind::ImplicitEuler(newton(iterations, tolerance))
        }
        Solver::ImplicitMidpoint { iterations, tolerance } => {
            SolverKind::ImplicitMidpoint(newton(iterations, tolerance))
        }
        Solver::Bdf2 { iterations, tolerance } => SolverKind::Bdf2(newton(iterations, tolerance)),
        Solver::Sdirk2 { iterations, tolerance, error_m } => SolverKind::Sdirk2 {
            newton: newton(iterations, tolerance),
            error: error_m.map(|e| e as f32),
        },
        Solver::Projective { iterations } => SolverKind::Projective { iterations },
        Solver::Xpbd { iterations } => SolverKind::Xpbd { iterations },
        Solver::LineProjection { iterations, embed } => {
            SolverKind::LineProjection { iterations, embed }
        }
        Solver::VertexDescent { iterations } => SolverKind::VertexDescent { iterations },
        Solver::SuperHelix { iterations } => SolverKind::SuperHelix { iterations },
    };
    match refusal(kind, model) {
        Some((why, remedy)) => Err(Refusal { why, remedy }),
        None => Ok(kind),
    }
}

/// Why a method cannot run a scene.
pub(super) struct Refusal {
    pub why: String,
    pub remedy: String,
}

fn newton(iterations: Option<u32>, tolerance: Option<f64>) -> Newton {
    Newton { iterations, tolerance: tolerance.map(|t| t as f32) }
}

impl Schedule {
    /// Counts frames and steps, and warns of steps that are too long.
    pub(super) fn plan(time: &Time, world: &World, notes: &mut Vec<Note>) -> Self {
        let frame_s = 1.0 / time.frame_rate_hz;
        let advice = world.step_advice();
        let kind = world.solver_kind().name();
        let substeps = match time.substeps {
            Substeps::Count(count) => {
                warn_of_long_step(kind, frame_s, count, advice, notes);
                count
            }
            Substeps::Auto(_) => {
                let wanted = world.substeps_for(frame_s);
                if wanted > MOST_SUBSTEPS {
                    notes.push(too_many_steps(kind, wanted, advice));
                }
                wanted.min(MOST_SUBSTEPS) as u32
            }
        };
        let frames = (time.duration_s * time.frame_rate_hz).round().max(0.0) as u64;
        Self { frame_s, frames, substeps, advice }
    }
}

/// What is said where a method would want more steps than are taken unasked.
fn too_many_steps(kind: &str, wanted: f64, advice: StepAdvice) -> Note {
    let text = if advice.has_stable_step() {
        format!(
            "these springs would need {wanted:.0} steps a frame under {kind}; {MOST_SUBSTEPS} are \
             taken. Lower the stiffness or raise the mass, use fewer points, or solver auto"
        )
    } else {
        format!(
            "{kind} has no stable step for springs without damping: {wanted:.0} steps a frame \
             would gain little energy, and {MOST_SUBSTEPS} are taken. Use solver verlet, or give \
             the springs damping"
        )
    };
    Note { level: NoteLevel::Warning, text }
}

fn warn_of_long_step(
    kind: &str,
    frame_s: f64,
    count: u32,
    advice: StepAdvice,
    notes: &mut Vec<Note>,
) {
    let step = frame_s / f64::from(count);
    if step <= advice.limit {
        return;
    }
    let text = if advice.has_stable_step() {
        let needed = (frame_s / advice.limit).ceil();
        let softer = (step / advice.limit) * (step / advice.limit);
        format!(
            "step {:.3} ms is above the stable {:.3} ms for these springs under {kind}: use \
             time.substeps: {needed:.0} (or auto), or make the springs {softer:.1} times softer",
            1e3 * step,
            1e3 * advice.limit,
        )
    } else {
        format!(
            "step {:.3} ms: {kind} has no stable step for springs without damping and gains \
             energy at any: use solver verlet, or give the springs damping",
            1e3 * step,
        )
    };
    notes.push(Note { level: NoteLevel::Warning, text });
}
