//! A membrane triangle as one constraint on its three strains.

use glam::DVec3;

use super::constraint::{Constraint, Step};
use crate::elastic::{ElasticTriangle, TriangleShape};
use crate::solvers::sym3::Sym3;

/// C = ε = (E₁₁, E₂₂, γ), K = h²AY: (K + B)(J W Jᵀ)Δλ + Δλ = −Kε − λ − B J(x − x₀), B = hβAY. With
/// Δλ = Sμ and S² = K + B the matrix becomes S J W Jᵀ S + I, symmetric and never below I.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Triangle(pub ElasticTriangle);

/// A column of F changes by no more than this part of its length, or of 1, in one solve: strains
/// are quadratic, and the slope of a squashed triangle says too little.
const LARGEST_CHANGE: f64 = 0.5;

impl Constraint<3> for Triangle {
    type Multiplier = DVec3;

    fn corners(&self) -> [u32; 3] {
        self.0.corners
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: DVec3) -> (DVec3, [DVec3; 3]) {
        let ElasticTriangle { corners, slopes, stiffness, damping } = self.0;
        let corners = corners.map(|c| c as usize);
        let TriangleShape { columns: [f1, f2], strain } = self.0.shape(corners.map(|c| step.x[c]));
        let k = DVec3::from(stiffness) * (step.h * step.h);
        let b = DVec3::from(stiffness) * (step.h * damping);
        let scale = DVec3::from((k + b).to_array().map(f64::sqrt));
        let jacobian = slopes.map(|[g1, g2]| [f1 * g1, f2 * g2, f1 * g2 + f2 * g1]);
        let (mut matrix, mut stretched) = (Sym3::default(), DVec3::ZERO);
        matrix.add_scalar(1.0);
        for (&[j1, j2, j12], &particle) in jacobian.iter().zip(&corners) {
            let way = step.way(particle);
            stretched += DVec3::new(j1.dot(way), j2.dot(way), j12.dot(way));
            for axis in 0..3 {
                let row = DVec3::new(j1[axis], j2[axis], j12[axis]);
                matrix.add_outer(step.weight[particle], row * scale);
            }
        }
        let pull = k * DVec3::from(strain) + multiplier + b * stretched;
        let side = |i: usize| if scale[i] > 0.0 { -pull[i] / scale[i] } else { 0.0 };
        let change = matrix.solve(DVec3::new(side(0), side(1), side(2))) * scale;
        let moves: [DVec3; 3] = std::array::from_fn(|c| {
            let [j1, j2, j12] = jacobian[c];
            (j1 * change.x + j2 * change.y + j12 * change.z) * step.weight[corners[c]]
        });
        let mut part = 1.0f64;
        for (axis, f) in [f1, f2].into_iter().enumerate() {
            let way: DVec3 = moves.iter().zip(&slopes).map(|(p, g)| *p * g[axis]).sum();
            part = part.min(LARGEST_CHANGE * f.length().max(1.0) / way.length());
        }
        if !(change.is_finite() && part > 0.0) {
            return (multiplier, [DVec3::ZERO; 3]);
        }
        (multiplier + change * part, moves.map(|p| p * part))
    }
}
