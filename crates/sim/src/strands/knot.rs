//! A knot in a rope.

use glam::{DVec3, Vec3};

/// Scale of the knot's curve across its plane, and along its plane's second axis. With these its parts
/// are [`CLEARANCE`] apart where they cross and nowhere bent more sharply than that allows.
const LIFT: f64 = 0.2;
const SQUAT: f64 = 0.5;

/// Where the curve ends, just beyond its last crossing at t = (√2 + √6)/2.
const END: f64 = 1.95;

/// Length of the bends that lead its ends out. [units of the curve]
const REACH: f64 = 1.5;

/// The largest thickness that its parts leave room for, and its whole length with the bends that lead
/// out. [units of the curve]
const CLEARANCE: f64 = 0.29;
const WHOLE: f64 = 24.0;

/// Thicknesses between its parts at the start.
const LOOSE: f64 = 1.4;

/// Pieces of half the curve, and of the bend at its end.
const PIECES: usize = 2000;

/// An open overhand knot, loose: so many points at equal distances, `length` in all [m], symmetric
/// about the origin, with straight ends along x. In a rope that is too short for a loose knot of its
/// thickness [m] it is as large as nine tenths of the rope allow, and parts may begin in each other.
///
/// (t³ − 3t, t⁴ − 4t², t⁵ − 10t), the polynomial trefoil (Shastri 1992), scaled.
pub fn overhand_knot(thickness: f32, length: f32, points: usize) -> Vec<Vec3> {
    let points = points.max(2);
    let (thickness, length) = (f64::from(thickness), f64::from(length));
    let scale = (LOOSE * thickness / CLEARANCE).min(0.9 * length / WHOLE);
    let half = half_curve(scale);
    let chord = length / (points - 1) as f64;
    // From the middle outwards: the other half is this one turned about y.
    let mut right = Vec::with_capacity(points / 2 + 1);
    let mut walk = Walk { curve: &half, at: half[0], next: 1 };
    if points.is_multiple_of(2) {
        walk.leave_axis(0.5 * chord);
    }
    right.push(walk.at);
    while right.len() < points.div_ceil(2) {
        right.push(walk.on(chord));
    }
    let turned = |p: &DVec3| DVec3::new(-p.x, p.y, -p.z);
    let left = right.iter().skip(points % 2).rev().map(turned);
    left.chain(right.iter().copied()).map(DVec3::as_vec3).collect()
}

/// The curve from its middle on, with its end at y = z = 0.
fn half_curve(scale: f64) -> Vec<DVec3> {
    let at = |t: f64| {
        let (x, y, z) = (t * t * t - 3.0 * t, t * t * (t * t - 4.0), t * (t * t * t * t - 10.0));
        DVec3::new(x, SQUAT * y, LIFT * z)
    };
    let mut curve: Vec<DVec3> = (0..=PIECES).map(|i| at(END * i as f64 / PIECES as f64)).collect();
    let (from, tangent) = (at(END), (at(END) - at(END - 1e-6)).normalize());
    let to = DVec3::new(from.x + 1.5 * REACH, from.y + REACH * tangent.y, 0.0);
    for i in 1..=PIECES {
        let s = i as f64 / PIECES as f64;
        // Hermite's cubic.
        let (ss, sss) = (s * s, s * s * s);
        curve.push(
            from * (2.0 * sss - 3.0 * ss + 1.0)
                + tangent * (2.0 * REACH * (sss - 2.0 * ss + s))
                + to * (3.0 * ss - 2.0 * sss)
                + DVec3::X * (2.0 * REACH * (sss - ss)),
        );
    }
    curve.iter().map(|&p| (p - DVec3::Y * to.y) * scale).collect()
}

/// A walk along a curve, and straight on along x from its end.
struct Walk<'a> {
    curve: &'a [DVec3],
    at: DVec3,
    next: usize,
}

impl Walk<'_> {
    /// Goes on to where the curve is this far from the axis y, and so twice as far from its other half.
    fn leave_axis(&mut self, distance: f64) {
        let far = |p: DVec3| (p.x * p.x + p.z * p.z).sqrt();
        while self.next + 1 < self.curve.len() && far(self.curve[self.next]) < distance {
            self.next += 1;
        }
        let (from, to) = (self.curve[self.next - 1], self.curve[self.next]);
        let part = (distance - far(from)) / (far(to) - far(from));
        self.at = if part.is_finite() { from.lerp(to, part) } else { from };
    }

    /// The next point of the curve at this distance.
    fn on(&mut self, distance: f64) -> DVec3 {
        let far = |p: DVec3| p.distance(self.at) >= distance;
        while self.curve.get(self.next).is_some_and(|&p| !far(p)) {
            self.next += 1;
        }
        let from = self.curve[self.next - 1];
        let to = self.curve.get(self.next).copied();
        let to = to.unwrap_or(from + DVec3::X * (2.0 * distance + from.distance(self.at)));
        // |from + s·way − at|² = distance².
        let (way, off) = (to - from, from - self.at);
        let (a, b) = (way.length_squared(), way.dot(off));
        let c = off.length_squared() - distance * distance;
        let s = if a > 0.0 { (-b + (b * b - a * c).max(0.0).sqrt()) / a } else { 0.0 };
        self.at = from + way * s;
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knot_has_its_length_in_equal_parts_and_room_for_its_thickness() {
        for (thickness, length, count) in [(0.01, 2.0, 200), (0.004, 1.0, 301), (0.01, 1.2, 40)] {
            let knot = overhand_knot(thickness, length, count);
            assert_eq!(knot.len(), count);
            let edge = length / (count - 1) as f32;
            for ends in knot.windows(2) {
                assert!((ends[0].distance(ends[1]) / edge - 1.0).abs() < 1e-3, "{ends:?}");
            }
            let span = (knot[count - 1] - knot[0]).length();
            assert!(span < length - 40.0 * thickness, "{span} m of {length} m");
            assert!(knot[0].y.abs() + knot[0].z.abs() < 1e-5, "{}", knot[0]);
            let room = |i: usize, j: usize| knot[i].distance(knot[j]);
            let apart = (3.2 * thickness / edge).ceil() as usize + 1;
            for i in 0..count {
                for j in i + apart..count {
                    assert!(count < 100 || room(i, j) > 1.2 * thickness, "{i} {j}: {}", room(i, j));
                }
            }
        }
    }

    #[test]
    fn a_rope_too_short_for_it_still_has_a_knot_and_ends() {
        for count in [0, 2, 3, 60] {
            let knot = overhand_knot(0.1, 1.0, count);
            assert_eq!(knot.len(), count.max(2));
            assert!(knot.iter().all(|p| p.is_finite() && p.length() < 1.0));
        }
    }
}
