//! The rotation next to a matrix, sixteen at a time.

use super::sums::Lanes;
use crate::simd::LANES;

/// Makes of each rotation q (a unit quaternion w, x, y, z) the R that maximises tr(RᵀA): always a
/// proper rotation, also where A is flat, turned inside out or nothing at all.
///
/// That R is the eigenvector of the greatest eigenvalue λ of a symmetric 4 × 4 matrix K of
/// trace 0 made from A. Horn 1987. λ is the greatest root of det(λ − K) =
/// λ⁴ − 2|A|²λ² − 8 det A λ + 2|AᵀA|² − |A|⁴, to which Halley's method falls from √3|A| without
/// ever passing it, as all roots are real. Then q ← (λ′ − K)⁻¹q, normalised, some times, with λ′ just above λ: what K
/// leaves undetermined stays as in the last q, so that nothing turns without a reason.
#[inline(always)]
pub(super) fn turn(a: &[Lanes; 9], least: &Lanes, q: &mut [Lanes; 4]) {
    let a = &normalised(a, least);
    let k = horn(a);
    let top = greatest_root(a);
    let factors = factor(&k, &top);
    for l in 0..LANES {
        for (q, seed) in q.iter_mut().zip(SEED) {
            q[l] += seed;
        }
    }
    let mut last = [1.0; LANES];
    for _ in 0..SOLVES {
        let before = *q;
        solve(&factors, q);
        let mut moved = [0.0; LANES];
        for (q, before) in q.iter().zip(&before) {
            for l in 0..LANES {
                let way = q[l] - before[l];
                moved[l] += way * way;
            }
        }
        // Each solve moves by as much less than the one before as that by less than its own.
        let mut next = [0.0; LANES];
        for l in 0..LANES {
            next[l] = moved[l] * moved[l] - CLOSE * CLOSE * last[l];
        }
        last = moved;
        if !any_above(&next, 0.0) {
            break;
        }
    }
}

/// R of a unit quaternion, row by row.
#[inline(always)]
pub(super) fn matrix(q: &[Lanes; 4]) -> [Lanes; 9] {
    let mut r = [[0.0; LANES]; 9];
    for l in 0..LANES {
        let [w, x, y, z] = [q[0][l], q[1][l], q[2][l], q[3][l]];
        r[0][l] = 1.0 - 2.0 * (y * y + z * z);
        r[1][l] = 2.0 * (x * y - w * z);
        r[2][l] = 2.0 * (x * z + w * y);
        r[3][l] = 2.0 * (x * y + w * z);
        r[4][l] = 1.0 - 2.0 * (x * x + z * z);
        r[5][l] = 2.0 * (y * z - w * x);
        r[6][l] = 2.0 * (x * z - w * y);
        r[7][l] = 2.0 * (y * z + w * x);
        r[8][l] = 1.0 - 2.0 * (x * x + y * y);
    }
    r
}

/// Added to the last rotation: without it one that is off by exactly half a turn would stay. So
/// little that over a million steps it turns nothing that K leaves undetermined.
const SEED: [f64; 4] = [3.1e-10, 5.3e-10, 4.7e-10, 6.3e-10];

/// Solves at most: the seed of half a turn needs four, anything else two or three.
const SOLVES: usize = 6;

/// A quaternion that would change by less has been found.
const CLOSE: f64 = 1e-11;

/// Halley's steps at most. Where two eigenvalues are one, each leaves a third of the way, and where
/// three are, half.
const STEPS: usize = 16;

/// The last step to λ: after it, the way that is left is as its cube.
const LAST_STEP: f64 = 1e-5;

/// λ′ − λ, of |A| = 1: above the rounding error of a double root.
const ABOVE: f64 = 1e-7;

/// Where the slope of the characteristic polynomial is less, its value is rounding noise.
const FLAT: f64 = 1e-7;

/// Whether any is above a limit: a search for the greatest would go one by one.
#[inline(always)]
fn any_above(values: &Lanes, limit: f64) -> bool {
    values.iter().fold(false, |any, value| any | (*value > limit))
}

/// A/|A|; nothing where |A| ≤ `least`.
#[inline(always)]
fn normalised(a: &[Lanes; 9], least: &Lanes) -> [Lanes; 9] {
    let mut squares = [0.0; LANES];
    for a in a {
        for l in 0..LANES {
            squares[l] += a[l] * a[l];
        }
    }
    let mut scale = [0.0; LANES];
    for l in 0..LANES {
        let size = squares[l].sqrt();
        let counts = size > least[l];
        scale[l] = if counts { 1.0 / if counts { size } else { 1.0 } } else { 0.0 };
    }
    let mut unit = *a;
    for a in &mut unit {
        for l in 0..LANES {
            a[l] *= scale[l];
        }
    }
    unit
}

