//! The triangles and segments of everything that may touch, cut into patches that form a tree.

use std::ops::Range;

use glam::Vec3;

use super::pieces::Pieces;
use crate::aabb::Aabb;
use crate::simd::LANES;

/// Triangles with their edges and vertices, and segments of strands, which are edges with vertices and
/// no triangle. Neighbours at rest share a patch, and every edge and every vertex belongs to one
/// patch alone, so that no pair of them is found twice.
///
/// The tree over the patches keeps its shape; only its boxes change ([`Surface::branches`]).
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// By patch.
    pub triangles: Vec<[u32; 3]>,
    /// By patch, the smaller number first.
    pub edges: Vec<[u32; 2]>,
    /// By patch.
    pub vertices: Vec<u32>,
    /// In the order of the tree.
    pub patches: Vec<Patch>,
    /// Parents before children; the last are not leaves but their parents.
    pub branches: Vec<Branch>,
    /// The branch above each patch, then above each branch; `u32::MAX` at the root.
    above: [Vec<u32>; 2],
    /// The body of everything in each patch, then below each branch; `MIXED` if there is more than one.
    bodies: [Vec<u32>; 2],
}

/// More than one body.
const MIXED: u32 = u32::MAX;

/// What one patch owns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// Its triangles.
    pub triangles: Range<usize>,
    /// Its edges.
    pub edges: Range<usize>,
    /// Its vertices.
    pub vertices: Range<usize>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What is below it on either side.
    pub children: [Child; 2],
}

/// What is below a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Another branch.
    Branch(u32),
    /// A patch.
    Patch(u32),
}

/// Triangles or segments of a patch at most. With what they own these make up a vector of boxes.
const PATCH: usize = 4;

impl Surface {
    /// The surface of `pieces` over `vertices` vertices whose rest positions and bodies `at` gives.
    pub fn new(pieces: Pieces<'_>, vertices: usize, at: impl Fn(u32) -> (Vec3, u32)) -> Self {
        // Of their boxes: the two halves of a square then lie in the same place.
        let center = |piece: &[u32]| Aabb::around(piece.iter().map(|&v| at(v).0)).center();
        let of = |piece: &[u32]| (center(piece), at(piece[0]).1);
        let centers: Vec<(Vec3, u32)> =
            (0..pieces.len()).map(|index| of(pieces.corners(index))).collect();
        let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
        let mut cuts = vec![0; order.len().saturating_sub(1)];
        order.sort_by_key(|&t| centers[t as usize].1);
        sort_by_body(&mut order, &mut cuts, &centers);
        let mut surface = Self::default();
        let owned = surface.own(&order, pieces, vertices);
        if !order.is_empty() {
            surface.grow(0..order.len(), &owned, &cuts);
        }
        surface.note_bodies(|v| at(v).1);
        surface.above = [surface.patches.len(), surface.branches.len()].map(|n| vec![u32::MAX; n]);
        for (at, branch) in (0..).zip(&surface.branches) {
            for child in branch.children {
                match child {
                    Child::Patch(p) => surface.above[0][p as usize] = at,
                    Child::Branch(b) => surface.above[1][b as usize] = at,
                }
            }
        }
        surface
    }

    /// The branch that has a patch.
    pub fn above_patch(&self, patch: usize) -> Option<usize> {
        Some(self.above[0][patch] as usize).filter(|&b| b < self.branches.len())
    }

    /// The branch that has another.
    pub fn above_branch(&self, branch: usize) -> Option<usize> {
        Some(self.above[1][branch] as usize).filter(|&b| b < self.branches.len())
    }

    /// The body of all that is in a part of the tree, if it is one.
    #[inline(always)]
    pub fn body_of(&self, child: Child) -> Option<u32> {
        let body = match child {
            Child::Patch(p) => self.bodies[0][p as usize],
            Child::Branch(b) => self.bodies[1][b as usize],
        };
        (body != MIXED).then_some(body)
    }

    /// Takes note of whose each part is.
    fn note_bodies(&mut self, body: impl Fn(u32) -> u32) {
        let of = |patch: &Patch| {
            let corners = self.triangles[patch.triangles.clone()].iter().flatten();
            let mut all = corners.chain(self.edges[patch.edges.clone()].iter().flatten());
            let first = all.next().map_or(MIXED, |&v| body(v));
            if all.all(|&v| body(v) == first) { first } else { MIXED }
        };
        self.bodies = [self.patches.iter().map(of).collect(), vec![MIXED; self.branches.len()]];
        for index in (0..self.branches.len()).rev() {
            let [a, b] = self.branches[index].children.map(|child| self.body_of(child));
            self.bodies[1][index] = a.filter(|_| a == b).unwrap_or(MIXED);
        }
    }

