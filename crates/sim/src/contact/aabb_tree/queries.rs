//! Questions to a tree. Every answer is a superset by the margin and in a fixed order.

use glam::Vec3;

use super::{AabbTree, Node};
use crate::aabb::Aabb;

impl AabbTree {
    /// Calls `visit` with every item whose kept box meets `bounds`.
    pub fn meeting(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        self.meeting_below(self.root, bounds, &mut visit);
    }

    /// Calls `visit` with every item whose kept box `point` is in.
    pub fn around(&self, point: Vec3, visit: impl FnMut(u32)) {
        self.meeting(&Aabb { min: point, max: point }, visit);
    }

    /// Calls `visit` with every item whose kept box `bounds` may touch while it is moved by
    /// `way`: those that the path of its centre meets when they are made larger by its half.
    pub fn meeting_swept(&self, bounds: &Aabb, way: Vec3, mut visit: impl FnMut(u32)) {
        let half = 0.5 * (bounds.max - bounds.min);
        let (from, whole) = (bounds.center(), bounds.swept(way));
        let meets = |b: &Aabb| {
            // Rounding must not lose what only just touches.
            let slack = 1e-6 * (b.min.abs().max(b.max.abs()).max(from.abs()) + way.abs());
            let larger = Aabb { min: b.min - half - slack, max: b.max + half + slack };
            b.meets(&whole) && larger.ray(from, way, 1.0).is_some()
        };
        self.where_below(self.root, &meets, &mut visit);
    }

    /// The nearest item along `origin + t · direction`, 0 ≤ t ≤ `most`: `hit` says at which t the
    /// ray meets an item, if it does. Returns the item and its t.
    pub fn ray(
        &self,
        (origin, direction): (Vec3, Vec3),
        most: f32,
        mut hit: impl FnMut(u32) -> Option<f32>,
    ) -> Option<(u32, f32)> {
        let mut search = RaySearch { tree: self, origin, direction, most, best: None };
        if self.node(self.root).is_some_and(|root| search.enters(&root.bounds).is_some()) {
            search.below(self.root, &mut hit);
        }
        search.best
    }

    /// Calls `visit` once with every two items whose kept boxes meet, the one nearer to the
    /// front of the tree first.
    pub fn pairs(&self, mut visit: impl FnMut(u32, u32)) {
        self.pairs_within(self.root, &mut visit);
    }

    /// Calls `visit` with every item here and every item of `other` whose kept boxes meet.
    pub fn pairs_with(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        if let (Some(_), Some(_)) = (self.node(self.root), other.node(other.root)) {
            pairs_between((self, self.root), (other, other.root), &mut visit);
        }
    }
}

impl AabbTree {
    fn meeting_below(&self, at: u32, bounds: &Aabb, visit: &mut impl FnMut(u32)) {
        self.where_below(at, &|b: &Aabb| b.meets(bounds), visit);
    }

    fn where_below(&self, at: u32, meets: &impl Fn(&Aabb) -> bool, visit: &mut impl FnMut(u32)) {
        let Some(node) = self.node(at).filter(|n| meets(&n.bounds)) else { return };
        if node.is_leaf() {
            visit(node.item);
            return;
        }
        node.children.iter().for_each(|&child| self.where_below(child, meets, visit));
    }

    fn pairs_within(&self, at: u32, visit: &mut impl FnMut(u32, u32)) {
        let Some(node) = self.node(at).filter(|n| !n.is_leaf()) else { return };
        let [a, b] = node.children;
        self.pairs_within(a, visit);
        self.pairs_within(b, visit);
        pairs_between((self, a), (self, b), visit);
    }
}

/// The larger of two nodes is opened, so that both come down to leaves together.
fn pairs_between(
    (tree, a): (&AabbTree, u32),
    (other, b): (&AabbTree, u32),
    visit: &mut impl FnMut(u32, u32),
) {
    let (p, q): (&Node, &Node) = (&tree.nodes[a as usize], &other.nodes[b as usize]);
    if !p.bounds.meets(&q.bounds) {
        return;
    }
    match (p.is_leaf(), q.is_leaf()) {
        (true, true) => visit(p.item, q.item),
        (false, true) => {
            p.children.iter().for_each(|&c| pairs_between((tree, c), (other, b), visit));
        }
        (false, false) if p.bounds.half_area() >= q.bounds.half_area() => {
            p.children.iter().for_each(|&c| pairs_between((tree, c), (other, b), visit));
        }
        _ => q.children.iter().for_each(|&c| pairs_between((tree, a), (other, c), visit)),
    }
}

/// Nearer nodes first, and none beyond the nearest hit so far.
struct RaySearch<'a> {
    tree: &'a AabbTree,
    origin: Vec3,
    direction: Vec3,
    most: f32,
    best: Option<(u32, f32)>,
}

impl RaySearch<'_> {
    /// Where the ray comes into a box, if that is before the nearest hit so far.
    fn enters(&self, bounds: &Aabb) -> Option<f32> {
        let most = self.best.map_or(self.most, |(_, t)| t);
        bounds.ray(self.origin, self.direction, most)
    }

    fn below(&mut self, at: u32, hit: &mut impl FnMut(u32) -> Option<f32>) {
        let node = &self.tree.nodes[at as usize];
        if node.is_leaf() {
            let near = hit(node.item).filter(|&t| (0.0..=self.most).contains(&t));
            if let Some(t) = near.filter(|&t| self.best.is_none_or(|(_, best)| t < best)) {
                self.best = Some((node.item, t));
            }
            return;
        }
        let [a, b] = node.children;
        let of = |child: u32| self.enters(&self.tree.nodes[child as usize].bounds);
        let order = match (of(a), of(b)) {
            (Some(p), Some(q)) if q < p => [b, a],
            _ => [a, b],
        };
        for child in order {
            if self.enters(&self.tree.nodes[child as usize].bounds).is_some() {
                self.below(child, hit);
            }
        }
    }
}
