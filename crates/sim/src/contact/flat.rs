//! Parts of a panel that are too flat to touch themselves.

mod branches;

use super::surface::{Patch, Surface};
use super::swept::Paths;
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::simd::{Kernel, dispatch};
use branches::FlatBranches;

/// Where a panel hardly bends, neighbours need not be compared.
///
/// Over a convex piece of the flat panel let every gradient ∂x/∂u be within ε of one matrix G. Then
/// |x(u) − x(w)| ≥ (σ(G) − ε)|u − w|, σ the lesser singular value: integrate along the straight
/// line from w to u. Parts that share no point are at least one altitude apart in the panel, so that
/// (σ − ε)·altitude ≥ t + 2e says that none of them comes near. Gradients are linear in time: those
/// of both ends of all paths are within ε of G, so those in between are.
#[derive(Clone, Debug, Default)]
pub(super) struct Flatness {
    /// Of each triangle, the inverse of its edges in the panel by rows; zeros where there is none. [1/m]
    inverse: Vec<[f32; 4]>,
    /// Of each patch, the range of its gradients.
    ranges: Vec<Range>,
    /// Of each patch, the patches that share a point with it, itself first.
    neighbours: Incidence,
    /// Of each pair of those, the patches in the rectangle round both.
    covers: Incidence,
    /// Of each patch, the least altitude and the largest reach of a point. [m]
    sizes: Vec<[f32; 2]>,
    branches: FlatBranches,
}

/// Least and greatest entries of gradients; the last two of eight mean nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Range {
    low: [f32; 8],
    high: [f32; 8],
}

impl Range {
    const NONE: Self = Self { low: [f32::INFINITY; 8], high: [f32::NEG_INFINITY; 8] };

    #[inline(always)]
    fn and(&mut self, other: &Self) {
        self.add(&other.low);
        self.add(&other.high);
    }

    #[inline(always)]
    fn add(&mut self, entries: &[f32; 8]) {
        for k in 0..8 {
            self.low[k] = if entries[k] < self.low[k] { entries[k] } else { self.low[k] };
            self.high[k] = if entries[k] > self.high[k] { entries[k] } else { self.high[k] };
        }
    }

    /// σ(G) − ε with G in the middle; negative if it says nothing.
    #[inline(always)]
    fn least_stretch(&self) -> f32 {
        let (mut middle, mut spread) = ([0.0; 8], 0.0);
        for k in 0..6 {
            middle[k] = 0.5 * (self.low[k] + self.high[k]);
            let half = 0.5 * (self.high[k] - self.low[k]);
            spread += half * half;
        }
        let [a, b, c, d, e, f, ..] = middle;
        let (uu, vv, uv) = (a * a + b * b + c * c, d * d + e * e + f * f, a * d + b * e + c * f);
        let (mean, part) = (0.5 * (uu + vv), 0.5 * (uu - vv));
        let least = mean - (part * part + uv * uv).sqrt();
        if least > 0.0 { least.sqrt() - spread.sqrt() } else { -1.0 }
    }
}

/// What rounding may add to a gradient's part, with room to spare.
const ROUNDING: f32 = 1e-3;

impl Flatness {
    /// For a surface whose points lie at `panel` in their panel, if they are in one that is convex.
    pub fn new(surface: &Surface, panel: &[Option<PanelPoint>]) -> Self {
        let corner = |v: u32| panel[v as usize];
        let inverse =
            surface.triangles.iter().map(|&[a, b, c]| match (corner(a), corner(b), corner(c)) {
                (Some(a), Some(b), Some(c)) => inverse_edges(a.at, b.at, c.at),
                _ => [0.0; 4],
            });
        let inverse: Vec<[f32; 4]> = inverse.collect();
        let places: Vec<Option<Place>> =
            surface.patches.iter().map(|patch| Place::of(surface, patch, panel)).collect();
        let (neighbours, covers) = neighbours(surface, &places);
        let altitude = |patch: &Patch| {
            let of = |t: usize| altitude(&inverse[t]);
            patch.triangles.clone().map(of).fold(f32::INFINITY, f32::min)
        };
        let sizes: Vec<[f32; 2]> =
            surface.patches.iter().map(|patch| [altitude(patch), 0.0]).collect();
        let area = |patch: &Patch| patch.triangles.clone().map(|t| area(&inverse[t])).sum::<f64>();
        let rectangle = |(place, patch): (&Option<Place>, &Patch)| {
            let altitude = altitude(patch);
            place.filter(|place| lacks_nothing(area(patch), place, altitude))
        };
        let rectangles = places.iter().zip(&surface.patches).map(rectangle).collect();
        let branches = FlatBranches::new(surface, rectangles, &sizes);
        let ranges = vec![Range::NONE; places.len()];
        Self { ranges, inverse, neighbours, covers, sizes, branches }
    }

