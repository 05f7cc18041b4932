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

/// sin² of the angle between two edges from which on their cross product, and so the foot of a
/// perpendicular, is known nearly as well as the edges are.
const CLEAR_SINE_SQUARED: f64 = 1e-2;

fn vertex_triangle(&[p, a, b, c]: &[DVec3; 4]) -> ClosestPoints {
    let (u, v, r) = (b - a, c - a, p - a);
    let n = u.cross(v);
    let nn = n.length_squared();
    let mut inside = None;
    if nn > 0.0 {
        let (wb, wc) = (r.cross(v).dot(n) / nn, u.cross(r).dot(n) / nn);
        let wa = 1.0 - wb - wc;
        if wa > 0.0 && wb > 0.0 && wc > 0.0 {
            let weights = [1.0, -wa, -wb, -wc];
            if nn > CLEAR_SINE_SQUARED * (u.length_squared() * v.length_squared()) {
                // Along n itself: a difference of points loses its direction as they meet.
                return ClosestPoints::new(weights, n * (r.dot(n) / nn));
            }
            inside = Some(ClosestPoints::new(weights, r - u * wb - v * wc));
        }
    }
    let ab = Segment::new(a, b).foot(p);
    let bc = Segment::new(b, c).foot(p);
    let ca = Segment::new(c, a).foot(p);
    let border = ClosestPoints::new([1.0, ab - 1.0, -ab, 0.0], r - u * ab)
        .nearer(ClosestPoints::new([1.0, 0.0, bc - 1.0, -bc], p - b - (c - b) * bc))
        .nearer(ClosestPoints::new([1.0, -ca, 0.0, ca - 1.0], p - c - (a - c) * ca));
    inside.map_or(border, |inside| border.nearer(inside))
}

fn edge_edge(&[a, b, c, d]: &[DVec3; 4]) -> ClosestPoints {
    let (u, v, r) = (b - a, d - c, a - c);
    let (first, second) = (Segment::new(a, b), Segment::new(c, d));
    let at = |s: f64, t: f64| ClosestPoints::new([1.0 - s, s, t - 1.0, -t], r + u * s - v * t);
    let n = u.cross(v);
    let nn = n.length_squared();
    let mut inside = None;
    if nn > 0.0 {
        let (s, t) = (v.cross(r).dot(n) / nn, u.cross(r).dot(n) / nn);
        if s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
            if nn > CLEAR_SINE_SQUARED * (u.length_squared() * v.length_squared()) {
                return ClosestPoints::new([1.0 - s, s, t - 1.0, -t], n * (r.dot(n) / nn));
            }
            // Each of these steps only comes closer, whatever s and t were worth.
            let t = second.foot(a + u * s);
            inside = Some(at(first.foot(c + v * t), t));
        }
    }
    let border = at(0.0, second.foot(a))
        .nearer(at(1.0, second.foot(b)))
        .nearer(at(first.foot(c), 0.0))
        .nearer(at(first.foot(d), 1.0));
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

    /// Closest point to x as the part of the way along, in [0, 1].
    fn foot(&self, x: DVec3) -> f64 {
        ((x - self.origin).dot(self.along) * self.inverse).clamp(0.0, 1.0)
    }
}
