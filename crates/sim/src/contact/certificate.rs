//! Separating planes as proof that a pair did not cross.

#[cfg(test)]
mod tests;

use super::closest::closest;
use super::pair::{PairKind, PairMotion, Relative, gaps};
use glam::DVec3;

/// A plane's normal with the gap that it shows at both ends of a motion.
///
/// f(x) = min over A of n·x − max over B of n·x. SOLVERS, separating-plane certificates.
///
/// f > 0 says that a plane across n has A on one side and B on the other, so |a − b| ≥ f. For a
/// fixed n, f is a minimum of functions n·(a − b) that are linear in time: it is concave, and being
/// positive at both ends it is positive in between. No matter where n came from.
///
/// Both values are given less what rounding may have added to them, 32 u s with u = 2⁻⁵³ and s the
/// largest |x| + |y| + |z| from point 0 to another, at either end; so a value above zero is true
/// of the real numbers that the given places are. `f32` places are such numbers: converted as they
/// are, a pair of s = 1 cm needs no more than 4e-17 m. (The same sum taken in `f32` would need
/// 32·2⁻²⁴ s: 19 nm there.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// Unit normal, from side B to side A. \[1\]
    pub normal: DVec3,
    /// f at the start, at least. [m]
    pub start: f64,
    /// f at the end, at least. [m]
    pub end: f64,
}

/// The part of the safe way that is gone, so that a pair that is stopped keeps a gap to go on from.
const SAFE_PART: f64 = 0.7;

impl Certificate {
    /// Whether it proves that the pair touched at no time of the motion.
    pub fn proves(&self) -> bool {
        self.start > 0.0 && self.end > 0.0
    }

    /// The part of the motion that this plane lets pass: 1 if it proves the whole, else
    /// 0.7 f₀/(f₀ − f₁), which leaves f ≥ 0.3 f₀; 0 if it does not even separate at the start.
    ///
    /// Places scaled to it are rounded when they are stored: they want a certificate of their own.
    pub fn safe_fraction(&self) -> f64 {
        if self.proves() {
            1.0
        } else if self.start > 0.0 && self.end > f64::NEG_INFINITY {
            SAFE_PART * self.start / (self.start - self.end)
        } else {
            0.0
        }
    }

    fn of(pair: PairKind, normal: DVec3, motion: &Relative) -> Self {
        let rounding = motion.rounding();
        let least = |points| {
            let [a, b, c, d] = gaps(pair, normal, points);
            a.min(b).min(c.min(d)) - rounding
        };
        Self { normal, start: least(&motion.start), end: least(&motion.end) }
    }

    /// Proves nothing, allows nothing.
    const NONE: Self =
        Self { normal: DVec3::ZERO, start: f64::NEG_INFINITY, end: f64::NEG_INFINITY };
}

/// Looks for a plane that separates a pair over its whole motion: across the closest points at
/// the start, at the end, and across the mean of the two.
///
/// Returns the first that [proves](Certificate::proves) it, else the one with the largest
/// [safe fraction](Certificate::safe_fraction). That none proves does not say that the pair touches.
/// Places that are no numbers, or 10⁷⁰ m apart, get a certificate that proves and allows nothing.
pub fn certify(pair: PairKind, motion: &PairMotion) -> Certificate {
    let relative = motion.relative();
    if relative.size == f64::INFINITY {
        return Certificate::NONE;
    }
    let try_normal = |normal: Option<DVec3>| match normal {
        Some(normal) => Certificate::of(pair, normal, &relative),
        None => Certificate::NONE,
    };
    let first = closest(pair, &relative.start).normal();
    let mut best = try_normal(first);
    if best.proves() {
        return best;
    }
    let last = closest(pair, &relative.end).normal();
    let mean = first.zip(last).and_then(|(a, b)| (a + b).try_normalize());
    for normal in [last, mean] {
        let other = try_normal(normal);
        if other.safe_fraction() > best.safe_fraction() {
            best = other;
        }
        if best.proves() {
            break;
        }
    }
    best
}

/// The certificate that a given normal is worth, for pairs whose plane is known from before.
pub fn certify_along(pair: PairKind, normal: DVec3, motion: &PairMotion) -> Certificate {
    let relative = motion.relative();
    match normal.try_normalize() {
        Some(normal) if relative.size < f64::INFINITY => Certificate::of(pair, normal, &relative),
        _ => Certificate::NONE,
    }
}
