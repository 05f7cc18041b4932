//! Conjugate gradients, each particle's own block as preconditioner.

use glam::{DMat3, DVec3};

use super::matrix::BlockMatrix;
use crate::parallel::for_each_part;

/// Buffers of the method.
#[derive(Debug)]
pub(super) struct Pcg {
    residual: Vec<DVec3>,
    conditioned: Vec<DVec3>,
    direction: Vec<DVec3>,
    image: Vec<DVec3>,
    own: Vec<BlockFactor>,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct PcgLimits {
    /// Remaining residual, relative to the first, in the norm of the preconditioner.
    pub tolerance: f64,
    pub iterations: usize,
}

impl Pcg {
    pub fn new(particles: usize) -> Self {
        let zeros = || vec![DVec3::ZERO; particles];
        Self {
            residual: zeros(),
            conditioned: zeros(),
            direction: zeros(),
            image: zeros(),
            own: vec![BlockFactor::default(); particles],
        }
    }

    /// Takes the preconditioner from the diagonal of `a`.
    pub fn prepare(&mut self, a: &BlockMatrix) {
        for_each_part(self.own.as_mut_slice(), 1, &|first, own: &mut [BlockFactor]| {
            for (i, own) in own.iter_mut().enumerate() {
                *own = BlockFactor::new(a.diagonal(first + i));
            }
        });
    }

    /// out = −P⁻¹ g: the direction of steepest descent for particles on their own.
    pub fn descend(&self, gradient: &[DVec3], out: &mut [DVec3]) {
        for ((out, g), own) in out.iter_mut().zip(gradient).zip(&self.own) {
            *out = -own.solve(*g);
        }
    }

    /// Solves A out = −g from zero. Whenever it stops, `out` is a direction of descent.
    /// Returns the number of iterations.
    pub fn solve(
        &mut self,
        (a, fixed): (&BlockMatrix, &[bool]),
        gradient: &[DVec3],
        limits: PcgLimits,
        out: &mut [DVec3],
    ) -> usize {
        let Self { residual, conditioned, direction, image, own } = self;
        out.fill(DVec3::ZERO);
        residual.iter_mut().zip(gradient).for_each(|(r, g)| *r = -*g);
        let mut size = condition(own, residual, conditioned);
        let enough = limits.tolerance * limits.tolerance * size;
        direction.copy_from_slice(conditioned);
        for iteration in 0..limits.iterations {
            if !(size > enough) {
                return iteration;
            }
            a.multiply(fixed, direction, image);
            let curvature = dot(direction, image);
            if !(curvature > 0.0) || !curvature.is_finite() {
                return iteration;
            }
            let step = size / curvature;
            add_scaled(out, direction, step);
            add_scaled(residual, image, -step);
            let next = condition(own, residual, conditioned);
            let keep = next / size;
            size = next;
            let parts = (&mut direction[..], &conditioned[..]);
            for_each_part(parts, 1, &|_, (p, z): (&mut [DVec3], &[DVec3])| {
                p.iter_mut().zip(z).for_each(|(p, z)| *p = *z + *p * keep);
            });
        }
        limits.iterations
    }
}

/// z = P⁻¹ r; returns r·z.
fn condition(own: &[BlockFactor], r: &[DVec3], z: &mut [DVec3]) -> f64 {
    let parts = (&mut *z, r, own);
    for_each_part(parts, 1, &|_, (z, r, own): (&mut [DVec3], &[DVec3], &[BlockFactor])| {
        for ((z, r), own) in z.iter_mut().zip(r).zip(own) {
            *z = own.solve(*r);
        }
    });
    dot(r, z)
}

/// y += s x.
fn add_scaled(y: &mut [DVec3], x: &[DVec3], s: f64) {
    for_each_part((y, x), 1, &|_, (y, x): (&mut [DVec3], &[DVec3])| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += *x * s);
    });
}

/// Σ a·b in an order of its own: four sums side by side, whoever calls.
pub(super) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let mut sums = [DVec3::ZERO; 4];
    for (a, b) in a.chunks(4).zip(b.chunks(4)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += *a * *b;
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).element_sum()
}

/// A 3 × 3 block as LDLᵀ.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockFactor {
    /// L₁₀, L₂₀, L₂₁.
    lower: DVec3,
    /// 1/D.
    inverse: DVec3,
}

/// A pivot smaller than this part of the block's size is rounding.
const PIVOT: f64 = 1e-14;

impl BlockFactor {
    pub fn new(a: &DMat3) -> Self {
        let size = a.x_axis.x.abs().max(a.y_axis.y.abs()).max(a.z_axis.z.abs());
        if !(size > 0.0) || !size.is_finite() {
            return Self::default();
        }
        let floor = PIVOT * size;
        let d0 = a.x_axis.x.max(floor);
        let (l10, l20) = (a.x_axis.y / d0, a.x_axis.z / d0);
        let d1 = (a.y_axis.y - l10 * l10 * d0).max(floor);
        let l21 = (a.y_axis.z - l20 * l10 * d0) / d1;
        let d2 = (a.z_axis.z - l20 * l20 * d0 - l21 * l21 * d1).max(floor);
        Self { lower: DVec3::new(l10, l20, l21), inverse: DVec3::new(d0, d1, d2).recip() }
    }

    /// A⁻¹ r.
    #[inline]
    pub fn solve(&self, r: DVec3) -> DVec3 {
        let DVec3 { x: l10, y: l20, z: l21 } = self.lower;
        let y1 = r.y - l10 * r.x;
        let y2 = r.z - l20 * r.x - l21 * y1;
        let DVec3 { x: u0, y: u1, z: u2 } = DVec3::new(r.x, y1, y2) * self.inverse;
        let b = u1 - l21 * u2;
        DVec3::new(u0 - l10 * b - l20 * u2, b, u2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastic::outer;

    #[test]
    fn a_block_is_inverted_however_stretched() {
        let n = DVec3::new(1.0, -2.0, 0.5).normalize();
        for stiff in [0.0, 1.0, 1e6] {
            let a = DMat3::IDENTITY + outer(n, n * stiff);
            let x = DVec3::new(0.3, 0.2, -0.7);
            let back = BlockFactor::new(&a).solve(a * x);
            assert!((back - x).length() < 1e-9 * (1.0 + stiff), "{back} {x}");
        }
    }
}
