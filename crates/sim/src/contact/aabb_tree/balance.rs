//! Leaves in and out, and what keeps the tree balanced.

use super::{AabbTree, NONE, Node};
use crate::aabb::Aabb;

impl AabbTree {
    /// Puts a leaf that hangs nowhere beside the node where that costs least surface.
    pub(super) fn hang(&mut self, leaf: u32) {
        if self.root == NONE {
            self.root = leaf;
            self.nodes[leaf as usize].parent = NONE;
            return;
        }
        let bounds = self.nodes[leaf as usize].bounds;
        let sibling = self.best_sibling(&bounds);
        let above = self.nodes[sibling as usize].parent;
        let both =
            self.take(Node { parent: above, children: [sibling, leaf], ..Node::leaf(0, bounds) });
        self.nodes[sibling as usize].parent = both;
        self.nodes[leaf as usize].parent = both;
        self.replace_child(above, sibling, both);
        self.mend_from(both);
    }

    /// Takes a leaf off; the node that held it goes, its sibling moves up.
    pub(super) fn cut(&mut self, leaf: u32) {
        let parent = self.nodes[leaf as usize].parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { children: [a, b], parent: above, .. } = self.nodes[parent as usize];
        let sibling = if a == leaf { b } else { a };
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.give_back(parent);
        if above != NONE {
            self.mend_from(above);
        }
    }

    /// Down to where the box adds least surface: to a new parent, and to all those above it.
    fn best_sibling(&self, bounds: &Aabb) -> u32 {
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            let (own, with) = (node.bounds.half_area(), node.bounds.union(bounds).half_area());
            // Here: a parent of this node and the leaf. Below: this node grows.
            let (here, growth) = (2.0 * with, 2.0 * (with - own));
            let below = node.children.map(|child| {
                let child = &self.nodes[child as usize];
                let with = child.bounds.union(bounds).half_area();
                growth + if child.is_leaf() { with } else { with - child.bounds.half_area() }
            });
            if here < below[0] && here < below[1] {
                return at;
            }
            at = node.children[usize::from(below[1] < below[0])];
        }
    }

    /// Boxes, heights and balance from `at` up to the root.
    fn mend_from(&mut self, mut at: u32) {
        while at != NONE {
            at = self.balanced(at);
            at = self.nodes[at as usize].parent;
        }
    }

    /// Makes the sides of `at`, each balanced in itself, differ by no more than a level: its
    /// higher child takes its place, as often as it takes. A leaf that was put beside a whole
    /// subtree goes down in it this way. Returns who is there now.
    fn balanced(&mut self, at: u32) -> u32 {
        self.gather(at);
        let node = self.nodes[at as usize];
        let [a, b] = node.children.map(|child| self.nodes[child as usize].height);
        let side = match (a > b + 1, b > a + 1) {
            (true, _) => 0,
            (_, true) => 1,
            _ => return at,
        };
        let riser = node.children[side];
        let [p, q] = self.nodes[riser as usize].children;
        // The higher grandchild stays with the one that rises; of two alike, the larger.
        let size = |n: u32| {
            let node = &self.nodes[n as usize];
            (node.height, node.bounds.half_area())
        };
        let (stays, moves) = if size(p) >= size(q) { (p, q) } else { (q, p) };
        self.nodes[at as usize].children[side] = moves;
        self.nodes[moves as usize].parent = at;
        self.nodes[riser as usize].children = [at, stays];
        self.nodes[riser as usize].parent = node.parent;
        self.nodes[at as usize].parent = riser;
        self.replace_child(node.parent, at, riser);
        self.balanced(at);
        self.balanced(riser)
    }

    /// Lets `above`, or the root where there is none, point to `new` in place of `old`.
    fn replace_child(&mut self, above: u32, old: u32, new: u32) {
        match self.nodes.get_mut(above as usize) {
            None => self.root = new,
            Some(node) => {
                let side = usize::from(node.children[1] == old);
                node.children[side] = new;
            }
        }
    }
}
