//! The gap of two points along a normal, compared without rounding.

use super::touch::parts;
use glam::DVec3;
use num_bigint::BigInt;

/// Whether n·(a − b) ≥ claimed.
pub fn gap_is_at_least(normal: DVec3, a: DVec3, b: DVec3, claimed: f64) -> bool {
    let along = |k: usize| whole(normal[k], LEAST) * (whole(a[k], LEAST) - whole(b[k], LEAST));
    along(0) + along(1) + along(2) >= whole(claimed, 2 * LEAST)
}

/// Every number is a whole multiple of 2 to the power of minus this.
const LEAST: i32 = 1074;

/// x · 2^scale.
fn whole(x: f64, scale: i32) -> BigInt {
    let (mantissa, exponent) = parts(x);
    BigInt::from(mantissa) << (exponent + scale)
}
