//! How far points reach along a direction.

use crate::aabb::Aabb;
use crate::simd::three::{larger, smaller};
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::Soa3Ref;

/// What n·(x − o) comes to over some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// The least and the most. [m]
    pub least: f32,
    pub most: f32,
    /// What either may be wrong by. [m]
    pub doubt: f32,
}

/// Three roundings of a product and three of sums, each of half a unit in the last place, of what the
/// coordinates come to together; and as much again for the differences from o.
const ROUNDING: f32 = 8.0 / 16_777_216.0;

/// A normal and where heights are measured from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub normal: [f32; 3],
    pub from: [f32; 3],
}

impl Extent {
    pub fn of(points: Soa3Ref<'_>, plane: Plane) -> Self {
        let mut out = Self { least: f32::INFINITY, most: f32::NEG_INFINITY, doubt: 0.0 };
        dispatch(Reach { points, plane, out: &mut out });
        out
    }
}

/// The least box around some points.
pub(super) fn around(points: Soa3Ref<'_>) -> Aabb {
    let mut out = Aabb::EMPTY;
    dispatch(Around { points, out: &mut out });
    out
}

impl Extent {
    /// What n₀·(y − o₁) + n₁·(x − o₀) comes to over points that go from x to y.
    pub fn between(x: Soa3Ref<'_>, y: Soa3Ref<'_>, planes: [Plane; 2]) -> Self {
        let mut out = Self { least: f32::INFINITY, most: f32::NEG_INFINITY, doubt: 0.0 };
        dispatch(Between { x, y, planes, out: &mut out });
        out
    }
}

struct Between<'a> {
    x: Soa3Ref<'a>,
    y: Soa3Ref<'a>,
    planes: [Plane; 2],
    out: &'a mut Extent,
}

impl Kernel for Between<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, y, planes: [first, last], out } = self;
        let to = Plane { normal: first.normal, from: last.from };
        let from = Plane { normal: last.normal, from: first.from };
        let mut far = 0.0;
        for i in 0..x.len() {
            let x = [x.x[i], x.y[i], x.z[i]];
            let y = [y.x[i], y.y[i], y.z[i]];
            let ((a, apart), (b, apart_before)) = (to.height_of(y), from.height_of(x));
            out.least = smaller(a + b, out.least);
            out.most = larger(a + b, out.most);
            far = larger(apart + apart_before, far);
        }
        // The sum is rounded once more.
        out.doubt = 2.0 * ROUNDING * far;
    }
}

/// |y − x − w| at most. [m]
pub(super) fn farthest(x: Soa3Ref<'_>, y: Soa3Ref<'_>, way: [f32; 3]) -> f32 {
    let mut square = 0.0;
    dispatch(Farthest { x, y, way, square: &mut square });
    square.sqrt()
}

struct Farthest<'a> {
    x: Soa3Ref<'a>,
    y: Soa3Ref<'a>,
    way: [f32; 3],
    square: &'a mut f32,
}

impl Kernel for Farthest<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, y, way: w, square } = self;
        let mut far = [0.0f32; LANES];
        let (x0, y0, z0) = (x.x.chunks(LANES), x.y.chunks(LANES), x.z.chunks(LANES));
        let (x1, y1, z1) = (y.x.chunks(LANES), y.y.chunks(LANES), y.z.chunks(LANES));
        let columns = x0.zip(x1).zip(y0.zip(y1)).zip(z0.zip(z1));
        for (((x0, x1), (y0, y1)), (z0, z1)) in columns {
            let columns = x0.iter().zip(x1).zip(y0.iter().zip(y1)).zip(z0.iter().zip(z1));
            for (far, (((x0, x1), (y0, y1)), (z0, z1))) in far.iter_mut().zip(columns) {
                let d = [x1 - x0 - w[0], y1 - y0 - w[1], z1 - z0 - w[2]];
                *far = larger(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], *far);
            }
        }
        *square = far.into_iter().fold(0.0, larger);
    }
}

/// By how much `above` is certain to lie above `below` along a normal; the same `from` for both. [m]
pub(super) fn sure_gap(above: Extent, below: Extent) -> f32 {
    above.least - below.most - (above.doubt + below.doubt)
}

/// Adds the places of points whose n·(x − o) is less than `below` to `to`.
pub(super) fn find_below(points: Soa3Ref<'_>, plane: Plane, below: f32, to: &mut Vec<u32>) {
    dispatch(FindBelow { points, plane, below, to });
}

/// What is done with points, sixteen at a time.
pub(super) trait Gather {
    /// Takes up the coordinates of sixteen points.
    fn take(&mut self, points: [&[f32; LANES]; 3]);
}

/// Hands over points block by block; where there are none left the last stands again.
#[inline(always)]
pub(super) fn gather(points: &Soa3Ref<'_>, to: &mut impl Gather) {
    let (x, left_x) = points.x.as_chunks::<LANES>();
    let (y, left_y) = points.y.as_chunks::<LANES>();
    let (z, left_z) = points.z.as_chunks::<LANES>();
    for ((x, y), z) in x.iter().zip(y).zip(z) {
        to.take([x, y, z]);
    }
    if !left_x.is_empty() {
        let mut last = [[0.0; LANES]; 3];
        for (block, left) in last.iter_mut().zip([left_x, left_y, left_z]) {
            for l in 0..LANES {
                block[l] = left[l.min(left.len() - 1)];
            }
        }
        to.take(last.each_ref());
    }
}

