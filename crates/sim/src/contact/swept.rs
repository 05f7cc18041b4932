//! Boxes of everything on a surface while it moves.

use super::surface::{Child, Patch, Surface};
use crate::parallel::for_each_heavy_part;
use crate::simd::three::{larger, smaller};
use crate::simd::{Kernel, LANES, dispatch};

/// Coordinates and one more number that belongs to the point.
pub type Point4 = [f32; 4];

/// Where points are meant to go: from `at` by `way`, straight and evenly.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Places at the start [m]; the last number is how far from its path a point may matter. [m]
    pub at: Vec<Point4>,
    /// The whole way [m]; the last number is half the distance that surfaces keep. [m]
    pub way: Vec<Point4>,
    /// Whether points keep to their tubes, so that only what can come to touch or to pass matters.
    pub kept: bool,
}

impl Paths {
    /// For `count` points.
    pub fn new(count: usize) -> Self {
        Self { at: vec![[0.0; 4]; count], way: vec![[0.0; 4]; count], kept: false }
    }

    /// How far from its path a point matters that may leave it by `tube` and keeps `half` a
    /// distance. [m]
    ///
    /// What gaps leave of e + e stays apart, wherever in their tubes points are; pairs are held
    /// apart if their planes show less than e/2 + e/2 + t (see `Watched::near`). Where nobody
    /// leaves a tube the larger of the two is enough, and pairs beyond it need not be watched: else
    /// everything is that may come as near as t.
    #[inline(always)]
    pub fn reach(&self, tube: f32, half: f32) -> f32 {
        if self.kept { larger(tube, 0.5 * tube + half) } else { tube + half }
    }

    /// The gap below which pairs are held apart, of such points with reach r and distance t. [m]
    #[inline(always)]
    pub fn near_below(&self, reach: f32, thickness: f32) -> f32 {
        if self.kept { 0.5 * reach + thickness } else { 0.5 * (thickness + reach) }
    }

    /// The box round the path of a point, padded.
    #[inline(always)]
    fn bounds(&self, point: u32) -> Bounds {
        let (at, way) = (&self.at[point as usize], &self.way[point as usize]);
        let mut bounds = Bounds::EMPTY;
        for d in 0..4 {
            let (from, to) = (at[d], at[d] + way[d]);
            bounds.low[d] = smaller(from, to) - at[3];
            bounds.high[d] = larger(from, to) + at[3];
        }
        bounds
    }
}

/// An axis-aligned box; its last numbers mean nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Bounds {
    /// Least corner. [m]
    pub low: Point4,
    /// Greatest corner. [m]
    pub high: Point4,
}

impl Bounds {
    /// The box of nothing.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for d in 0..4 {
            both.low[d] = smaller(self.low[d], other.low[d]);
            both.high[d] = larger(self.high[d], other.high[d]);
        }
        both
    }

    /// Whether two have a point in common.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        let mut apart = false;
        for d in 0..3 {
            apart |= self.low[d] > other.high[d];
            apart |= other.low[d] > self.high[d];
        }
        !apart
    }
}

/// The boxes of a patch: of its triangles, then its edges, then its vertices; then of nothing.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct PatchBounds {
    /// Least corners by axis. [m]
    pub low: [[f32; LANES]; 3],
    /// Greatest corners by axis. [m]
    pub high: [[f32; LANES]; 3],
}

impl PatchBounds {
    const EMPTY: Self =
        Self { low: [[f32::INFINITY; LANES]; 3], high: [[f32::NEG_INFINITY; LANES]; 3] };

    #[inline(always)]
    fn put(&mut self, lane: usize, bounds: &Bounds) {
        for d in 0..3 {
            self.low[d][lane] = bounds.low[d];
            self.high[d][lane] = bounds.high[d];
        }
    }

    /// The box of one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for d in 0..3 {
            (bounds.low[d], bounds.high[d]) = (self.low[d][lane], self.high[d][lane]);
        }
        bounds
    }

    /// Which boxes meet another, a bit each.
    #[inline(always)]
    pub fn meeting(&self, other: &Bounds) -> u32 {
        let mut bits = [0; LANES];
        for (l, bit) in bits.iter_mut().enumerate() {
            let mut apart = false;
            for d in 0..3 {
                apart |= self.low[d][l] > other.high[d];
                apart |= other.low[d] > self.high[d][l];
            }
            *bit = if apart { 0 } else { 1 << l };
        }
        bits.into_iter().fold(0, |all, bit| all | bit)
    }
}

