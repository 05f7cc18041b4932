//! Which pairs are watched, and for how long that is enough.
//!
//! A look at a safe state plans the next K steps: each point goes on its path x₀ + (τ/K) u.
//! Pairs are watched whose plane n, across the closest points at x₀, shows less than t + 2e at
//! either end of it. Of all others f ≥ t + 2e on the way, as f is concave; so while every point
//! keeps within its tube, e round its path, they stay t apart and need no thought.
//!
//! A point that leaves its tube gets a new path from where it is, and its pairs are looked for again.
//! Others are then off the path from their place to their path's end by 2e at most.

#[cfg(test)]
mod tests;

use super::candidates::{Marked, Moving};
use super::flat::Flatness;
use super::narrow::{Onward, Watched, renew};
use super::rules::Rules;
use super::safety::is_apart;
use super::seek::Seekers;
use super::setup::ContactSetup;
use super::surface::Surface;
use super::swept::{Paths, Point4, SweptBoxes};
use super::tangle::may_pass;
use crate::incidence::Incidence;
use crate::parallel::{PARALLEL_FROM, Parts, for_each_part};
use crate::simd::{Kernel, LANES, dispatch};

/// Pairs that are near, and the paths for which all others are not.
#[derive(Debug)]
pub(super) struct Watch {
    /// What moves by itself, and what is moved.
    surfaces: [Surface; 2],
    boxes: [SweptBoxes; 2],
    /// Unless no part of a surface lies in a panel.
    flatness: Option<Flatness>,
    /// Patches of each surface in which a point has a part.
    patches_at: [Incidence; 2],
    rules: Rules,
    /// How far off its path each point may go. [m]
    pub tubes: Vec<f32>,
    /// Half the distance that each point keeps. [m]
    pub halves: Vec<f32>,
    pub paths: Paths,
    seekers: Seekers,
    /// Vertices with triangles, edges with edges.
    pub pairs: [Vec<Watched>; 2],
    /// Those of either kind that may come to touch, and those that have since their planes were found.
    pub near: [Vec<u32>; 2],
    pub touched: [Vec<u32>; 2],
    /// Those that are about to touch, and for which others stand as yet.
    pub behind: [Vec<u32>; 2],
    parts: Parts<Vec<u32>>,
    some: Vec<u32>,
    marked: Marked,
    patches: [Vec<u32>; 2],
    /// Pairs that touched when they were looked at.
    pub let_go: usize,
    /// Of what is tangled, the contour of each point: its pairs may pass. Else empty.
    pub passing: Vec<u32>,
    /// Steps since the look, and steps it was meant for.
    pub taken: u32,
    pub planned: u32,
}

impl Watch {
    pub fn new(setup: ContactSetup) -> Self {
        let ContactSetup { surfaces, rules, tubes, halves, panel, .. } = setup;
        let points = tubes.len();
        let boxes = [SweptBoxes::new(&surfaces[0]), SweptBoxes::new(&surfaces[1])];
        let patches_at = [patches_at(&surfaces[0], points), patches_at(&surfaces[1], points)];
        let marked = Marked {
            points: vec![false; points],
            patches: [0, 1].map(|s: usize| vec![false; surfaces[s].patches.len()]),
        };
        Self {
            boxes,
            flatness: panel
                .iter()
                .any(Option::is_some)
                .then(|| Flatness::new(&surfaces[0], &panel)),
            patches_at,
            rules,
            paths: Paths::new(points),
            seekers: Seekers::default(),
            pairs: [Vec::new(), Vec::new()],
            near: [Vec::new(), Vec::new()],
            touched: [Vec::new(), Vec::new()],
            behind: [Vec::new(), Vec::new()],
            parts: Parts::default(),
            some: Vec::new(),
            marked,
            patches: [Vec::new(), Vec::new()],
            let_go: 0,
            passing: Vec::new(),
            taken: 0,
            planned: 0,
            surfaces,
            tubes,
            halves,
        }
    }

