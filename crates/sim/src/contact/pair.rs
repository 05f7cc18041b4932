//! The two pairs that triangles touch in, and how four points move.

use glam::{DVec3, Vec3};

/// Which of four points stand on which side.
///
/// Two triangles that do not touch come to touch as a vertex and a triangle, or as two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// Point 0 against the triangle of points 1, 2, 3.
    VertexTriangle,
    /// The edge of points 0, 1 against the edge of points 2, 3.
    EdgeEdge,
}

impl PairKind {
    /// How many of the four points, from the first, make side A; the others make side B.
    pub fn side_a(self) -> usize {
        match self {
            Self::VertexTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }
}

/// Four points in straight and even motion: x(t) = (1 − t) start + t end, 0 ≤ t ≤ 1. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMotion {
    /// Places at t = 0. [m]
    pub start: [DVec3; 4],
    /// Places at t = 1. [m]
    pub end: [DVec3; 4],
}

impl PairMotion {
    /// Of places as a state stores them. Every `f32` is an `f64`: nothing is rounded.
    pub fn of_state(start: [Vec3; 4], end: [Vec3; 4]) -> Self {
        Self { start: start.map(Vec3::as_dvec3), end: end.map(Vec3::as_dvec3) }
    }

    /// Points that stay where they are.
    pub fn at_rest(points: [DVec3; 4]) -> Self {
        Self { start: points, end: points }
    }

    /// The same motion seen from point 0.
    ///
    /// What all four do together falls out here, so that neither a place far from the origin
    /// nor a fast common flight costs any digits later.
    pub(super) fn relative(&self) -> Relative {
        let start = self.start.map(|x| x - self.start[0]);
        let end = self.end.map(|x| x - self.end[0]);
        let length = |x: DVec3| x.x.abs() + x.y.abs() + x.z.abs();
        let [_, a, b, c] = start.map(length);
        let [_, d, e, f] = end.map(length);
        // A sum keeps a NaN, which a maximum loses.
        let usable = (a + b + c) + (d + e + f) < LARGEST;
        let size = if usable { a.max(b).max(c.max(d)).max(e.max(f)) } else { f64::INFINITY };
        Relative { start, end, size }
    }
}

/// Sizes from here on are answered as if they were not numbers: their fourth powers overflow. [m]
const LARGEST: f64 = 1e70;

/// Four points in motion, relative to the first of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    pub start: [DVec3; 4],
    pub end: [DVec3; 4],
    /// Largest |x| + |y| + |z| at either end; infinite if anything is not a number. [m]
    pub size: f64,
}

/// What the gap of two points along a plane's normal may be wrong by, as a part of
/// the size: 32 u with u = 2⁻⁵³.
///
/// Let s be the size and n a vector with |n| ≤ 1 + 4u, as it is after division by its length.
/// Whatever n is meant to be, only the vector that is stored matters: it has no error.
///
/// 1. Relative places p = fl(x − x₀) are wrong by ≤ u|p| in each coordinate (a difference never
///    suffers from underflow), so n·p by ≤ u s.
/// 2. A dot product of three terms is wrong by ≤ 3.01 u Σ|nₖ||pₖ| ≤ 3.01 u s.
/// 3. A gap g = n·p − n·q is the difference of two of those, 2 (u + 3.01 u) s, and has its own
///    rounding, u·2s: together ≤ 10.1 u s at either end of the motion. Between the ends a gap
///    is a mean of the two, and so is its error.
/// 4. At a time t, fl(g₀ + (g₁ − g₀) t) adds ≤ 3.01 u·4s + u·2s ≤ 14.1 u s.
/// 5. Or a time is chosen: t = fl((g₀ − c)/(g₀ − g₁)) ≤ 1 is wrong by ≤ 3.01 u t, in which the gap
///    runs ≤ 3.01 u·4s ≤ 12.1 u s.
///
/// Of 4 and 5 a gap meets only one: ≤ 24.2 u s in all; 32 leaves room for terms in u² and for the
/// rounding of the bound itself.
pub(super) const ROUNDING: f64 = 32.0 * (f64::EPSILON / 2.0);

/// Products below the least normal number are wrong by more than a part of themselves;
/// so few of them cannot be wrong by more than this. [m]
const UNDERFLOW: f64 = 16.0 * f64::MIN_POSITIVE;

impl Relative {
    /// What any gap along a unit normal may be wrong by. [m]
    pub fn rounding(&self) -> f64 {
        ROUNDING * self.size + UNDERFLOW
    }

    /// Points at time t.
    pub fn at(&self, t: f64) -> [DVec3; 4] {
        std::array::from_fn(|i| self.start[i] + (self.end[i] - self.start[i]) * t)
    }
}

/// n·(a − b) for each point a of side A and b of side B, over `points`; unused ones repeat the first.
pub(super) fn gaps(pair: PairKind, normal: DVec3, points: &[DVec3; 4]) -> [f64; 4] {
    let [p, q, r, s] = points.map(|x| normal.dot(x));
    match pair {
        PairKind::VertexTriangle => [p - q, p - r, p - s, p - q],
        PairKind::EdgeEdge => [p - r, p - s, q - r, q - s],
    }
}
