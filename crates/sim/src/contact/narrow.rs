//! Sixteen pairs at a time: closest points, the plane across them, and the gap it shows.
//!
//! In `f32`, and relative to a pair's first point. What a gap g along n may be wrong by is
//! 32·2⁻²⁴ of the pair's size (see `pair::ROUNDING`, the same sum with another unit roundoff).

mod plane;

use super::rules::Rules;
use super::spare::Stands;
use super::swept::{Paths, Point4};
use crate::simd::three::{add, larger, smaller, sub};
use crate::simd::{Kernel, LANES, dispatch};
use plane::{ROUNDING, closest, gap, size};
pub(super) use plane::{nearest, sure_gap};

/// A pair that is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched {
    /// Its points: vertex and triangle, or edge and edge.
    pub points: [u32; 4],
    /// Gap = n·Σ wᵢ xᵢ at the closest points. \[1\]
    pub weights: [f32; 4],
    /// Unit normal from the second side to the first. \[1\]
    pub normal: [f32; 3],
    /// The distance that is kept. [m]
    pub thickness: f32,
    /// The gap that n shows all along the paths of its points; none if it was not found for them. [m]
    pub sure: f32,
    /// Whether n is known to separate the sides where the step starts.
    pub apart: bool,
    /// Whether the closest points are inside the triangle or both edges.
    pub inside: bool,
    /// Whether it may come to touch before it is looked at again.
    pub near: bool,
    /// Beside others that are closest in the same parts.
    pub stands: Stands,
    /// Whether it has touched since its normal was found.
    pub touches: bool,
    /// Whether it has been pushed in this step.
    pub pushed: bool,
}

impl Watched {
    /// No pair at all.
    pub const NONE: Self = Self {
        points: [0; 4],
        weights: [0.0; 4],
        normal: [0.0; 3],
        thickness: 0.0,
        sure: f32::NEG_INFINITY,
        apart: false,
        inside: false,
        near: false,
        stands: Stands::Alone,
        touches: false,
        pushed: false,
    };
}

/// Finds the planes across some pairs anew where their points are `now`. Those that none separates
/// stay as they are, and in the list.
pub(super) fn renew<const SIDE: usize>(
    (pairs, some): (&mut [Watched], &mut Vec<u32>),
    now: &[Point4],
    rules: &Rules,
) {
    dispatch(Renew::<SIDE> { pairs, some, now, rules });
}

struct Renew<'a, const SIDE: usize> {
    pairs: &'a mut [Watched],
    some: &'a mut Vec<u32>,
    now: &'a [Point4],
    rules: &'a Rules,
}

impl<const SIDE: usize> Kernel for Renew<'_, SIDE> {
    #[inline(always)]
    fn run(self) {
        let Self { pairs, some, now, rules } = self;
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
                    pair.stands = rules.spares.stands::<SIDE>(pair, rules);
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
    /// See [`Paths::near_below`].
    fn near_below(&self, reach: f32, thickness: f32) -> f32;
}

impl Course for Paths {
    #[inline(always)]
    fn of(&self, point: usize) -> [Point4; 2] {
        [self.at[point], self.way[point]]
    }

    #[inline(always)]
    fn near_below(&self, reach: f32, thickness: f32) -> f32 {
        Paths::near_below(self, reach, thickness)
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

    #[inline(always)]
    fn near_below(&self, reach: f32, thickness: f32) -> f32 {
        self.paths.near_below(reach, thickness)
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
                    let below = self.paths.near_below(found.reach[l], found.thickness[l]);
                    let near = found.margin[l] < below;
                    self.near.push(Watched { near, ..found.watched(l, points) });
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
            thickness: self.thickness[l],
            sure: self.margin[l],
            apart: self.start[l] > 0.0,
            inside: self.inside[l] != 0.0,
            near: true,
            stands: Stands::Alone,
            touches: false,
            pushed: false,
        }
    }
}

impl Watched {
    /// Takes over the plane of one lane, found where its points are.
    #[inline(always)]
    fn turn(&mut self, found: &Found, l: usize) {
        let Self { points, thickness, .. } = *self;
        let sure = f32::NEG_INFINITY;
        *self = Self { thickness, sure, ..found.watched(l, points) };
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
