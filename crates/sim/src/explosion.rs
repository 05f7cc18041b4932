//! When a simulation has stopped being physical, and the sentence that says so.

use std::fmt;

use crate::measure;
use crate::model::Model;
use crate::simd::{Kernel, dispatch};
use crate::solvers::{SolverKind, StepAdvice};
use crate::state::State;

/// No cloth moves at this speed; an unstable step passes it within moments. [m/s]
const FASTEST: f32 = 1e4;

/// Nothing that hangs together is this far away. [m]
const FARTHEST: f32 = 1e6;

/// Which particle went wrong and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symptom {
    /// The particle.
    pub particle: usize,
    /// What was seen.
    pub sign: Sign,
}

/// What an explosion looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// A position or velocity is not a number or infinite.
    NotFinite,
    /// Faster than anything physical. [m/s]
    Speed(f32),
    /// Farther away than anything physical. [m]
    Distance(f32),
}

/// The end of a run: which particle, when and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct Explosion {
    /// First particle that went wrong.
    pub particle: usize,
    /// Its name for people.
    pub particle_name: String,
    /// What was seen.
    pub sign: Sign,
    /// When. [s]
    pub time: f64,
    /// The step that was taken. [s]
    pub h: f64,
    /// The method.
    pub solver: SolverKind,
    /// What the springs allow.
    pub advice: StepAdvice,
}

impl Explosion {
    pub(crate) fn new(
        model: &Model,
        symptom: Symptom,
        time: f64,
        h: f64,
        solver: SolverKind,
        advice: StepAdvice,
    ) -> Self {
        Self {
            particle: symptom.particle,
            particle_name: model.particle_name(symptom.particle),
            sign: symptom.sign,
            time,
            h,
            solver,
            advice,
        }
    }
}

impl fmt::Display for Explosion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the simulation exploded at t = {:.4} s: {} ", self.time, self.particle_name)?;
        match self.sign {
            Sign::Speed(speed) => write!(f, "reached {speed:.3e} m/s")?,
            Sign::Distance(distance) => write!(f, "is {distance:.3e} m away")?,
            Sign::NotFinite => write!(f, "has a value that is not finite")?,
        }
        let (step, limit) = (1e3 * self.h, 1e3 * self.advice.limit);
        let kind = self.solver.name();
        if !self.solver.is_explicit() {
            write!(
                f,
                ", although {kind} is stable at any step of springs: contact, wind or a held \
                 force that no cloth bears drove it there"
            )
        } else if !self.advice.has_stable_step() {
            write!(
                f,
                ", because {kind} gains energy at any step when springs have no damping \
                 (stiffest mode {:.0} rad/s)",
                self.advice.spectrum.omega
            )
        } else if self.h > self.advice.limit {
            write!(
                f,
                ", because the step of {step:.3} ms is above the stable {limit:.3} ms of these \
                 springs under {kind}"
            )
        } else {
            write!(
                f,
                ", although the step of {step:.3} ms is below the {limit:.3} ms that the springs \
                 allow at their present shape: large deformation, contact or wind made it stiffer"
            )
        }
    }
}

/// The first particle that is not physical, if any.
pub fn find_explosion(state: &State) -> Option<Symptom> {
    let far = [&state.x.x, &state.x.y, &state.x.z].into_iter().any(|x| any_beyond(x, FARTHEST));
    // Below this in each coordinate nothing is faster than the limit, or lost.
    let slow = 0.5 * FASTEST;
    if !far && ![&state.v.x, &state.v.y, &state.v.z].into_iter().any(|v| any_beyond(v, slow)) {
        return None;
    }
    let (fastest, speed) = measure::fastest(&state.v);
    let lost = [&state.v.x, &state.v.y, &state.v.z].into_iter().any(|v| any_beyond(v, f32::MAX));
    let suspicious = !(speed <= FASTEST) || lost;
    if !far && !suspicious {
        return None;
    }
    for i in 0..state.x.len() {
        let x = state.x.get(i);
        let finite = x.is_finite() && state.v.get(i).is_finite();
        if !finite {
            return Some(Symptom { particle: i, sign: Sign::NotFinite });
        }
        if x.abs().max_element() > FARTHEST {
            return Some(Symptom { particle: i, sign: Sign::Distance(x.length()) });
        }
    }
    suspicious.then_some(Symptom { particle: fastest, sign: Sign::Speed(speed) })
}

/// Whether any number is larger than `limit` or not a number.
fn any_beyond(values: &[f32], limit: f32) -> bool {
    let mut found = false;
    dispatch(AnyBeyond { values, limit, found: &mut found });
    found
}

/// No branches, so that it runs in vectors.
struct AnyBeyond<'a> {
    values: &'a [f32],
    limit: f32,
    found: &'a mut bool,
}

impl Kernel for AnyBeyond<'_> {
    #[inline(always)]
    fn run(self) {
        let beyond = |x: &f32| u32::from(!(x.abs() <= self.limit));
        *self.found = self.values.iter().fold(0, |all, x| all | beyond(x)) != 0;
    }
}
