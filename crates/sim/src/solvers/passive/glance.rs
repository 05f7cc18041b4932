//! Whether a step is worth an account: a look that costs next to nothing.

use glam::DVec3;

use crate::model::Model;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::Soa3Ref;
use crate::state::State;

/// Motion of the last step, and by how much a medium makes particles heavier.
#[derive(Debug, Default)]
pub(super) struct Glance {
    /// Σ ½m|v|². [J]
    pub motion: f64,
    /// Largest 1 + hb/m, for a step of h.
    heavier: Option<(f64, f64)>,
    /// What somebody knows of the state that comes next.
    pub known: Option<Known>,
}

/// Sums over a state.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Known {
    /// Σ m v. [kg·m/s]
    momentum: DVec3,
    /// Σ ½m|v|². [J]
    motion: f64,
    /// K and K₀, both with the inertia of the medium, if nothing is held. [J]
    gained: Option<[f64; 2]>,
}

impl Known {
    /// From Σ m v by coordinate, Σ m|v|² and Σ m|v₀|² with v₀ as in K₀; `all_move`: nothing is held
    /// and no medium resists.
    pub fn new([x, y, z, motion, before]: [f64; 5], all_move: bool) -> Self {
        Self::with_medium([x, y, z, motion, motion], before, all_move)
    }

    /// The same where a medium may resist: `after` and `before` are Σ (m + hb)|v|² and Σ (m + hb)|v₀|².
    pub fn with_medium([x, y, z, motion, after]: [f64; 5], before: f64, all_move: bool) -> Self {
        let gained = all_move.then_some([0.5 * after, 0.5 * before]);
        Self { momentum: DVec3::new(x, y, z), motion: 0.5 * motion, gained }
    }
}

/// More than sums in f32 are wrong by, relative to what they add up.
const SURELY: f64 = 1e-4;

impl Glance {
    /// Takes note of the motion of `state`; returns the momentum. [kg·m/s]
    pub fn look(&mut self, state: &State, model: &Model) -> DVec3 {
        if let Some(known) = self.known.take() {
            self.motion = known.motion;
            return known.momentum;
        }
        let (mut momentum, mut motion) = ([0.0; 3], 0.0);
        let v = state.v.view();
        dispatch(Sums { v, mass: &model.mass, momentum: &mut momentum, motion: &mut motion });
        self.motion = 0.5 * motion;
        DVec3::from_array(momentum)
    }

    /// Takes note of the motion that somebody knows, if anybody does.
    pub fn see(&mut self) -> bool {
        let known = self.known.take();
        self.motion = known.map_or(self.motion, |known| known.motion);
        known.is_some()
    }

    /// Whether it is known without an account that K − K₀ − Σ m g·Δx is less than this `part` of K₀,
    /// where weight changes velocities by `fall` [m/s].
    pub fn surely_gains_less(&self, part: f64, fall: DVec3) -> bool {
        let Some(Known { momentum, gained: Some([motion, before]), .. }) = self.known else {
            return false;
        };
        let lowered = fall.dot(momentum);
        let error = SURELY * (motion + before + lowered.abs());
        motion - lowered - before + error <= part * before
    }

    /// No less than what motion and height have gained in the step that led to `state`, and
    /// K₀, if the motion of the step before is all that it started with. [J]
    pub fn gain(&mut self, state: &State, model: &Model, h: f64) -> Option<[f64; 2]> {
        let usual = state.memory.started
            && state.contacts == 0
            && state.hands.grabs.is_empty()
            && model.kept.is_empty()
            && !model.edges.has_limits();
        let before = f64::from(*state.memory.numbers.get(1)?);
        if !usual {
            return None;
        }
        let heavier = match self.heavier {
            Some((at, heavier)) if at == h => heavier,
            _ => heaviest(model, h),
        };
        self.heavier = Some((h, heavier));
        let before = before / heavier;
        let lowered = h * state.hands.gravity(model).as_dvec3().dot(self.look(state, model));
        Some([self.motion * heavier - lowered - before, before])
    }
}

/// Largest 1 + hb/m.
fn heaviest(model: &Model, h: f64) -> f64 {
    let particles = model.damping.iter().zip(&model.inverse_mass);
    particles.map(|(&b, &w)| 1.0 + h * f64::from(b) * f64::from(w)).fold(1.0, f64::max)
}

/// Σ m v and Σ m|v|², in blocks whose sums in f32 are exact enough.
struct Sums<'a> {
    v: Soa3Ref<'a>,
    mass: &'a [f32],
    momentum: &'a mut [f64; 3],
    motion: &'a mut f64,
}

/// Numbers to a block.
const BLOCK: usize = 16 * LANES;

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { v, mass, momentum, motion } = self;
        for (v, momentum) in [v.x, v.y, v.z].into_iter().zip(momentum) {
            for (v, m) in v.chunks(BLOCK).zip(mass.chunks(BLOCK)) {
                let (mut first, mut second) = (Lane::ZERO, Lane::ZERO);
                let (v, m) = (v.chunks_exact(LANES), m.chunks_exact(LANES));
                for (v, m) in v.remainder().iter().zip(m.remainder()) {
                    *momentum += f64::from(m * v);
                    *motion += f64::from(m * v * v);
                }
                for (v, m) in v.zip(m) {
                    let (v, m) = (Lane::full(v, 0), Lane::full(m, 0));
                    for l in 0..LANES {
                        let share = m.0[l] * v.0[l];
                        first.0[l] += share;
                        second.0[l] += share * v.0[l];
                    }
                }
                let (first, second) = (first.0, second.0);
                *momentum += first.iter().map(|&s| f64::from(s)).sum::<f64>();
                *motion += second.iter().map(|&s| f64::from(s)).sum::<f64>();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_denied_only_where_it_is_surely_small() {
        let fall = DVec3::new(0.0, -0.01, 0.0);
        let glance = |[motion, before, sinks]: [f64; 3], all_move: bool| Glance {
            known: Some(Known::new([0.0, -sinks, 0.0, motion, before], all_move)),
            ..Glance::default()
        };
        let sure = |sums, all_move| glance(sums, all_move).surely_gains_less(0.01, fall);
        // ½·2 J before; 1 % more is what is asked for.
        assert!(sure([2.0, 2.0, 0.0], true) && sure([2.018, 2.0, 0.0], true));
        assert!(!sure([2.02, 2.0, 0.0], true) && !sure([2.03, 2.0, 0.0], true));
        // 10 kg·m/s downwards give 0.1 J.
        assert!(sure([2.2, 2.0, 10.0], true) && !sure([2.2, 2.0, -10.0], true));
        assert!(!sure([1.0, 2.0, 0.0], false), "what is held is in these sums");
        assert!(!sure([f64::NAN, 2.0, 0.0], true));
        assert!(!Glance::default().surely_gains_less(0.01, fall), "nothing is known");
    }
}