/// K: its diagonal, then 01, 02, 03, 12, 13, 23.
#[inline(always)]
fn horn(a: &[Lanes; 9]) -> [Lanes; 10] {
    let mut k = [[0.0; LANES]; 10];
    for l in 0..LANES {
        let [xx, xy, xz] = [a[0][l], a[1][l], a[2][l]];
        let [yx, yy, yz] = [a[3][l], a[4][l], a[5][l]];
        let [zx, zy, zz] = [a[6][l], a[7][l], a[8][l]];
        k[0][l] = xx + yy + zz;
        k[1][l] = xx - yy - zz;
        k[2][l] = yy - xx - zz;
        k[3][l] = zz - xx - yy;
        k[4][l] = zy - yz;
        k[5][l] = xz - zx;
        k[6][l] = yx - xy;
        k[7][l] = xy + yx;
        k[8][l] = xz + zx;
        k[9][l] = yz + zy;
    }
    k
}

/// λ of |A| = 1, or a little more.
#[inline(always)]
fn greatest_root(a: &[Lanes; 9]) -> Lanes {
    let (mut c1, mut c0) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        let [xx, xy, xz] = [a[0][l], a[1][l], a[2][l]];
        let [yx, yy, yz] = [a[3][l], a[4][l], a[5][l]];
        let [zx, zy, zz] = [a[6][l], a[7][l], a[8][l]];
        let minors = [yy * zz - yz * zy, yz * zx - yx * zz, yx * zy - yy * zx];
        c1[l] = -8.0 * (xx * minors[0] + xy * minors[1] + xz * minors[2]);
        // AᵀA.
        let d =
            [xx * xx + yx * yx + zx * zx, xy * xy + yy * yy + zy * zy, xz * xz + yz * yz + zz * zz];
        let o =
            [xx * xy + yx * yy + zx * zy, xx * xz + yx * yz + zx * zz, xy * xz + yy * yz + zy * zz];
        let squares = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let sum = d[0] + d[1] + d[2];
        c0[l] = 2.0 * (squares + 2.0 * (o[0] * o[0] + o[1] * o[1] + o[2] * o[2])) - sum * sum;
    }
    const START: f64 = 1.732_050_807_568_878;
    let mut root = [START; LANES];
    for _ in 0..STEPS {
        let mut steps = [0.0; LANES];
        for l in 0..LANES {
            let (x, square) = (root[l], root[l] * root[l]);
            let value = (square - 2.0) * square + (c1[l] * x + c0[l]);
            let slope = 4.0 * x * (square - 1.0) + c1[l];
            let bend = 12.0 * square - 4.0;
            let goes = value > 0.0 && slope > FLAT;
            let below = 2.0 * slope * slope - value * bend;
            steps[l] =
                if goes { 2.0 * value * slope } else { 0.0 } / if goes { below } else { 1.0 };
            root[l] = x - steps[l];
        }
        if !any_above(&steps, LAST_STEP) {
            break;
        }
    }
    root
}

/// L and 1/D of λ′ − K = LDLᵀ, which is positive definite: 1/D, then L10, L20, L30, L21, L31, L32.
#[inline(always)]
fn factor(k: &[Lanes; 10], top: &Lanes) -> [Lanes; 10] {
    let mut f = [[0.0; LANES]; 10];
    for l in 0..LANES {
        let shift = top[l] + ABOVE;
        let inverse = |pivot: f64| {
            let least = 1e-3 * ABOVE;
            1.0 / if pivot > least { pivot } else { least }
        };
        let [m10, m20, m30] = [-k[4][l], -k[5][l], -k[6][l]];
        let [m21, m31, m32] = [-k[7][l], -k[8][l], -k[9][l]];
        let d0 = inverse(shift - k[0][l]);
        let [l10, l20, l30] = [m10 * d0, m20 * d0, m30 * d0];
        let d1 = inverse(shift - k[1][l] - l10 * m10);
        let (u21, u31) = (m21 - l20 * m10, m31 - l30 * m10);
        let (l21, l31) = (u21 * d1, u31 * d1);
        let d2 = inverse(shift - k[2][l] - l20 * m20 - l21 * u21);
        let u32 = m32 - l30 * m20 - l31 * u21;
        let l32 = u32 * d2;
        let d3 = inverse(shift - k[3][l] - l30 * m30 - l31 * u31 - l32 * u32);
        let all = [d0, d1, d2, d3, l10, l20, l30, l21, l31, l32];
        for i in 0..10 {
            f[i][l] = all[i];
        }
    }
    f
}

/// q ← (LDLᵀ)⁻¹q, normalised.
#[inline(always)]
fn solve(f: &[Lanes; 10], q: &mut [Lanes; 4]) {
    for l in 0..LANES {
        let y0 = q[0][l];
        let y1 = q[1][l] - f[4][l] * y0;
        let y2 = q[2][l] - f[5][l] * y0 - f[7][l] * y1;
        let y3 = q[3][l] - f[6][l] * y0 - f[8][l] * y1 - f[9][l] * y2;
        let x3 = y3 * f[3][l];
        let x2 = y2 * f[2][l] - f[9][l] * x3;
        let x1 = y1 * f[1][l] - f[7][l] * x2 - f[8][l] * x3;
        let x0 = y0 * f[0][l] - f[4][l] * x1 - f[5][l] * x2 - f[6][l] * x3;
        let scale = 1.0 / (x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3).sqrt();
        q[0][l] = x0 * scale;
        q[1][l] = x1 * scale;
        q[2][l] = x2 * scale;
        q[3][l] = x3 * scale;
    }
}
