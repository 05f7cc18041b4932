//! The nearest of many triangles, and on which side of a closed mesh a point is.

use std::f64::consts::PI;

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
    /// Σ area · normal [m²], where on average the area is, and how far the corners are from
    /// there [m].
    facing: DVec3,
    middle: DVec3,
    radius: f64,
}

/// Triangles in a leaf at most.
const LEAF: usize = 4;

/// From this many radii on triangles count together in a winding number.
const FAR: f64 = 2.5;

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
        let mut search = Search { tree: self, point, least: within * within, best: None };
        if !self.nodes.is_empty() {
            search.below(0);
        }
        search.best.map(|(at, found)| (self.triangles[at].1, found))
    }

    /// Distance to the nearest triangle [m], infinite if there is none. A `guess` from a place
    /// near by makes it quick; it becomes that of this place.
    pub fn distance(&self, point: DVec3, guess: &mut usize) -> f64 {
        let mut search = Search { tree: self, point, least: f64::INFINITY, best: None };
        if !self.nodes.is_empty() {
            search.look_at(*guess);
            search.below(0);
        }
        *guess = search.best.map_or(0, |(at, _)| at);
        search.least.sqrt()
    }

    /// Whether a closed mesh goes round a point: |w| > 1/2, where w = Σ Ω/4π is 0 outside, ±1
    /// inside. Triangles that are far are taken together (Barill et al. 2018); where that leaves
    /// a doubt, none are.
    pub fn encloses(&self, point: DVec3) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let quick = self.winding(0, point, FAR).abs();
        let doubt = (quick - quick.round()).abs() > 0.2;
        (if doubt { self.winding(0, point, f64::INFINITY).abs() } else { quick }) > 0.5
    }

    /// w of the triangles below a node: of those more than `far` radii away by the dipole
    /// N·r/4π|r|³.
    fn winding(&self, at: usize, point: DVec3, far: f64) -> f64 {
        let node = &self.nodes[at];
        let way = node.middle - point;
        let away = way.length();
        if away > far * node.radius {
            return node.facing.dot(way) / (4.0 * PI * away * away * away);
        }
        if node.count > 0 {
            let first = node.first as usize;
            let own = &self.triangles[first..first + node.count as usize];
            return own.iter().map(|(corners, _)| solid_angle(corners, point) / (4.0 * PI)).sum();
        }
        let right = node.first as usize;
        self.winding(at + 1, point, far) + self.winding(right, point, far)
    }

    fn grow(&mut self, first: usize, end: usize) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (corners, _) in &self.triangles[first..end] {
            corners.iter().for_each(|&c| (low, high) = (low.min(c), high.max(c)));
        }
        let at = self.nodes.len();
        let count = end - first;
        let (facing, middle) = self.dipole(first, end);
        let far = |(corners, _): &([DVec3; 3], u32)| corners.map(|c| (c - middle).length());
        let radius = self.triangles[first..end].iter().flat_map(far).fold(0.0, f64::max);
        let (start, many) = (first as u32, count as u32);
        let leaf = Node { low, high, first: start, count: many, facing, middle, radius };
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

    /// Σ area · normal, and the middle of the area.
    fn dipole(&self, first: usize, end: usize) -> (DVec3, DVec3) {
        let (mut facing, mut middle, mut area) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for ([a, b, c], _) in &self.triangles[first..end] {
            let normal = 0.5 * (*b - *a).cross(*c - *a);
            facing += normal;
            middle += normal.length() * (*a + *b + *c) / 3.0;
            area += normal.length();
        }
        (facing, if area > 0.0 { middle / area } else { self.triangles[first].0[0] })
    }
}

/// What is known while the tree is gone through.
struct Search<'a> {
    tree: &'a NearestTriangle,
    point: DVec3,
    /// Square of the least distance so far. [m²]
    least: f64,
    /// The triangle, in the order of the tree.
    best: Option<(usize, ClosestPoints)>,
}

impl Search<'_> {
    fn look_at(&mut self, at: usize) {
        let ([a, b, c], _) = self.tree.triangles[at];
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        if (self.point.clamp(low, high) - self.point).length_squared() >= self.least {
            return;
        }
        let found = closest(PairKind::VertexTriangle, &[self.point, a, b, c]);
        if found.distance_squared < self.least {
            (self.least, self.best) = (found.distance_squared, Some((at, found)));
        }
    }

    fn below(&mut self, at: usize) {
        let node = &self.tree.nodes[at];
        if node.count > 0 {
            let first = node.first as usize;
            (first..first + node.count as usize).for_each(|at| self.look_at(at));
            return;
        }
        let away = |child: usize| {
            let Node { low, high, .. } = self.tree.nodes[child];
            (self.point.clamp(low, high) - self.point).length_squared()
        };
        let (left, right) = (at + 1, node.first as usize);
        let (l, r) = (away(left), away(right));
        let order = if r < l { [(right, r), (left, l)] } else { [(left, l), (right, r)] };
        for (child, away) in order {
            if away < self.least {
                self.below(child);
            }
        }
    }
}

/// Ω of a triangle seen from a point, by its corners (Van Oosterom and Strackee 1983). [sr]
fn solid_angle(corners: &[DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let bottom = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(a.dot(b.cross(c)), bottom)
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
        let mut rng = Rng::new(8);
        for _ in 0..2000 {
            let p = random(&mut rng, 0.7);
            let exact = tree.winding(0, p, f64::INFINITY);
            assert!((exact - exact.round()).abs() < 1e-9, "{p}: {exact}");
            assert!((tree.winding(0, p, FAR) - exact).abs() < 0.2, "{p}");
            // Away from where the mesh cuts the circle's corners.
            let r = DVec3::new(p.x, 0.0, p.z).length();
            if (r - 0.3).abs() > 0.01 && (r - 0.5).abs() > 0.01 {
                let inside = r > 0.3 && r < 0.5 && p.y.abs() < 0.5;
                assert_eq!(tree.encloses(p), inside, "{p}");
            }
        }
        let none = NearestTriangle::new(&[], &[]);
        assert!(none.nearest(DVec3::ZERO, 1e9).is_none() && !none.encloses(DVec3::ZERO));
    }
}
