//! Strands in each other, and strands that have passed through each other.

use std::f32::consts::PI;

use glam::{DVec3, Vec3};

use crate::aabb::Aabb;
use crate::contact::{AabbTree, PairKind, closest};
use crate::model::Model;
use crate::state::State;

/// The part of the sum of radii below which segments are in each other.
const INSIDE: f64 = 0.1;

/// Segments of strands that touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Strands {
    pub segments: Vec<[u32; 2]>,
    /// Of each its strand, how far along it begins and ends [m], and its radius [m].
    of: Vec<(usize, [f32; 2], f32)>,
}

impl Strands {
    pub fn of(model: &Model, state: &State) -> Self {
        let mut all = Self::default();
        let mut number = 0;
        for set in model.strands.iter().filter(|set| set.touches_by_segments()) {
            for strand in &set.strands {
                let whole = |ends: &[u32; 2]| !state.fibres.is_cut(*ends);
                for [a, b] in strand.touching_segments().filter(whole) {
                    let along = |v: u32| strand.edge * (v - strand.first) as f32;
                    all.segments.push([a, b]);
                    all.of.push((number, [along(a), along(b)], set.fibre.radius));
                }
                number += 1;
            }
        }
        all
    }

    /// A box round each segment where its thickness may matter.
    pub fn boxes(&self, points: &[Vec3]) -> impl Iterator<Item = Aabb> {
        self.segments.iter().zip(&self.of).map(|(ends, &(.., radius))| {
            let around = Aabb::around(ends.iter().map(|&v| points[v as usize]));
            around.grown(radius * INSIDE as f32)
        })
    }

    /// Whether two segments are so near that they are in each other, and not because they follow
    /// each other.
    pub fn are_in_each_other(&self, a: usize, b: usize, points: &[Vec3]) -> bool {
        let ((one, [a0, a1], ra), (other, [b0, b1], rb)) = (self.of[a], self.of[b]);
        let along = (b0 - a1).max(a0 - b1);
        if one == other && along < PI * (ra + rb) {
            return false;
        }
        let ([p, q], [r, s]) = (self.segments[a], self.segments[b]);
        let at = [p, q, r, s].map(|v| points[v as usize].as_dvec3());
        let limit = INSIDE * f64::from(ra + rb);
        closest(PairKind::EdgeEdge, &at).distance_squared < limit * limit
    }
}

/// Two segments of which one has passed through the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Their ends, by particle.
    pub segments: [[u32; 2]; 2],
    /// When, from 0 at the earlier state to 1 at the later one.
    pub time: f64,
}

/// Segments of strands that meet while all particles go straight and evenly from one state to
/// another. Only over steps of contact is that how they have gone.
///
/// V(t) = (q − p)×(s − r)·(r − p) is a cubic in t. At each of its roots in [0, 1] the four points
/// lie in a plane; there the segments have met if their lines do so within both. In double
/// precision and without anything of what contact does.
pub fn passages(model: &Model, before: &State, after: &State) -> Vec<Passage> {
    let strands = Strands::of(model, before);
    let way = |v: u32| [before.x.get(v as usize), after.x.get(v as usize)];
    let around = |ends: &[u32; 2]| Aabb::around(ends.iter().flat_map(|&v| way(v)));
    let boxes: Vec<Aabb> = strands.segments.iter().map(around).collect();
    let mut found = Vec::new();
    AabbTree::of(&boxes, 0.0).pairs(|a, b| {
        let segments = [a.min(b), a.max(b)].map(|k| strands.segments[k as usize]);
        let [[p, q], [r, s]] = segments;
        if [p, q].iter().any(|v| [r, s].contains(v)) {
            return;
        }
        let ways = [p, q, r, s].map(|v| way(v).map(Vec3::as_dvec3));
        if let Some(time) = meeting(&ways) {
            found.push(Passage { segments, time });
        }
    });
    found.sort_by_key(|passage| passage.segments);
    found
}

