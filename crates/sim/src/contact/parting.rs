//! Copies of a point that go apart, each only as far as is proven free.
//!
//! Copies start in one place, where nothing can be proved of them. Where they end they have to be apart by a plane
//! of their own; of all else that they or their triangles come near, a plane has to separate the
//! pair at the start and at the end, so that nothing passes on the way either (see `certificate`).

use glam::Vec3;

use super::certificate::certify;
use super::pair::{PairKind, PairMotion};
use super::pieces::Pieces;
use crate::aabb::Aabb;
use crate::contact::AabbTree;

/// Parts of their ways that copies try, the longest first: the last is as much as `f32` can tell
/// from nothing.
const PARTS: [f32; 4] = [1.0, 0.25, 0.0625, 0.015_625];

/// Surfaces among which copies go apart.
pub(crate) struct Parting<'a> {
    /// Triangles of bodies, then of what is moved, and segments of strands.
    pub pieces: Pieces<'a>,
    /// Where all points are. [m]
    pub x: &'a [Vec3],
    /// Points that are sewn together have one number; others have their own.
    pub sewn: &'a [u32],
    /// The body of each point, and whether each body may touch itself.
    pub body: &'a [u32],
    pub touches_itself: &'a [bool],
    /// Copies of one point have one number.
    pub place: &'a [u32],
}

/// Two sides that may touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    edges: bool,
    points: [u32; 4],
}

impl Pair {
    fn kind(self) -> PairKind {
        if self.edges { PairKind::EdgeEdge } else { PairKind::VertexTriangle }
    }

    fn sides(&self) -> (&[u32], &[u32]) {
        self.points.split_at(self.kind().side_a())
    }

    fn shares(&self, number: &[u32]) -> bool {
        let (one, other) = self.sides();
        let of = |v: u32| number[v as usize];
        one.iter().any(|&a| other.iter().any(|&b| of(a) == of(b)))
    }
}

impl Parting<'_> {
    /// Shortens the ways of copies, given by number, until each is proven free. Returns those of
    /// which no part is.
    pub fn shorten(&self, ways: &mut [(u32, Vec3)]) -> Vec<u32> {
        let mut of: Vec<u32> = vec![u32::MAX; self.x.len()];
        (0..).zip(ways.iter()).for_each(|(k, (v, _))| of[*v as usize] = k);
        let pairs = self.pairs(&of, ways);
        let mut tries = vec![0; ways.len()];
        let mut ends = self.x.to_vec();
        loop {
            for (&(v, way), &at) in ways.iter().zip(&tries) {
                let part = PARTS.get(at).copied().unwrap_or(0.0);
                ends[v as usize] = self.x[v as usize] + way * part;
            }
            let mut changed = false;
            let mut shorter = vec![false; ways.len()];
            for pair in pairs.iter().filter(|pair| !self.is_free(pair, &ends)) {
                for &v in &pair.points {
                    if let Some(shorter) = shorter.get_mut(of[v as usize] as usize) {
                        *shorter = true;
                    }
                }
            }
            for (at, _) in tries
                .iter_mut()
                .zip(&shorter)
                .filter(|(at, shorter)| **shorter && **at < PARTS.len())
            {
                *at += 1;
                changed = true;
            }
            if !changed {
                break;
            }
        }
        for ((_, way), &at) in ways.iter_mut().zip(&tries) {
            *way *= PARTS.get(at).copied().unwrap_or(0.0);
        }
        let stuck = ways.iter().zip(&tries).filter(|(_, at)| **at == PARTS.len());
        stuck.map(|((v, _), _)| *v).collect()
    }

    fn is_free(&self, pair: &Pair, ends: &[Vec3]) -> bool {
        let kind = pair.kind();
        let [from, to] = [self.x, ends].map(|x| pair.points.map(|v| x[v as usize]));
        let apart = |at: [Vec3; 4]| certify(kind, &PairMotion::of_state(at, at)).start > 0.0;
        if pair.shares(self.place) {
            return apart(to);
        }
        // What touched before is not watched either.
        certify(kind, &PairMotion::of_state(from, to)).proves() || !apart(from)
    }

    /// All pairs with a point that moves, of pieces that are as near as that.
    fn pairs(&self, of: &[u32], ways: &[(u32, Vec3)]) -> Vec<Pair> {
        let pieces = &self.pieces;
        let around =
            |piece| Aabb::around(pieces.corners(piece).iter().map(|&v| self.x[v as usize]));
        let boxes: Vec<Aabb> = (0..pieces.len()).map(around).collect();
        let moves = |piece| pieces.corners(piece).iter().any(|&v| of[v as usize] != u32::MAX);
        let farthest = ways.iter().map(|(_, way)| way.length()).fold(0.0, f32::max);
        let tree = AabbTree::of(&boxes, 0.0);
        let mut pairs = Vec::new();
        for one in (0..pieces.len()).filter(|&piece| moves(piece)) {
            tree.meeting(&boxes[one].grown(2.01 * farthest), |other| {
                let other = other as usize;
                if other != one && (other > one || !moves(other)) {
                    self.pairs_of(one, other, &mut pairs);
                    self.pairs_of(other, one, &mut pairs);
                }
            });
        }
        let wanted = |pair: &Pair| {
            let [one, other] = [pair.points[0], pair.points[3]].map(|v| self.body[v as usize]);
            let moves = pair.points.iter().any(|&v| of[v as usize] != u32::MAX);
            let meet = one != other || self.touches_itself[one as usize];
            moves && meet && !pair.shares(self.sewn)
        };
        pairs.retain(wanted);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Corners of one piece with the other as a triangle, and edges of both, each pair once.
    fn pairs_of(&self, one: usize, other: usize, pairs: &mut Vec<Pair>) {
        if let [b, c, d] = *self.pieces.corners(other) {
            let corners = self.pieces.corners(one).iter();
            pairs.extend(corners.map(|&a| Pair { edges: false, points: [a, b, c, d] }));
        }
        for [a, b] in self.pieces.edges(one) {
            for [c, d] in self.pieces.edges(other) {
                if [a, b] < [c, d] {
                    pairs.push(Pair { edges: true, points: [a, b, c, d] });
                }
            }
        }
    }
}
