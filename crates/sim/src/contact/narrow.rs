//! Sixteen pairs at a time: closest points, the plane across them, and the gap it shows.
//!
//! In `f32`, and relative to a pair's first point. What a gap g along n may be wrong by is
//! 32·2⁻²⁴ of the pair's size (see `pair::ROUNDING`, the same sum with another unit roundoff).

use super::swept::{Paths, Point4};
use crate::simd::three::{add, cross, dot, larger, scale, smaller, sub};
use crate::simd::{Kernel, LANES, dispatch};

/// A pair that is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched {
    /// Its points: vertex and triangle, or edge and edge.
    pub points: [u32; 4],
    /// Gap = n·Σ wᵢ xᵢ at the closest points. \[1\]
    pub weights: [f32; 4],
    /// Unit normal from the second side to the first. \[1\]
    pub normal: [f32; 3],
    /// The least gap that n shows over the path it was found for. [m]
    pub margin: f32,
    /// The distance that is kept. [m]
    pub thickness: f32,
    /// Below this gap along its path a pair is watched. [m]
    pub reach: f32,
    /// The gap that n shows all along the paths of its points; none if it was not found for them. [m]
    pub sure: f32,
    /// Whether n is known to separate the sides where the step starts.
    pub apart: bool,
    /// Whether the closest points are inside the triangle or both edges.
    pub inside: bool,
    /// Whether it has touched since its normal was found.
    pub touches: bool,
    /// Whether it has been pushed in this step.
    pub pushed: bool,
}

impl Watched {
    /// Whether it may come to touch before it is looked at again: its path leads to less than the
    /// middle between the distance that is kept and the one at which nobody watches.
    #[inline(always)]
    pub fn is_near(&self) -> bool {
        self.margin < 0.5 * (self.thickness + self.reach)
    }
}

/// Finds the planes across some pairs anew where their points are `now`. Those that none separates
/// stay as they are, and in the list.
pub(super) fn renew<const SIDE: usize>(pairs: &mut [Watched], some: &mut Vec<u32>, now: &[Point4]) {
    dispatch(Renew::<SIDE> { pairs, some, now });
}

struct Renew<'a, const SIDE: usize> {
    pairs: &'a mut [Watched],
    some: &'a mut Vec<u32>,
    now: &'a [Point4],
}

impl<const SIDE: usize> Kernel for Renew<'_, SIDE> {
    #[inline(always)]
    fn run(self) {
        let Self { pairs, some, now } = self;
        let mut batch = Batch::EMPTY;
        let mut kept = 0;
        for first in (0..some.len()).step_by(LANES) {
            let last = some.len().min(first + LANES);
            for (l, &index) in some[first..last].iter().enumerate() {
                for (k, &v) in pairs[index as usize].points.iter().enumerate() {
                    for d in 0..3 {
                        batch.at[k][d][l] = now[v as usize][d];
                    }
                }
            }
            let found = batch.look::<SIDE>();
            for place in first..last {
                let (l, index) = (place - first, some[place]);
                let pair = &mut pairs[index as usize];
                pair.pushed = false;
                if found.start[l] > 0.0 {
                    pair.turn(&found, l);
                } else {
                    some[kept] = index;
                    kept += 1;
                }
            }
        }
        some.truncate(kept);
    }
}

/// Pairs of one kind to be looked at along paths; those that come near are added to `near`.
pub(super) fn find_near<const SIDE: usize>(
    candidates: &[[u32; 4]],
    paths: &impl Course,
    near: &mut Vec<Watched>,
) {
    dispatch(FindNear::<_, SIDE> { candidates, paths, near });
}

/// Where points are and where they are going, each with its last number as in [`Paths`].
pub(super) trait Course {
    /// The place of a point and its way.
    fn of(&self, point: usize) -> [Point4; 2];
}

impl Course for Paths {
    #[inline(always)]
    fn of(&self, point: usize) -> [Point4; 2] {
        [self.at[point], self.way[point]]
    }
}

