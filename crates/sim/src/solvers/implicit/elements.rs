//! Springs, hinges and membrane triangles as elements of a stage.
//!
//! Damping is the potential ½(c/τ)(s − ŝ)² of the change of a length, angle or strain s over the stage:
//! its slope is c ṡ along the present direction, it takes energy at any step, and turning a
//! body costs nothing.

use glam::{DMat3, DVec3};

use super::batch::Element;
use crate::elastic::{
    ElasticCoupling, ElasticHinge, ElasticSpring, ElasticTriangle, HingeShape, TriangleShape,
    outer, tension_of, turn,
};

/// The spring that an elastic one and its damper make together:
/// ½k(l − L)² + ½(c/τ)(l − l̂)² = ½K(l − R)² + constant, K = k + c/τ, R = (kL + (c/τ)l̂)/K.
fn with_damper(spring: &ElasticSpring, length: f64, rate: f64) -> ElasticSpring {
    if spring.damping == 0.0 || rate == 0.0 {
        return *spring;
    }
    let damper = spring.damping * rate;
    let stiffness = spring.stiffness + damper;
    let rest = (spring.stiffness * spring.rest + damper * length) / stiffness;
    ElasticSpring { stiffness, rest, ..*spring }
}

impl Element<2> for ElasticSpring {
    /// l̂.
    type Lag = f64;
    /// Gradient and Hessian of the second end.
    type Slopes = (DVec3, DMat3);

    fn corners(&self) -> [u32; 2] {
        self.ends
    }

    fn lag(&self, [a, b]: [DVec3; 2]) -> f64 {
        (b - a).length()
    }

    fn energy(&self, lag: &f64, [a, b]: [DVec3; 2], rate: f64) -> f64 {
        with_damper(self, *lag, rate).energy(b - a)
    }

    fn slopes(&self, lag: &f64, [a, b]: [DVec3; 2], rate: f64) -> Self::Slopes {
        let spring = with_damper(self, *lag, rate);
        (spring.gradient(b - a), spring.hessian(b - a))
    }

    fn gradient(&self, slopes: &Self::Slopes, corner: usize) -> DVec3 {
        if corner == 0 { -slopes.0 } else { slopes.0 }
    }

    fn block(&self, slopes: &Self::Slopes, row: usize, column: usize) -> DMat3 {
        if row == column { slopes.1 } else { -slopes.1 }
    }
}

/// A hinge's ∂θ/∂x with the first and second derivative by θ.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HingeSlopes {
    gradient: [DVec3; 4],
    torque: f64,
    curvature: f64,
}

impl Element<4> for ElasticHinge {
    /// θ̂, if there was one.
    type Lag = Option<f64>;
    type Slopes = HingeSlopes;

    fn corners(&self) -> [u32; 4] {
        self.corners
    }

    fn lag(&self, base: [DVec3; 4]) -> Option<f64> {
        if self.damping == 0.0 { None } else { HingeShape::new(base).map(|shape| shape.angle) }
    }

    fn energy(&self, lag: &Option<f64>, x: [DVec3; 4], rate: f64) -> f64 {
        let Some(shape) = HingeShape::new(x) else { return self.worst() };
        let turned = lag.map_or(0.0, |lag| turn(lag, shape.angle));
        ElasticHinge::energy(self, shape.angle) + 0.5 * self.damping * rate * turned * turned
    }

    fn slopes(&self, lag: &Option<f64>, x: [DVec3; 4], rate: f64) -> HingeSlopes {
        let Some(HingeShape { angle, gradient }) = HingeShape::new(x) else {
            return HingeSlopes::default();
        };
        let mut out =
            // Not E″: couplings of hinges need more.
            HingeSlopes { gradient, torque: self.torque(angle), curvature: self.coupled_curvature(angle) };
        if let Some(lag) = lag {
            out.torque += self.damping * rate * turn(*lag, angle);
            out.curvature += self.damping * rate;
        }
        out
    }

