//! The rotation next to a 3 × 3 matrix, without its singular values.

use glam::DMat3;

use super::singular::Singular;

/// Newton steps at most: at a simple root six are enough.
const STEPS: usize = 16;

/// Slope of the quartic, beside the cube of its root, below which the rotation is not well defined.
const EDGE: f64 = 1e-4;

/// R = ∂t/∂F, t = s₀ + s₁ + s₂ the largest root of t⁴ − 2It² − 8Jt + 2|FᵀF|² − I² with I = |F|² and
/// J = det F (Lin, Chen, Panetta and Bickel 2022). Where two singular values cancel this says
/// nothing, and they are looked for.
pub fn rotation(f: DMat3) -> DMat3 {
    let square = f.transpose() * f;
    let i = square.x_axis.x + square.y_axis.y + square.z_axis.z;
    let j = f.determinant();
    let ii = frobenius(square, square);
    // The root of the mean is never below the mean: from above Newton's method cannot miss.
    let mut t = (3.0 * i).sqrt();
    let (mut slope, mut found) = (0.0, false);
    for _ in 0..STEPS {
        let value = ((t * t - 2.0 * i) * t - 8.0 * j) * t + (2.0 * ii - i * i);
        slope = 4.0 * (t * t - i) * t - 8.0 * j;
        let change = value / slope;
        if !(change.abs() > 1e-14 * t) {
            found = true;
            break;
        }
        t -= change;
    }
    // A root of several is come to slowly.
    if !(found && slope > EDGE * t * t * t && slope.is_finite()) {
        return Singular::of(f).rotation();
    }
    (f * (4.0 * (t * t + i)) - f * square * 8.0 + cofactors(f) * (8.0 * t)) * (1.0 / slope)
}

/// ∂ det F/∂F.
#[inline]
pub fn cofactors(f: DMat3) -> DMat3 {
    let [a, b, c] = [f.col(0), f.col(1), f.col(2)];
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// A : B.
#[inline]
pub fn frobenius(a: DMat3, b: DMat3) -> f64 {
    a.col(0).dot(b.col(0)) + a.col(1).dot(b.col(1)) + a.col(2).dot(b.col(2))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn it_is_the_rotation_that_singular_values_give() {
        let mut rng = Rng::new(12);
        for round in 0..4000 {
            let mut v = || {
                DVec3::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), rng.between(-1.0, 1.0))
            };
            let (a, b, c) = (v(), v(), v());
            let f = match round % 4 {
                0 => DMat3::from_cols(a, b, c),
                1 => DMat3::IDENTITY + DMat3::from_cols(a, b, c) * 0.1,
                2 => DMat3::from_cols(a, b, a + b * 1e-3),
                _ => DMat3::from_cols(a, b, c) * 1e-6,
            };
            let s = Singular::of(f);
            let far = (s.values.y + s.values.z) / s.values.x;
            let off = rotation(f) - s.rotation();
            assert!(frobenius(off, off).sqrt() * far < 1e-9, "{f} {off}");
        }
        for f in [DMat3::ZERO, DMat3::IDENTITY, -DMat3::IDENTITY, DMat3::from_diagonal(DVec3::Y)] {
            let r = rotation(f);
            assert!((r.determinant() - 1.0).abs() < 1e-9, "{f} {r}");
        }
    }
}
