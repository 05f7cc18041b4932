//! A spring's energy and its derivatives.

use glam::{DMat3, DVec3};

use crate::elements::SpringKind;

/// E = ½k(|d| − L)², d = x_b − x_a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticSpring {
    /// The particles a and b.
    pub ends: [u32; 2],
    /// Length without force. [m]
    pub rest: f64,
    /// Stiffness. [N/m]
    pub stiffness: f64,
    /// Damping along the spring. [N·s/m]
    pub damping: f64,
    /// What it resists.
    pub kind: SpringKind,
}

impl ElasticSpring {
    /// E. [J]
    #[inline]
    pub fn energy(&self, d: DVec3) -> f64 {
        let stretch = d.length() - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }

    /// ∂E/∂x_b = k(|d| − L)d̂; on a it is the opposite. Zero where the ends coincide. [N]
    #[inline]
    pub fn gradient(&self, d: DVec3) -> DVec3 {
        let length = d.length();
        if length == 0.0 {
            return DVec3::ZERO;
        }
        d * (self.stiffness * (1.0 - self.rest / length))
    }

    /// H of both diagonal blocks, −H being the others: k[d̂d̂ᵀ + max(0, 1 − L/|d|)(I − d̂d̂ᵀ)],
    /// the second derivative without what compression would make negative. [N/m]
    #[inline]
    pub fn hessian(&self, d: DVec3) -> DMat3 {
        let length = d.length();
        if length == 0.0 {
            return DMat3::from_diagonal(DVec3::splat(self.stiffness));
        }
        let n = d / length;
        let across = (1.0 - self.rest / length).max(0.0);
        outer(n, n * (self.stiffness * (1.0 - across)))
            + DMat3::from_diagonal(DVec3::splat(self.stiffness * across))
    }
}

/// a bᵀ.
#[inline]
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spring() -> ElasticSpring {
        let kind = SpringKind::Structural;
        ElasticSpring { ends: [0, 1], rest: 0.5, stiffness: 40.0, damping: 0.0, kind }
    }

    #[test]
    fn gradient_and_hessian_are_the_slopes_of_the_energy_when_stretched() {
        let (s, d, step) = (spring(), DVec3::new(0.4, -0.3, 0.6), 1e-5);
        for axis in 0..3 {
            let mut shift = DVec3::ZERO;
            shift[axis] = step;
            let slope = (s.energy(d + shift) - s.energy(d - shift)) / (2.0 * step);
            assert!((slope - s.gradient(d)[axis]).abs() < 1e-6);
            let turn = (s.gradient(d + shift) - s.gradient(d - shift)) / (2.0 * step);
            assert!((turn - s.hessian(d).col(axis)).length() < 1e-5);
        }
    }

    #[test]
    fn hessian_has_no_negative_eigenvalue_when_compressed() {
        let (s, d) = (spring(), DVec3::new(0.1, 0.2, 0.05));
        let mut rng = crate::rng::Rng::new(1);
        for _ in 0..100 {
            let mut c = || rng.between(-1.0, 1.0);
            let p = DVec3::new(c(), c(), c());
            assert!(p.dot(s.hessian(d) * p) >= -1e-12);
        }
    }
}
