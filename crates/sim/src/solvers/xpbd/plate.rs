//! A triangle of a plate as one constraint on the angles at its sides.

use glam::{DMat3, DVec3};

use super::constraint::{Constraint, LARGEST_TURN, Step};
use crate::elastic::{ElasticPlate, OTHERS};

/// C = (θ₁, θ₂, θ₃) with the torques of the plate: λ = −h²∂E/∂θ. All three at once:
/// (Q J W Jᵀ + I)Δλ = −h²∂E/∂θ − λ − hc J(x − x₀), Q being h² times the plate's curvature plus
/// hc. Neither Q nor J W Jᵀ has a negative eigenvalue, so the matrix has none below 1.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Plate(pub ElasticPlate);

impl Constraint<6> for Plate {
    type Multiplier = DVec3;

    fn corners(&self) -> [u32; 6] {
        self.0.corners
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: DVec3) -> (DVec3, [DVec3; 6]) {
        let nothing = (multiplier, [DVec3::ZERO; 6]);
        let corners = self.0.corners.map(|c| c as usize);
        let Some(shape) = self.0.shape(corners.map(|c| step.x[c])) else {
            return nothing;
        };
        let (u, square) = (&shape.gradient, step.h * step.h);
        let (mut weights, mut turned) = (DMat3::ZERO, DVec3::ZERO);
        for (corner, &particle) in corners.iter().enumerate() {
            let (w, way) = (step.weight[particle], step.way(particle));
            for a in 0..3 {
                turned[a] += u[a][corner].dot(way);
                for b in 0..3 {
                    weights.col_mut(b)[a] += w * u[a][corner].dot(u[b][corner]);
                }
            }
        }
        let mut curvature = DMat3::ZERO;
        let mut pull = multiplier + DVec3::from(shape.torque) * square;
        for (i, side) in self.0.sides.iter().enumerate() {
            let damping = side.map_or(0.0, |s| s.hinge.damping * step.h);
            curvature.col_mut(i)[i] = shape.curvature[i] * square + damping;
            pull[i] += damping * turned[i];
            let [a, b] = OTHERS[i];
            curvature.col_mut(a)[b] = shape.coupled[i] * square;
            curvature.col_mut(b)[a] = shape.coupled[i] * square;
        }
        let change = (curvature * weights + DMat3::IDENTITY).inverse() * -pull;
        let turn = (weights * change).abs().max_element();
        if !change.is_finite() || !turn.is_finite() {
            return nothing;
        }
        let change = if turn > LARGEST_TURN { change * (LARGEST_TURN / turn) } else { change };
        let moves = std::array::from_fn(|c| {
            let along = u[0][c] * change.x + u[1][c] * change.y + u[2][c] * change.z;
            along * step.weight[corners[c]]
        });
        (multiplier + change, moves)
    }
}
