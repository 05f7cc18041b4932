//! A membrane triangle: energy and its derivatives.

use glam::{DMat3, DVec3};

use super::spring::outer;
use crate::elements::MembraneTriangle;

/// W = A·½Σ Yₖεₖ², the law of [`MembraneTriangle`], with the strains ε = (E₁₁, E₂₂, γ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticTriangle {
    /// The three particles.
    pub corners: [u32; 3],
    /// gᵢ: slope of each corner's share along warp and weft. [1/m]
    pub slopes: [[f64; 2]; 3],
    /// A·Y₁, A·Y₂ and A·G. [N·m]
    pub stiffness: [f64; 3],
    /// β: damping over stiffness. [s]
    pub damping: f64,
}

/// A triangle at one shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TriangleShape {
    /// The columns of F.
    pub columns: [DVec3; 2],
    /// ε.
    pub strain: [f64; 3],
}

impl ElasticTriangle {
    /// The same triangle in f64.
    pub fn new(t: &MembraneTriangle) -> Self {
        Self {
            corners: t.corners,
            slopes: t.slopes.map(|g| g.map(f64::from)),
            stiffness: t.stiffness.map(|y| f64::from(y) * f64::from(t.area)),
            damping: f64::from(t.damping),
        }
    }

    /// F and ε at three corners.
    #[inline]
    pub fn shape(&self, x: [DVec3; 3]) -> TriangleShape {
        let (b, c) = (x[1] - x[0], x[2] - x[0]);
        let [_, g1, g2] = self.slopes;
        let f = [b * g1[0] + c * g2[0], b * g1[1] + c * g2[1]];
        let strain = [0.5 * (f[0].dot(f[0]) - 1.0), 0.5 * (f[1].dot(f[1]) - 1.0), f[0].dot(f[1])];
        TriangleShape { columns: f, strain }
    }

    /// W. [J]
    #[inline]
    pub fn energy(&self, strain: [f64; 3]) -> f64 {
        0.5 * (0..3).map(|k| self.stiffness[k] * strain[k] * strain[k]).sum::<f64>()
    }

    /// A times the stress that belongs to a strain: S₁₁, S₂₂, S₁₂. [N·m]
    #[inline]
    pub fn stress(&self, strain: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| self.stiffness[k] * strain[k])
    }

    /// The largest ω² of one strain alone, at rest, of corners with these inverse masses. [1/s²]
    pub fn fastest_rate(&self, weights: [f64; 3]) -> f64 {
        let mut sums = [0.0; 2];
        for (w, g) in weights.iter().zip(&self.slopes) {
            sums = [sums[0] + w * g[0] * g[0], sums[1] + w * g[1] * g[1]];
        }
        let [y1, y2, y12] = self.stiffness;
        (y1 * sums[0]).max(y2 * sums[1]).max(y12 * (sums[0] + sums[1]))
    }

    /// ∂W/∂x of a corner: F S gᵢ. [N]
    #[inline]
    pub fn gradient(&self, f: [DVec3; 2], stress: [f64; 3], corner: usize) -> DVec3 {
        let [s1, s2, s12] = stress;
        let g = self.slopes[corner];
        f[0] * (s1 * g[0] + s12 * g[1]) + f[1] * (s12 * g[0] + s2 * g[1])
    }

    /// One block of Σ Yₖ(∂εₖ)(∂εₖ)ᵀ + (gᵢᵀ S⁺ gⱼ)I, S⁺ being `tension`, the stress without
    /// its compression: both parts have no negative eigenvalue, and without compression
    /// they are the second derivative. `more` times the stiffness is taken. [N/m]
    #[inline]
    pub fn hessian(
        &self,
        f: [DVec3; 2],
        (tension, more): ([f64; 3], f64),
        row: usize,
        column: usize,
    ) -> DMat3 {
        let (g, h) = (self.slopes[row], self.slopes[column]);
        let [y1, y2, y12] = self.stiffness.map(|y| y * more);
        let [t1, t2, t12] = tension;
        let geometric = g[0] * (t1 * h[0] + t12 * h[1]) + g[1] * (t12 * h[0] + t2 * h[1]);
        let shear = |g: [f64; 2]| f[0] * g[1] + f[1] * g[0];
        outer(f[0] * (y1 * g[0] * h[0]), f[0])
            + outer(f[1] * (y2 * g[1] * h[1]), f[1])
            + outer(shear(g) * y12, shear(h))
            + DMat3::from_diagonal(DVec3::splat(geometric))
    }
}

