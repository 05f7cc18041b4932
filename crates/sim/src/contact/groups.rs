//! Pairs by the points they have, so that threads push them apart side by side.

use super::narrow::Watched;
use super::settle::{Numbered, Settling};
use super::spare::Stands;
use super::swept::Point4;
use crate::model::Model;
use crate::parallel::{Parts, Split, for_each_alone};

/// Pairs about to touch, in groups that have no point in common and so may be pushed side by side.
///
/// Bodies that follow each other make up ranges of points. Pairs with points in ranges 2k and 2k + 1
/// alone are a group, and all of these come first; then those with points in 2k + 1 and 2k + 2; then
/// all others. Ranges follow from the model, so that the order of pairs is the same on any number of
/// threads; few points are one range. Bodies are not cut: where a sheet touches itself, pairs at the
/// cut would have their turn too late, and a draped one ended more stretched (5.2 % for 4.5 %).
#[derive(Debug)]
pub(super) struct Groups {
    /// Those of the first kind, of the second, and that of all others.
    all: Vec<Group>,
    ranges: Ranges,
    found: Parts<Found>,
    touch: Parts<Vec<u32>>,
}

/// Pairs with points in the same ranges.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Of either kind.
    pub close: [Vec<Numbered>; 2],
    /// Which of them touch, or all but do, and which were pushed.
    touch: [Vec<u32>; 2],
    pub pushed: [Vec<u32>; 2],
    /// Numbers of those that touch and had not, and that are pushed for the first time in this step.
    touched: [Vec<u32>; 2],
    moved: [Vec<u32>; 2],
}

/// How points are cut into ranges.
#[derive(Debug)]
struct Ranges {
    /// The range of each point; none if there is but one.
    of: Vec<u8>,
    /// Where groups of the first kind begin, and where the last of them ends; the same of the second.
    begin: [Vec<usize>; 2],
}

/// Pairs that are close, in one part of all.
#[derive(Debug, Default)]
struct Found {
    /// By group.
    first: Vec<Vec<Numbered>>,
    /// Those for which others stand.
    behind: Vec<u32>,
}

/// Points of a range at least: fewer are not worth a thread.
const FEWEST: usize = 2048;

/// Ranges that a model is cut into, about. The fewer, the more pairs have their turn in one go, and
/// the further pushes get in it.
const RANGES: usize = 8;

/// Ranges that are worth it.
const LEAST_RANGES: usize = 4;

/// Gaps up to this many times the thickness may close when others are pushed: without them friction
/// comes too late, and piles twitch.
const ALMOST: f32 = 1.2;

/// Pairs from which on threads help to find those that are close.
const MANY: usize = 1024;

/// Times that pairs which push are gone through once more, where very many push.
pub(super) const FEW: usize = 2;

/// Pushes of one pass beyond which fewer repeats have to do.
const PUSHES: usize = 40_000;

impl Ranges {
    fn new(model: &Model, points: usize) -> Self {
        let mut starts = starts(model, points);
        if starts.len() <= LEAST_RANGES {
            return Self { of: Vec::new(), begin: [Vec::new(), Vec::new()] };
        }
        let mut of = vec![0; points];
        for (range, ends) in (0u8..).zip(starts.windows(2)) {
            of[ends[0]..ends[1]].fill(range);
        }
        // A last range that is alone is a group of the first kind.
        let alone = starts.len().is_multiple_of(2);
        starts.extend(alone.then_some(points));
        let every_second = |from: usize| starts[from..].iter().copied().step_by(2).collect();
        Self { of, begin: [every_second(0), every_second(1)] }
    }

    /// Groups of the first and of the second kind.
    fn groups(&self) -> [usize; 2] {
        [0, 1].map(|kind: usize| self.begin[kind].len().saturating_sub(1))
    }

    /// The group of a pair.
    #[inline(always)]
    fn group(&self, points: &[u32; 4]) -> usize {
        let [first, second] = self.groups();
        if self.of.is_empty() {
            return first + second;
        }
        let [a, b, c, d] = *points;
        let range = |v: u32| usize::from(self.of[v as usize]);
        let (low, high) = (range(a.min(b).min(c.min(d))), range(a.max(b).max(c.max(d))));
        if low / 2 == high / 2 {
            low / 2
        } else if low.div_ceil(2) == high.div_ceil(2) {
            first + low / 2
        } else {
            first + second
        }
    }
}