/// From where points are to the ends of their paths, from which they may be as far off as from
/// their own.
pub(super) struct Onward<'a> {
    pub paths: &'a Paths,
    pub tubes: &'a [f32],
    pub now: &'a [Point4],
}

impl Course for Onward<'_> {
    #[inline(always)]
    fn of(&self, point: usize) -> [Point4; 2] {
        let (at, way, now) = (&self.paths.at[point], &self.paths.way[point], &self.now[point]);
        let to = |d: usize| at[d] + way[d] - now[d];
        let reach = at[3] + self.tubes[point];
        [[now[0], now[1], now[2], reach], [to(0), to(1), to(2), way[3]]]
    }
}

struct FindNear<'a, C, const SIDE: usize> {
    candidates: &'a [[u32; 4]],
    paths: &'a C,
    near: &'a mut Vec<Watched>,
}

impl<C: Course, const SIDE: usize> Kernel for FindNear<'_, C, SIDE> {
    #[inline(always)]
    fn run(self) {
        let mut batch = Batch::EMPTY;
        for pairs in self.candidates.chunks(LANES) {
            batch.gather(pairs, self.paths);
            let found = batch.look::<SIDE>();
            for (l, &points) in pairs.iter().enumerate() {
                if found.margin[l] < found.reach[l] {
                    self.near.push(found.watched(l, points));
                }
            }
        }
    }
}

type Lanes = [f32; LANES];

/// Positions and ways of sixteen pairs.
struct Batch {
    at: [[Lanes; 4]; 4],
    way: [[Lanes; 4]; 4],
}

/// What was found out about them.
struct Found {
    weights: [Lanes; 4],
    normal: [Lanes; 3],
    start: Lanes,
    margin: Lanes,
    thickness: Lanes,
    reach: Lanes,
    inside: Lanes,
}

impl Found {
    #[inline(always)]
    fn watched(&self, l: usize, points: [u32; 4]) -> Watched {
        Watched {
            points,
            weights: [
                self.weights[0][l],
                self.weights[1][l],
                self.weights[2][l],
                self.weights[3][l],
            ],
            normal: [self.normal[0][l], self.normal[1][l], self.normal[2][l]],
            margin: self.margin[l],
            thickness: self.thickness[l],
            reach: self.reach[l],
            sure: self.margin[l],
            apart: self.start[l] > 0.0,
            inside: self.inside[l] != 0.0,
            touches: false,
            pushed: false,
        }
    }
}

impl Watched {
    /// Takes over the plane of one lane, found where its points are.
    #[inline(always)]
    fn turn(&mut self, found: &Found, l: usize) {
        let Self { points, thickness, reach, .. } = *self;
        let (margin, sure) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        *self = Self { thickness, reach, margin, sure, ..found.watched(l, points) };
    }
}

impl Batch {
    const EMPTY: Self = Self { at: [[[0.0; LANES]; 4]; 4], way: [[[0.0; LANES]; 4]; 4] };

    #[inline(always)]
    fn gather(&mut self, pairs: &[[u32; 4]], paths: &impl Course) {
        for (l, pair) in pairs.iter().enumerate() {
            for k in 0..4 {
                let [at, way] = paths.of(pair[k] as usize);
                for d in 0..4 {
                    self.at[k][d][l] = at[d];
                    self.way[k][d][l] = way[d];
                }
            }
        }
    }

