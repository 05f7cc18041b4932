//! The move of one vertex.

use glam::DVec3;

use crate::solvers::potential::{Local, StepPotential};

/// Halvings of a step after which a vertex stays where it is.
const HALVINGS: usize = 6;

/// A gain below this part of the local energy is rounding: the vertex is where it belongs.
const NOTHING: f64 = 1e-15;

/// Where vertex `i` goes, all others at `x`, such that G does not rise.
///
/// First the Newton step of the sharp block. Where that raises G, the step −∇g/b with the
/// bound b = m/h² + Σk + …: since ½k(|d| − L)² ≤ ½k|d − Lp|² for every unit vector p, equal
/// at p = d/|d|, the spring energy lies below a paraboloid of curvature k that touches it
/// here, and so the step to the lowest point of their sum cannot raise it. Hinges, plates and
/// triangles have no such bound: there the step is halved until G falls. Solids need no look: their
/// Newton step leads down (see `Tetras`). Whatever is tried, a
/// vertex goes only where its part of G is no higher: the rest of G does not know of it.
#[inline]
pub(super) fn moved(potential: &StepPotential, i: usize, x: &[DVec3]) -> DVec3 {
    let at = x[i];
    if potential.is_held(i) {
        return at;
    }
    if let Some(Local { gradient, block, .. }) = potential.sure(i, x) {
        let step = block.solve(-gradient);
        return if step.is_finite() { at + step } else { at };
    }
    let Local { energy, gradient, block, bound } = potential.local(i, at, x);
    let lower = |to: DVec3| potential.local_energy(i, to, x) <= energy;
    let step = block.solve(-gradient);
    if !(-gradient.dot(step) > NOTHING * energy.abs()) {
        return at;
    }
    if lower(at + step) {
        return at + step;
    }
    let mut step = -gradient / bound;
    for _ in 0..HALVINGS {
        if lower(at + step) {
            return at + step;
        }
        step *= 0.5;
    }
    at
}