    fn gradient(&self, slopes: &HingeSlopes, corner: usize) -> DVec3 {
        slopes.gradient[corner] * slopes.torque
    }

    fn block(&self, slopes: &HingeSlopes, row: usize, column: usize) -> DMat3 {
        outer(slopes.gradient[row], slopes.gradient[column] * slopes.curvature)
    }
}

/// ψ of two hinges with Q, and dψ/dx over the corners of both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CouplingSlopes {
    stiffness: f64,
    turned: [f64; 2],
    gradient: [[DVec3; 4]; 2],
}

impl Element<8> for ElasticCoupling {
    type Lag = ();
    type Slopes = CouplingSlopes;

    fn corners(&self) -> [u32; 8] {
        let [[a, b, c, d], [e, f, g, h]] = self.corners;
        [a, b, c, d, e, f, g, h]
    }

    fn lag(&self, _: [DVec3; 8]) {}

    fn energy(&self, _: &(), x: [DVec3; 8], _: f64) -> f64 {
        self.both(x).map_or(self.worst(), |[(a, _), (b, _)]| self.stiffness * a * b)
    }

    fn slopes(&self, _: &(), x: [DVec3; 8], _: f64) -> CouplingSlopes {
        self.both(x).map_or_else(CouplingSlopes::default, |[a, b]| CouplingSlopes {
            stiffness: self.stiffness,
            turned: [a.0, b.0],
            gradient: [a.1, b.1],
        })
    }

    fn gradient(&self, slopes: &CouplingSlopes, corner: usize) -> DVec3 {
        let (hinge, own) = (corner / 4, corner % 4);
        slopes.gradient[hinge][own] * (slopes.stiffness * slopes.turned[1 - hinge])
    }

    fn block(&self, slopes: &CouplingSlopes, row: usize, column: usize) -> DMat3 {
        // Only what one hinge's angle does to the other's.
        if row / 4 == column / 4 {
            return DMat3::ZERO;
        }
        let of = |corner: usize| slopes.gradient[corner / 4][corner % 4];
        outer(of(row), of(column) * slopes.stiffness)
    }
}

/// A triangle's F, its stress with damping, and what of that counts in the Hessian.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TriangleSlopes {
    columns: [DVec3; 2],
    stress: [f64; 3],
    tension: [f64; 3],
    /// 1 + β/τ.
    more: f64,
}

impl Element<3> for ElasticTriangle {
    /// ε̂.
    type Lag = [f64; 3];
    type Slopes = TriangleSlopes;

    fn corners(&self) -> [u32; 3] {
        self.corners
    }

    fn lag(&self, base: [DVec3; 3]) -> [f64; 3] {
        self.shape(base).strain
    }

    fn energy(&self, lag: &[f64; 3], x: [DVec3; 3], rate: f64) -> f64 {
        let strain = self.shape(x).strain;
        let change = [0, 1, 2].map(|k| strain[k] - lag[k]);
        let elastic = ElasticTriangle::energy(self, strain);
        elastic + self.damping * rate * ElasticTriangle::energy(self, change)
    }

    fn slopes(&self, lag: &[f64; 3], x: [DVec3; 3], rate: f64) -> TriangleSlopes {
        let TriangleShape { columns, strain } = self.shape(x);
        let damper = self.damping * rate;
        let stress = self.stress([0, 1, 2].map(|k| strain[k] + damper * (strain[k] - lag[k])));
        TriangleSlopes { columns, stress, tension: tension_of(stress), more: 1.0 + damper }
    }

    fn gradient(&self, slopes: &TriangleSlopes, corner: usize) -> DVec3 {
        ElasticTriangle::gradient(self, slopes.columns, slopes.stress, corner)
    }

    fn block(&self, slopes: &TriangleSlopes, row: usize, column: usize) -> DMat3 {
        self.hessian(slopes.columns, (slopes.tension, slopes.more), row, column)
    }
}
