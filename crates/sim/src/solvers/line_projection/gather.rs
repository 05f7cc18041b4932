//! Points of a mesh, sixteen at a time by number.
//!
//! Numbers come in one by one and go out by sixteens; a processor waits when the second
//! follows close on the first. So some batches are gathered before the first is worked on.

use std::ops::Range;

use crate::simd::{LANES, Lane};
use crate::solvers::colouring::Colours;

/// Position and inverse mass: together, so that a point is one load.
pub(super) type Point = [f32; 4];

/// Numbers of sixteen points.
pub(super) type Numbers = [u32; LANES];

/// Sixteen points, coordinate by coordinate, and their inverse masses.
pub(super) type Sixteen = [Lane; 4];

/// Batches that are gathered together; none of them shares a point with another.
pub(super) const BLOCK: usize = 8;

/// Sixteen points.
#[inline(always)]
pub(super) fn gather(points: &[Point], numbers: &Numbers, out: &mut Sixteen) {
    let [x, y, z, w] = out;
    for l in 0..LANES {
        let p = points[numbers[l] as usize];
        (x.0[l], y.0[l], z.0[l], w.0[l]) = (p[0], p[1], p[2], p[3]);
    }
}

/// Puts sixteen points back; none twice, but for the one that stands for nobody.
#[inline(always)]
pub(super) fn scatter(points: &mut [Point], numbers: &Numbers, from: &Sixteen) {
    let [x, y, z, w] = from;
    for l in 0..LANES {
        points[numbers[l] as usize] = [x.0[l], y.0[l], z.0[l], w.0[l]];
    }
}

/// Elements with `C` corners by sixteens, colour after colour.
pub(super) fn batches<const C: usize, B>(
    points: usize,
    corners: &[[u32; C]],
    make: impl Fn(&[u32]) -> B,
) -> (Vec<B>, Vec<Range<usize>>) {
    let colours = Colours::of_elements(points, corners);
    let (mut out, mut blocks) = (Vec::new(), Vec::new());
    for range in colours.ranges() {
        let first = out.len();
        out.extend(colours.order()[range].chunks(LANES).map(&make));
        let starts = (first..out.len()).step_by(BLOCK);
        blocks.extend(starts.map(|start| start..(start + BLOCK).min(out.len())));
    }
    (out, blocks)
}

/// Numbers of corner `k` of up to sixteen elements; `nobody` where there are fewer.
pub(super) fn numbers<const C: usize>(
    corners: &[[u32; C]],
    part: &[u32],
    k: usize,
    nobody: u32,
) -> Numbers {
    std::array::from_fn(|l| part.get(l).map_or(nobody, |&i| corners[i as usize][k]))
}

/// A number of each of up to sixteen elements; zero where there are fewer.
pub(super) fn lane<T>(items: &[T], part: &[u32], value: impl Fn(&T) -> f32) -> Lane {
    Lane(std::array::from_fn(|l| part.get(l).map_or(0.0, |&i| value(&items[i as usize]))))
}