    /// Takes note of where everything is going.
    pub fn refit(&mut self, surface: &Surface, paths: &Paths) {
        let inverse = &self.inverse;
        let all = (self.ranges.as_mut_slice(), self.sizes.as_mut_slice());
        for_each_heavy_part(all, 1, &|first, (ranges, sizes): (&mut [Range], &mut [[f32; 2]])| {
            dispatch(Refit { inverse, surface, paths, first, ranges, sizes });
        });
        let patches = (self.ranges.as_slice(), self.sizes.as_slice());
        for branch in (0..surface.branches.len()).rev() {
            self.branches.refit(surface, branch, patches);
        }
    }

    /// Takes note of where some patches are going, and with them the branches `above`.
    pub fn refit_patches(
        &mut self,
        surface: &Surface,
        paths: &Paths,
        (patches, above): (&[u32], &[u32]),
    ) {
        for index in patches.iter().map(|&p| p as usize) {
            let found = gradients(&self.inverse, surface, paths, index);
            (self.ranges[index], self.sizes[index][1]) = found;
        }
        for &branch in above.iter().rev() {
            let patches = (self.ranges.as_slice(), self.sizes.as_slice());
            self.branches.refit(surface, branch as usize, patches);
        }
    }

    /// Whether all of two branches, or of one, is so flat that only what is shared can touch.
    #[inline(always)]
    pub fn keeps_branches_apart(&self, p: usize, q: usize) -> bool {
        self.branches.keep_apart(p, q)
    }

    /// Whether a patch lies in a branch that is so flat.
    #[inline(always)]
    pub fn keeps_apart_within(&self, patch: usize, branch: usize) -> bool {
        self.branches.keeps_apart_within(patch, branch)
    }

    /// Whether two patches are neighbours in a part of a panel so flat that only what they share
    /// can touch.
    #[inline(always)]
    pub fn keeps_apart(&self, p: usize, q: usize) -> bool {
        let (p, q) = (p.min(q), p.max(q));
        let first = self.neighbours.start(p);
        let Some(place) = self.neighbours.of(p).iter().position(|&n| n as usize == q) else {
            return false;
        };
        let (mut range, mut altitude) = (Range::NONE, f32::INFINITY);
        for &cover in self.covers.of(first + place) {
            let cover = cover as usize;
            range.and(&self.ranges[cover]);
            altitude = altitude.min(self.sizes[cover][0]);
        }
        let reach = self.sizes[p][1] + self.sizes[q][1];
        (range.least_stretch() - ROUNDING) * altitude >= reach
    }
}

/// Ranges and reaches of patches from the first on.
struct Refit<'a> {
    inverse: &'a [[f32; 4]],
    surface: &'a Surface,
    paths: &'a Paths,
    first: usize,
    ranges: &'a mut [Range],
    sizes: &'a mut [[f32; 2]],
}

impl Kernel for Refit<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { inverse, surface, paths, first, ranges, sizes } = self;
        for (index, (range, size)) in (first..).zip(ranges.iter_mut().zip(sizes)) {
            (*range, size[1]) = gradients(inverse, surface, paths, index);
        }
    }
}

/// The range of gradients in a patch, and the largest reach of a point.
#[inline(always)]
fn gradients(inverse: &[[f32; 4]], surface: &Surface, paths: &Paths, index: usize) -> (Range, f32) {
    let patch = &surface.patches[index];
    let mut range = Range::NONE;
    let mut reach = 0.0f32;
    for t in patch.triangles.clone() {
        let [a, b, c] = surface.triangles[t].map(|v| v as usize);
        let [p, q, r, s] = inverse[t];
        let mut both = [[0.0; 8]; 2];
        for d in 0..3 {
            let ends = |v: usize| [paths.at[v][d], paths.at[v][d] + paths.way[v][d]];
            let (a, b, c) = (ends(a), ends(b), ends(c));
            for end in 0..2 {
                let (u, v) = (b[end] - a[end], c[end] - a[end]);
                both[end][d] = u * p + v * r;
                both[end][3 + d] = u * q + v * s;
            }
        }
        range.add(&both[0]);
        range.add(&both[1]);
        for v in [a, b, c] {
            reach = reach.max(paths.at[v][3]);
        }
    }
    (range, reach)
}

/// A point of a flat panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PanelPoint {
    /// Which panel.
    pub panel: u32,
    /// Where on it. [m]
    pub at: [f32; 2],
}

/// A patch's rectangle in its panel.
#[derive(Clone, Copy, Debug)]
struct Place {
    panel: u32,
    low: [f32; 2],
    high: [f32; 2],
}

