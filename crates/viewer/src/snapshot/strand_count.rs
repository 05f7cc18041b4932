//! How many strands there are, and how much of them is left.

use super::Snapshot;

/// Strands of a moment, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StrandCount {
    /// Strands that are simulated.
    pub strands: usize,
    /// Their nodes, with those that were cut off.
    pub nodes: usize,
    /// Pieces that were cut off.
    pub pieces: usize,
    /// Nodes of those pieces.
    pub nodes_cut_off: usize,
    /// Strands that are shown between them.
    pub followers: usize,
}

impl StrandCount {
    /// Nodes that are still joined to the first node of their strand.
    pub fn nodes_left(&self) -> usize {
        self.nodes - self.nodes_cut_off
    }
}

impl Snapshot {
    /// Counts strands, nodes and pieces.
    pub fn strand_count(&self) -> StrandCount {
        let mut count = StrandCount::default();
        for set in &self.model.strands {
            count.strands += set.strands.len();
            count.followers += set.followers.as_ref().map_or(0, |followers| followers.guides.len());
            for strand in &set.strands {
                let all = strand.particles();
                count.nodes += all.len();
                // A cut after the last node would part nothing.
                let from = self.cut.partition_point(|&p| (p as usize) < all.start);
                let cuts = self.cut[from..].iter().take_while(|&&p| p as usize + 1 < all.end);
                count.pieces += cuts.count();
                let first = self.cut.get(from).map(|&p| p as usize + 1);
                count.nodes_cut_off += first.map_or(0, |first| all.end.saturating_sub(first));
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::curtain;

    #[test]
    fn pieces_and_nodes_are_counted_as_they_are_cut_off() {
        let mut world = curtain(3, 5);
        let whole = world.strand_count();
        assert_eq!((whole.strands, whole.nodes, whole.followers), (3, 15, 6));
        assert_eq!((whole.pieces, whole.nodes_left()), (0, 15));
        // The second strand in its middle and before its tip, the third after its root.
        world.cut = [7, 8, 10].into();
        let cut = world.strand_count();
        assert_eq!((cut.strands, cut.nodes, cut.pieces), (3, 15, 3));
        assert_eq!(cut.nodes_left(), 15 - 2 - 4);
        // An edge from strand to strand is none.
        world.cut = [4].into();
        assert_eq!((world.strand_count().pieces, world.strand_count().nodes_left()), (0, 15));
    }
}