    #[inline(always)]
    fn look<const SIDE: usize>(&self) -> Found {
        let zero = [0.0; LANES];
        let mut found = Found {
            weights: [zero; 4],
            normal: [zero; 3],
            start: zero,
            margin: zero,
            thickness: zero,
            reach: zero,
            inside: zero,
        };
        for l in 0..LANES {
            let point = |k: usize| [self.at[k][0][l], self.at[k][1][l], self.at[k][2][l]];
            let way = |k: usize| [self.way[k][0][l], self.way[k][1][l], self.way[k][2][l]];
            let (origin, drift) = (point(0), way(0));
            let start =
                [[0.0; 3], sub(point(1), origin), sub(point(2), origin), sub(point(3), origin)];
            let end = [
                [0.0; 3],
                add(start[1], sub(way(1), drift)),
                add(start[2], sub(way(2), drift)),
                add(start[3], sub(way(3), drift)),
            ];
            let (weights, normal, inside) = closest::<SIDE>(&start);
            found.inside[l] = if inside { 1.0 } else { 0.0 };
            let (at_start, at_end) = (gap::<SIDE>(normal, &start), gap::<SIDE>(normal, &end));
            let rounding = ROUNDING * larger(size(&start), size(&end));
            for k in 0..4 {
                found.weights[k][l] = weights[k];
            }
            for d in 0..3 {
                found.normal[d][l] = normal[d];
            }
            found.start[l] = at_start - rounding;
            found.margin[l] = smaller(at_start, at_end) - rounding;
            let last = |k: usize| (self.at[k][3][l], self.way[k][3][l]);
            let ((p0, h0), (p1, h1)) = (last(0), last(1));
            let ((p2, h2), (p3, h3)) = (last(2), last(3));
            if SIDE == 1 {
                found.reach[l] = p0 + larger(larger(p1, p2), p3);
                found.thickness[l] = h0 + smaller(smaller(h1, h2), h3);
            } else {
                found.reach[l] = larger(p0, p1) + larger(p2, p3);
                found.thickness[l] = smaller(h0, h1) + smaller(h2, h3);
            }
        }
        found
    }
}

/// See the module.
const ROUNDING: f32 = 32.0 / 16_777_216.0;

/// The least gap along `normal` at `points`, less what rounding may have added.
#[inline(always)]
pub(super) fn sure_gap<const SIDE: usize>(
    pair: [u32; 4],
    normal: [f32; 3],
    points: &[Point4],
) -> f32 {
    let p = relative(pair, points);
    gap::<SIDE>(normal, &p) - ROUNDING * size(&p)
}

/// Weights and normal of the closest points, and their distance.
pub(super) fn nearest<const SIDE: usize>(
    pair: [u32; 4],
    points: &[Point4],
) -> ([f32; 4], [f32; 3], f32) {
    let p = relative(pair, points);
    let (weights, normal, _) = closest::<SIDE>(&p);
    let way = weighted(&weights, &p);
    (weights, normal, dot(way, way).sqrt())
}

#[inline(always)]
fn relative(pair: [u32; 4], points: &[Point4]) -> [[f32; 3]; 4] {
    let at = |k: usize| {
        let p = &points[pair[k] as usize];
        [p[0], p[1], p[2]]
    };
    let origin = at(0);
    [[0.0; 3], sub(at(1), origin), sub(at(2), origin), sub(at(3), origin)]
}

/// min over A of n·x − max over B of n·x.
#[inline(always)]
fn gap<const SIDE: usize>(n: [f32; 3], p: &[[f32; 3]; 4]) -> f32 {
    let (a, b, c, d) = (dot(n, p[0]), dot(n, p[1]), dot(n, p[2]), dot(n, p[3]));
    if SIDE == 1 { a - larger(larger(b, c), d) } else { smaller(a, b) - larger(c, d) }
}

/// Largest |x| + |y| + |z|.
#[inline(always)]
fn size(p: &[[f32; 3]; 4]) -> f32 {
    let long = |v: [f32; 3]| v[0].abs() + v[1].abs() + v[2].abs();
    larger(larger(long(p[1]), long(p[2])), long(p[3]))
}

#[inline(always)]
fn weighted(w: &[f32; 4], p: &[[f32; 3]; 4]) -> [f32; 3] {
    let along = |d: usize| w[1] * p[1][d] + w[2] * p[2][d] + w[3] * p[3][d];
    [along(0), along(1), along(2)]
}