    /// Pairs of edges that the last search compared.
    #[cfg(test)]
    fn compared(&mut self) -> impl Iterator<Item = [u32; 4]> {
        let [own, _] = moving(&self.surfaces, &self.boxes, self.flatness.as_ref());
        self.seekers.compare([own, own], &self.rules).into_iter()
    }

    /// Pairs that were looked at closely so far.
    pub fn detections(&self) -> u64 {
        self.seekers.compared
    }

    /// What may touch what.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Notes between which bodies planes keep apart what would be watched else.
    pub fn part(&mut self, bodies: usize, mut pairs: impl FnMut(&mut dyn FnMut([u32; 2]))) {
        self.rules.part_none(bodies);
        pairs(&mut |pair| self.rules.part(pair));
    }

    /// Segments are gone by their first ends, rising. Whether that is new.
    pub fn cut(&mut self, cut: &[u32]) -> bool {
        let new = self.rules.segments.cut != cut;
        if new {
            self.rules.segments.cut = cut.to_vec();
        }
        new
    }

    /// Whether the pairs are good for another step.
    pub fn lasts(&self) -> bool {
        self.taken < self.planned
    }

    /// Looks at everything: points go from `at` by what `step` gives in each of `planned` steps.
    pub fn look(&mut self, at: &[Point4], step: impl Fn(usize) -> [f32; 3] + Sync, planned: u32) {
        (self.taken, self.planned) = (0, planned);
        let count = planned as f32;
        let (tubes, halves) = (&self.tubes, &self.halves);
        let Paths { at: from, way, kept } = &mut self.paths;
        let kept = Paths { kept: *kept, ..Paths::default() };
        let paths = (from.as_mut_slice(), way.as_mut_slice());
        for_each_part(paths, 1, &|first, (from, ways): (&mut [Point4], &mut [Point4])| {
            for (i, (from, to)) in (first..).zip(from.iter_mut().zip(ways)) {
                let way = step(i).map(|d| d * count);
                let reach = kept.reach(tubes[i], halves[i]);
                *from = [at[i][0], at[i][1], at[i][2], reach];
                *to = [way[0], way[1], way[2], halves[i]];
            }
        });
        for (boxes, surface) in self.boxes.iter_mut().zip(&self.surfaces) {
            boxes.refit(surface, &self.paths);
        }
        if let Some(flatness) = &mut self.flatness {
            flatness.refit(&self.surfaces[0], &self.paths);
        }
        let [own, other] = moving(&self.surfaces, &self.boxes, self.flatness.as_ref());
        // What is there is written over: filling room anew would cost as much as finding pairs for it.
        let mut lengths = [0; 2];
        for between in [[own, own], [own, other]] {
            let pairs = (&mut self.pairs, &mut lengths);
            self.seekers.find_all(between, &self.rules, &self.paths, pairs);
        }
        self.pairs.iter_mut().zip(lengths).for_each(|(pairs, length)| pairs.truncate(length));
        self.let_go = 0;
        self.tell_apart([0; 2], at);
        self.note_near();
    }

    /// Nothing has to be watched for so many steps.
    pub fn rest(&mut self, planned: u32) {
        (self.taken, self.planned) = (0, planned);
        for lists in [&mut self.near, &mut self.touched, &mut self.behind] {
            lists.iter_mut().for_each(Vec::clear);
        }
        self.pairs.iter_mut().for_each(Vec::clear);
        self.let_go = 0;
    }

