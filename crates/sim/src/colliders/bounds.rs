//! Boxes round the paths of some points.

use std::ops::Range;

use super::response::Particles;
use crate::simd::three::{larger, smaller};
use crate::simd::{LANES, Lane};

/// Sixteen boxes, by coordinate: each is round every sixteenth of some paths, so that none is made
/// of numbers that lie side by side. [m]
pub(super) struct Boxes {
    pub min: [Lane; 3],
    pub max: [Lane; 3],
}

impl Boxes {
    /// Round the paths of `points`. A number that is not one is passed over: such a particle can
    /// touch nothing.
    #[inline(always)]
    pub fn of(particles: &Particles<'_>, points: Range<usize>) -> Self {
        let (start, end) = (particles.x_start.slice(points.clone()), particles.x.slice(points));
        let (x, y, z) = (along(start.x, end.x), along(start.y, end.y), along(start.z, end.z));
        Self { min: [x.0, y.0, z.0], max: [x.1, y.1, z.1] }
    }

    /// Round nothing.
    pub const NONE: Self =
        Self { min: [Lane([f32::INFINITY; LANES]); 3], max: [Lane([f32::NEG_INFINITY; LANES]); 3] };

    /// These boxes, each drawn out to hold a path as well.
    #[inline(always)]
    pub fn and(self, start: [Lane; 3], end: [Lane; 3]) -> Self {
        let Self { mut min, mut max } = self;
        for l in 0..LANES {
            for d in 0..3 {
                let (a, b) = (start[d].0[l], end[d].0[l]);
                min[d].0[l] = smaller(b, smaller(a, min[d].0[l]));
                max[d].0[l] = larger(b, larger(a, max[d].0[l]));
            }
        }
        Self { min, max }
    }
}

/// Least and largest numbers.
#[inline(always)]
fn along(starts: &[f32], ends: &[f32]) -> (Lane, Lane) {
    let (mut min, mut max) = (Lane([f32::INFINITY; LANES]), Lane([f32::NEG_INFINITY; LANES]));
    let (starts, ends) = (starts.chunks_exact(LANES), ends.chunks_exact(LANES));
    for &value in starts.remainder().iter().chain(ends.remainder()) {
        (min.0[0], max.0[0]) = (smaller(value, min.0[0]), larger(value, max.0[0]));
    }
    for (a, b) in starts.zip(ends) {
        let (a, b) = (Lane::full(a, 0), Lane::full(b, 0));
        for l in 0..LANES {
            min.0[l] = smaller(b.0[l], smaller(a.0[l], min.0[l]));
            max.0[l] = larger(b.0[l], larger(a.0[l], max.0[l]));
        }
    }
    (min, max)
}
