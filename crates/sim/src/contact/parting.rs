//! Copies of a point that go apart, each only as far as is proven free.
//!
//! Copies start in one place, where nothing can be proved of them. Where they end they have to be apart by a plane
//! of their own, and no edge may have come to stick through a triangle, which is as far from its corners and sides
//! as it likes; of all else that they or their triangles come near, a plane has to separate the
//! pair at the start and at the end, so that nothing passes on the way either (see `certificate`).

use glam::Vec3;

use super::certificate::certify;
use super::pair::{PairKind, PairMotion};
use super::pieces::Pieces;
use crate::aabb::Aabb;
use crate::contact::AabbTree;
use crate::measure::crosses;

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

/// An edge and a triangle that it may come to stick through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spear {
    edge: [u32; 2],
    triangle: [u32; 3],
}

/// All that copies may come near.
#[derive(Default)]
struct Near {
    pairs: Vec<Pair>,
    spears: Vec<Spear>,
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
        let near = self.near(&of, ways);
        let mut tries = vec![0; ways.len()];
        let mut ends = self.x.to_vec();
        loop {
            for (&(v, way), &at) in ways.iter().zip(&tries) {
                let part = PARTS.get(at).copied().unwrap_or(0.0);
                ends[v as usize] = self.x[v as usize] + way * part;
            }
            let mut changed = false;
            let mut shorter = vec![false; ways.len()];
            let mut shorten = |v: u32| {
                if let Some(shorter) = shorter.get_mut(of[v as usize] as usize) {
                    *shorter = true;
                }
            };
            for pair in near.pairs.iter().filter(|pair| !self.is_free(pair, &ends)) {
                pair.points.iter().for_each(|&v| shorten(v));
            }
            for spear in near.spears.iter().filter(|spear| self.sticks(spear, &ends)) {
                spear.edge.iter().chain(&spear.triangle).for_each(|&v| shorten(v));
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

    /// Whether an edge sticks through a triangle at the end that did not at the start. What has copies of
    /// one point only touched there.
    fn sticks(&self, Spear { edge, triangle }: &Spear, ends: &[Vec3]) -> bool {
        let crosses =
            |x: &[Vec3]| crosses(edge.map(|v| x[v as usize]), triangle.map(|v| x[v as usize]));
        let place = |v: u32| self.place[v as usize];
        let shares = edge.iter().any(|&a| triangle.iter().any(|&b| place(a) == place(b)));
        crosses(ends) && (shares || !crosses(self.x))
    }

    /// All with a point that moves, of pieces that are as near as that.
    fn near(&self, of: &[u32], ways: &[(u32, Vec3)]) -> Near {
        let pieces = &self.pieces;
        let around =
            |piece| Aabb::around(pieces.corners(piece).iter().map(|&v| self.x[v as usize]));
        let boxes: Vec<Aabb> = (0..pieces.len()).map(around).collect();
        let moves = |piece| pieces.corners(piece).iter().any(|&v| of[v as usize] != u32::MAX);
        let farthest = ways.iter().map(|(_, way)| way.length()).fold(0.0, f32::max);
        let tree = AabbTree::of(&boxes, 0.0);
        let mut near = Near::default();
        for one in (0..pieces.len()).filter(|&piece| moves(piece)) {
            tree.meeting(&boxes[one].grown(2.01 * farthest), |other| {
                let other = other as usize;
                if other != one && (other > one || !moves(other)) {
                    self.near_of(one, other, &mut near);
                    self.near_of(other, one, &mut near);
                }
            });
        }
        let meet = |one: u32, other: u32| {
            let [one, other] = [one, other].map(|v| self.body[v as usize]);
            one != other || self.touches_itself[one as usize]
        };
        let moves = |points: &[u32]| points.iter().any(|&v| of[v as usize] != u32::MAX);
        near.pairs.retain(|pair| {
            let [one, _, _, other] = pair.points;
            moves(&pair.points) && meet(one, other) && !pair.shares(self.sewn)
        });
        near.spears.retain(|Spear { edge, triangle }| {
            let sewn = |v: u32| self.sewn[v as usize];
            let joined = edge.iter().any(|&a| triangle.iter().any(|&b| sewn(a) == sewn(b)));
            (moves(edge) || moves(triangle)) && meet(edge[0], triangle[0]) && !joined
        });
        near.pairs.sort_unstable();
        near.pairs.dedup();
        near.spears.sort_unstable();
        near.spears.dedup();
        near
    }

    /// Corners of one piece with the other as a triangle, and edges of both, each pair once.
    fn near_of(&self, one: usize, other: usize, Near { pairs, spears }: &mut Near) {
        if let [b, c, d] = *self.pieces.corners(other) {
            let corners = self.pieces.corners(one).iter();
            pairs.extend(corners.map(|&a| Pair { edges: false, points: [a, b, c, d] }));
            let edges = self.pieces.edges(one);
            spears.extend(edges.map(|edge| Spear { edge, triangle: [b, c, d] }));
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