/// Where ranges of points begin, and where the last one ends.
fn starts(model: &Model, points: usize) -> Vec<usize> {
    let wide = points.div_ceil(RANGES).max(FEWEST);
    let mut starts = vec![0];
    let ends = model.bodies.iter().map(|body| body.particles.end);
    for end in ends.chain([points]) {
        let begun = *starts.last().unwrap_or(&0);
        if end >= begun + wide || (end == points && end > begun) {
            starts.push(end);
        }
    }
    starts
}

impl Groups {
    /// For a model, and so many points with those of meshes.
    pub fn new(model: &Model, points: usize) -> Self {
        let ranges = Ranges::new(model, points);
        let count = 1 + ranges.groups().iter().sum::<usize>();
        let all = std::iter::repeat_with(Group::default).take(count).collect();
        Self { all, ranges, found: Parts::default(), touch: Parts::default() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Group> {
        self.all.iter()
    }

    /// Forgets pairs of which this does not hold.
    pub fn retain(&mut self, keep: impl Fn(&Watched) -> bool) {
        for close in self.all.iter_mut().flat_map(|group| &mut group.close) {
            close.retain(|c| keep(&c.pair));
        }
    }

    /// Finds which of `some` pairs of one kind have gaps at `y` of less than `within` times their
    /// thickness and none that stands for them; the others are added to `behind`.
    pub fn find<const SIDE: usize>(
        &mut self,
        (pairs, some): (&[Watched], &[u32]),
        within: f32,
        y: &[Point4],
        behind: &mut Vec<u32>,
    ) {
        let (ranges, count) = (&self.ranges, self.all.len());
        let parts = self.found.fill((some.len(), MANY), &|range, part: &mut Found| {
            part.first.resize_with(count, Vec::new);
            part.first.iter_mut().for_each(Vec::clear);
            part.behind.clear();
            for &number in &some[range] {
                let pair = &pairs[number as usize];
                if !pair.is_within(within, y) {
                    continue;
                }
                if pair.stands == Stands::Behind {
                    part.behind.push(number);
                } else {
                    let group = ranges.group(&pair.points);
                    part.first[group].push(Numbered { number, pair: *pair });
                }
            }
        });
        let parts = &*parts;
        for_each_alone(self.all.as_mut_slice(), &|first, groups: &mut [Group]| {
            for (k, group) in (first..).zip(groups) {
                let close = &mut group.close[SIDE - 1];
                close.clear();
                parts.iter().for_each(|part| close.extend_from_slice(&part.first[k]));
            }
        });
        parts.iter().for_each(|part| behind.extend_from_slice(&part.behind));
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
        for pushed in self.all.iter_mut().flat_map(|group| &mut group.pushed) {
            pushed.clear();
        }
        let [first, second] = self.ranges.groups();
        let (first, others) = self.all.split_at_mut(first);
        let (second, last) = others.split_at_mut(second);
        for (groups, begin) in [(first, &self.ranges.begin[0]), (second, &self.ranges.begin[1])] {
            if groups.iter().any(Group::has_some) {
                let y = &mut y[begin[0]..];
                let all = Side { groups, y, begin };
                for_each_alone(all, &|_, side: Side<'_>| side.push(settling, repeats));
            }
        }
        for group in last {
            let [close, close_edges] = &group.close;
            for (close, touch) in [close, close_edges].into_iter().zip(&mut group.touch) {
                self.touch.gather((close.len(), MANY), touch, &|range, found| {
                    find_touching(&close[range.clone()], range.start, (0, y), found);
                });
            }
            group.push(settling, repeats, (0, y));
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
}

impl Group {
    fn has_some(&self) -> bool {
        self.close.iter().any(|close| !close.is_empty())
    }

    /// Pushes its pairs, which have points from one on.
    fn push(
        &mut self,
        settling: &Settling<'_>,
        repeats: usize,
        (first, y): (usize, &mut [Point4]),
    ) {
        let Self { close, touch, pushed, touched, moved } = self;
        let [close, close_edges] = close;
        let ([touch, touch_edges], [pushed, pushed_edges]) = (touch, pushed);
        let ([touched, touched_edges], [moved, moved_edges]) = (touched, moved);
        settling.pass::<1>((close, touch), (first, y), [touched, moved, pushed]);
        let lists = [touched_edges, moved_edges, pushed_edges];
        settling.pass::<2>((close_edges, touch_edges), (first, y), lists);
        let [pushed, pushed_edges] = &self.pushed;
        let enough = PUSHES.max(4 * y.len()) / (pushed.len() + pushed_edges.len()).max(1);
        for _ in 0..repeats.min(enough.max(FEW)) {
            let any = settling.pass_over::<1>(close, pushed, (first, y));
            if !settling.pass_over::<2>(close_edges, pushed_edges, (first, y)) && !any {
                break;
            }
        }
    }
}

/// Groups of one kind with their points and where those begin.
struct Side<'a> {
    groups: &'a mut [Group],
    y: &'a mut [Point4],
    begin: &'a [usize],
}

impl Side<'_> {
    fn push(self, settling: &Settling<'_>, repeats: usize) {
        let Self { groups, y, begin } = self;
        for (group, ends) in groups.iter_mut().zip(begin.windows(2)) {
            let (first, y) = (ends[0], &mut y[ends[0] - begin[0]..ends[1] - begin[0]]);
            for (close, touch) in group.close.iter().zip(&mut group.touch) {
                touch.clear();
                find_touching(close, 0, (first, y), touch);
            }
            group.push(settling, repeats, (first, y));
        }
    }
}

impl Split for Side<'_> {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let Self { groups, y, begin } = self;
        let (y, other_y) = y.split_at_mut(begin[mid] - begin[0]);
        let (groups, others) = groups.split_at_mut(mid);
        let other = Self { groups: others, y: other_y, begin: &begin[mid..] };
        (Self { groups, y, begin: &begin[..=mid] }, other)
    }
}

/// Adds the places of pairs that touch or all but do, counted from `place` on.
fn find_touching(
    close: &[Numbered],
    place: usize,
    (first, y): (usize, &[Point4]),
    found: &mut Vec<u32>,
) {
    let some = (place as u32..).zip(close);
    let near = some.filter(|(_, c)| c.pair.gap(first, y) < ALMOST * c.pair.thickness);
    found.extend(near.map(|(place, _)| place));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ModelBuilder;
    use crate::cloth::{Cloth, ClothShape, MassRule, SpringModel};
    use crate::elements::SpringParams;
    use crate::topology::{GridPlane, GridShape};
    use glam::Vec3;

    /// Sheets of so many points.
    fn sheets(counts: &[[usize; 2]]) -> Model {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        let spring = SpringParams { stiffness: 1.0, damping: 0.0 };
        for &counts in counts {
            let grid = GridShape { counts, size: [1.0, 1.0], plane: GridPlane::Xz };
            let springs =
                SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring };
            let shape = ClothShape::Grid(grid);
            builder.add_cloth(&Cloth::new("sheet", shape, MassRule::AreaDensity(0.2), springs));
        }
        builder.build().0
    }