    /// Where the tree begins, unless there is nothing.
    pub fn root(&self) -> Option<Child> {
        match (self.branches.is_empty(), self.patches.is_empty()) {
            (false, _) => Some(Child::Branch(0)),
            (true, false) => Some(Child::Patch(0)),
            (true, true) => None,
        }
    }

    /// Takes over pieces in their order, each with the edges and vertices that none before it
    /// has. Returns where the triangles, edges and vertices of each begin.
    fn own(&mut self, order: &[u32], pieces: Pieces<'_>, vertices: usize) -> Vec<[usize; 3]> {
        let mut edges: Vec<([u32; 2], usize)> = Vec::with_capacity(3 * order.len());
        for (place, &piece) in order.iter().enumerate() {
            edges.extend(pieces.edges(piece as usize).map(|edge| (edge, place)));
        }
        edges.sort_unstable();
        edges.dedup_by_key(|(edge, _)| *edge);
        edges.sort_unstable_by_key(|&(edge, place)| (place, edge));
        let mut edges = edges.into_iter().peekable();
        let mut taken = vec![false; vertices];
        let mut begin = Vec::with_capacity(order.len() + 1);
        for (place, &piece) in order.iter().enumerate() {
            begin.push([self.triangles.len(), self.edges.len(), self.vertices.len()]);
            let corners = pieces.corners(piece as usize);
            if let &[a, b, c] = corners {
                self.triangles.push([a, b, c]);
            }
            while let Some((edge, _)) = edges.next_if(|&(_, owner)| owner == place) {
                self.edges.push(edge);
            }
            for &v in corners {
                if !std::mem::replace(&mut taken[v as usize], true) {
                    self.vertices.push(v);
                }
            }
        }
        begin.push([self.triangles.len(), self.edges.len(), self.vertices.len()]);
        begin
    }

    /// The subtree over a range of pieces. A patch has pieces of one kind.
    fn grow(&mut self, range: Range<usize>, begin: &[[usize; 3]], cuts: &[usize]) -> Child {
        let ([t0, e0, v0], [t1, e1, v1]) = (begin[range.start], begin[range.end]);
        let parts = (t1 - t0) + (e1 - e0) + (v1 - v0);
        let alike = t1 - t0 == range.len() || t1 == t0;
        if range.len() <= PATCH && parts <= LANES && alike {
            let patch = Patch { triangles: t0..t1, edges: e0..e1, vertices: v0..v1 };
            self.patches.push(patch);
            return Child::Patch(self.patches.len() as u32 - 1);
        }
        let at = self.branches.len();
        self.branches.push(Branch { children: [Child::Patch(0); 2] });
        let (count, mid) = (cuts[0], range.start + cuts[0]);
        let children = [
            self.grow(range.start..mid, begin, &cuts[1..count]),
            self.grow(mid..range.end, begin, &cuts[count..]),
        ];
        self.branches[at].children = children;
        Child::Branch(at as u32)
    }
}

/// The larger part of two, so large that it is made up of whole patches.
fn half(count: usize) -> usize {
    let half = count.div_ceil(2);
    if count > 2 * PATCH { half.next_multiple_of(PATCH) } else { half }
}

/// Cuts pieces in order of their bodies between two of those as long as there is more than one,
/// then as `sort_by_place` does.
fn sort_by_body(order: &mut [u32], cuts: &mut [usize], centers: &[(Vec3, u32)]) {
    let body = |t: u32| centers[t as usize].1;
    if order.first().map(|&t| body(t)) == order.last().map(|&t| body(t)) {
        return sort_by_place(order, cuts, centers);
    }
    let Some((cut, cuts)) = cuts.split_first_mut() else { return };
    let mid = order.len() / 2;
    let before = order.partition_point(|&t| body(t) < body(order[mid]));
    let after = order.partition_point(|&t| body(t) <= body(order[mid]));
    *cut = if before > 0 && (mid - before <= after - mid || after == order.len()) {
        before
    } else {
        after
    };
    let (left, right) = order.split_at_mut(*cut);
    let (left_cuts, right_cuts) = cuts.split_at_mut(*cut - 1);
    sort_by_body(left, left_cuts, centers);
    sort_by_body(right, right_cuts, centers);
}