/// The part of a symmetric 2 × 2 matrix (S₁₁, S₂₂, S₁₂) that has no negative eigenvalue.
#[inline]
pub fn tension_of([s1, s2, s12]: [f64; 3]) -> [f64; 3] {
    let (mean, half) = (0.5 * (s1 + s2), 0.5 * (s1 - s2));
    let radius = (half * half + s12 * s12).sqrt();
    let [high, low] = [mean + radius, mean - radius].map(|e| e.max(0.0));
    if radius == 0.0 {
        return [high, high, 0.0];
    }
    // (high + low)/2 I + (high − low)/2 times the direction.
    let (mean, part) = (0.5 * (high + low), 0.5 * (high - low) / radius);
    [mean + part * half, mean - part * half, part * s12]
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::rng::Rng;

    fn triangle() -> ElasticTriangle {
        let flat = [DVec2::ZERO, DVec2::new(0.5, 0.1), DVec2::new(0.05, 0.4)];
        let law = [40.0, 30.0, 10.0];
        ElasticTriangle::new(&MembraneTriangle::at_rest([0, 1, 2], flat, law, 0.0).unwrap())
    }

    fn random(rng: &mut Rng, size: f64) -> [DVec3; 3] {
        let mut c = || rng.between(-size, size);
        [0; 3].map(|_| DVec3::new(c(), c(), c()))
    }

    #[test]
    fn gradient_is_the_slope_of_the_energy_in_any_shape() {
        let (t, mut rng) = (triangle(), Rng::new(8));
        for size in [0.02, 0.3, 2.0] {
            let x = random(&mut rng, size);
            let shape = t.shape(x);
            for (corner, axis) in (0..3).flat_map(|c| (0..3).map(move |a| (c, a))) {
                let energy = |shift: f64| {
                    let mut x = x;
                    x[corner][axis] += shift;
                    t.energy(t.shape(x).strain)
                };
                let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
                let g = t.gradient(shape.columns, t.stress(shape.strain), corner)[axis];
                assert!((slope - g).abs() < 1e-6 * (1.0 + g.abs()), "{slope} {g}");
            }
        }
    }

    #[test]
    fn hessian_is_the_slope_of_the_gradient_under_tension() {
        let t = triangle();
        let x = [DVec3::ZERO, DVec3::new(0.8, 0.1, 0.2), DVec3::new(-0.1, 0.7, 0.3)];
        let shape = t.shape(x);
        let tension = tension_of(t.stress(shape.strain));
        for (a, &was) in t.stress(shape.strain).iter().zip(&tension) {
            assert!((a - was).abs() < 1e-12, "the shape must be under tension all round");
        }
        for (column, axis) in (0..3).flat_map(|c| (0..3).map(move |a| (c, a))) {
            let gradient = |shift: f64, row: usize| {
                let mut x = x;
                x[column][axis] += shift;
                let shape = t.shape(x);
                t.gradient(shape.columns, t.stress(shape.strain), row)
            };
            for row in 0..3 {
                let slope = (gradient(1e-6, row) - gradient(-1e-6, row)) / 2e-6;
                let h = t.hessian(shape.columns, (tension, 1.0), row, column).col(axis);
                assert!((slope - h).length() < 1e-6 * (1.0 + h.length()), "{slope} {h}");
            }
        }
    }

    #[test]
    fn hessian_has_no_negative_eigenvalue_in_any_shape() {
        let (t, mut rng) = (triangle(), Rng::new(9));
        for size in [0.0, 0.02, 0.2, 2.0] {
            for _ in 0..50 {
                let shape = t.shape(random(&mut rng, size));
                let tension = tension_of(t.stress(shape.strain));
                let p = random(&mut rng, 1.0);
                let mut sum = 0.0;
                for (row, column) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
                    let h = t.hessian(shape.columns, (tension, 1.0), row, column);
                    sum += p[row].dot(h * p[column]);
                }
                assert!(sum >= -1e-9, "{sum}");
            }
        }
    }

    #[test]
    fn tension_keeps_the_positive_part() {
        let [a, b, c] = tension_of([-1.0, -2.0, 0.5]);
        assert!(a == 0.0 && b == 0.0 && c == 0.0);
        let mixed = tension_of([3.0, -1.0, 0.0]);
        assert!((mixed[0] - 3.0).abs() < 1e-12 && mixed[1].abs() < 1e-12, "{mixed:?}");
    }
}
