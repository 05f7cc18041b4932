//! Symmetric 3×3 matrices.

use glam::DVec3;

/// [xx xy xz; xy yy yz; xz yz zz].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sym3 {
    diagonal: DVec3,
    /// xy, xz, yz.
    off: DVec3,
}

impl Sym3 {
    /// Of xx, yy, zz and xy, xz, yz.
    #[inline]
    pub fn of(diagonal: [f64; 3], off: [f64; 3]) -> Self {
        Self { diagonal: DVec3::from(diagonal), off: DVec3::from(off) }
    }

    /// Adds s I.
    #[inline]
    pub fn add_scalar(&mut self, s: f64) {
        self.diagonal += DVec3::splat(s);
    }

    /// Adds s a aᵀ.
    #[inline]
    pub fn add_outer(&mut self, s: f64, a: DVec3) {
        let b = a * s;
        self.diagonal += a * b;
        self.off += DVec3::new(a.x * b.y, a.x * b.z, a.y * b.z);
    }

    /// Adds s B.
    #[inline]
    pub fn add_scaled(&mut self, s: f64, other: &Self) {
        self.diagonal += other.diagonal * s;
        self.off += other.off * s;
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> f64 {
        self.diagonal.element_sum()
    }

    /// A b.
    #[inline]
    pub fn times(&self, b: DVec3) -> DVec3 {
        let o = self.off;
        self.diagonal * b
            + DVec3::new(o.x * b.y + o.y * b.z, o.x * b.x + o.z * b.z, o.y * b.x + o.z * b.y)
    }

    /// Adds s(a bᵀ + b aᵀ).
    #[inline]
    pub fn add_both(&mut self, s: f64, a: DVec3, b: DVec3) {
        let b = b * s;
        self.diagonal += 2.0 * a * b;
        self.off += DVec3::new(a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y);
    }

    /// A⁻¹b by LDLᵀ, for A positive definite.
    #[inline]
    pub fn solve(&self, b: DVec3) -> DVec3 {
        let (d, o) = (self.diagonal, self.off);
        let (l1, l2) = (o.x / d.x, o.y / d.x);
        let d2 = d.y - l1 * o.x;
        let m = o.z - l1 * o.y;
        let l3 = m / d2;
        let d3 = d.z - l2 * o.y - l3 * m;
        let y2 = b.y - l1 * b.x;
        let z = (b.z - l2 * b.x - l3 * y2) / d3;
        let y = y2 / d2 - l3 * z;
        DVec3::new(b.x / d.x - l1 * y - l2 * z, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let (a, c) = (DVec3::new(0.3, -1.2, 2.0), DVec3::new(1.0, 0.5, -0.25));
        let mut block = Sym3::default();
        block.add_scalar(1.0);
        block.add_outer(2.0, a);
        block.add_outer(500.0, c);
        let b = DVec3::new(1.0, -2.0, 3.0);
        let x = block.solve(b);
        let back = x + a * (2.0 * a.dot(x)) + c * (500.0 * c.dot(x));
        assert!((back - b).length() < 1e-12, "{back}");
        assert!((block.times(x) - b).length() < 1e-12, "{}", block.times(x));
    }
}