/// Orders pieces so that each half of a part, cut across its longest side, is one part of it.
/// Takes note of how many each first half has: of the whole, then of all in it, then of all in the
/// second half.
fn sort_by_place(order: &mut [u32], cuts: &mut [usize], centers: &[(Vec3, u32)]) {
    let Some((cut, cuts)) = cuts.split_first_mut() else { return };
    let span = Aabb::around(order.iter().map(|&t| centers[t as usize].0));
    let sides = span.max - span.min;
    let axis = (0..3).fold(0, |best, a| if sides[a] > sides[best] { a } else { best });
    let mid = cut_across(order, |t| centers[t as usize].0[axis]);
    *cut = mid;
    let (left, right) = order.split_at_mut(mid);
    let (left_cuts, right_cuts) = cuts.split_at_mut(mid - 1);
    sort_by_place(left, left_cuts, centers);
    sort_by_place(right, right_cuts, centers);
}

/// Puts pieces of lesser keys before others. Returns how many make up the first half: of a grid
/// whole columns, so that its parts are rectangles.
fn cut_across(order: &mut [u32], key: impl Fn(u32) -> f32) -> usize {
    let mid = half(order.len()).min(order.len() - 1);
    let sorted = |&a: &u32, &b: &u32| key(a).total_cmp(&key(b)).then(a.cmp(&b));
    let (_, &mut at, _) = order.select_nth_unstable_by(mid, sorted);
    let count = |is: fn(std::cmp::Ordering) -> bool| {
        order.iter().filter(|&&t| is(key(t).total_cmp(&key(at)))).count()
    };
    let (before, up_to) = (count(std::cmp::Ordering::is_lt), count(std::cmp::Ordering::is_le));
    let nearest = if mid - before <= up_to - mid { before } else { up_to };
    let other = before + up_to - nearest;
    let inside = |cut: &usize| (1..order.len()).contains(cut);
    if up_to - before < PATCH {
        return mid;
    }
    let cut = [nearest, other].into_iter().find(inside).unwrap_or(mid);
    order.select_nth_unstable_by(cut, sorted);
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{GridPlane, GridShape};

    fn of_grid(counts: [usize; 2]) -> (Surface, Vec<[u32; 3]>) {
        let grid = GridShape { counts, size: [1.0, 0.7], plane: GridPlane::Xz };
        let (points, triangles) = (grid.points(), grid.triangles());
        let pieces = Pieces::of_triangles(&triangles);
        (Surface::new(pieces, points.len(), |v| (points[v as usize], 0)), triangles)
    }

    fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        items.sort_unstable();
        items
    }

    /// Whether the patches own everything once, and the tree reaches them all.
    fn check(surface: &Surface, triangles: &[[u32; 3]]) {
        let all = |t: &[u32; 3]| sorted(*t);
        assert_eq!(sorted(surface.triangles.iter().map(all)), sorted(triangles.iter().map(all)));
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges = sorted(sides.map(|[a, b]| [a.min(b), a.max(b)]));
        edges.dedup();
        assert_eq!(sorted(surface.edges.clone()), edges);
        let mut corners = sorted(triangles.iter().flatten().copied());
        corners.dedup();
        assert_eq!(sorted(surface.vertices.clone()), corners);
        let (mut t, mut e, mut v) = (0, 0, 0);
        for patch in &surface.patches {
            assert_eq!((patch.triangles.start, patch.edges.start, patch.vertices.start), (t, e, v));
            (t, e, v) = (patch.triangles.end, patch.edges.end, patch.vertices.end);
            let parts = patch.triangles.len() + patch.edges.len() + patch.vertices.len();
            assert!((1..=LANES).contains(&parts));
        }
        assert_eq!((t, e, v), (triangles.len(), edges.len(), corners.len()));
        let reached = sorted(surface.branches.iter().flat_map(|b| b.children).map(|c| match c {
            Child::Patch(p) => (0, p),
            Child::Branch(b) => (1, b),
        }));
        let patches = (0..surface.patches.len() as u32).map(|p| (0, p));
        let branches = (1..surface.branches.len() as u32).map(|b| (1, b));
        if surface.patches.len() > 1 {
            assert_eq!(reached, patches.chain(branches).collect::<Vec<_>>());
        }
        for (at, branch) in (0..).zip(&surface.branches) {
            let below = |c: &Child| !matches!(c, Child::Branch(b) if *b <= at);
            assert!(branch.children.iter().all(below), "parents come before children");
        }
    }

    #[test]
    fn patches_of_a_grid_own_everything_once_and_are_full() {
        for counts in [[2, 2], [3, 2], [20, 20], [17, 41]] {
            let (surface, triangles) = of_grid(counts);
            check(&surface, &triangles);
            let full = triangles.len() as f64 / surface.patches.len() as f64;
            assert!(triangles.len() < 8 || full > 3.2, "{counts:?}: {full} triangles a patch");
        }
    }

    #[test]
    fn triangles_that_share_nothing_or_everything_are_owned_too() {
        let soup: Vec<[u32; 3]> = (0..50).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let at = |v: u32| (Vec3::new((v % 7) as f32, (v % 5) as f32, f32::NAN), v / 40);
        check(&Surface::new(Pieces::of_triangles(&soup), 150, at), &soup);
        let same = vec![[0, 1, 2]; 9];
        check(&Surface::new(Pieces::of_triangles(&same), 3, at), &same);
        check(&Surface::new(Pieces::of_triangles(&[]), 0, at), &[]);
    }

    #[test]
    fn segments_in_a_row_share_a_patch_and_none_with_triangles() {
        let triangles = [[0, 1, 2], [1, 3, 2]];
        let segments: Vec<[u32; 2]> = (4..45).map(|i| [i, i + 1]).collect();
        let at = |v: u32| (Vec3::X * v as f32, u32::from(v > 3));
        let pieces = Pieces { triangles: &triangles, segments: &segments };
        let surface = Surface::new(pieces, 46, at);
        assert_eq!((surface.edges.len(), surface.vertices.len()), (5 + 41, 46));
        for patch in &surface.patches {
            let edges = &surface.edges[patch.edges.clone()];
            let alike = patch.triangles.is_empty() == (edges[0][0] > 3);
            assert!(alike && (!patch.triangles.is_empty() || edges.len() <= PATCH), "{patch:?}");
            let row = patch.triangles.is_empty();
            assert!(!row || edges.windows(2).all(|e| e[0][1] == e[1][0]), "{edges:?}");
        }
        assert!(
            surface.patches.len() <= 1 + 41usize.div_ceil(PATCH) + 1,
            "{}",
            surface.patches.len()
        );
    }

    #[test]
    fn patches_are_compact() {
        // The sum of the patches' areas over the sheet's: 1 if they were rectangles in a row.
        let (surface, _) = of_grid([41, 41]);
        let grid = GridShape { counts: [41, 41], size: [1.0, 0.7], plane: GridPlane::Xz };
        let points = grid.points();
        let area = |patch: &Patch| {
            let corners = surface.triangles[patch.triangles.clone()].iter().flatten();
            Aabb::around(corners.map(|&v| points[v as usize])).half_area()
        };
        let sum: f32 = surface.patches.iter().map(area).sum();
        assert!(sum < 1.5 * 0.7, "{sum} for 0.7");
    }

    #[test]
    fn parts_of_a_grid_are_rectangles() {
        for counts in [[41, 41], [128, 128], [100, 37]] {
            let grid = GridShape { counts, size: [1.0, 0.7], plane: GridPlane::Xz };
            let (points, (surface, _)) = (grid.points(), of_grid(counts));
            let cell = 0.7 / ((counts[0] - 1) * (counts[1] - 1)) as f32;
            let mut parts = Vec::new();
            let hull = |triangles: Range<usize>| {
                let corners = surface.triangles[triangles].iter().flatten();
                Aabb::around(corners.map(|&v| points[v as usize])).half_area()
            };
            for branch in surface.branches.iter().rev() {
                let range = |child: Child| -> Range<usize> {
                    match child {
                        Child::Patch(p) => surface.patches[p as usize].triangles.clone(),
                        Child::Branch(b) => {
                            let below: &Range<usize> =
                                &parts[surface.branches.len() - 1 - b as usize];
                            below.clone()
                        }
                    }
                };
                let [a, b] = branch.children.map(range);
                parts.push(a.start.min(b.start)..a.end.max(b.end));
            }
            let full = |part: &&Range<usize>| {
                hull((*part).clone()) < (part.len() as f32 / 2.0 + 0.1) * cell
            };
            let count = parts.iter().filter(full).count();
            assert!(count * 10 > parts.len() * 9, "{counts:?}: {count} of {}", parts.len());
        }
    }
}
