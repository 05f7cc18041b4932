//! Triangles and segments.

/// What a surface is made of.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<'a> {
    /// Triangles.
    pub triangles: &'a [[u32; 3]],
    /// Segments of strands.
    pub segments: &'a [[u32; 2]],
}

impl<'a> Pieces<'a> {
    /// Triangles alone.
    pub fn of_triangles(triangles: &'a [[u32; 3]]) -> Self {
        Self { triangles, segments: &[] }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.triangles.len() + self.segments.len()
    }

    /// The corners or ends of a piece: segments come after triangles.
    pub(super) fn corners(&self, piece: usize) -> &'a [u32] {
        match piece.checked_sub(self.triangles.len()) {
            None => &self.triangles[piece],
            Some(segment) => &self.segments[segment],
        }
    }

    /// Edges of a piece, the smaller number first; the last ones of a segment are the first again.
    pub(super) fn edges(&self, piece: usize) -> [[u32; 2]; 3] {
        let sorted = |[p, q]: [u32; 2]| [p.min(q), p.max(q)];
        match *self.corners(piece) {
            [a, b, c] => [[a, b], [b, c], [c, a]].map(sorted),
            ref ends => [sorted([ends[0], ends[1]]); 3],
        }
    }
}
