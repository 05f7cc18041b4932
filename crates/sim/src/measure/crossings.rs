//! Edges that pass through triangles, and strands through strands: the referee of every claim about
//! contact.

use glam::Vec3;
use robust::{Coord3D, orient3d};

use super::strands::Strands;
use crate::aabb::Aabb;
use crate::colliders::forms::Triangles;
use crate::contact::AabbTree;
use crate::elements::TieEnd;
use crate::model::Model;
use crate::state::State;

/// An edge and a triangle that have a point in common, or two segments of strands that are in each
/// other.
///
/// Points are numbered as the model's particles; vertices of its mesh colliders follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// Ends of the edge.
    pub edge: [u32; 2],
    /// What it passes through.
    pub through: Through,
}

/// What an edge passes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Through {
    /// Corners of a triangle.
    Triangle([u32; 3]),
    /// Ends of a segment of a strand.
    Segment([u32; 2]),
}

/// All crossings of a model's surfaces with themselves, with each other and with mesh colliders.
///
/// Touching counts; only an edge that lies in a triangle's plane is left to its neighbours. No
/// number is rounded: signs of volumes are those of the stored positions. Points that are sewn
/// together are one point.
///
/// Of strands, those count of which segments touch: where a segment passes through a triangle as an
/// edge does, and where two segments are nearer than a tenth of the sum of their radii. That is
/// no proof of a passage (see [`passages`](super::passages)): two strands have no inside.
pub fn crossings(model: &Model, state: &State) -> Vec<Crossing> {
    Meeting::of(model, state).crossings()
}

/// Crossings of a mesh with itself; points are its vertices.
pub fn crossings_within(mesh: &Triangles) -> Vec<Crossing> {
    let around = |t: &[u32; 3]| Aabb::around(t.iter().map(|&v| mesh.points[v as usize]));
    let scene = Meeting {
        points: mesh.points.clone(),
        boxes: mesh.triangles.iter().map(around).collect(),
        of_bodies: mesh.triangles.len(),
        triangles: mesh.triangles.clone(),
        sewn: Vec::new(),
        strands: Strands::default(),
    };
    scene.crossings()
}

/// What [`crossings`] finds by a search that shares nothing with contact: triangles in the order of their
/// least x, each against all that follow until they begin beyond its end.
pub fn crossings_exhaustive(model: &Model, state: &State) -> Vec<Crossing> {
    let scene = Meeting::of(model, state);
    let mut order: Vec<usize> = (0..scene.boxes.len()).collect();
    order.sort_by(|&a, &b| scene.boxes[a].min.x.total_cmp(&scene.boxes[b].min.x));
    let mut found = Vec::new();
    for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            if scene.boxes[b].min.x > scene.boxes[a].max.x {
                break;
            }
            if scene.boxes[a].meets(&scene.boxes[b]) {
                scene.test(a, b, &mut found);
            }
        }
    }
    sorted(found)
}

