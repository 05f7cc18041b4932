//! Curves with edges of one length: straight, curled, combed, drawn.

use glam::{DVec3, Vec3};
use std::f64::consts::TAU;
use tkanina_sim::strands::carry_director;

use crate::schema::Curl;

/// So many points of a curve, its first and its last among them, each as far from the next in a
/// straight line.
pub(super) fn equal_edges(curve: &[Vec3], count: usize) -> Vec<Vec3> {
    let points: Vec<DVec3> = curve.iter().map(|p| p.as_dvec3()).collect();
    let length: f64 = points.windows(2).map(|e| e[1].distance(e[0])).sum();
    let edges = count.saturating_sub(1).max(1) as f64;
    // Longer chords end farther along the curve.
    let (mut low, mut high) = (0.0, length / edges);
    let straight = points.last().map_or(0.0, |end| end.distance(points[0]));
    if straight >= length * (1.0 - 1e-9) {
        low = high;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if walk(&points, middle, count).1 { low = middle } else { high = middle }
    }
    walk(&points, 0.5 * (low + high), count).0.iter().map(|p| p.as_vec3()).collect()
}

/// Points along a curve, each `chord` from the one before, beyond its end straight on; and whether
/// all are on it.
fn walk(points: &[DVec3], chord: f64, count: usize) -> (Vec<DVec3>, bool) {
    let mut at = points[0];
    let mut edge = 0;
    let mut all = true;
    let mut found = Vec::with_capacity(count);
    found.push(at);
    while found.len() < count {
        // The first edge that leaves the ball round `at`.
        while edge + 2 < points.len() && points[edge + 1].distance(at) < chord {
            edge += 1;
        }
        let (a, b) = (points[edge], points[(edge + 1).min(points.len() - 1)]);
        let Some(along) = (b - a).try_normalize() else {
            edge += 1;
            if edge + 1 >= points.len() {
                break;
            }
            continue;
        };
        // |a + t·along − at| = chord, the later of the two.
        let off = a - at;
        let half = off.dot(along);
        let root = (half * half - off.length_squared() + chord * chord).max(0.0).sqrt();
        let t = root - half;
        all &= t <= b.distance(a);
        at = a + along * t;
        found.push(at);
    }
    while found.len() < count {
        found.push(at);
    }
    (found, all)
}

/// A straight strand.
pub(super) fn straight(from: Vec3, direction: Vec3, edge: f64, count: usize) -> Vec<Vec3> {
    let (from, along) = (from.as_dvec3(), direction.as_dvec3().normalize_or(DVec3::NEG_Y));
    (0..count).map(|i| (from + along * (edge * i as f64)).as_vec3()).collect()
}

/// A helix as points of a strand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Helix {
    /// [m]
    pub radius: f64,
    /// [m]
    pub pitch: f64,
    /// Angle between neighbours.
    pub step: f64,
    /// Angle of the first point.
    pub phase: f64,
}

impl Helix {
    /// A curl by edges of a length: 4r² sin²(φ/2) + (pφ/2π)² = edge². `None` if it is straight.
    pub fn new(curl: Curl, edge: f64, phase: f64) -> Option<Self> {
        let (radius, pitch) = (curl.radius_m, curl.pitch_m);
        if !(radius > 0.0) {
            return None;
        }
        let chord =
            |step: f64| libm::hypot(2.0 * radius * libm::sin(0.5 * step), pitch * step / TAU);
        // An edge no longer than half a turn, as else the curl is lost anyway.
        let (mut low, mut high) = (0.0, std::f64::consts::PI);
        if chord(high) < edge {
            let step = edge * TAU / pitch;
            return Some(Self { radius, pitch, step: step.max(high), phase });
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if chord(middle) < edge { low = middle } else { high = middle }
        }
        Some(Self { radius, pitch, step: 0.5 * (low + high), phase })
    }

