//! How fine the run is that others are measured against.
//!
//! The reference is a Runge–Kutta run of fourth order, not one of many small steps: positions are
//! `f32`, and of a motion h·v per step the part below their last bit is lost. On a stiff curtain
//! of 1.4 m velocity Verlet drifts from Runge–Kutta by 1 µm at 404 steps a frame, and by 115 µm
//! at 3232.

use tkanina_sim::solvers::{SolverKind, StepAdvice};

/// Steps of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferencePlan {
    /// Steps a frame; even, so that it can be run again at twice the step.
    pub substeps: u32,
    /// Why it is not as fine as it should be.
    pub shortfall: Option<Shortfall>,
}

/// A reference that is coarser than it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Steps a frame that were wanted.
    pub wanted: u32,
    /// How long that would take. [s]
    pub would_take_s: f64,
}

/// Part of the stable step that a reference takes: twice as much is still stable, so that its
/// distance from itself can be told.
const PART: f64 = 0.4;
/// Part of the stable step above which a reference is not run.
const LARGEST_PART: f64 = 0.8;
/// Least steps a frame: soft springs would allow steps so long that neither contact nor gusts are
/// followed, and so few steps lose nothing to rounding.
const LEAST: u32 = 64;
const MOST: u32 = 10_000;

impl ReferencePlan {
    /// The method: fourth order.
    pub const KIND: SolverKind = SolverKind::Rk4;

    /// The steps that a reference wants, at least `finest`.
    pub fn wanted(advice: &StepAdvice, frame_s: f64, finest: u32) -> u32 {
        let stable = (frame_s / (PART * advice.limit)).ceil().min(f64::from(MOST)) as u32;
        stable.max(finest).clamp(LEAST, MOST).next_multiple_of(2)
    }

    /// What of `wanted` can be had in `budget_s` if a step takes `step_s`: the run itself,
    /// and again at twice the step, `frames` frames each. None if no stable run can.
    pub fn affordable(
        wanted: u32,
        advice: &StepAdvice,
        frame_s: f64,
        (frames, step_s): (u64, f64),
        budget_s: f64,
    ) -> Result<Self, Shortfall> {
        let cost = |substeps: f64| 1.5 * substeps * frames as f64 * step_s;
        let would_take_s = cost(f64::from(wanted));
        if would_take_s <= budget_s {
            return Ok(Self { substeps: wanted, shortfall: None });
        }
        let shortfall = Shortfall { wanted, would_take_s };
        let most = (budget_s / cost(1.0)).floor();
        let substeps = 2 * (0.5 * most.min(f64::from(wanted))) as u32;
        if substeps < 2 || frame_s / f64::from(substeps) > LARGEST_PART * advice.limit {
            return Err(shortfall);
        }
        Ok(Self { substeps, shortfall: Some(shortfall) })
    }
}
