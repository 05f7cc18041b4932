//! Cutting by hand.

use glam::{DVec3, Vec3};

use super::Now;
use super::fracture::{crossed, in_lattice};

/// A cut through all that lies between two rays from one eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Where both rays start. [m]
    pub eye: Vec3,
    /// Towards the start and the end of the line that was drawn; any length.
    pub towards: [Vec3; 2],
}

/// Sides of the blade are told apart beyond this sine of the angle between the rays.
const LEAST_ANGLE: f64 = 1e-6;

/// Teeth of a cut are taken away in so many rounds.
const ROUNDS: usize = 3;

impl Cut {
    /// Whether it has a plane.
    pub fn is_sound(&self) -> bool {
        let [a, b] = self.towards;
        self.eye.is_finite() && a.is_finite() && b.is_finite() && self.plane().is_some()
    }

    /// The plane's normal.
    fn plane(&self) -> Option<DVec3> {
        let [a, b] = self.towards.map(|ray| ray.as_dvec3().normalize_or_zero());
        let normal = a.cross(b);
        (normal.length() > LEAST_ANGLE).then(|| normal.normalize())
    }

    /// Sides to open: those between triangles that lie on different sides of the plane, where it
    /// passes between the rays. Triangles belong to the side that their centre is on, but that one
    /// that has both neighbours on the other goes there: a cut along a row of a grid is straight.
    pub(super) fn sides(&self, now: &Now<'_>) -> Vec<u32> {
        let Some(normal) = self.plane() else { return Vec::new() };
        let eye = self.eye.as_dvec3();
        let between = |point: DVec3| self.is_between(normal, point);
        let count = now.torn.triangles.len();
        let (mut above, mut met) = (vec![false; count], vec![false; count]);
        for (t, corners) in now.torn.triangles.iter().enumerate() {
            let x = corners.map(|name| now.at(name));
            let heights = x.map(|p| (p - eye).dot(normal));
            above[t] = heights.iter().sum::<f64>() > 0.0;
            let crossed = heights.iter().any(|&h| h <= 0.0) && heights.iter().any(|&h| h >= 0.0);
            let is_cloth = !in_lattice(&now.whole.model, now.whole.model.triangles[t][0]);
            met[t] = crossed && is_cloth && crossing(x, heights).is_some_and(between);
        }
        straighten(now, &mut above, &met);
        let all = (0..3 * count as u32).filter(|&side| {
            let other = now.whole.joined(now.torn, side).filter(|&other| other > side);
            other.is_some_and(|other| {
                let [s, t] = [side, other].map(|side| side as usize / 3);
                above[s] != above[t] && (met[s] || met[t])
            })
        });
        all.collect()
    }
}

impl Cut {
    /// Links of lattices to break: those that the plane meets between the rays.
    pub(super) fn links(&self, now: &Now<'_>) -> Vec<[u32; 2]> {
        crossed(now, |ends| self.meets(ends))
    }

    /// Whether its plane meets a segment between the rays.
    pub(crate) fn meets(&self, [a, b]: [DVec3; 2]) -> bool {
        let Some(normal) = self.plane() else { return false };
        let eye = self.eye.as_dvec3();
        let [over, under] = [a, b].map(|p| (p - eye).dot(normal));
        (over <= 0.0) != (under <= 0.0) && self.is_between(normal, a.lerp(b, over / (over - under)))
    }

    /// Whether a point of the plane lies between the rays.
    fn is_between(&self, normal: DVec3, point: DVec3) -> bool {
        let [from, to] = self.towards.map(|ray| ray.as_dvec3());
        let way = point - self.eye.as_dvec3();
        let ahead = from.normalize() + to.normalize();
        from.cross(way).dot(normal) >= 0.0
            && way.cross(to).dot(normal) >= 0.0
            && way.dot(ahead) > 0.0
    }
}

/// The middle of where a plane meets a triangle whose corners lie at `heights` over it.
fn crossing(x: [DVec3; 3], heights: [f64; 3]) -> Option<DVec3> {
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (heights[i], heights[j]);
        if (a <= 0.0) != (b <= 0.0) {
            sum += x[i].lerp(x[j], a / (a - b));
            count += 1.0;
        }
    }
    if count == 0.0 {
        // It only touches.
        let touching = (0..3).find(|&i| heights[i] == 0.0)?;
        return Some(x[touching]);
    }
    Some(sum / count)
}

/// Takes teeth away: a triangle that the plane meets goes to the side of two neighbours.
fn straighten(now: &Now<'_>, above: &mut [bool], met: &[bool]) {
    for _ in 0..ROUNDS {
        for t in (0..above.len()).filter(|&t| met[t]) {
            let sides = 3 * t as u32..3 * t as u32 + 3;
            let neighbours = sides.filter_map(|side| now.whole.joined(now.torn, side));
            let others = neighbours.filter(|&other| above[other as usize / 3] != above[t]).count();
            if others >= 2 {
                above[t] = !above[t];
            }
        }
    }
}