/// Weights wᵢ of the closest points (Ericson 2005, §5.1.5 and §5.1.9) and the unit normal across
/// them, without branches. Any answer is sound: a certificate does not ask where its normal came from.
/// As two sides come to touch, the way between them loses its direction in rounding; where it is
/// across both of them, they know it better.
#[inline(always)]
fn closest<const SIDE: usize>(p: &[[f32; 3]; 4]) -> ([f32; 4], [f32; 3], bool) {
    let (weights, inside, across) =
        if SIDE == 1 { vertex_triangle(p[1], p[2], p[3]) } else { edge_edge(p[1], p[2], p[3]) };
    let way = weighted(&weights, p);
    let sign = if dot(way, across) < 0.0 { -1.0 } else { 1.0 };
    let along = |d: usize| if inside { sign * across[d] } else { way[d] };
    (weights, unit([along(0), along(1), along(2)]), inside)
}

/// The origin against a triangle: weights, whether its foot is inside, and the triangle's normal.
#[inline(always)]
fn vertex_triangle(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> ([f32; 4], bool, [f32; 3]) {
    let (ab, ac, bc) = (sub(b, a), sub(c, a), sub(c, b));
    let (bb, cc, bc_) = (dot(ab, ab), dot(ac, ac), dot(ab, ac));
    let (pb, pc, pbc) = (-dot(a, ab), -dot(a, ac), -dot(b, bc));
    let inverse = 1.0 / larger(bb * cc - bc_ * bc_, TINY);
    let (v, w) = ((cc * pb - bc_ * pc) * inverse, (bb * pc - bc_ * pb) * inverse);
    let inside = smaller(smaller(v, w), 1.0 - v - w) >= 0.0;
    let on_ab = part(pb / larger(bb, TINY));
    let on_ac = part(pc / larger(cc, TINY));
    let on_bc = part(pbc / larger(dot(bc, bc), TINY));
    let far = |v: [f32; 3]| dot(v, v);
    let at = |from: [f32; 3], way: [f32; 3], t: f32| {
        [from[0] + way[0] * t, from[1] + way[1] * t, from[2] + way[2] * t]
    };
    let (d_ab, d_ac, d_bc) = (far(at(a, ab, on_ab)), far(at(a, ac, on_ac)), far(at(b, bc, on_bc)));
    let first = d_ab <= d_ac;
    let (v1, w1, d1) = if first { (on_ab, 0.0, d_ab) } else { (0.0, on_ac, d_ac) };
    let (v2, w2) = if d_bc < d1 { (1.0 - on_bc, on_bc) } else { (v1, w1) };
    let (v, w) = if inside { (v, w) } else { (v2, w2) };
    ([1.0, v + w - 1.0, -v, -w], inside, cross(ab, ac))
}

/// The edge from the origin to `b` against the edge from `c` to `d`: weights, whether both closest
/// points are inside, and the direction across both.
#[inline(always)]
fn edge_edge(b: [f32; 3], c: [f32; 3], d: [f32; 3]) -> ([f32; 4], bool, [f32; 3]) {
    let along = sub(d, c);
    let (bb, ee) = (larger(dot(b, b), TINY), larger(dot(along, along), TINY));
    let (mixed, r_b, r_e) = (dot(b, along), -dot(c, b), -dot(c, along));
    let area = bb * ee - mixed * mixed;
    let s = part((mixed * r_e - r_b * ee) / larger(area, TINY));
    let s = if area > PARALLEL * (bb * ee) { s } else { 0.5 };
    let t = part((mixed * s + r_e) / ee);
    let s = part((mixed * t - r_b) / bb);
    let t = part((mixed * s + r_e) / ee);
    let s = part((mixed * t - r_b) / bb);
    let clear = area > CLEAR * (bb * ee);
    let inside = clear & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0);
    ([1.0 - s, s, t - 1.0, -t], inside, cross(b, along))
}

/// sin² of the angle above which the direction across two edges is well known.
const CLEAR: f32 = 1e-3;

/// Below this a square is nothing to divide by.
const TINY: f32 = 1e-30;

/// sin² of the angle below which edges count as parallel.
const PARALLEL: f32 = 1e-6;

#[inline(always)]
fn part(t: f32) -> f32 {
    smaller(larger(t, 0.0), 1.0)
}

#[inline(always)]
fn unit(v: [f32; 3]) -> [f32; 3] {
    scale(v, 1.0 / larger(dot(v, v), TINY).sqrt())
}
