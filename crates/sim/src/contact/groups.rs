//! Pairs by the points they have, so that threads push them apart side by side.

mod ranges;
#[cfg(test)]
mod tests;
mod zones;

use super::narrow::Watched;
use super::settle::{Numbered, Settling};
use super::spare::Stands;
use super::swept::Point4;
use crate::model::Model;
use crate::parallel::{PARALLEL_FROM, Parts, for_each_alone};
use crate::simd::three::larger;

use ranges::{Ranges, Side};
use zones::{ZONES, Zones};

/// Pairs about to touch, in groups that have no point in common and so may be pushed side by side.
///
/// Bodies that follow each other make up ranges of points. Pairs with points in ranges 2k and 2k + 1
/// alone are a group, and all of these come first; then those with points in 2k + 1 and 2k + 2; then
/// all others, by zones. Ranges follow from the model and zones do not show, so that the result is the
/// same on any number of threads; few points are one range. Bodies are not cut: where a sheet touches
/// itself, pairs at the cut would have their turn too late, and a draped one ended more stretched
/// (5.2 % for 4.5 %).
#[derive(Debug)]
pub(super) struct Groups {
    /// Those of the first kind, of the second, and of all others those of each group of zones.
    all: Vec<Group>,
    ranges: Ranges,
    zones: Zones,
    found: [Parts<Found>; 2],
    /// Where points were when pairs were found. [m]
    at: Vec<Point4>,
    /// Whether they still are.
    at_place: bool,
    moved: Parts<[f32; 2]>,
}

/// Pairs with points in the same ranges or zones.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Of either kind.
    close: [Vec<Close>; 2],
    /// Those that touch or all but do, as they were pushed last.
    asked: [Vec<Numbered>; 2],
    /// Places of those that were pushed.
    pushed: [Vec<u32>; 2],
    /// Numbers of those that touch and had not, and that are pushed for the first time in this step.
    touched: [Vec<u32>; 2],
    moved: [Vec<u32>; 2],
    /// Of zones, points of pairs that are asked.
    points: Vec<u32>,
}

/// A pair that may come to be asked in a step.
#[derive(Clone, Copy, Debug)]
struct Close {
    number: u32,
    /// By how much its gap was larger than that of pairs that are asked. [m]
    spare: f32,
}

/// Pairs that are close, in one part of all.
#[derive(Debug, Default)]
struct Found {
    /// By group.
    close: Vec<Vec<Close>>,
    /// Those for which others stand.
    behind: Vec<u32>,
    /// Whether some have points in several zones, or in none.
    astray: bool,
}

/// Gaps up to this many times the thickness may close when others are pushed: without them friction
/// comes too late, and piles twitch.
const ALMOST: f32 = 1.2;

/// Pairs from which on threads help to find those that are close.
const MANY: usize = 1024;

/// Times that pairs which push are gone through once more, where very many push.
pub(super) const FEW: usize = 2;

/// Turns that groups of the first and of the second kind take in that: pairs across two ranges, pushed
/// after all others, would have the last word, and sheets next to them half their distance.
const TURNS: usize = 4;

/// Pushes of one pass beyond which fewer repeats have to do.
const PUSHES: usize = 40_000;

/// A gap n·Σ wᵢ xᵢ changes by twice the way of its points at most, Σ |wᵢ| being 2; and each of
/// two of them is wrong by less than 32 u of what coordinates come to.
const TWICE: f32 = 2.001;
const ROUNDING: f32 = 64.0 / 16_777_216.0;

impl Groups {
    /// For a model, and so many points with those of meshes.
    pub fn new(model: &Model, points: usize) -> Self {
        let ranges = Ranges::new(model, points);
        let count = ranges.groups().iter().sum::<usize>() + ZONES;
        Self {
            all: std::iter::repeat_with(Group::default).take(count).collect(),
            ranges,
            zones: Zones::new(points),
            found: [Parts::default(), Parts::default()],
            at: Vec::new(),
            at_place: false,
            moved: Parts::default(),
        }
    }

    /// All pairs are new: what they join their points to has to be found.
    pub fn forget_zones(&mut self) {
        self.zones.forget();
    }

    /// Points are no longer where pairs were found.
    pub fn moved(&mut self) {
        self.at_place = false;
    }

    /// Forgets pairs of which this does not hold.
    pub fn retain(&mut self, pairs: &[Vec<Watched>; 2], keep: impl Fn(&Watched) -> bool) {
        for group in &mut self.all {
            for (close, pairs) in group.close.iter_mut().zip(pairs) {
                close.retain(|c| keep(&pairs[c.number as usize]));
            }
        }
    }