    /// Gives the points `strays` new paths through `start`, where they are, and `end`, where this
    /// step takes them, and looks for their pairs. Returns how many pairs of either kind are not new.
    pub fn look_again(&mut self, strays: &[u32], start: &[Point4], end: &[Point4]) -> [usize; 2] {
        let count = self.planned as f32;
        let before = (self.taken.max(1) - 1) as f32;
        for &i in strays {
            let i = i as usize;
            for d in 0..3 {
                let step = end[i][d] - start[i][d];
                self.paths.way[i][d] = step * count;
                self.paths.at[i][d] = start[i][d] - step * before;
            }
            self.marked.points[i] = true;
            for s in 0..2 {
                for &p in self.patches_at[s].of(i) {
                    if !std::mem::replace(&mut self.marked.patches[s][p as usize], true) {
                        self.patches[s].push(p);
                    }
                }
            }
        }
        for s in 0..2 {
            self.patches[s].sort_unstable();
            self.boxes[s].refit_patches(&self.surfaces[s], &self.paths, &self.patches[s]);
        }
        if let Some(flatness) = &mut self.flatness {
            let changed = (self.patches[0].as_slice(), self.boxes[0].above());
            flatness.refit_patches(&self.surfaces[0], &self.paths, changed);
        }
        let points = &self.marked.points;
        let known = |pair: &Watched| !pair.points.iter().any(|&v| points[v as usize]);
        self.pairs.iter_mut().for_each(|pairs| pairs.retain(known));
        let kept = [self.pairs[0].len(), self.pairs[1].len()];
        let course = Onward { paths: &self.paths, tubes: &self.tubes, now: start };
        let between = moving(&self.surfaces, &self.boxes, self.flatness.as_ref());
        let rules = (&self.rules, &self.marked);
        self.seekers.find_marked(between, rules, &course, &self.patches, &mut self.pairs);
        for (pairs, kept) in self.pairs.iter_mut().zip(kept) {
            // Others are on their way from where they are now.
            pairs[kept..].iter_mut().for_each(|pair| pair.sure = f32::NEG_INFINITY);
        }
        self.tell_apart(kept, start);
        self.note_near();
        for &i in strays {
            self.marked.points[i as usize] = false;
        }
        for s in 0..2 {
            for p in self.patches[s].drain(..) {
                self.marked.patches[s][p as usize] = false;
            }
        }
        kept
    }

    /// All pairs of either kind, and which of them touch.
    pub fn touching(&self) -> impl Iterator<Item = (&[Watched], &[u32])> {
        let touched = self.touched.iter().map(Vec::as_slice);
        self.pairs.iter().map(Vec::as_slice).zip(touched)
    }

    /// Notes which pairs may come to touch, and which have.
    pub fn note_near(&mut self) {
        self.behind.iter_mut().for_each(Vec::clear);
        let lists = self.near.iter_mut().zip(&mut self.touched);
        for (pairs, (near, touched)) in self.pairs.iter().zip(lists) {
            self.parts.gather((pairs.len(), PARALLEL_FROM), near, &|range, near| {
                let some = (range.start as u32..).zip(&pairs[range]);
                near.extend(some.filter(|(_, pair)| pair.near).map(|(i, _)| i));
            });
            touched.clear();
            touched.extend(near.iter().filter(|&&index| pairs[index as usize].touches));
        }
    }

    /// Pairs that touch slide and turn: their planes are found anew where they are.
    pub fn renew_touching(&mut self, now: &[Point4]) {
        let [vertices, edges] = &mut self.pairs;
        for some in [&mut self.touched, &mut self.behind] {
            let [some, some_edges] = some;
            renew::<1>((vertices, some), now, &self.rules);
            renew::<2>((edges, some_edges), now, &self.rules);
        }
        self.behind.iter_mut().for_each(Vec::clear);
    }

    /// Pairs that single precision cannot tell apart: double precision may. Those that do touch
    /// are let go until they part: nothing can be proved of them.
    fn tell_apart(&mut self, from: [usize; 2], at: &[Point4]) {
        for (kind, from) in from.into_iter().enumerate() {
            let (pairs, passing) = (&mut self.pairs[kind], &self.passing);
            let odd = |pair: &Watched| !pair.apart || may_pass(passing, pair.points);
            find_pairs((pairs, from), (&mut self.parts, &mut self.some), &odd);
            for place in self.some.iter().rev().map(|&place| place as usize) {
                let pair = &mut pairs[place];
                if may_pass(passing, pair.points) {
                    pairs.swap_remove(place);
                } else if !is_apart(kind, pair, at) {
                    pairs.swap_remove(place);
                    self.let_go += 1;
                }
            }
        }
    }

    /// Where a point is meant to be after the steps that were taken.
    #[inline(always)]
    pub fn meant(&self, i: usize) -> [f32; 3] {
        let part = self.taken as f32 / self.planned as f32;
        let (at, way) = (&self.paths.at[i], &self.paths.way[i]);
        [at[0] + part * way[0], at[1] + part * way[1], at[2] + part * way[2]]
    }

