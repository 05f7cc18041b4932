//! 1/√a in multiplications and additions alone.

use std::ops::{Add, Div, Mul, Sub};

/// 1/(κ√a), κ = [`RSQRT_SCALE`], to 2.5·10⁻⁷ for normal positive `a`; a large
/// finite number for zero and denormal `a`.
///
/// A first guess from the exponent bits, one Newton step with constants that
/// balance the guess's error (Moroz, Walczyk et al. 2018: 6.5·10⁻⁴ remains),
/// then one third-order Householder step, y(15 − 10t + 3t²)/8 with t = ay².
/// Division and square root are the same everywhere too, but cost three times
/// as much on vectors. The factor κ is left to the caller, who can fold it into
/// constants.
#[inline(always)]
pub fn rsqrt_scaled(a: Pair) -> Pair {
    let guess = a.map(|a| f32::from_bits(0x5F1F_FFF9u32.wrapping_sub(a.to_bits() >> 1)));
    // (a·y)·y rather than a·(y·y), which overflows when a is zero.
    let y = guess * (a * guess * guess).map(|t| NEWTON_A - t);
    let t = a * y * y;
    y * (t * t.map(|t| t - HOUSEHOLDER_P)).map(|r| r + HOUSEHOLDER_Q)
}

/// 1/√a to 3·10⁻⁷ for normal positive `a`; a large finite number for zero.
#[inline(always)]
pub fn rsqrt(a: f32) -> f32 {
    let guess = f32::from_bits(0x5F1F_FFF9u32.wrapping_sub(a.to_bits() >> 1));
    let y = guess * (NEWTON_A - a * guess * guess);
    let t = a * y * y;
    (RSQRT_SCALE as f32 * y) * (t * (t - HOUSEHOLDER_P) + HOUSEHOLDER_Q)
}

/// Two numbers that take every step together: a single chain of dependent
/// steps would leave the processor waiting.
#[derive(Clone, Copy, Debug)]
pub struct Pair(pub f32, pub f32);

impl Pair {
    /// `f` of both.
    #[inline(always)]
    pub fn map(self, f: impl Fn(f32) -> f32) -> Self {
        Self(f(self.0), f(self.1))
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1)
    }
}

impl Sub for Pair {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0, self.1 - b.1)
    }
}

impl Mul for Pair {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0, self.1 * b.1)
    }
}

impl Div for Pair {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        Self(self.0 / b.0, self.1 / b.1)
    }
}

/// κ of [`rsqrt_scaled`]: 1/√a = κ·`rsqrt_scaled(a)`.
pub const RSQRT_SCALE: f64 = 0.375 * NEWTON_C * NEWTON_C * NEWTON_C * NEWTON_C * NEWTON_C;

const NEWTON_C: f64 = 0.703_952_253;
const NEWTON_A: f32 = 2.389_244_6;
const HOUSEHOLDER_P: f32 = (10.0 / 3.0 / (NEWTON_C * NEWTON_C)) as f32;
const HOUSEHOLDER_Q: f32 = (5.0 / (NEWTON_C * NEWTON_C * NEWTON_C * NEWTON_C)) as f32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_agree() {
        for a in [1e-12f32, 0.3, 1.0, 7.5, 1e9] {
            let y = rsqrt(a);
            assert!((f64::from(y) * f64::from(a).sqrt() - 1.0).abs() < 3e-7);
            let pair = rsqrt_scaled(Pair(a, 2.0));
            assert!((RSQRT_SCALE * f64::from(pair.0) / f64::from(y) - 1.0).abs() < 3e-7);
        }
        assert!(rsqrt(0.0).is_finite() && rsqrt_scaled(Pair(0.0, 0.0)).0.is_finite());
    }

    #[test]
    fn agrees_with_the_exact_root_over_forty_decades() {
        let mut worst = 0.0f64;
        let mut mean = 0.0f64;
        let mut count = 0.0;
        for bits in (0x0D00_0000u32..0x7000_0000).step_by(1013) {
            let a = f32::from_bits(bits);
            let error =
                RSQRT_SCALE * f64::from(rsqrt_scaled(Pair(1.0, a)).1) * f64::from(a).sqrt() - 1.0;
            worst = worst.max(error.abs());
            mean += error;
            count += 1.0;
        }
        assert!(worst < 2.5e-7, "{worst:e}");
        assert!((mean / count).abs() < 3e-8, "biased by {:e}", mean / count);
    }
}