impl Plane {
    /// n·(x − o) of one of sixteen points, and what the coordinates of x − o come to together.
    #[inline(always)]
    fn height(&self, [x, y, z]: [&[f32; LANES]; 3], l: usize) -> (f32, f32) {
        self.height_of([x[l], y[l], z[l]])
    }

    #[inline(always)]
    fn height_of(&self, x: [f32; 3]) -> (f32, f32) {
        let [n, o] = [self.normal, self.from];
        let d = [x[0] - o[0], x[1] - o[1], x[2] - o[2]];
        ((d[0] * n[0] + d[1] * n[1]) + d[2] * n[2], (d[0].abs() + d[1].abs()) + d[2].abs())
    }
}

struct Reach<'a> {
    points: Soa3Ref<'a>,
    plane: Plane,
    out: &'a mut Extent,
}

struct Heights {
    plane: Plane,
    least: [f32; LANES],
    most: [f32; LANES],
    far: [f32; LANES],
}

impl Gather for Heights {
    #[inline(always)]
    fn take(&mut self, points: [&[f32; LANES]; 3]) {
        for l in 0..LANES {
            let (height, far) = self.plane.height(points, l);
            self.least[l] = smaller(height, self.least[l]);
            self.most[l] = larger(height, self.most[l]);
            self.far[l] = larger(far, self.far[l]);
        }
    }
}

impl Kernel for Reach<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, plane, out } = self;
        let (least, most) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        let mut all = Heights { plane, least, most, far: [0.0; LANES] };
        gather(&points, &mut all);
        for l in 0..LANES {
            out.least = smaller(all.least[l], out.least);
            out.most = larger(all.most[l], out.most);
            out.doubt = larger(ROUNDING * all.far[l], out.doubt);
        }
    }
}

struct FindBelow<'a> {
    points: Soa3Ref<'a>,
    plane: Plane,
    below: f32,
    to: &'a mut Vec<u32>,
}

struct Low<'a> {
    plane: Plane,
    below: f32,
    next: u32,
    count: u32,
    to: &'a mut Vec<u32>,
}

impl Gather for Low<'_> {
    #[inline(always)]
    fn take(&mut self, points: [&[f32; LANES]; 3]) {
        let mut is_below = [0u32; LANES];
        for l in 0..LANES {
            is_below[l] = u32::from(self.plane.height(points, l).0 < self.below) << l;
        }
        let mut bits = is_below.into_iter().fold(0, |all, bit| all | bit);
        while bits != 0 {
            let place = self.next + bits.trailing_zeros();
            if place < self.count {
                self.to.push(place);
            }
            bits &= bits - 1;
        }
        self.next += LANES as u32;
    }
}

impl Kernel for FindBelow<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, plane, below, to } = self;
        let count = points.x.len() as u32;
        gather(&points, &mut Low { plane, below, next: 0, count, to });
    }
}

struct Around<'a> {
    points: Soa3Ref<'a>,
    out: &'a mut Aabb,
}

struct Box3 {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

impl Gather for Box3 {
    #[inline(always)]
    fn take(&mut self, points: [&[f32; LANES]; 3]) {
        for d in 0..3 {
            for l in 0..LANES {
                self.low[d][l] = smaller(points[d][l], self.low[d][l]);
                self.high[d][l] = larger(points[d][l], self.high[d][l]);
            }
        }
    }
}

impl Kernel for Around<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, out } = self;
        let (low, high) = ([[f32::INFINITY; LANES]; 3], [[f32::NEG_INFINITY; LANES]; 3]);
        let mut all = Box3 { low, high };
        gather(&points, &mut all);
        for d in 0..3 {
            for l in 0..LANES {
                out.min[d] = smaller(all.low[d][l], out.min[d]);
                out.max[d] = larger(all.high[d][l], out.max[d]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::soa::Soa3;

    #[test]
    fn points_reach_as_far_as_they_do() {
        let mut points = Soa3::zeros(37);
        for k in 0..37 {
            let a = k as f32;
            points.set(k, Vec3::new(a.sin() + 5.0, (2.0 * a).cos() - 3.0, 0.1 * a));
        }
        let plane = Plane { normal: [0.6, -0.8, 0.0], from: [5.0, -3.0, 2.0] };
        let [normal, from] = [plane.normal, plane.from].map(|v| Vec3::from(v).as_dvec3());
        let heights: Vec<f64> =
            (0..37).map(|k| (points.get(k).as_dvec3() - from).dot(normal)).collect();
        for count in [1, 4, 16, 35, 37] {
            let extent = Extent::of(points.slice(0..count), plane);
            let least = heights[..count].iter().copied().fold(f64::INFINITY, f64::min);
            let most = heights[..count].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((f64::from(extent.least) - least).abs() <= f64::from(extent.doubt));
            assert!((f64::from(extent.most) - most).abs() <= f64::from(extent.doubt));
            assert!(extent.doubt < 1e-5);
        }
        let mut found = Vec::new();
        find_below(points.view(), plane, 0.25, &mut found);
        let expected: Vec<u32> = (0..37).filter(|&k| heights[k as usize] < 0.25).collect();
        assert_eq!(found, expected);
    }
}
