//! Closest points of a vertex and a triangle, and of two edges.

#[cfg(test)]
mod tests;

use super::pair::PairKind;
use glam::DVec3;

/// Where two sides of a pair are closest.
///
/// gap = Σ wᵢ xᵢ, which points from side B to side A. The weights of side A are positive and add up
/// to 1, those of side B are negative and add up to −1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// Weights wᵢ of the four points. \[1\]
    pub weights: [f64; 4],
    /// From the closest point of side B to that of side A. [m]
    pub gap: DVec3,
    /// |gap|². [m²]
    pub distance_squared: f64,
}

impl ClosestPoints {
    fn new(weights: [f64; 4], gap: DVec3) -> Self {
        Self { weights, gap, distance_squared: gap.length_squared() }
    }

    /// Unit direction from side B to side A, unless they touch; its length is 1 ± 4·2⁻⁵³.
    pub fn normal(&self) -> Option<DVec3> {
        let known = self.distance_squared > TOUCHING && self.distance_squared < f64::INFINITY;
        known.then(|| self.gap / self.distance_squared.sqrt())
    }

    fn nearer(self, other: Self) -> Self {
        if other.distance_squared < self.distance_squared { other } else { self }
    }
}

/// Below this a square has lost digits to underflow and says nothing of a direction. [m²]
const TOUCHING: f64 = 1e-290;

/// Closest points of a pair: argmin |a − b| over points a of side A, b of side B.
///
/// Where the foot of the perpendicular lies inside, it is the answer (Ericson 2005, §5.1.5 and
/// §5.1.9); otherwise the answer lies on a border, and all borders are looked at. Near zero area,
/// and between nearly parallel edges, the foot is ill-determined: there borders compete with it,
/// and as the answer is the best of several points that do belong to both sides, it is never
/// worse than rounding makes the border's. Answers NaN to NaN.
pub fn closest(pair: PairKind, points: &[DVec3; 4]) -> ClosestPoints {
    match pair {
        PairKind::VertexTriangle => vertex_triangle(points),
        PairKind::EdgeEdge => edge_edge(points),
    }
}

/// sin² of the angle between two edges from which on their perpendicular is known nearly as well as
/// the edges are.
const CLEAR_SINE_SQUARED: f64 = 1e-2;

/// A gap that should be along n, without what rounding has left across it: as two points meet,
/// their difference loses its direction.
fn along(n: DVec3, gap: DVec3) -> DVec3 {
    n * (gap.dot(n) / n.length_squared())
}

/// The same where n is not known as well: the gap without its part along an edge, and that part.
fn off(edge: DVec3, gap: DVec3) -> (DVec3, f64) {
    let part = gap.dot(edge) / edge.length_squared();
    (gap - edge * part, part)
}

fn is_clear(n: DVec3, u: DVec3, v: DVec3) -> bool {
    n.length_squared() > CLEAR_SINE_SQUARED * (u.length_squared() * v.length_squared())
}

fn vertex_triangle(&[p, a, b, c]: &[DVec3; 4]) -> ClosestPoints {
    let (u, v, r) = (b - a, c - a, p - a);
    let n = u.cross(v);
    let nn = n.length_squared();
    let mut inside = None;
    if nn > 0.0 {
        let (wb, wc) = (r.cross(v).dot(n) / nn, u.cross(r).dot(n) / nn);
        let weights = |wb: f64, wc: f64| [1.0, wb + wc - 1.0, -wb, -wc];
        let within = |wb: f64, wc: f64| wb > 0.0 && wc > 0.0 && wb + wc < 1.0;
        if within(wb, wc) {
            let gap = r - u * wb - v * wc;
            if is_clear(n, u, v) {
                return ClosestPoints::new(weights(wb, wc), along(n, gap));
            }
            let (gap, more_b) = off(u, gap);
            let (gap, more_c) = off(v, gap);
            let (wb, wc) = (wb + more_b, wc + more_c);
            inside = within(wb, wc).then(|| ClosestPoints::new(weights(wb, wc), gap));
        }
    }
    let on = |from, to, weights: fn(f64) -> [f64; 4]| {
        let (t, gap) = Segment::new(from, to).foot(p);
        ClosestPoints::new(weights(t), gap)
    };
    let border = on(a, b, |t| [1.0, t - 1.0, -t, 0.0])
        .nearer(on(b, c, |t| [1.0, 0.0, t - 1.0, -t]))
        .nearer(on(c, a, |t| [1.0, -t, 0.0, t - 1.0]));
    inside.map_or(border, |inside| border.nearer(inside))
}

fn edge_edge(&[a, b, c, d]: &[DVec3; 4]) -> ClosestPoints {
    let (u, v, r) = (b - a, d - c, a - c);
    let n = u.cross(v);
    let nn = n.length_squared();
    let at = |s: f64, t: f64, gap| ClosestPoints::new([1.0 - s, s, t - 1.0, -t], gap);
    let mut inside = None;
    if nn > 0.0 {
        let (s, t) = (v.cross(r).dot(n) / nn, u.cross(r).dot(n) / nn);
        let within = |s: f64, t: f64| s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
        if within(s, t) {
            let gap = r + u * s - v * t;
            if is_clear(n, u, v) {
                return at(s, t, along(n, gap));
            }
            let (gap, less_s) = off(u, gap);
            let (gap, more_t) = off(v, gap);
            let (s, t) = (s - less_s, t + more_t);
            inside = within(s, t).then(|| at(s, t, gap));
        }
    }
    let (first, second) = (Segment::new(a, b), Segment::new(c, d));
    let first_at = |s: f64, x| {
        let (t, gap) = second.foot(x);
        at(s, t, gap)
    };
    let second_at = |t: f64, x| {
        let (s, gap) = first.foot(x);
        at(s, t, -gap)
    };
    let border = first_at(0.0, a)
        .nearer(first_at(1.0, b))
        .nearer(second_at(0.0, c))
        .nearer(second_at(1.0, d));
    inside.map_or(border, |inside| border.nearer(inside))
}

/// A segment with what every projection on it shares.
struct Segment {
    origin: DVec3,
    along: DVec3,
    /// 1/|along|², 0 for a segment without length. [1/m²]
    inverse: f64,
}

impl Segment {
    fn new(from: DVec3, to: DVec3) -> Self {
        let along = to - from;
        let squared = along.length_squared();
        let inverse = if squared > f64::MIN_POSITIVE { 1.0 / squared } else { 0.0 };
        Self { origin: from, along, inverse }
    }

    /// Closest point to x as the part of the way along, in [0, 1], and the way from there to x.
    fn foot(&self, x: DVec3) -> (f64, DVec3) {
        let from_origin = x - self.origin;
        let part = (from_origin.dot(self.along) * self.inverse).clamp(0.0, 1.0);
        (part, from_origin - self.along * part)
    }
}