    /// Finds which of `some` pairs of either kind have gaps at `y` of less than `within` times their
    /// thickness and none that stands for them; the others are added to `behind`.
    pub fn find(
        &mut self,
        (pairs, some): (&[Vec<Watched>; 2], [&[u32]; 2]),
        within: f32,
        y: &[Point4],
        behind: &mut [Vec<u32>; 2],
    ) {
        if some.iter().any(|some| !some.is_empty()) {
            self.at.clear();
            self.at.extend_from_slice(y);
            self.at_place = true;
        }
        let before = [behind[0].len(), behind[1].len()];
        let mut find = |groups: &mut Self| {
            let mut astray = false;
            for (kind, behind) in behind.iter_mut().enumerate() {
                behind.truncate(before[kind]);
                let of_kind = (kind, pairs[kind].as_slice(), some[kind]);
                astray |= groups.find_of_kind(of_kind, (within, y), behind);
            }
            astray
        };
        if find(self) {
            self.join(pairs, some);
            find(self);
        }
    }

    /// Joins the points of pairs that no range has.
    fn join(&mut self, pairs: &[Vec<Watched>; 2], some: [&[u32]; 2]) {
        for (pairs, some) in pairs.iter().zip(some) {
            for points in some.iter().map(|&number| pairs[number as usize].points) {
                if self.ranges.group(&points).is_none() {
                    self.zones.join(points);
                }
            }
        }
        self.zones.share_out();
    }

    /// Finds pairs of one kind. Returns whether some have points in several zones, or in none.
    fn find_of_kind(
        &mut self,
        (kind, pairs, some): (usize, &[Watched], &[u32]),
        (within, y): (f32, &[Point4]),
        behind: &mut Vec<u32>,
    ) -> bool {
        let (ranges, zones, count) = (&self.ranges, &self.zones, self.all.len());
        let others = count - ZONES;
        let parts = self.found[kind].fill((some.len(), MANY), &|range, part: &mut Found| {
            part.close.resize_with(count, Vec::new);
            part.close.iter_mut().for_each(Vec::clear);
            part.behind.clear();
            part.astray = false;
            for &number in &some[range] {
                let pair = &pairs[number as usize];
                let gap = pair.gap(&pair.points, y);
                if !(gap < within * pair.thickness) {
                    continue;
                }
                if pair.stands == Stands::Behind {
                    part.behind.push(number);
                    continue;
                }
                let zone = || zones.group(&pair.points).map(|zone| others + zone);
                match ranges.group(&pair.points).or_else(zone) {
                    Some(group) => {
                        let spare = gap - ALMOST * pair.thickness;
                        part.close[group].push(Close { number, spare });
                    }
                    None => part.astray = true,
                }
            }
        });
        let parts = &*parts;
        for (k, group) in self.all.iter_mut().enumerate() {
            let close = &mut group.close[kind];
            close.clear();
            parts.iter().for_each(|part| close.extend_from_slice(&part.close[k]));
        }
        parts.iter().for_each(|part| behind.extend_from_slice(&part.behind));
        parts.iter().any(|part| part.astray)
    }

    /// What a gap may have lost since pairs were found. [m]
    fn lost(&mut self, y: &[Point4]) -> f32 {
        if std::mem::take(&mut self.at_place) {
            return 0.0;
        }
        let at = &self.at;
        let parts = self.moved.fill((y.len(), PARALLEL_FROM), &|range, most: &mut [f32; 2]| {
            *most = [0.0; 2];
            for (from, to) in at[range.clone()].iter().zip(&y[range]) {
                let (a, b, c) = (to[0] - from[0], to[1] - from[1], to[2] - from[2]);
                most[0] = larger(a * a + b * b + c * c, most[0]);
                most[1] = larger(to[0].abs().max(to[1].abs()).max(to[2].abs()), most[1]);
            }
        });
        let most = |k: usize| parts.iter().map(|part| part[k]).fold(0.0, larger);
        TWICE * most(0).sqrt() + ROUNDING * most(1)
    }

    /// Pushes pairs that touch or are about to, and those that it pushed up to `repeats` times more.
    /// Tells `pairs` and `touched` what touches. Returns how many were pushed.
    pub fn push(
        &mut self,
        settling: &Settling<'_>,
        repeats: usize,
        y: &mut [Point4],
        (pairs, touched): (&mut [Vec<Watched>; 2], &mut [Vec<u32>; 2]),
    ) -> usize {
        if self.all.iter().all(|group| !group.has_some()) {
            self.all.iter_mut().for_each(Group::begin);
            return 0;
        }
        let lost = self.lost(y);
        let ask = Ask { pairs: pairs.each_ref().map(Vec::as_slice), lost, settling };
        let [first, second] = self.ranges.groups();
        let (first, others) = self.all.split_at_mut(first);
        let (second, zones) = others.split_at_mut(second);
        let mut sides = [(first, &self.ranges.begin[0]), (second, &self.ranges.begin[1])];
        sides.iter_mut().for_each(|(groups, _)| groups.iter_mut().for_each(Group::begin));
        let both = sides.iter().all(|(groups, _)| groups.iter().any(Group::has_some));
        let turns = if both { TURNS } else { 1 };
        for turn in 0..turns {
            for (groups, begin) in &mut sides {
                if groups.iter().any(Group::has_some) {
                    let all = Side { groups, y: &mut y[begin[0]..], begin };
                    let push = |_, side: Side<'_>| side.push(&ask, repeats, [turn, turns]);
                    for_each_alone(all, &push);
                }
            }
        }
        zones.iter_mut().for_each(Group::begin);
        if zones.iter().any(Group::has_some) {
            self.zones.push(zones, (&ask, repeats), y);
        }
        let mut count = 0;
        for group in &mut self.all {
            for kind in 0..2 {
                count += group.pushed[kind].len();
                touched[kind].extend_from_slice(&group.touched[kind]);
                for number in group.touched[kind].drain(..) {
                    pairs[kind][number as usize].touches = true;
                }
                for number in group.moved[kind].drain(..) {
                    pairs[kind][number as usize].pushed = true;
                }
            }
        }
        count
    }