    /// Its points from a place on along an axis; edges are exactly as long as they should be where
    /// the curl has two points a turn or more.
    pub fn points(&self, from: Vec3, axis: Vec3, count: usize) -> Vec<Vec3> {
        let z = axis.as_dvec3().normalize_or(DVec3::NEG_Y);
        let x = z.any_orthonormal_vector();
        let y = z.cross(x);
        let at = |i: usize| {
            let turned = self.step * i as f64;
            let round = |angle: f64| (x * libm::cos(angle) + y * libm::sin(angle)) * self.radius;
            round(self.phase + turned) - round(self.phase) + z * (self.pitch * turned / TAU)
        };
        (0..count).map(|i| (from.as_dvec3() + at(i)).as_vec3()).collect()
    }
}

/// How strands are combed.
pub(super) struct Comb<'a> {
    /// Where they turn to.
    pub direction: DVec3,
    /// Length over which they do. [m]
    pub turn: f64,
    /// Distance that they keep from what they grow on. [m]
    pub clearance: f64,
    /// How far a place is outside of that, and the way out.
    pub outside: &'a dyn Fn(Vec3) -> Option<(f32, Vec3)>,
}

impl Comb<'_> {
    /// A strand from a place on that leaves it in a direction and turns, wound round that way if it
    /// is curled.
    pub fn strand(
        &self,
        from: Vec3,
        leave: Vec3,
        edge: f64,
        (count, helix): (usize, Option<Helix>),
    ) -> Vec<Vec3> {
        let Some(helix) = helix else {
            return self.way(from, leave, (edge, count), self.clearance);
        };
        // Along the axis a strand gets on by less than its length.
        let axial = helix.pitch * helix.step / TAU;
        let fine = 6 * (count - 1) + 1;
        let step = axial * (count - 1) as f64 / (fine - 1) as f64;
        let axis = self.way(from, leave, (step, fine), self.clearance + helix.radius);
        let mut tangent = leave.as_dvec3().normalize_or(DVec3::NEG_Y);
        let mut across = tangent.any_orthonormal_vector();
        let mut wound = Vec::with_capacity(fine);
        for (i, point) in axis.iter().enumerate() {
            if let Some(next) = axis.get(i + 1) {
                let along = (*next - *point).as_dvec3().normalize_or(tangent);
                across = carry_director(across, tangent, along);
                tangent = along;
            }
            let way = step * i as f64;
            let radius = helix.radius * (way / (0.5 * helix.pitch)).min(1.0);
            let angle = helix.phase + TAU * way / helix.pitch;
            let round = across * libm::cos(angle) + tangent.cross(across) * libm::sin(angle);
            wound.push((point.as_dvec3() + round * radius).as_vec3());
        }
        let mut points = equal_edges(&wound, count);
        let found = f64::from((points[1] - points[0]).length());
        if found > 0.0 {
            let factor = (edge / found) as f32;
            points.iter_mut().for_each(|p| *p = from + (*p - from) * factor);
        }
        points
    }

    fn way(
        &self,
        from: Vec3,
        leave: Vec3,
        (edge, count): (f64, usize),
        clearance: f64,
    ) -> Vec<Vec3> {
        let mut at = from.as_dvec3();
        let mut tangent = leave.as_dvec3().normalize_or(DVec3::NEG_Y);
        let mut points = vec![from];
        while points.len() < count {
            // What leaves a surface gets clear of it little by little.
            let wanted = clearance.min(0.7 * edge * points.len() as f64);
            let mut along = tangent;
            for _ in 0..8 {
                let Some((off, out)) = (self.outside)((at + along * edge).as_vec3()) else { break };
                let lacking = wanted - f64::from(off);
                if !(lacking > 0.0) {
                    break;
                }
                along =
                    (along + out.as_dvec3() * (1.05 * lacking / edge).min(2.0)).normalize_or(along);
            }
            at += along * edge;
            points.push(at.as_vec3());
            let turned = along + (self.direction - along) * (edge / self.turn).min(1.0);
            tangent = turned.normalize_or(along);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(points: &[Vec3]) -> Vec<f64> {
        points.windows(2).map(|e| e[1].as_dvec3().distance(e[0].as_dvec3())).collect()
    }

    fn spread(points: &[Vec3]) -> f64 {
        let edges = edges(points);
        let (low, high) = edges.iter().fold((f64::MAX, 0.0_f64), |(l, h), &e| (l.min(e), h.max(e)));
        (high - low) / high
    }

    #[test]
    fn a_quarter_of_a_circle_gets_equal_chords() {
        let arc = |i: usize| {
            let angle = std::f64::consts::FRAC_PI_2 * (i * i) as f64 / 10_000.0;
            DVec3::new(libm::cos(angle), libm::sin(angle), 0.0).as_vec3()
        };
        let curve: Vec<Vec3> = (0..=100).map(arc).collect();
        let points = equal_edges(&curve, 9);
        assert_eq!(points.len(), 9);
        assert!(spread(&points) < 1e-4, "{:?}", edges(&points));
        // 2 sin(π/32).
        assert!((edges(&points)[3] - 0.196_034).abs() < 1e-4, "{:?}", edges(&points));
        assert!((points[8] - Vec3::Y).length() < 1e-4);
    }

    #[test]
    fn two_points_and_zigzags_are_curves_too() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 3.0];
        assert_eq!(equal_edges(&line, 2)[1], Vec3::X * 3.0);
        let points = equal_edges(&line, 4);
        assert!(spread(&points) < 1e-6, "{points:?}");
        let zigzag: Vec<Vec3> =
            (0..9).map(|i| Vec3::new(i as f32 * 0.1, (i % 2) as f32, 0.0)).collect();
        assert!(spread(&equal_edges(&zigzag, 40)) < 1e-3);
        let twice = [Vec3::ZERO, Vec3::ZERO, Vec3::Y, Vec3::Y];
        assert!(spread(&equal_edges(&twice, 5)) < 1e-5);
    }

    #[test]
    fn a_helix_has_the_curvature_of_its_radius_and_pitch() {
        let (r, p) = (0.006, 0.025);
        let helix = Helix::new(Curl { radius_m: r, pitch_m: p }, 2e-4, 1.0).unwrap();
        let points = helix.points(Vec3::ONE, Vec3::X, 200);
        assert_eq!(points[0], Vec3::ONE);
        for e in edges(&points) {
            assert!((e / 2e-4 - 1.0).abs() < 2e-3, "{e}");
        }
        let local: Vec<DVec3> =
            helix.points(Vec3::ZERO, Vec3::X, 40).iter().map(|p| p.as_dvec3()).collect();
        let bend = local[1] - 2.0 * local[21] + local[39];
        // Over 19 edges a side: |x₋ − 2x + x₊| = 4 ρ sin²(half the angle)… of the helix itself.
        let turned = 19.0 * helix.step;
        let wanted = 2.0 * r * (1.0 - libm::cos(turned));
        assert!((bend.length() / wanted - 1.0).abs() < 0.08, "{} {wanted}", bend.length());
        assert!(Helix::new(Curl { radius_m: 0.0, pitch_m: p }, 0.1, 0.0).is_none());
    }

    #[test]
    fn combed_hair_lies_on_a_ball() {
        let outside = |p: Vec3| Some((p.length() - 0.1, p.normalize_or(Vec3::Y)));
        let comb =
            Comb { direction: DVec3::NEG_Y, turn: 0.02, clearance: 0.002, outside: &outside };
        for helix in [None, Helix::new(Curl { radius_m: 0.003, pitch_m: 0.03 }, 0.01, 0.3)] {
            let leave = Vec3::new(0.1, 0.99, 0.05).normalize();
            let points = comb.strand(leave * 0.1, leave, 0.01, (31, helix));
            assert!(spread(&points) < 2e-3, "{:?}", edges(&points));
            assert!(points.iter().skip(2).all(|p| p.length() > 0.1), "{points:?}");
            assert!((edges(&points)[0] - 0.01).abs() < 1e-5, "{:?}", edges(&points));
            assert!(points[30].y < 0.0, "{}", points[30]);
        }
    }
}
