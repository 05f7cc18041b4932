//! Newton's method on the potential of a stage, with a line search that never lets it rise.

use glam::DVec3;

use super::objective::Objective;
use super::pcg::{Pcg, PcgLimits, dot};
use crate::solvers::{Effort, Newton};

/// Newton steps at most, unless told otherwise: far more than calm cloth needs, enough for a
/// crumpled start to get near.
const ITERATIONS: u32 = 40;

/// Remaining residual, relative to the first, unless told otherwise.
const TOLERANCE: f64 = 1e-4;

/// A Newton step shorter than this part of an element's length ends the iteration: positions
/// are kept in f32, which cannot tell.
const SHORTEST: f64 = 1e-8;

/// Part of the decrease that a linear model promises which a step must bring (Armijo).
const ARMIJO: f64 = 1e-4;

/// Halvings of a step before the line search gives up.
const HALVINGS: usize = 40;

/// Iterations of one linear solve at most. What they leave is a direction of descent anyway.
const LINEAR_ITERATIONS: usize = 1000;

/// The best and the worst that a linear solve aims at, relative: while Newton's own error is
/// large, a better one is wasted.
const LINEAR_TOLERANCE: [f64; 2] = [1e-4, 0.1];

/// The method with its buffers.
#[derive(Debug)]
pub(super) struct NewtonMethod {
    options: Newton,
    pcg: Pcg,
    gradient: Vec<DVec3>,
    direction: Vec<DVec3>,
    trial: Vec<DVec3>,
}

impl NewtonMethod {
    pub fn new(options: Newton, particles: usize) -> Self {
        let zeros = || vec![DVec3::ZERO; particles];
        Self {
            options,
            pcg: Pcg::new(particles),
            gradient: zeros(),
            direction: zeros(),
            trial: zeros(),
        }
    }

    /// Moves `z` from where it is to a minimum of G, or to the lowest point it can find.
    pub fn minimise(&mut self, objective: &mut Objective, z: &mut [DVec3], effort: &mut Effort) {
        let most = self.options.iterations.unwrap_or(ITERATIONS).max(1);
        let tolerance = self.options.tolerance.map_or(TOLERANCE, f64::from);
        let mut value = objective.value(z);
        let (mut first, mut last) = (0.0, f64::INFINITY);
        for iteration in 0..=most {
            objective.gradient(z, &mut self.gradient);
            let left = residual(objective, &self.gradient);
            if iteration == 0 {
                first = left;
            }
            effort.residual = if first > 0.0 { left / first } else { 0.0 };
            if !(left > tolerance * first) || iteration == most {
                return;
            }
            effort.iterations += 1;
            objective.assemble();
            // Eisenstat and Walker 1996: as good as the last step turned out to be.
            let [best, worst] = LINEAR_TOLERANCE;
            let trusted = 0.9 * (left / last) * (left / last);
            let needed = 0.5 * tolerance * first / left;
            last = left;
            self.solve(objective, trusted.max(needed).clamp(best, worst), effort);
            let Some((after, moved)) = self.search(objective, value, z) else {
                // Rounding, or a fold in the energy: this is the lowest point in sight.
                return;
            };
            value = after;
            if moved <= SHORTEST * objective.scale {
                return;
            }
        }
    }

    fn solve(&mut self, objective: &Objective, tolerance: f64, effort: &mut Effort) {
        let Self { pcg, gradient, direction, .. } = self;
        pcg.prepare(&objective.matrix);
        let system = (&objective.matrix, objective.fixed.as_slice());
        let limits = PcgLimits { tolerance, iterations: LINEAR_ITERATIONS };
        effort.linear_iterations += pcg.solve(system, gradient, limits, direction) as u64;
    }

    /// Goes along the Newton direction, else along steepest descent, as far as G falls.
    /// Returns the new G and the farthest that a particle moved.
    fn search(
        &mut self,
        objective: &mut Objective,
        value: f64,
        z: &mut [DVec3],
    ) -> Option<(f64, f64)> {
        if let Some(found) = self.backtrack(objective, value, z) {
            return Some(found);
        }
        self.pcg.descend(&self.gradient, &mut self.direction);
        self.backtrack(objective, value, z)
    }

    fn backtrack(
        &mut self,
        objective: &mut Objective,
        value: f64,
        z: &mut [DVec3],
    ) -> Option<(f64, f64)> {
        let Self { gradient, direction, trial, .. } = self;
        let slope = dot(gradient, direction);
        let reach = direction.iter().map(|p| p.length_squared()).fold(0.0, f64::max).sqrt();
        if !(slope < 0.0) || !slope.is_finite() || !reach.is_finite() {
            return None;
        }
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            for ((trial, z), p) in trial.iter_mut().zip(&*z).zip(&*direction) {
                *trial = *z + *p * part;
            }
            let after = objective.value(trial);
            // What the sum of energies rounds away cannot be asked for.
            let rounding = 4.0 * f64::EPSILON * value.abs();
            if after <= value + ARMIJO * part * slope + rounding {
                z.copy_from_slice(trial);
                return Some((after, part * reach));
            }
            part *= 0.5;
        }
        None
    }
}

/// τ²|∂G| in the norm of the masses: how far off the positions could be if nothing but inertia
/// held them. [m·√kg]
fn residual(objective: &Objective, gradient: &[DVec3]) -> f64 {
    let weigh = |(g, m): (&DVec3, &f64)| if *m > 0.0 { g.length_squared() / m } else { 0.0 };
    gradient.iter().zip(&objective.inertia).map(weigh).sum::<f64>().sqrt()
}
