//! Points of a mesh, sixteen at a time by number.

use crate::simd::{LANES, Lane};

/// Position and inverse mass: together, so that a point is one load.
pub(super) type Point = [f32; 4];

/// Numbers of sixteen points.
pub(super) type Numbers = [u32; LANES];

/// The positions of sixteen points.
#[inline(always)]
pub(super) fn gather(points: &[Point], numbers: &Numbers) -> [Lane; 3] {
    let mut out = [Lane::ZERO; 3];
    for l in 0..LANES {
        let p = points[numbers[l] as usize];
        for c in 0..3 {
            out[c].0[l] = p[c];
        }
    }
    out
}

/// Their inverse masses.
#[inline(always)]
pub(super) fn gather_weights(points: &[Point], numbers: &Numbers) -> Lane {
    let mut out = Lane::ZERO;
    for l in 0..LANES {
        out.0[l] = points[numbers[l] as usize][3];
    }
    out
}

/// Puts sixteen points back; none twice, but for the one that stands for nobody.
#[inline(always)]
pub(super) fn scatter(points: &mut [Point], numbers: &Numbers, x: &[Lane; 3]) {
    for l in 0..LANES {
        let p = &mut points[numbers[l] as usize];
        for c in 0..3 {
            p[c] = x[c].0[l];
        }
    }
}