    #[test]
    fn groups_of_one_kind_share_no_point_and_have_all_of_theirs() {
        let many = [[100, 90], [20, 20], [70, 70], [70, 70], [70, 70], [3, 3]];
        for counts in [&many[..], &[[128, 128]], &[[70, 70]; 10], &[[64, 64]; 2], &[[30, 30]]] {
            let model = sheets(counts);
            // Some of a mesh follow.
            for points in [model.particle_count(), model.particle_count() + 700] {
                let ranges = Ranges::new(&model, points);
                let [first, second] = ranges.groups();
                for a in (0..points as u32).step_by(97) {
                    for b in (0..points as u32).step_by(89) {
                        let group = ranges.group(&[a, b, a, b]);
                        let (kind, k) = if group < first { (0, group) } else { (1, group - first) };
                        if group < first + second {
                            let own = ranges.begin[kind][k]..ranges.begin[kind][k + 1];
                            assert!(own.contains(&(a as usize)) && own.contains(&(b as usize)));
                        }
                        let near = a.abs_diff(b) < 64 && first > 0;
                        assert!(!near || group < first + second, "{a} and {b} of {points}");
                    }
                }
            }
        }
    }

    #[test]
    fn sheets_in_a_stack_are_not_cut() {
        let model = sheets(&[[70, 70]; 10]);
        let starts = starts(&model, model.particle_count());
        assert!(starts.len() > LEAST_RANGES, "{starts:?}");
        assert!(starts.iter().all(|start| start % 4900 == 0), "{starts:?}");
    }
}
