//! Vectors of one strand among sixteen.

use crate::simd::Lane;
use crate::simd::three::Three;

/// The vector of strand `l`.
#[inline(always)]
pub(super) fn at([x, y, z]: &[Lane; 3], l: usize) -> Three {
    [x.0[l], y.0[l], z.0[l]]
}

/// Sets the vector of strand `l`.
#[inline(always)]
pub(super) fn put([x, y, z]: &mut [Lane; 3], l: usize, [a, b, c]: Three) {
    (x.0[l], y.0[l], z.0[l]) = (a, b, c);
}
