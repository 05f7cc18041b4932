//! A tetrahedron as one constraint on the gradient of its motion.

use glam::{DMat3, DVec3};

use super::constraint::{Constraint, Step};
use crate::elastic::{ElasticTetra, cofactors, frobenius};

/// C = (F, J): Λ = −h²V(P + p cof F), all at once.
///
/// Macklin and Müller 2021 take |F| and J as two constraints. |F| has no slope across F, so that the
/// shear of a solid would be explicit; its energy ½c|F|² is that of nine linear constraints F,
/// which lose nothing. With A = Σ w g gᵀ the pull X moves F by X A, and
/// X + κ X A + κᵥ cof F (cof F : X A) = −h²VP − Λ − damping
/// has κ = h²V(c + |p| s₀) and κᵥ = h²Vλ: no less than half the curvature of W in any shape, also inside
/// out (see `TetraMaterial::pull`), so that small solves lead down. It takes one 3 × 3 inverse.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Tetra(pub ElasticTetra);

/// Λ. [kg·m²]
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Pulls(DMat3);

impl Default for Pulls {
    fn default() -> Self {
        Self(DMat3::ZERO)
    }
}

/// F changes by no more than this part of its size, or of 1, in one solve: J is cubic, and the
/// slope of a squashed tetrahedron says too little.
const LARGEST_CHANGE: f64 = 0.5;

impl Constraint<4> for Tetra {
    type Multiplier = Pulls;

    fn corners(&self) -> [u32; 4] {
        self.0.corners
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: Pulls) -> (Pulls, [DVec3; 4]) {
        let tetra = &self.0;
        let corners = tetra.corners.map(|c| c as usize);
        let weights = corners.map(|c| step.weight[c]);
        let f = tetra.gradient_of_motion(corners.map(|c| step.x[c]));
        let (square, v) = (step.h * step.h, tetra.volume);
        let cof = cofactors(f);
        let pull = tetra.material.pull(f);
        let size = (frobenius(f, f) / 3.0).sqrt();
        let stiffness = pull.stiffness + pull.pressure.abs() * greatest(f).sqrt();
        let (mut kappa, mut kappa_v) = (square * v * stiffness, square * v * tetra.material.bulk);
        let mut rest = (pull.stress + cof * pull.pressure) * (-square * v) - multiplier.0;
        if tetra.damping > 0.0 {
            // h² V β of stiffnesses over h: c ∇C·(x − x₀) of the strain.
            let [shear, bulk] = tetra.damper(step.h);
            let start = tetra.gradient_of_motion(corners.map(|c| step.start[c]));
            let (way, across) = (f - start, cofactors(start));
            let slope = start.transpose() * way;
            rest -= start * (slope + slope.transpose()) * shear;
            rest -= across * (bulk * frobenius(across, way));
            kappa += 2.0 * shear * greatest(start);
            kappa_v += bulk;
        }
        let mobility = tetra.mobility(weights);
        let inverse = (DMat3::IDENTITY + mobility * kappa).inverse();
        let mut change = rest * inverse;
        let along = cof * mobility;
        let cof_inverse = cof * inverse;
        let volume = frobenius(along, change) / (1.0 + kappa_v * frobenius(along, cof_inverse));
        change -= cof_inverse * (kappa_v * volume);
        let moved = change * mobility;
        let way = frobenius(moved, moved).sqrt();
        if !way.is_finite() {
            return (multiplier, [DVec3::ZERO; 4]);
        }
        let most = LARGEST_CHANGE * size.max(1.0);
        let part = if way > most { most / way } else { 1.0 };
        let change = change * part;
        let moves = std::array::from_fn(|c| change * tetra.slopes[c] * weights[c]);
        (Pulls(multiplier.0 + change), moves)
    }
}

/// No less than the square of the largest singular value: the largest sum of a row of FᵀF.
#[inline]
fn greatest(f: DMat3) -> f64 {
    let square = f.transpose() * f;
    let row = |c: usize| square.col(c).abs().element_sum();
    row(0).max(row(1)).max(row(2))
}
