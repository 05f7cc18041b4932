//! Whole parts of a panel that are too flat to touch themselves.

use super::{Place, ROUNDING, Range, lacks_nothing};
use crate::contact::surface::{Child, Surface};

/// Branches of a surface's tree that are rectangles in their panel, and so convex. See
/// [`Flatness`](super::Flatness).
#[derive(Clone, Debug, Default)]
pub(super) struct FlatBranches {
    patches: Vec<Option<Place>>,
    /// `None` for those that are no rectangles.
    places: Vec<Option<Place>>,
    ranges: Vec<Range>,
    /// The least altitude and the largest reach of a point. [m]
    sizes: Vec<[f32; 2]>,
}

impl FlatBranches {
    /// For a surface whose patches have these places, altitudes and reaches.
    pub fn new(surface: &Surface, patches: Vec<Option<Place>>, sizes: &[[f32; 2]]) -> Self {
        let count = surface.branches.len();
        let mut branches = Self {
            places: vec![None; count],
            ranges: vec![Range::NONE; count],
            sizes: vec![[0.0; 2]; count],
            patches,
        };
        for index in (0..count).rev() {
            let children = surface.branches[index].children;
            let of = |child| branches.size(child, sizes)[0];
            let altitude = of(children[0]).min(of(children[1]));
            branches.sizes[index][0] = altitude;
            branches.places[index] = branches.both(children, altitude);
        }
        branches
    }

    /// The rectangle round two parts, if they fill it.
    fn both(&self, parts: [Child; 2], altitude: f32) -> Option<Place> {
        let [a, b] = parts.map(|part| self.place(part));
        filled([a?, b?], altitude)
    }

    fn place(&self, part: Child) -> Option<&Place> {
        match part {
            Child::Branch(b) => self.places[b as usize].as_ref(),
            Child::Patch(p) => self.patches[p as usize].as_ref(),
        }
    }

    fn size(&self, part: Child, patches: &[[f32; 2]]) -> [f32; 2] {
        match part {
            Child::Branch(b) => self.sizes[b as usize],
            Child::Patch(p) => patches[p as usize],
        }
    }

    /// Takes note of what is below a branch.
    pub fn refit(&mut self, surface: &Surface, index: usize, of: (&[Range], &[[f32; 2]])) {
        if self.places[index].is_none() {
            return;
        }
        let (mut range, mut reach) = (Range::NONE, 0.0f32);
        for child in surface.branches[index].children {
            match child {
                Child::Branch(b) => range.and(&self.ranges[b as usize]),
                Child::Patch(p) => range.and(&of.0[p as usize]),
            }
            reach = reach.max(self.size(child, of.1)[1]);
        }
        self.ranges[index] = range;
        self.sizes[index][1] = reach;
    }

    /// Whether only what two branches (or one) share can touch.
    #[inline(always)]
    pub fn keep_apart(&self, p: usize, q: usize) -> bool {
        let (Some(a), Some(b)) = (&self.places[p], &self.places[q]) else { return false };
        let ([low, reach], [other, far]) = (self.sizes[p], self.sizes[q]);
        let altitude = low.min(other);
        if p != q && filled([a, b], altitude).is_none() {
            return false;
        }
        let mut range = self.ranges[p];
        range.and(&self.ranges[q]);
        (range.least_stretch() - ROUNDING) * altitude >= reach + far
    }

    /// Whether a patch lies in a branch of which only what is shared can touch.
    #[inline(always)]
    pub fn keeps_apart_within(&self, patch: usize, branch: usize) -> bool {
        let within = self.places[branch].as_ref().zip(self.patches[patch].as_ref());
        within.is_some_and(|(whole, part)| whole.contains(part)) && self.keep_apart(branch, branch)
    }
}

/// The rectangle round two that have nothing in common, if they fill it.
fn filled([a, b]: [&Place; 2], altitude: f32) -> Option<Place> {
    let hull = a.and(b);
    let fills = || lacks_nothing(a.area() + b.area(), &hull, altitude);
    (a.panel == b.panel && fills()).then_some(hull)
}
