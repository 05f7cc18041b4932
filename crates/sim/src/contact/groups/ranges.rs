//! Points cut into ranges, bodies as a whole.

use super::{Ask, Group, times};
use crate::contact::settle::Numbered;
use crate::contact::swept::Point4;
use crate::model::Model;
use crate::parallel::Split;

/// How points are cut into ranges.
#[derive(Debug)]
pub(super) struct Ranges {
    /// The range of each point; none if there is but one.
    of: Vec<u8>,
    /// Where groups of the first kind begin, and where the last of them ends; the same of the second.
    pub begin: [Vec<usize>; 2],
}

/// Points of a range at least: fewer are not worth a thread.
const FEWEST: usize = 2048;

/// Ranges that a model is cut into, about. The fewer, the more pairs have their turn in one go, and
/// the further pushes get in it.
const RANGES: usize = 8;

/// Ranges that are worth it.
const LEAST_RANGES: usize = 4;

impl Ranges {
    pub fn new(model: &Model, points: usize) -> Self {
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
    pub fn groups(&self) -> [usize; 2] {
        [0, 1].map(|kind: usize| self.begin[kind].len().saturating_sub(1))
    }

    /// The group of a pair, if neighbouring ranges have all its points.
    #[inline(always)]
    pub fn group(&self, points: &[u32; 4]) -> Option<usize> {
        if self.of.is_empty() {
            return None;
        }
        let [first, _] = self.groups();
        let [a, b, c, d] = *points;
        let range = |v: u32| usize::from(self.of[v as usize]);
        let (low, high) = (range(a.min(b).min(c.min(d))), range(a.max(b).max(c.max(d))));
        if low / 2 == high / 2 {
            Some(low / 2)
        } else {
            (low.div_ceil(2) == high.div_ceil(2)).then_some(first + low / 2)
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

/// Groups of one kind with their points and where those begin.
pub(super) struct Side<'a> {
    pub groups: &'a mut [Group],
    pub y: &'a mut [Point4],
    pub begin: &'a [usize],
}

impl Side<'_> {
    /// Pushes pairs once, and those that it pushed as often as is due in one turn of several.
    pub fn push(self, ask: &Ask<'_>, repeats: usize, [turn, turns]: [usize; 2]) {
        let Self { groups, y, begin } = self;
        for (group, ends) in groups.iter_mut().zip(begin.windows(2)) {
            let y = &mut y[ends[0] - begin[0]..ends[1] - begin[0]];
            if turn == 0 {
                Self::begin((group, ends), ask, y);
            }
            let times = times(repeats, group.count(), y.len());
            let due = times * (turn + 1) / turns - times * turn / turns;
            group.repeat(ask.settling, due, y);
        }
    }

    /// Finds which pairs of a group are asked, and pushes them once.
    fn begin((group, ends): (&mut Group, &[usize]), ask: &Ask<'_>, y: &mut [Point4]) {
        let local = |points: &[u32; 4]| points.map(|v| v - ends[0] as u32);
        for (kind, (close, asked)) in group.close.iter().zip(&mut group.asked).enumerate() {
            ask.touching(kind, close, (local, y), |number, pair, at| {
                asked.push(Numbered { number, at, pair: *pair });
            });
        }
        group.pass(ask.settling, y);
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
                        if let Some(group) = group {
                            let kind = usize::from(group >= first);
                            let k = group - kind * first;
                            assert!(k < [first, second][kind]);
                            let own = ranges.begin[kind][k]..ranges.begin[kind][k + 1];
                            assert!(own.contains(&(a as usize)) && own.contains(&(b as usize)));
                        }
                        let near = a.abs_diff(b) < 64 && first > 0;
                        assert!(!near || group.is_some(), "{a} and {b} of {points}");
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
