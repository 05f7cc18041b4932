//! Two hinges of one triangle that act together: energy and its derivatives.

use glam::DVec3;

use super::{ElasticHinge, HingeShape};
use crate::elements::BendCoupling;

/// E = Qψψ′ with ψ = 4(sin(θ/4) − sin(θ₀/4)), the law of [`BendCoupling`]. Its Hessian alone has
/// negative eigenvalues; with ½K cos²(θ/4)uuᵀ of all hinges it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticCoupling {
    /// The corners of both hinges, three of them named twice.
    pub corners: [[u32; 4]; 2],
    /// Q. [N·m]
    pub stiffness: f64,
    /// sin(θ₀/4) of both.
    pub rest_sines: [f64; 2],
}

impl ElasticCoupling {
    /// The coupling of two of `hinges`, in f64.
    pub fn new(coupling: &BendCoupling, hinges: &[ElasticHinge]) -> Self {
        Self::between(coupling.stiffness, coupling.hinges.map(|hinge| hinges[hinge as usize]))
    }

    /// The coupling of these two.
    pub fn between(stiffness: f32, both: [ElasticHinge; 2]) -> Self {
        Self {
            corners: both.map(|hinge| hinge.corners),
            stiffness: f64::from(stiffness),
            rest_sines: both.map(|hinge| libm::sin(0.5 * libm::asin(hinge.rest_sine))),
        }
    }

    /// ψ and dψ/dx of both hinges, whose corners lie at `x`; `None` where one has no angle.
    #[inline]
    pub fn both(&self, x: [DVec3; 8]) -> Option<[(f64, [DVec3; 4]); 2]> {
        let [a, b, c, d, e, f, g, h] = x;
        let shapes = [HingeShape::new([a, b, c, d])?, HingeShape::new([e, f, g, h])?];
        Some([self.turned(0, &shapes[0]), self.turned(1, &shapes[1])])
    }

    /// The places of all corners, of particles where `at` says. [m]
    pub fn places(&self, at: impl Fn(u32) -> DVec3) -> [DVec3; 8] {
        let [[a, b, c, d], [e, f, g, h]] = self.corners;
        [a, b, c, d, e, f, g, h].map(at)
    }

    /// No less than E of any shape; see [`ElasticHinge::worst`]. [J]
    #[inline]
    pub fn worst(&self) -> f64 {
        let [a, b] = self.rest_sines.map(|s| 4.0 * (std::f64::consts::FRAC_1_SQRT_2 + s.abs()));
        self.stiffness.abs() * a * b
    }

    #[inline]
    fn turned(&self, hinge: usize, shape: &HingeShape) -> (f64, [DVec3; 4]) {
        let (sine, cosine) = libm::sincos(0.25 * shape.angle);
        (4.0 * (sine - self.rest_sines[hinge]), shape.gradient.map(|u| u * cosine))
    }
}
