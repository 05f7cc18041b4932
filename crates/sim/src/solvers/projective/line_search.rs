//! How far to go along a way.

use glam::DVec3;

use crate::parallel::for_each_heavy_part;
use crate::solvers::potential::{Pieces, StepPotential};

/// Halves the way of each piece until its G does not rise: G is a sum over pieces, so one that
/// has trouble does not hold up the others.
#[derive(Debug)]
pub(super) struct LineSearch {
    pieces: Pieces,
    tries: Vec<Try>,
    tried: Vec<DVec3>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Try {
    /// G where the piece is. [J]
    energy: f64,
    /// Part of the way that is gone.
    part: f64,
    done: bool,
}

/// Halvings after which a piece stays where it is.
const HALVINGS: usize = 8;

impl LineSearch {
    pub fn new(pieces: Pieces) -> Self {
        let tried = vec![DVec3::ZERO; pieces.particles()];
        Self { tries: vec![Try::default(); pieces.count()], pieces, tried }
    }

    /// Starts from `x`.
    pub fn begin(&mut self, potential: &StepPotential, x: &[DVec3]) {
        for (t, energy) in self.tries.iter_mut().zip(self.pieces.energies(potential, x)) {
            t.energy = energy;
        }
    }

    /// Moves `x`, where the last search ended, along `way`. Returns the square of the longest
    /// way gone. [m²]
    pub fn go(&mut self, potential: &StepPotential, x: &mut [DVec3], way: &[DVec3]) -> f64 {
        let Self { pieces, tries, tried } = self;
        tries.iter_mut().for_each(|t| (t.part, t.done) = (1.0, false));
        for _ in 0..HALVINGS {
            let (from, pieces_now, tries_now) = (&*x, &*pieces, &*tries);
            for_each_heavy_part(tried.as_mut_slice(), 1, &|first, out: &mut [DVec3]| {
                for (i, out) in out.iter_mut().enumerate().map(|(i, out)| (first + i, out)) {
                    *out = from[i] + way[i] * tries_now[pieces_now.of(i)].part;
                }
            });
            for (t, energy) in tries.iter_mut().zip(pieces.energies(potential, tried)) {
                if t.done {
                    continue;
                }
                if energy <= t.energy {
                    (t.energy, t.done) = (energy, true);
                } else {
                    t.part *= 0.5;
                }
            }
            if tries.iter().all(|t| t.done) {
                break;
            }
        }
        let mut longest = 0.0f64;
        for (i, (x, to)) in x.iter_mut().zip(&*tried).enumerate() {
            if tries[pieces.of(i)].done {
                longest = longest.max((*to - *x).length_squared());
                *x = *to;
            }
        }
        longest
    }
}
