//! Singular values of 3 × 3 matrices.

use glam::{DMat3, DVec3};

/// F = U diag(s) Vᵀ with rotations U and V: s₀ ≥ s₁ ≥ |s₂|, and s₂ < 0 where F turns inside out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// U.
    pub left: DMat3,
    /// s.
    pub values: DVec3,
    /// V.
    pub right: DMat3,
}

/// Sweeps at most: columns are at right angles after four or five.
const SWEEPS: usize = 12;

/// Cosine of the angle at which two columns are at right angles.
const RIGHT_ANGLE: f64 = 1e-15;

impl Singular {
    /// By rotations of pairs of columns until all are at right angles (one-sided Jacobi, Hestenes
    /// 1958), which finds small values as well as large ones. Any finite F will do.
    pub fn of(f: DMat3) -> Self {
        let scale =
            [0, 1, 2].iter().fold(0.0f64, |most, &c| most.max(f.col(c).abs().max_element()));
        let inverse = if scale > 1e-290 { 1.0 / scale } else { 0.0 };
        let mut b = [0, 1, 2].map(|c| f.col(c) * inverse);
        let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let mut turned = false;
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                turned |= turn(&mut b, &mut v, p, q);
            }
            if !turned {
                break;
            }
        }
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| b[j].length_squared().total_cmp(&b[i].length_squared()));
        let [i, j, _] = order;
        let right = [v[i], v[j], v[i].cross(v[j])];
        let u0 = unit(b[i]).unwrap_or(DVec3::X);
        let u1 = unit(b[j] - u0 * u0.dot(b[j])).unwrap_or_else(|| across(u0));
        let u2 = u0.cross(u1);
        let values = DVec3::new(b[i].length() * scale, b[j].length() * scale, u2.dot(f * right[2]));
        Self {
            left: DMat3::from_cols(u0, u1, u2),
            values,
            right: DMat3::from_cols(right[0], right[1], right[2]),
        }
    }

    /// U Vᵀ: the rotation next to F.
    pub fn rotation(&self) -> DMat3 {
        self.left * self.right.transpose()
    }
}

fn turn(b: &mut [DVec3; 3], v: &mut [DVec3; 3], p: usize, q: usize) -> bool {
    let (pp, qq, pq) = (b[p].length_squared(), b[q].length_squared(), b[p].dot(b[q]));
    if !(pq.abs() > RIGHT_ANGLE * (pp * qq).sqrt()) {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cos = 1.0 / (1.0 + t * t).sqrt();
    let sin = cos * t;
    for m in [b, v] {
        (m[p], m[q]) = (m[p] * cos - m[q] * sin, m[p] * sin + m[q] * cos);
    }
    true
}

/// The direction of a vector that is longer than rounding errors of numbers about 1.
fn unit(v: DVec3) -> Option<DVec3> {
    let length = v.length();
    (length > 1e-150).then(|| v / length)
}

/// A unit vector at right angles to one.
fn across(u: DVec3) -> DVec3 {
    let least = if u.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    u.cross(least).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn check(f: DMat3) {
        let Singular { left, values, right } = Singular::of(f);
        let size = values.x.max(f64::MIN_POSITIVE);
        let back = left * DMat3::from_diagonal(values) * right.transpose();
        for c in 0..3 {
            assert!((back.col(c) - f.col(c)).length() <= 1e-13 * size, "{f} {back}");
            for m in [left, right] {
                assert!(
                    ((m.transpose() * m).col(c) - DMat3::IDENTITY.col(c)).length() < 1e-13,
                    "{f}"
                );
            }
        }
        assert!((left.determinant() - 1.0).abs() < 1e-13);
        assert!((right.determinant() - 1.0).abs() < 1e-13);
        assert!(values.x >= values.y && values.y >= values.z.abs() - 1e-13 * size, "{values}");
    }

    #[test]
    fn the_product_is_the_matrix_whatever_it_is() {
        let mut rng = Rng::new(21);
        for round in 0..2000 {
            let size = libm::pow(10.0, rng.between(-100.0, 100.0));
            let mut v = || {
                DVec3::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), rng.between(-1.0, 1.0))
            };
            let (a, b, c) = (v(), v(), v());
            let f = match round % 4 {
                0 => DMat3::from_cols(a, b, c),
                1 => DMat3::from_cols(a, b, a + b),
                2 => DMat3::from_cols(a, a * 2.0, a * b.x),
                _ => DMat3::from_cols(a, b * 1e-9, c * 1e-5),
            };
            check(f * size);
        }
        for f in [DMat3::ZERO, DMat3::IDENTITY, -DMat3::IDENTITY, DMat3::from_diagonal(DVec3::Y)] {
            check(f);
        }
    }
}
