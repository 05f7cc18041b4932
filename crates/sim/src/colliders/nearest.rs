//! The nearest of many triangles, and on which side of a closed mesh a point is.

use glam::{DVec3, Vec3};

use crate::contact::{ClosestPoints, PairKind, closest};

/// A fixed tree over triangles.
#[derive(Debug)]
pub struct NearestTriangle {
    /// Corners in the order of the tree, and which triangle of the user's it is.
    triangles: Vec<([DVec3; 3], u32)>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// First triangle and number of them in a leaf; else the right child and 0. The left one
    /// is next.
    first: u32,
    count: u32,
}

/// Triangles in a leaf at most.
const LEAF: usize = 4;

impl NearestTriangle {
    /// Of these vertices [m] and triangles.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let corners = |t: &[u32; 3]| t.map(|v| points[v as usize].as_dvec3());
        let triangles: Vec<_> = triangles.iter().map(corners).zip(0..).collect();
        let mut tree = Self { triangles, nodes: Vec::new() };
        if !tree.triangles.is_empty() {
            tree.grow(0, tree.triangles.len());
        }
        tree
    }

    /// The nearest triangle to a point, by number, and where, if it is nearer than `within` [m].
    pub fn nearest(&self, point: DVec3, within: f64) -> Option<(u32, ClosestPoints)> {
        let mut best = None;
        let mut least = within * within;
        if !self.nodes.is_empty() {
            self.below(0, point, &mut least, &mut best);
        }
        best
    }

    /// w = Σ Ω/4π: how often the mesh goes round a point; 0 outside a closed mesh, ±1 inside.
    /// Ω of each triangle by its corners (Van Oosterom and Strackee 1983).
    pub fn winding(&self, point: DVec3) -> f64 {
        let solid_angle = |(corners, _): &([DVec3; 3], u32)| {
            let [a, b, c] = corners.map(|corner| corner - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let bottom = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * libm::atan2(a.dot(b.cross(c)), bottom)
        };
        let whole: f64 = self.triangles.iter().map(solid_angle).sum();
        whole / (4.0 * std::f64::consts::PI)
    }

    fn grow(&mut self, first: usize, end: usize) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (corners, _) in &self.triangles[first..end] {
            corners.iter().for_each(|&c| (low, high) = (low.min(c), high.max(c)));
        }
        let at = self.nodes.len();
        let count = end - first;
        let leaf = Node { low, high, first: first as u32, count: count as u32 };
        self.nodes.push(leaf);
        if count <= LEAF {
            return;
        }
        let sides = high - low;
        let axis = (0..3).fold(0, |best, a| if sides[a] > sides[best] { a } else { best });
        let key = |(c, id): &([DVec3; 3], u32)| (c[0][axis] + c[1][axis] + c[2][axis], *id);
        let mid = count / 2;
        self.triangles[first..end].select_nth_unstable_by(mid, |a, b| {
            let ((p, i), (q, j)) = (key(a), key(b));
            p.total_cmp(&q).then(i.cmp(&j))
        });
        self.grow(first, first + mid);
        self.nodes[at] = Node { first: self.nodes.len() as u32, count: 0, ..leaf };
        self.grow(first + mid, end);
    }

    fn below(
        &self,
        at: usize,
        point: DVec3,
        least: &mut f64,
        best: &mut Option<(u32, ClosestPoints)>,
    ) {
        let node = &self.nodes[at];
        if node.count > 0 {
            let first = node.first as usize;
            for (corners, id) in &self.triangles[first..first + node.count as usize] {
                let [a, b, c] = *corners;
                let found = closest(PairKind::VertexTriangle, &[point, a, b, c]);
                if found.distance_squared < *least {
                    (*least, *best) = (found.distance_squared, Some((*id, found)));
                }
            }
            return;
        }
        let away = |child: usize| {
            let Node { low, high, .. } = self.nodes[child];
            (point.clamp(low, high) - point).length_squared()
        };
        let (left, right) = (at + 1, node.first as usize);
        let (l, r) = (away(left), away(right));
        let order = if r < l { [(right, r), (left, l)] } else { [(left, l), (right, r)] };
        for (child, away) in order {
            if away < *least {
                self.below(child, point, least, best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colliders::forms::{torus, tube};
    use crate::rng::Rng;

    fn random(rng: &mut Rng, size: f64) -> DVec3 {
        let mut next = || rng.between(-size, size);
        DVec3::new(next(), next(), next())
    }

    #[test]
    fn the_tree_finds_what_looking_at_all_finds() {
        let mesh = torus(0.4, 0.1, [31, 17]);
        let tree = NearestTriangle::new(&mesh.points, &mesh.triangles);
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let p = random(&mut rng, 1.0);
            let each = mesh.triangles.iter().map(|t| {
                let [a, b, c] = t.map(|v| mesh.points[v as usize].as_dvec3());
                closest(PairKind::VertexTriangle, &[p, a, b, c]).distance_squared
            });
            let least = each.fold(f64::INFINITY, f64::min);
            let (_, found) = tree.nearest(p, f64::INFINITY).unwrap();
            assert_eq!(found.distance_squared, least);
            assert!(tree.nearest(p, 0.999 * least.sqrt()).is_none());
        }
    }

    #[test]
    fn the_winding_number_tells_in_from_out_also_of_a_hollow_body() {
        let mesh = tube(0.5, 0.2, 1.0, [32, 4]);
        let tree = NearestTriangle::new(&mesh.points, &mesh.triangles);
        for (x, y, wanted) in [(0.0, 0.0, 0.0), (0.4, 0.0, 1.0), (0.6, 0.0, 0.0), (0.4, 0.6, 0.0)] {
            let found = tree.winding(DVec3::new(x, y, 0.01));
            assert!((found - wanted).abs() < 1e-9, "{x} {y}: {found}");
        }
        let none = NearestTriangle::new(&[], &[]);
        assert!(none.nearest(DVec3::ZERO, 1e9).is_none() && none.winding(DVec3::ZERO) == 0.0);
    }
}
