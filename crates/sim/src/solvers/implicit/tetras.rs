//! Tetrahedra as elements of a stage.

use glam::{DMat3, DVec3};

use super::batch::Element;
use crate::elastic::{ElasticTetra, TetraCurvature, TetraStrain};

/// V P with damping, and the second derivative by its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TetraSlopes {
    stress: DMat3,
    curvature: Option<TetraCurvature>,
    f: DMat3,
    rate: f64,
}

impl Element<4> for ElasticTetra {
    /// Ê and Ĵ.
    type Lag = TetraStrain;
    type Slopes = TetraSlopes;

    fn corners(&self) -> [u32; 4] {
        self.corners
    }

    fn lag(&self, base: [DVec3; 4]) -> TetraStrain {
        TetraStrain::of(self.gradient_of_motion(base))
    }

    fn energy(&self, lag: &TetraStrain, x: [DVec3; 4], rate: f64) -> f64 {
        let f = self.gradient_of_motion(x);
        let damped = self.damping * rate > 0.0;
        let lost = if damped { self.dissipation(lag, f, rate) } else { 0.0 };
        ElasticTetra::energy(self, f) + lost
    }

    fn slopes(&self, lag: &TetraStrain, x: [DVec3; 4], rate: f64) -> TetraSlopes {
        let f = self.gradient_of_motion(x);
        let mut stress = self.stress(f);
        if self.damping * rate > 0.0 {
            stress += self.dissipation_stress(lag, f, rate);
        }
        TetraSlopes { stress, curvature: Some(self.curvature(f)), f, rate }
    }

    fn gradient(&self, slopes: &TetraSlopes, corner: usize) -> DVec3 {
        ElasticTetra::gradient(self, slopes.stress, corner)
    }

    fn block(&self, slopes: &TetraSlopes, row: usize, column: usize) -> DMat3 {
        let elastic = slopes.curvature.map_or(DMat3::ZERO, |own| own.block(row, column));
        if self.damping * slopes.rate > 0.0 {
            elastic + self.dissipation_block(slopes.f, slopes.rate, row, column)
        } else {
            elastic
        }
    }
}
