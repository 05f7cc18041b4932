//! A whole tree at once.

use super::{AabbTree, NONE, Node, UNUSED};
use crate::aabb::Aabb;

/// Parts of the longest side between which a cut is tried.
const BINS: usize = 16;

/// Levels beyond what halving would need that good cuts may cost.
const MORE_LEVELS: u32 = 6;

impl AabbTree {
    /// A tree over `boxes`, whose numbers are the items; leaf ids go by them too.
    pub fn of(boxes: &[Aabb], margin: f32) -> Self {
        let mut tree = Self::new(margin);
        tree.nodes.reserve(2 * boxes.len());
        for (item, bounds) in (0..).zip(boxes) {
            tree.nodes.push(Node::leaf(item, bounds.grown(margin)));
        }
        tree.leaves = boxes.len();
        tree.rebuild();
        tree
    }

    /// Builds the tree anew over the leaves it has, whose ids stay good. Cuts are where the sum
    /// of surface times number is least, unless that would make the tree too high.
    pub fn rebuild(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        self.unused = NONE;
        for at in (0..self.nodes.len() as u32).rev() {
            let node = &self.nodes[at as usize];
            if node.is_leaf() && node.height != UNUSED {
                order.push(at);
            } else {
                self.give_back(at);
            }
        }
        order.reverse();
        let halvings = (order.len().max(1)).ilog2() + 1;
        self.root = self.arrange(&mut order, halvings + MORE_LEVELS);
        if let Some(root) = self.nodes.get_mut(self.root as usize) {
            root.parent = NONE;
        }
        self.order = order;
    }

    /// A subtree over these leaves of at most `levels` levels.
    fn arrange(&mut self, leaves: &mut [u32], levels: u32) -> u32 {
        match *leaves {
            [] => return NONE,
            [leaf] => return leaf,
            _ => {}
        }
        let mid = self.cut_of(leaves, levels);
        let (left, right) = leaves.split_at_mut(mid);
        let children = [self.arrange(left, levels - 1), self.arrange(right, levels - 1)];
        let at = self.take(Node { children, ..Node::leaf(0, Aabb::EMPTY) });
        children.iter().for_each(|&child| self.nodes[child as usize].parent = at);
        self.gather(at);
        at
    }

    /// Sorts leaves into two parts, neither empty, and says where the second begins.
    fn cut_of(&self, leaves: &mut [u32], levels: u32) -> usize {
        let center = |leaf: u32| self.nodes[leaf as usize].bounds.center();
        let span = Aabb::around(leaves.iter().map(|&leaf| center(leaf)));
        let sides = span.max - span.min;
        let axis = (0..3).fold(0, |best, a| if sides[a] > sides[best] { a } else { best });
        let scale = BINS as f32 / sides[axis];
        let bin = |leaf: u32| {
            // Boxes that are no numbers, or all in one place, go to the first.
            (((center(leaf)[axis] - span.min[axis]) * scale) as usize).min(BINS - 1)
        };
        let mut bins = [(0usize, Aabb::EMPTY); BINS];
        for &leaf in &*leaves {
            let (count, bounds) = &mut bins[bin(leaf)];
            *count += 1;
            *bounds = bounds.union(&self.nodes[leaf as usize].bounds);
        }
        let fits = |count: usize| count as u64 <= 1 << (levels - 1).min(40);
        let best = best_cut(&bins, fits);
        if let Some(best) = best {
            return partition(leaves, |leaf| bin(leaf) < best);
        }
        let mid = leaves.len() / 2;
        let key = |leaf: u32| center(leaf)[axis];
        leaves.select_nth_unstable_by(mid, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        mid
    }
}

/// The first bin of the second part for the least sum of surface times number, among cuts both
/// of whose parts fit.
fn best_cut(bins: &[(usize, Aabb); BINS], fits: impl Fn(usize) -> bool) -> Option<usize> {
    // Of all bins from each on.
    let mut after = [(0usize, Aabb::EMPTY); BINS + 1];
    for i in (0..BINS).rev() {
        after[i] = (after[i + 1].0 + bins[i].0, after[i + 1].1.union(&bins[i].1));
    }
    let (mut count, mut bounds) = (0, Aabb::EMPTY);
    let mut best: Option<(f32, usize)> = None;
    for i in 1..BINS {
        count += bins[i - 1].0;
        bounds = bounds.union(&bins[i - 1].1);
        let (rest, around) = after[i];
        if count == 0 || rest == 0 || !fits(count) || !fits(rest) {
            continue;
        }
        let cost = count as f32 * bounds.half_area() + rest as f32 * around.half_area();
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, i));
        }
    }
    best.map(|(_, i)| i)
}

/// Brings those that are `first` to the front and says how many they are.
fn partition(leaves: &mut [u32], first: impl Fn(u32) -> bool) -> usize {
    let mut count = 0;
    for i in 0..leaves.len() {
        if first(leaves[i]) {
            leaves.swap(i, count);
            count += 1;
        }
    }
    count
}
