//! What the springs of a grid hold.

// Axes and lanes are numbers that several arrays share.
#![allow(clippy::needless_range_loop)]

use super::grid_stencil::StencilSpring;
use crate::simd::{Kernel, LANES, Lane};
use crate::soa::Soa3Ref;

/// E = Σ ½k(|d| − L)² [J], with |d| − L = (d² − L²)/(|d| + L): its difference in `f64`, so that the
/// rounding of |d| in `f32` is nothing beside it.
pub(super) struct GridEnergy<'a> {
    /// Points along i and j.
    pub counts: [usize; 2],
    pub springs: &'a [StencilSpring],
    /// Positions of the grid alone.
    pub x: Soa3Ref<'a>,
    pub sum: &'a mut f64,
}

impl Kernel for GridEnergy<'_> {
    #[inline(always)]
    fn run(self) {
        let [ni, nj] = self.counts.map(|n| n as i64);
        for spring in self.springs {
            let (di, dj) = (i64::from(spring.di), i64::from(spring.dj));
            let first = (-di).max(0);
            let count = (ni - di).min(ni) - first;
            let rest = f64::from(spring.rest);
            let mut sums = [0.0; LANES];
            for j in (-dj).max(0)..(nj - dj).min(nj) {
                let p = (j * ni + first) as usize;
                let q = ((j + dj) * ni + first + di) as usize;
                for at in (0..count.max(0) as usize).step_by(LANES) {
                    let len = (count as usize - at).min(LANES);
                    self.add([p + at, q + at], len, rest, &mut sums);
                }
            }
            *self.sum += 0.5 * f64::from(spring.stiffness) * sums.iter().sum::<f64>();
        }
    }
}

impl GridEnergy<'_> {
    /// Adds (|d| − L)² of springs that follow each other.
    #[inline(always)]
    fn add(&self, [p, q]: [usize; 2], len: usize, rest: f64, sums: &mut [f64; LANES]) {
        let mut square = [0.0; LANES];
        for x in [self.x.x, self.x.y, self.x.z] {
            let (from, to) = (Lane::load(&x[p..p + len]), Lane::load(&x[q..q + len]));
            for l in 0..LANES {
                let d = f64::from(to.0[l]) - f64::from(from.0[l]);
                square[l] += d * d;
            }
        }
        for l in 0..LANES {
            let long = f64::from((square[l] as f32).sqrt()) + rest;
            let stretch = (square[l] - rest * rest) / if long > 0.0 { long } else { 1.0 };
            sums[l] += if l < len { stretch * stretch } else { 0.0 };
        }
    }
}