/// When two segments first meet.
fn meeting(ways: &[[DVec3; 2]; 4]) -> Option<f64> {
    let at = |t: f64| ways.map(|[from, to]| from.lerp(to, t));
    let volume = |t: f64| {
        let [p, q, r, s] = at(t);
        (q - p).cross(s - r).dot(r - p)
    };
    roots(volume).into_iter().flatten().find(|&t| lines_meet_inside(&at(t)))
}

/// Where two lines in a plane meet, within both of their segments.
fn lines_meet_inside(&[p, q, r, s]: &[DVec3; 4]) -> bool {
    let (u, v, w) = (q - p, s - r, r - p);
    let normal = u.cross(v);
    let square = normal.length_squared();
    let (a, b) = (w.cross(v).dot(normal) / square, w.cross(u).dot(normal) / square);
    (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
}

/// Roots in [0, 1] of a cubic that is given by its values.
fn roots(f: impl Fn(f64) -> f64) -> [Option<f64>; 3] {
    // Through four points: f = c₀ + c₁t + c₂t² + c₃t³.
    let [f0, f1, f2, f3] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(&f);
    let c1 = 0.5 * (-11.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3);
    let c2 = 4.5 * (2.0 * f0 - 5.0 * f1 + 4.0 * f2 - f3);
    let c3 = 4.5 * (-f0 + 3.0 * f1 - 3.0 * f2 + f3);
    // Between its extremes a cubic has one root at most.
    let inside = c2 * c2 - 3.0 * c1 * c3;
    let mut cuts = [0.0, 1.0, 1.0, 1.0];
    if inside > 0.0 {
        let far = -c2 - inside.sqrt().copysign(c2);
        let mut turns =
            [far / (3.0 * c3), c1 / far].map(|t| if t > 0.0 && t < 1.0 { t } else { 1.0 });
        turns.sort_by(f64::total_cmp);
        cuts = [0.0, turns[0], turns[1], 1.0];
    }
    [0, 1, 2].map(|k: usize| root_between(&f, cuts[k], cuts[k + 1]))
}

/// The root between two points at which a function has different signs.
fn root_between(f: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> Option<f64> {
    let below = f(low) < 0.0;
    if low >= high || below == (f(high) < 0.0) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (f(middle) < 0.0) == below {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cross(height: f64) -> [DVec3; 4] {
        let v = DVec3::new;
        [v(-1.0, 0.0, height), v(1.0, 0.0, height), v(0.0, -1.0, 0.0), v(0.0, 1.0, 0.0)]
    }

    fn between(from: [DVec3; 4], to: [DVec3; 4]) -> [[DVec3; 2]; 4] {
        [0, 1, 2, 3].map(|k: usize| [from[k], to[k]])
    }

    #[test]
    fn segments_that_pass_through_each_other_meet_when_they_do() {
        let time = meeting(&between(cross(0.3), cross(-0.1))).unwrap();
        assert!((time - 0.75).abs() < 1e-9, "{time}");
        assert_eq!(meeting(&between(cross(0.3), cross(0.1))), None);
        // Beside each other the volume changes its sign too.
        let aside = |points: [DVec3; 4]| {
            let far = DVec3::X * 1.1;
            [points[0] + far, points[1] + far, points[2], points[3]]
        };
        assert_eq!(meeting(&between(aside(cross(0.3)), aside(cross(-0.1)))), None);
        // There and back by a turn: two roots, the first of which counts.
        let turned = cross(-0.1).map(|p| DVec3::new(p.y, -p.x, p.z));
        assert!(meeting(&between(cross(0.3), turned)).is_some());
    }

    #[test]
    fn roots_of_cubics_are_found() {
        let cubic = |t: f64| (t - 0.2) * (t - 0.5) * (t - 0.7);
        let found: Vec<f64> = roots(cubic).into_iter().flatten().collect();
        assert_eq!(found.len(), 3);
        for (root, known) in found.iter().zip([0.2, 0.5, 0.7]) {
            assert!((root - known).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(roots(|t| t - 0.25).into_iter().flatten().count(), 1);
        assert_eq!(roots(|t| t * t + 1.0), [None; 3]);
        assert_eq!(roots(|_| 0.0), [None; 3]);
    }
}
