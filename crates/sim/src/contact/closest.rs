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

/// sin² of the angle between two edges from which on the foot of their perpendicular is known nearly
/// as well as the edges are.
const CLEAR_SINE_SQUARED: f64 = 1e-2;

/// sin² of the angle from which on at least the direction of the perpendicular is known to half of
/// all digits.
const KNOWN_SINE_SQUARED: f64 = 1e-16;

/// The perpendicular n = u × v of two edges.
struct Perpendicular {
    normal: DVec3,
    /// |n|². [m⁴]
    squared: f64,
    /// |u|²|v|². [m⁴]
    scale: f64,
}

impl Perpendicular {
    /// None if the edges are parallel or have no length.
    fn new(u: DVec3, v: DVec3) -> Option<Self> {
        let normal = u.cross(v);
        let squared = normal.length_squared();
        let scale = u.length_squared() * v.length_squared();
        (squared > 0.0).then_some(Self { normal, squared, scale })
    }

    fn is_clear(&self) -> bool {
        self.squared > CLEAR_SINE_SQUARED * self.scale
    }

    /// A gap that should be along n, without what rounding has left across it: as two points
    /// meet, their difference loses its direction.
    fn straightened(&self, gap: DVec3) -> DVec3 {
        if self.squared > KNOWN_SINE_SQUARED * self.scale {
            self.normal * (gap.dot(self.normal) / self.squared)
        } else {
            gap
        }
    }
}

fn vertex_triangle(&[p, a, b, c]: &[DVec3; 4]) -> ClosestPoints {
    let (u, v, r) = (b - a, c - a, p - a);
    let mut inside = None;
    if let Some(n) = Perpendicular::new(u, v) {
        let wb = r.cross(v).dot(n.normal) / n.squared;
        let wc = u.cross(r).dot(n.normal) / n.squared;
        let wa = 1.0 - wb - wc;
        if wa > 0.0 && wb > 0.0 && wc > 0.0 {
            let gap = n.straightened(r - u * wb - v * wc);
            let found = ClosestPoints::new([1.0, -wa, -wb, -wc], gap);
            if n.is_clear() {
                return found;
            }
            inside = Some(found);
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
    let (first, second) = (Segment::new(a, b), Segment::new(c, d));
    let at = |s: f64, t: f64, gap| ClosestPoints::new([1.0 - s, s, t - 1.0, -t], gap);
    let within = |s: f64, t: f64| s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    let mut inside = None;
    if let Some(n) = Perpendicular::new(u, v) {
        let s = v.cross(r).dot(n.normal) / n.squared;
        let t = u.cross(r).dot(n.normal) / n.squared;
        if within(s, t) {
            if n.is_clear() {
                return at(s, t, n.straightened(r + u * s - v * t));
            }
            // Each of these steps only comes closer, whatever s and t were worth.
            let (t, _) = second.foot(a + u * s);
            let (s, gap) = first.foot(c + v * t);
            inside = Some(at(s, t, if within(s, t) { n.straightened(-gap) } else { -gap }));
        }
    }
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