    /// Square of how far a point at `x` is off its path. [m²]
    #[inline(always)]
    pub fn off_path(&self, i: usize, x: &Point4) -> f32 {
        let meant = self.meant(i);
        let (a, b, c) = (x[0] - meant[0], x[1] - meant[1], x[2] - meant[2]);
        a * a + b * b + c * c
    }

    /// The same of all points. [m²]
    pub fn off_paths(&self, x: &[Point4], off: &mut [f32]) {
        let part = self.taken as f32 / self.planned as f32;
        let all = (off, x, self.paths.at.as_slice(), self.paths.way.as_slice());
        for_each_part(all, LANES, &|_, (off, x, at, way): (&mut [f32], _, _, _)| {
            dispatch(OffPaths { part, off, x, at, way });
        });
    }

    /// Puts points that have left their tubes back to the rim.
    pub fn keep_in_tubes(&self, x: &mut [Point4]) {
        for_each_part(x, 1, &|first, x: &mut [Point4]| {
            for (i, x) in (first..).zip(x) {
                let (far, tube) = (self.off_path(i, x), self.tube(i));
                if far > tube * tube {
                    let meant = self.meant(i);
                    let part = 0.99 * tube / far.sqrt();
                    for d in 0..3 {
                        x[d] = meant[d] + part * (x[d] - meant[d]);
                    }
                }
            }
        });
    }

    /// The tube that is used: the rest is left for rounding. [m]
    #[inline(always)]
    pub fn tube(&self, i: usize) -> f32 {
        0.98 * self.tubes[i]
    }
}

/// |x − (x₀ + p u)|² of points one after the other.
struct OffPaths<'a> {
    part: f32,
    off: &'a mut [f32],
    x: &'a [Point4],
    at: &'a [Point4],
    way: &'a [Point4],
}

impl Kernel for OffPaths<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { part, off, x, at, way } = self;
        let from = x.chunks(LANES).zip(at.chunks(LANES)).zip(way.chunks(LANES));
        for (off, ((x, at), way)) in off.chunks_mut(LANES).zip(from) {
            let mut squares = [[0.0f32; 4]; LANES];
            for (square, ((x, at), way)) in squares.iter_mut().zip(x.iter().zip(at).zip(way)) {
                for d in 0..4 {
                    let far = x[d] - (at[d] + part * way[d]);
                    square[d] = far * far;
                }
            }
            for (off, [a, b, c, _]) in off.iter_mut().zip(squares) {
                *off = a + b + c;
            }
        }
    }
}

fn moving<'a>(
    surfaces: &'a [Surface; 2],
    boxes: &'a [SweptBoxes; 2],
    flatness: Option<&'a Flatness>,
) -> [Moving<'a>; 2] {
    let of = |s: usize, flatness| Moving { surface: &surfaces[s], boxes: &boxes[s], flatness };
    [of(0, flatness), of(1, None)]
}

/// Which pairs are meant, from one on.
fn find_pairs(
    (pairs, from): (&[Watched], usize),
    (parts, found): (&mut Parts<Vec<u32>>, &mut Vec<u32>),
    meant: &(impl Fn(&Watched) -> bool + Sync),
) {
    parts.gather((pairs.len() - from, PARALLEL_FROM), found, &|range, found| {
        let some = ((from + range.start) as u32..).zip(&pairs[from..][range]);
        found.extend(some.filter(|(_, pair)| meant(pair)).map(|(place, _)| place));
    });
}

/// For each point the patches in which it is a corner of something.
fn patches_at(surface: &Surface, points: usize) -> Incidence {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (index, patch) in (0u32..).zip(&surface.patches) {
        let corners = surface.triangles[patch.triangles.clone()].iter().flatten();
        let ends = surface.edges[patch.edges.clone()].iter().flatten();
        let own = &surface.vertices[patch.vertices.clone()];
        pairs.extend(corners.chain(ends).chain(own).map(|&v| (v, index)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    Incidence::from_pairs(points, &pairs)
}