impl Place {
    fn of(surface: &Surface, patch: &Patch, panel: &[Option<PanelPoint>]) -> Option<Self> {
        let mut place: Option<Self> = None;
        for &v in surface.triangles[patch.triangles.clone()].iter().flatten() {
            let PanelPoint { panel, at } = panel[v as usize]?;
            let all = place.get_or_insert(Self { panel, low: at, high: at });
            if all.panel != panel {
                return None;
            }
            for d in 0..2 {
                all.low[d] = all.low[d].min(at[d]);
                all.high[d] = all.high[d].max(at[d]);
            }
        }
        place
    }

    fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for d in 0..2 {
            both.low[d] = both.low[d].min(other.low[d]);
            both.high[d] = both.high[d].max(other.high[d]);
        }
        both
    }

    fn area(&self) -> f64 {
        let side = |d: usize| f64::from(self.high[d]) - f64::from(self.low[d]);
        side(0) * side(1)
    }

    fn contains(&self, other: &Self) -> bool {
        let inside = |d: usize| self.low[d] <= other.low[d] && other.high[d] <= self.high[d];
        self.panel == other.panel && inside(0) && inside(1)
    }

    /// Whether they have more than a border in common.
    fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|d| self.low[d] < other.high[d] && other.low[d] < self.high[d])
    }
}

/// Pairs of patches that share a point, and for each the patches in the rectangle round both.
fn neighbours(surface: &Surface, places: &[Option<Place>]) -> (Incidence, Incidence) {
    let mut at: Vec<(u32, u32)> = Vec::new();
    for (index, patch) in (0u32..).zip(&surface.patches) {
        let corners = surface.triangles[patch.triangles.clone()].iter().flatten();
        at.extend(corners.map(|&v| (v, index)));
    }
    at.sort_unstable();
    at.dedup();
    let points = at.last().map_or(0, |&(v, _)| v as usize + 1);
    let patches_at = Incidence::from_pairs(points, &at);
    let around = |p: u32| {
        let patch = &surface.patches[p as usize];
        let corners = surface.triangles[patch.triangles.clone()].iter().flatten();
        let mut near: Vec<u32> =
            corners.flat_map(|&v| patches_at.of(v as usize)).copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    };
    let count = places.len() as u32;
    let rings: Vec<Vec<u32>> = (0..count).map(around).collect();
    let (mut pairs, mut covers) = (Vec::new(), Vec::new());
    for p in 0..count {
        let Some(place) = &places[p as usize] else { continue };
        for &q in rings[p as usize].iter().filter(|&&q| q >= p) {
            let Some(hull) = places[q as usize].as_ref().map(|other| place.and(other)) else {
                continue;
            };
            let number = pairs.len() as u32;
            pairs.push((p, q));
            // What overlaps the rectangle round both shares a point with one of them, or with
            // one that does.
            let mut near: Vec<u32> =
                rings[p as usize].iter().chain(&rings[q as usize]).copied().collect();
            near.extend(near.clone().into_iter().flat_map(|n| rings[n as usize].clone()));
            near.sort_unstable();
            near.dedup();
            near.retain(|&n| {
                n == p || n == q || places[n as usize].is_some_and(|place| place.overlaps(&hull))
            });
            covers.extend(near.into_iter().map(|n| (number, n)));
        }
    }
    (Incidence::from_pairs(places.len(), &pairs), Incidence::from_pairs(pairs.len(), &covers))
}

/// [b − a, c − a]⁻¹ by rows; zeros if there is none.
fn inverse_edges(a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> [f32; 4] {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let area = u[0] * v[1] - u[1] * v[0];
    if area == 0.0 {
        return [0.0; 4];
    }
    // ∂x/∂s = (x_b − x_a) p + (x_c − x_a) r, ∂x/∂t = … q + … s.
    [v[1] / area, -v[0] / area, -u[1] / area, u[0] / area]
}

/// The least altitude of a triangle by the inverse of its edges: their rows are as long as one over
/// two of the altitudes, and their sum as the third.
fn altitude(&[p, q, r, s]: &[f32; 4]) -> f32 {
    let longest = (p * p + q * q).max(r * r + s * s).max((p + r) * (p + r) + (q + s) * (q + s));
    if longest > 0.0 { 1.0 / longest.sqrt() } else { 0.0 }
}

/// The area of a triangle by the inverse of its edges. [m²]
fn area(&[p, q, r, s]: &[f32; 4]) -> f64 {
    let det = (f64::from(p) * f64::from(s) - f64::from(q) * f64::from(r)).abs();
    if det > 0.0 { 0.5 / det } else { 0.0 }
}

/// Whether parts of this area in all, that do not overlap, fill a place: they lack less than a
/// triangle of this altitude.
fn lacks_nothing(area: f64, place: &Place, altitude: f32) -> bool {
    area + 0.25 * f64::from(altitude * altitude) >= place.area()
}
