//! Segments that touch others.

use super::{RootPath, Strand, StrandSet, TouchParts};
use crate::model::Model;

impl StrandSet {
    /// Whether its segments touch others.
    pub fn touches_by_segments(&self) -> bool {
        self.touch.parts == TouchParts::Segments
    }
}

impl Strand {
    /// Its segments that may touch: all but those in the skin or collider that carries its root, in which
    /// they begin.
    pub fn touching_segments(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let planted = matches!(self.root.path, RootPath::Skin { .. } | RootPath::Collider(_));
        let first = if planted { self.held().end as u32 } else { self.first };
        let end = self.first + self.count;
        (first + 1..end).map(|i| [i - 1, i])
    }
}

impl Model {
    /// Segments of strands that touch others, strand after strand.
    pub fn touching_segments(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let sets = self.strands.iter().filter(|set| set.touches_by_segments());
        sets.flat_map(|set| set.strands.iter().flat_map(Strand::touching_segments))
    }

    /// Whether segments of strands that are advanced on their own touch others.
    pub fn rods_touch_by_segments(&self) -> bool {
        self.strands.iter().any(|set| set.law.is_rod() && set.touches_by_segments())
    }
}