    /// Tells the points of pairs of one kind that were pushed last: of zones in the order of numbers.
    pub fn tell_pushed(&self, kind: usize, mut tell: impl FnMut(&[u32; 4])) {
        let (ranges, zones) = self.all.split_at(self.all.len() - ZONES);
        ranges.iter().flat_map(|group| group.pushed(kind)).for_each(|n| tell(&n.pair.points));
        let mut all: [_; ZONES] = std::array::from_fn(|z| zones[z].pushed(kind).peekable());
        loop {
            let mut next: Option<(u32, usize)> = None;
            for (zone, pushed) in all.iter_mut().enumerate() {
                if let Some(n) = pushed.peek()
                    && next.is_none_or(|(least, _)| n.number < least)
                {
                    next = Some((n.number, zone));
                }
            }
            let Some(pushed) = next.and_then(|(_, zone)| all[zone].next()) else { break };
            tell(&pushed.pair.points);
        }
    }
}

/// What tells which pairs are pushed, and pushes them.
struct Ask<'a> {
    pairs: [&'a [Watched]; 2],
    /// What gaps may have lost since pairs were found. [m]
    lost: f32,
    settling: &'a Settling<'a>,
}

impl Ask<'_> {
    /// Pairs of a group that touch at `y` or all but do; `local` are their points among `y`.
    #[inline(always)]
    fn touching(
        &self,
        kind: usize,
        close: &[Close],
        (local, y): (impl Fn(&[u32; 4]) -> [u32; 4], &[Point4]),
        mut add: impl FnMut(u32, &Watched, [u32; 4]),
    ) {
        for Close { number, .. } in close.iter().filter(|close| close.spare < self.lost) {
            let pair = &self.pairs[kind][*number as usize];
            let at = local(&pair.points);
            if pair.gap(&at, y) < ALMOST * pair.thickness {
                add(*number, pair, at);
            }
        }
    }
}

impl Group {
    fn has_some(&self) -> bool {
        self.close.iter().any(|close| !close.is_empty())
    }

    /// Forgets the last push.
    fn begin(&mut self) {
        for kind in 0..2 {
            self.asked[kind].clear();
            self.pushed[kind].clear();
        }
    }

    /// Pushes its pairs once.
    fn pass(&mut self, settling: &Settling<'_>, y: &mut [Point4]) {
        let Self { asked, pushed, touched, moved, .. } = self;
        let [asked, asked_edges] = asked;
        let ([pushed, pushed_edges], [touched, touched_edges]) = (pushed, touched);
        let [moved, moved_edges] = moved;
        settling.pass::<1>(asked, y, [touched, moved, pushed]);
        settling.pass::<2>(asked_edges, y, [touched_edges, moved_edges, pushed_edges]);
    }

    /// Pushes those that were pushed so many times more.
    fn repeat(&self, settling: &Settling<'_>, times: usize, y: &mut [Point4]) {
        let ([asked, asked_edges], [pushed, pushed_edges]) = (&self.asked, &self.pushed);
        for _ in 0..times {
            let any = settling.pass_over::<1>(asked, pushed, y);
            if !settling.pass_over::<2>(asked_edges, pushed_edges, y) && !any {
                break;
            }
        }
    }

    /// Those of one kind that were pushed.
    fn pushed(&self, kind: usize) -> impl Iterator<Item = &Numbered> {
        self.pushed[kind].iter().map(move |&place| &self.asked[kind][place as usize])
    }

    fn count(&self) -> usize {
        self.pushed.iter().map(Vec::len).sum()
    }
}

/// How often `count` pairs that were pushed are pushed again, of so many points.
fn times(repeats: usize, count: usize, points: usize) -> usize {
    let enough = PUSHES.max(4 * points) / count.max(1);
    repeats.min(enough.max(FEW))
}