fn sorted(mut found: Vec<Crossing>) -> Vec<Crossing> {
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a segment and a triangle have a point in common.
///
/// The ends are not on one side of the triangle's plane, and the line passes all three sides in
/// the same sense. Signs come from exact predicates (Shewchuk 1997).
pub fn crosses([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let (over, under) = (side(a, b, c, p), side(a, b, c, q));
    if over * under > 0 || over == 0 && under == 0 {
        return false;
    }
    let (u, v, w) = (side(p, q, a, b), side(p, q, b, c), side(p, q, c, a));
    (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)
}

/// The sign of the volume of four points.
pub(crate) fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i32 {
    let coord = |p: Vec3| Coord3D { x: f64::from(p.x), y: f64::from(p.y), z: f64::from(p.z) };
    let volume = orient3d(coord(a), coord(b), coord(c), coord(d));
    i32::from(volume > 0.0) - i32::from(volume < 0.0)
}

/// All triangles of a scene, and all segments of strands.
struct Meeting {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    strands: Strands,
    /// Of triangles, then of segments.
    boxes: Vec<Aabb>,
    /// How many of the triangles belong to bodies.
    of_bodies: usize,
    /// Pairs that seams join, in order.
    sewn: Vec<(u32, u32)>,
}

impl Meeting {
    fn of(model: &Model, state: &State) -> Self {
        let points: Vec<Vec3> = state.x.iter().chain(state.obstacles.iter()).collect();
        let mut triangles = model.triangles.clone();
        let of_bodies = triangles.len();
        let mut first = state.x.len() as u32;
        for mesh in &model.mesh_colliders {
            if (first as usize) + mesh.vertex_count() <= points.len() {
                triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
            }
            first += mesh.vertex_count() as u32;
        }
        let around = |t: &[u32; 3]| Aabb::around(t.iter().map(|&v| points[v as usize]));
        let strands = Strands::of(model, state);
        let mut boxes: Vec<Aabb> = triangles.iter().map(around).collect();
        boxes.extend(strands.boxes(&points));
        let mut sewn: Vec<(u32, u32)> = Vec::new();
        for tie in &model.ties {
            if let TieEnd::Particle(other) = tie.end {
                sewn.push((tie.particle.min(other), tie.particle.max(other)));
            }
        }
        sewn.sort_unstable();
        Self { points, triangles, strands, boxes, of_bodies, sewn }
    }

    fn crossings(&self) -> Vec<Crossing> {
        let tree = AabbTree::of(&self.boxes, 0.0);
        let mut found = Vec::new();
        tree.pairs(|a, b| self.test(a as usize, b as usize, &mut found));
        sorted(found)
    }

    /// Adds the crossings of two triangles, of a triangle and a segment, or of two segments.
    fn test(&self, a: usize, b: usize, found: &mut Vec<Crossing>) {
        let (a, b) = (a.min(b), a.max(b));
        let triangles = self.triangles.len();
        if a >= triangles {
            return self.test_segments(a - triangles, b - triangles, found);
        }
        if b >= triangles {
            return self.test_edge(self.strands.segments[b - triangles], a, found);
        }
        let both = self.boxes[a].union(&self.boxes[b]);
        // All in one plane across an axis: no volume to ask for the sign of.
        let in_plane = both.min.cmpeq(both.max).any();
        if in_plane || a >= self.of_bodies && b >= self.of_bodies {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            let [p, q, r] = self.triangles[one];
            [[p, q], [q, r], [r, p]].iter().for_each(|&edge| self.test_edge(edge, other, found));
        }
    }

    fn test_edge(&self, [p, q]: [u32; 2], triangle: usize, found: &mut Vec<Crossing>) {
        let triangle = self.triangles[triangle];
        let corners = triangle.map(|v| self.points[v as usize]);
        let apart = [p, q].iter().all(|&v| !triangle.iter().any(|&w| self.same(v, w)));
        if apart && crosses([p, q].map(|v| self.points[v as usize]), corners) {
            let through = Through::Triangle(triangle);
            found.push(Crossing { edge: [p.min(q), p.max(q)], through });
        }
    }

    fn test_segments(&self, a: usize, b: usize, found: &mut Vec<Crossing>) {
        let (edge, other) = (self.strands.segments[a], self.strands.segments[b]);
        let sewn = edge.iter().any(|&v| other.iter().any(|&w| self.same(v, w)));
        if !sewn && self.strands.are_in_each_other(a, b, &self.points) {
            found.push(Crossing { edge, through: Through::Segment(other) });
        }
    }

    fn same(&self, a: u32, b: u32) -> bool {
        a == b || self.sewn.binary_search(&(a.min(b), a.max(b))).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soa::Soa3;

    fn soup(points: &[Vec3]) -> (Model, State) {
        let triangles = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let mass = vec![1.0; points.len()];
        let model = Model { triangles: triangles.collect(), mass, ..Model::default() };
        let x = Soa3::from_points(points);
        let v = Soa3::zeros(points.len());
        let state = State::new(&model, x, v);
        (model, state)
    }

    #[test]
    fn a_triangle_stuck_through_another_is_found() {
        let points = [
            Vec3::new(-1.0, 0.0, -1.0),
            Vec3::new(1.0, 0.0, -1.0),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(0.0, -0.5, 0.0),
            Vec3::new(0.1, 0.5, 0.0),
            Vec3::new(5.0, 0.5, 0.1),
        ];
        let (model, mut state) = soup(&points);
        // Edge 3–4 enters, side 1–2 or edge 3–5 leaves: two crossings in all.
        assert_eq!(crossings(&model, &state).len(), 2);
        assert_eq!(crossings_exhaustive(&model, &state).len(), 2);
        state.x.y[3] = 0.1;
        assert_eq!(crossings(&model, &state), []);
        // A touch is a crossing.
        state.x.y[3] = 0.0;
        assert!(!crossings(&model, &state).is_empty());
    }

    #[test]
    fn both_searches_find_the_same_in_random_soup() {
        let mut rng = crate::rng::Rng::new(1);
        let mut random = || rng.unit() as f32;
        let points: Vec<Vec3> = (0..180).map(|_| Vec3::new(random(), random(), random())).collect();
        let (model, state) = soup(&points);
        let found = crossings(&model, &state);
        let mut all = Vec::new();
        for (i, &t) in model.triangles.iter().enumerate() {
            for (j, &[a, b, c]) in model.triangles.iter().enumerate() {
                for [p, q] in [[a, b], [b, c], [c, a]] {
                    let at = |v: u32| points[v as usize];
                    if i != j && crosses([at(p), at(q)], t.map(at)) {
                        let through = Through::Triangle(t);
                        all.push(Crossing { edge: [p.min(q), p.max(q)], through });
                    }
                }
            }
        }
        assert!(all.len() > 50);
        assert_eq!(found, sorted(all));
        assert_eq!(found, crossings_exhaustive(&model, &state));
    }
}
