//! A tree of boxes that finds what is near what (001 §6.1).

mod balance;
mod build;
mod queries;
#[cfg(test)]
mod tests;

use crate::aabb::Aabb;

/// A balanced binary tree over boxes, each of which stands for an item of the user's.
///
/// A new box goes where the surfaces on its way down grow least, and rotations keep the two
/// sides of every node within one level of each other. Boxes are kept larger than they are
/// told by a margin, so that an item that moves a little leaves the tree alone. Nothing
/// allocates once the tree has had its greatest size.
#[derive(Clone, Debug)]
pub struct AabbTree {
    nodes: Vec<Node>,
    root: u32,
    /// First of the unused nodes, which form a list by their `parent`.
    unused: u32,
    leaves: usize,
    margin: f32,
    /// Room for [`AabbTree::rebuild`].
    order: Vec<u32>,
}

/// A leaf of a tree: good until it is removed or the tree is built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeafId(u32);

const NONE: u32 = u32::MAX;

/// Height of a node that nothing uses.
const UNUSED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// Both `NONE` in a leaf.
    children: [u32; 2],
    /// Levels below; 0 for a leaf.
    height: u32,
    /// The user's number, in a leaf.
    item: u32,
}

impl Node {
    fn leaf(item: u32, bounds: Aabb) -> Self {
        Self { bounds, parent: NONE, children: [NONE; 2], height: 0, item }
    }

    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

impl AabbTree {
    /// An empty tree whose boxes are kept larger by `margin` [m].
    pub fn new(margin: f32) -> Self {
        Self { nodes: Vec::new(), root: NONE, unused: NONE, leaves: 0, margin, order: Vec::new() }
    }

    /// Number of leaves.
    pub fn len(&self) -> usize {
        self.leaves
    }

    /// Whether it has no leaves.
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }

    /// Levels below the root.
    pub fn height(&self) -> u32 {
        self.node(self.root).map_or(0, |n| n.height)
    }

    /// The box around everything, if there is anything.
    pub fn bounds(&self) -> Option<Aabb> {
        self.node(self.root).map(|n| n.bounds)
    }

    /// Sum of the half surfaces of inner nodes over the root's: what a chance query costs. A
    /// tree of things that have moved about gets worse; [`AabbTree::rebuild`] makes it good.
    pub fn cost(&self) -> f32 {
        let Some(root) = self.node(self.root) else { return 0.0 };
        let whole = root.bounds.half_area();
        let mut sum = 0.0;
        self.visit_inner(self.root, &mut |bounds| sum += bounds.half_area());
        if whole > 0.0 { sum / whole } else { 0.0 }
    }

    /// Adds `item` with its box.
    pub fn insert(&mut self, item: u32, bounds: &Aabb) -> LeafId {
        let leaf = self.take(Node::leaf(item, bounds.grown(self.margin)));
        self.hang(leaf);
        self.leaves += 1;
        LeafId(leaf)
    }

    /// Takes a leaf out.
    pub fn remove(&mut self, leaf: LeafId) {
        self.cut(leaf.0);
        self.give_back(leaf.0);
        self.leaves -= 1;
    }

    /// Tells a leaf its new box. Only if it has left the larger one that is kept does the tree
    /// change, which is what it returns.
    pub fn refresh(&mut self, leaf: LeafId, bounds: &Aabb) -> bool {
        let kept = &self.nodes[leaf.0 as usize].bounds;
        if kept.contains(bounds) {
            return false;
        }
        self.cut(leaf.0);
        self.nodes[leaf.0 as usize].bounds = bounds.grown(self.margin);
        self.hang(leaf.0);
        true
    }

    /// Gives every leaf the box that `bounds_of` its item is, and leaves the shape of the tree
    /// as it is: the cheapest way when everything has moved a little.
    pub fn refit(&mut self, bounds_of: impl Fn(u32) -> Aabb) {
        self.refit_below(self.root, &bounds_of);
    }

    /// The item of a leaf, and the box that is kept for it.
    pub fn leaf(&self, leaf: LeafId) -> (u32, Aabb) {
        let node = &self.nodes[leaf.0 as usize];
        (node.item, node.bounds)
    }

    fn refit_below(&mut self, at: u32, bounds_of: &impl Fn(u32) -> Aabb) {
        let Some(&node) = self.node(at) else { return };
        if node.is_leaf() {
            self.nodes[at as usize].bounds = bounds_of(node.item).grown(self.margin);
            return;
        }
        node.children.iter().for_each(|&child| self.refit_below(child, bounds_of));
        self.gather(at);
    }

    fn visit_inner(&self, at: u32, visit: &mut impl FnMut(&Aabb)) {
        let node = &self.nodes[at as usize];
        if !node.is_leaf() {
            visit(&node.bounds);
            node.children.iter().for_each(|&child| self.visit_inner(child, visit));
        }
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    /// A node that nothing uses becomes `node`.
    fn take(&mut self, node: Node) -> u32 {
        if self.unused == NONE {
            self.nodes.push(node);
            return (self.nodes.len() - 1) as u32;
        }
        let at = self.unused;
        self.unused = self.nodes[at as usize].parent;
        self.nodes[at as usize] = node;
        at
    }

    fn give_back(&mut self, at: u32) {
        self.nodes[at as usize] =
            Node { parent: self.unused, height: UNUSED, ..Node::leaf(0, Aabb::EMPTY) };
        self.unused = at;
    }

    /// Makes a node's box and height what its children say.
    fn gather(&mut self, at: u32) {
        let [a, b] = self.nodes[at as usize].children.map(|child| self.nodes[child as usize]);
        let node = &mut self.nodes[at as usize];
        node.bounds = a.bounds.union(&b.bounds);
        node.height = 1 + a.height.max(b.height);
    }
}
