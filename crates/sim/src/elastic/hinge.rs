//! Bending by an angle: energy and its derivatives.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::elements::AngleBend;

/// E = K(2cos(θ₀/2) − 2cos(θ/2) − sin(θ₀/2)(θ − θ₀)), the law of
/// [`AngleBend`], with E′ = K(sin(θ/2) − sin(θ₀/2)) and E″ = ½K cos(θ/2) ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticHinge {
    /// The two far corners, then the two ends of the shared edge.
    pub corners: [u32; 4],
    /// K. [N·m]
    pub stiffness: f64,
    /// Torque per turning speed. [N·m·s]
    pub damping: f64,
    /// sin(θ₀/2).
    pub rest_sine: f64,
}

/// A hinge at one shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeShape {
    /// θ, zero when flat.
    pub angle: f64,
    /// ∂θ/∂x of each corner. [1/m]
    pub gradient: [DVec3; 4],
}

/// Four f32 positions at this distance from the origin differ by so much of it without anybody
/// having moved them.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;

impl ElasticHinge {
    /// The same hinge in f64.
    pub fn new(bend: &AngleBend) -> Self {
        Self {
            corners: bend.corners,
            stiffness: f64::from(bend.stiffness),
            damping: f64::from(bend.damping),
            rest_sine: f64::from(bend.rest_sine),
        }
    }

    /// E at θ. [J]
    #[inline]
    pub fn energy(&self, angle: f64) -> f64 {
        let rest = 2.0 * libm::asin(self.rest_sine);
        let well = |a: f64| -2.0 * libm::cos(0.5 * a) - self.rest_sine * a;
        self.stiffness * (well(angle) - well(rest))
    }

    /// No less than E at any θ. A hinge with a triangle of no area counts as folded flat:
    /// whatever shape it opens to holds less, so that nothing is caught in a shape without
    /// forces. [J]
    #[inline]
    pub fn worst(&self) -> f64 {
        self.energy(PI).max(self.energy(-PI))
    }

    /// E′ at θ: the torque. [N·m]
    #[inline]
    pub fn torque(&self, angle: f64) -> f64 {
        self.stiffness * (libm::sin(0.5 * angle) - self.rest_sine)
    }

    /// ½K cos²(θ/4) ≥ E″: with u = ∂θ/∂x, this times uuᵀ has no negative eigenvalue,
    /// also together with the couplings of hinges. [N·m]
    #[inline]
    pub fn coupled_curvature(&self, angle: f64) -> f64 {
        0.25 * self.stiffness * (1.0 + libm::cos(0.5 * angle))
    }

    /// E″ at θ, never negative. With u = ∂θ/∂x, E″uuᵀ is the Hessian without the term that
    /// may be negative. [N·m]
    #[inline]
    pub fn curvature(&self, angle: f64) -> f64 {
        0.5 * self.stiffness * libm::cos(0.5 * angle).max(0.0)
    }
}

impl HingeShape {
    /// The shape of four corners; `None` where a triangle is so thin that its normal is
    /// noise once positions are kept in f32: there a hinge has no force.
    #[inline]
    pub fn new(x: [DVec3; 4]) -> Option<Self> {
        let n1 = (x[0] - x[2]).cross(x[0] - x[3]);
        let n2 = (x[1] - x[3]).cross(x[1] - x[2]);
        let edge = x[3] - x[2];
        let far = x.iter().fold(DVec3::ZERO, |far, x| far.max(x.abs())).max_element();
        let length = edge.length();
        let floor = length * (1e-6 * length + ROUNDING * far);
        let thin = |n: DVec3| n.length_squared() <= floor * floor;
        if floor == 0.0 || thin(n1) || thin(n2) {
            return None;
        }
        let along = edge / length;
        let (m1, m2) = (n1 / n1.length_squared(), n2 / n2.length_squared());
        let [a, b, start, end] = x;
        let (u1, u2) = (n1.normalize(), n2.normalize());
        Some(Self {
            angle: libm::atan2(u1.cross(u2).dot(along), u1.dot(u2)),
            gradient: [
                m1 * -length,
                m2 * -length,
                m1 * -(a - end).dot(along) + m2 * -(b - end).dot(along),
                m1 * (a - start).dot(along) + m2 * (b - start).dot(along),
            ],
        })
    }
}

/// The way from one angle to another, the shorter way round.
#[inline]
pub(crate) fn turn(from: f64, to: f64) -> f64 {
    let way = to - from;
    if way > PI {
        way - TAU
    } else if way < -PI {
        way + TAU
    } else {
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(height: f64) -> [DVec3; 4] {
        [
            DVec3::new(-0.4, height, 0.45),
            DVec3::new(0.5, 0.7 * height, 0.6),
            DVec3::new(0.02, 0.0, 0.0),
            DVec3::new(0.0, 0.03, 1.0),
        ]
    }

    #[test]
    fn torque_times_gradient_is_the_slope_of_the_energy() {
        let corners = [0, 1, 2, 3];
        let hinge = ElasticHinge { corners, stiffness: 2.0, damping: 0.0, rest_sine: 0.1 };
        for height in [0.3, -0.4] {
            let shape = HingeShape::new(folded(height)).unwrap();
            for (corner, axis) in (0..4).flat_map(|c| (0..3).map(move |a| (c, a))) {
                let energy = |shift: f64| {
                    let mut x = folded(height);
                    x[corner][axis] += shift;
                    hinge.energy(HingeShape::new(x).unwrap().angle)
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                let expected = hinge.torque(shape.angle) * shape.gradient[corner][axis];
                assert!((slope - expected).abs() < 1e-7, "{slope} {expected}");
            }
        }
    }

    #[test]
    fn a_triangle_thinner_than_f32_can_tell_has_no_angle() {
        let at = |far: f64, height: f64| {
            [[0.0, height], [0.1, -0.1], [0.0, 0.0], [0.1, 0.0]]
                .map(|[x, y]| DVec3::new(far + x, y, 0.0))
        };
        assert!(HingeShape::new(at(0.0, 1e-6)).is_some());
        assert!(HingeShape::new(at(10.0, 1e-6)).is_none());
        assert!(HingeShape::new(at(10.0, 1e-4)).is_some());
    }
}