/// Boxes of all patches and of the tree over them.
#[derive(Clone, Debug, Default)]
pub struct SweptBoxes {
    /// What is inside each patch.
    pub parts: Vec<PatchBounds>,
    /// Each patch.
    pub patches: Vec<Bounds>,
    /// Each branch.
    pub branches: Vec<Bounds>,
    above: Vec<u32>,
    is_above: Vec<bool>,
}

impl SweptBoxes {
    /// Room for the boxes of a surface.
    pub fn new(surface: &Surface) -> Self {
        Self {
            parts: vec![PatchBounds::EMPTY; surface.patches.len()],
            patches: vec![Bounds::EMPTY; surface.patches.len()],
            branches: vec![Bounds::EMPTY; surface.branches.len()],
            above: Vec::new(),
            is_above: vec![false; surface.branches.len()],
        }
    }

    /// All boxes along `paths`.
    pub fn refit(&mut self, surface: &Surface, paths: &Paths) {
        let all = (self.parts.as_mut_slice(), self.patches.as_mut_slice());
        for_each_heavy_part(
            all,
            1,
            &|first, (parts, whole): (&mut [PatchBounds], &mut [Bounds])| {
                dispatch(Refit { surface, paths, first, parts, whole });
            },
        );
        for index in (0..surface.branches.len()).rev() {
            self.refit_branch(surface, index);
        }
    }

    /// The boxes of some patches and of the branches above them.
    pub fn refit_patches(&mut self, surface: &Surface, paths: &Paths, patches: &[u32]) {
        self.above.clear();
        for &index in patches {
            let at = index as usize;
            self.patches[at] = refit_patch(surface, paths, at, &mut self.parts[at]);
            let mut next = surface.above_patch(index as usize);
            while let Some(branch) = next {
                if std::mem::replace(&mut self.is_above[branch], true) {
                    break;
                }
                self.above.push(branch as u32);
                next = surface.above_branch(branch);
            }
        }
        // Children have larger numbers than their parents.
        self.above.sort_unstable();
        for place in (0..self.above.len()).rev() {
            let branch = self.above[place] as usize;
            self.is_above[branch] = false;
            self.refit_branch(surface, branch);
        }
    }

    /// Branches above the patches that were looked at last, parents first.
    pub fn above(&self) -> &[u32] {
        &self.above
    }

    /// The box of a branch from those below it.
    fn refit_branch(&mut self, surface: &Surface, index: usize) {
        let [a, b] = surface.branches[index].children.map(|child| *self.of(child));
        self.branches[index] = a.and(&b);
    }

    /// The box of a part of the tree.
    #[inline(always)]
    pub fn of(&self, child: Child) -> &Bounds {
        match child {
            Child::Branch(b) => &self.branches[b as usize],
            Child::Patch(p) => &self.patches[p as usize],
        }
    }
}

/// Boxes of patches from the first on.
struct Refit<'a> {
    surface: &'a Surface,
    paths: &'a Paths,
    first: usize,
    parts: &'a mut [PatchBounds],
    whole: &'a mut [Bounds],
}

impl Kernel for Refit<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { surface, paths, first, parts, whole } = self;
        for (index, (parts, whole)) in (first..).zip(parts.iter_mut().zip(whole)) {
            *whole = refit_patch(surface, paths, index, parts);
        }
    }
}

/// The boxes of what is in one patch. Returns that of all of it.
#[inline(always)]
fn refit_patch(surface: &Surface, paths: &Paths, index: usize, parts: &mut PatchBounds) -> Bounds {
    let Patch { triangles, edges, vertices } = surface.patches[index].clone();
    // Edges of triangles are inside those.
    let of_segments = triangles.is_empty();
    let mut whole = Bounds::EMPTY;
    let mut lane = 0;
    for &[a, b, c] in &surface.triangles[triangles] {
        let bounds = paths.bounds(a).and(&paths.bounds(b)).and(&paths.bounds(c));
        whole = whole.and(&bounds);
        parts.put(lane, &bounds);
        lane += 1;
    }
    for &[a, b] in &surface.edges[edges] {
        let bounds = paths.bounds(a).and(&paths.bounds(b));
        if of_segments {
            whole = whole.and(&bounds);
        }
        parts.put(lane, &bounds);
        lane += 1;
    }
    for &v in &surface.vertices[vertices] {
        parts.put(lane, &paths.bounds(v));
        lane += 1;
    }
    whole
}
