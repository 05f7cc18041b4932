//! Points that pairs join to each other.

use std::cmp::Reverse;

use super::{Ask, Group, times};
use crate::contact::settle::Numbered;
use crate::contact::swept::Point4;
use crate::parallel::{Split, for_each_alone};

/// Zones are what near pairs join points to, pair by pair: no pair has points in two of them. Shared
/// out to a few groups, each with about as many pairs, they are pushed side by side, and nobody can
/// tell from the result: what one group does the others do not see.
///
/// Pairs that are gone still join what they joined until zones are forgotten.
#[derive(Debug)]
pub(super) struct Zones {
    /// Another point of the same zone with a lower number, itself if there is none, or `NONE`.
    above: Vec<u32>,
    /// Points of all zones, as they came.
    members: Vec<u32>,
    /// Of the lowest point of each zone, the number of its pairs.
    pairs: Vec<u32>,
    /// The group of each point, or `ZONES`.
    group: Vec<u8>,
    /// The place of each point beside the others of its group.
    place: Vec<u32>,
    /// Where the places of each group begin, and where the last of them end.
    begin: [usize; ZONES + 1],
    /// Pairs and lowest point of each zone, those with the most first.
    order: Vec<(Reverse<u32>, u32)>,
    /// Where points are, group by group. [m]
    places: Vec<Point4>,
    /// Of each place, whether it says where its point is.
    taken: Vec<bool>,
}

/// Groups that zones are shared out to.
pub(super) const ZONES: usize = 8;

const NONE: u32 = u32::MAX;

impl Zones {
    pub fn new(points: usize) -> Self {
        Self {
            above: vec![NONE; points],
            members: Vec::new(),
            pairs: vec![0; points],
            group: vec![ZONES as u8; points],
            place: vec![0; points],
            begin: [0; ZONES + 1],
            order: Vec::new(),
            places: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Nothing is joined any more.
    pub fn forget(&mut self) {
        for v in self.members.drain(..).map(|v| v as usize) {
            (self.above[v], self.pairs[v], self.group[v]) = (NONE, 0, ZONES as u8);
        }
    }

    /// Joins the points of a pair.
    pub fn join(&mut self, pair: [u32; 4]) {
        for v in pair {
            if self.above[v as usize] == NONE {
                self.above[v as usize] = v;
                self.members.push(v);
            }
        }
        let mut lowest = self.lowest(pair[0]);
        for &v in &pair[1..] {
            let other = self.lowest(v);
            if other != lowest {
                let (low, high) = (lowest.min(other), lowest.max(other));
                self.above[high as usize] = low;
                self.pairs[low as usize] += self.pairs[high as usize];
                lowest = low;
            }
        }
        self.pairs[lowest as usize] += 1;
    }

    /// Shares zones out to groups: the largest first, each to the group that has the least.
    pub fn share_out(&mut self) {
        self.order.clear();
        let lowest = self.members.iter().filter(|&&v| self.above[v as usize] == v);
        self.order.extend(lowest.map(|&v| (Reverse(self.pairs[v as usize]), v)));
        self.order.sort_unstable();
        let mut loads = [0; ZONES];
        for &(Reverse(pairs), v) in &self.order {
            let least = (0..ZONES).fold(0, |best, g| if loads[g] < loads[best] { g } else { best });
            loads[least] += u64::from(pairs);
            self.group[v as usize] = least as u8;
        }
        let mut counts = [0; ZONES];
        for place in 0..self.members.len() {
            let v = self.members[place];
            let lowest = self.lowest(v);
            let group = self.group[lowest as usize];
            self.group[v as usize] = group;
            self.place[v as usize] = counts[usize::from(group)];
            counts[usize::from(group)] += 1;
        }
        for (group, count) in counts.into_iter().enumerate() {
            self.begin[group + 1] = self.begin[group] + count as usize;
        }
        if self.places.len() < self.members.len() {
            self.places.resize(self.members.len(), [0.0; 4]);
            self.taken.resize(self.members.len(), false);
        }
    }

    /// The group that has all points of a pair, if they are known to have one.
    #[inline(always)]
    pub fn group(&self, pair: &[u32; 4]) -> Option<usize> {
        let [a, b, c, d] = pair.map(|v| self.group[v as usize]);
        (usize::from(a) < ZONES && a == b && a == c && a == d).then_some(usize::from(a))
    }

    /// Pushes pairs of zones; their points are put side by side for it.
    pub fn push(
        &mut self,
        groups: &mut [Group],
        (ask, repeats): (&Ask<'_>, usize),
        y: &mut [Point4],
    ) {
        let Self { place, begin, places, taken, .. } = self;
        let (place, begin, now) = (&*place, begin.as_slice(), &*y);
        let all = Zoned { groups, places, taken, begin };
        for_each_alone(all, &|_, zoned: Zoned<'_>| {
            zoned.each(|group, places, taken| {
                group.take_places((ask, now), place, places, taken);
                group.pass(ask.settling, places);
            });
        });
        let count = groups.iter().map(Group::count).sum();
        let times = times(repeats, count, y.len());
        for_each_alone(Zoned { groups, places, taken, begin }, &|_, zoned: Zoned<'_>| {
            zoned.each(|group, places, _| group.repeat(ask.settling, times, places));
        });
        for (group, &begin) in groups.iter_mut().zip(begin) {
            for v in group.points.drain(..).map(|v| v as usize) {
                let place = begin + place[v] as usize;
                (y[v], taken[place]) = (places[place], false);
            }
        }
    }

    /// The lowest point of a zone.
    fn lowest(&mut self, point: u32) -> u32 {
        let mut v = point;
        while self.above[v as usize] != v {
            let next = self.above[v as usize];
            self.above[v as usize] = self.above[next as usize];
            v = self.above[v as usize];
        }
        v
    }
}

impl Group {
    /// Takes note of pairs that touch at `y` or all but do, and of where their points are.
    fn take_places(
        &mut self,
        (ask, y): (&Ask<'_>, &[Point4]),
        place: &[u32],
        places: &mut [Point4],
        taken: &mut [bool],
    ) {
        let Self { close, asked, points, .. } = self;
        for (kind, (close, asked)) in close.iter().zip(asked).enumerate() {
            ask.touching(kind, close, (|points| *points, y), |number, pair, _| {
                let at = pair.points.map(|v| {
                    let at = place[v as usize];
                    if !std::mem::replace(&mut taken[at as usize], true) {
                        places[at as usize] = y[v as usize];
                        points.push(v);
                    }
                    at
                });
                asked.push(Numbered { number, at, pair: *pair });
            });
        }
    }
}

/// Groups with their places and where those begin.
struct Zoned<'a> {
    groups: &'a mut [Group],
    places: &'a mut [Point4],
    taken: &'a mut [bool],
    begin: &'a [usize],
}

impl Zoned<'_> {
    fn each(self, work: impl Fn(&mut Group, &mut [Point4], &mut [bool])) {
        let Self { groups, places, taken, begin } = self;
        for (group, ends) in groups.iter_mut().zip(begin.windows(2)) {
            let own = ends[0] - begin[0]..ends[1] - begin[0];
            if group.has_some() {
                work(group, &mut places[own.clone()], &mut taken[own]);
            }
        }
    }
}

impl Split for Zoned<'_> {
    fn len(&self) -> usize {
        self.groups.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let Self { groups, places, taken, begin } = self;
        let (groups, others) = groups.split_at_mut(mid);
        let (places, other_places) = places.split_at_mut(begin[mid] - begin[0]);
        let (taken, other_taken) = taken.split_at_mut(begin[mid] - begin[0]);
        let other =
            Self { groups: others, places: other_places, taken: other_taken, begin: &begin[mid..] };
        (Self { groups, places, taken, begin: &begin[..=mid] }, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of points of a row, in no order.
    fn pairs(rows: u32) -> Vec<[u32; 4]> {
        let row = |r: u32| (0..r % 7 + 1).map(move |k| [0, 1, 2, 3].map(|d| 100 * r + 3 * k + d));
        let mut all: Vec<[u32; 4]> = (0..rows).flat_map(row).collect();
        all.sort_unstable_by_key(|p| p[0] * 7919 % 1013);
        all
    }

    #[test]
    fn pairs_that_share_a_point_have_one_group_and_places_are_taken_once() {
        let mut zones = Zones::new(5000);
        for _ in 0..2 {
            zones.forget();
            pairs(40).into_iter().for_each(|pair| zones.join(pair));
            zones.share_out();
            let mut seen = vec![false; zones.begin[ZONES]];
            for row in 0..40 {
                let points: Vec<u32> = (100 * row..100 * row + 3 * (row % 7 + 1) + 1).collect();
                let own = zones.group(&[points[0]; 4]).expect("joined");
                for &v in &points {
                    assert_eq!(zones.group(&[points[0], v, v, v]), Some(own), "row {row}");
                    let place = zones.begin[own] + zones.place[v as usize] as usize;
                    assert!(place < zones.begin[own + 1]);
                    assert!(!std::mem::replace(&mut seen[place], true), "{place} twice");
                }
            }
            assert!(seen.into_iter().all(|seen| seen));
            assert_eq!(zones.group(&[4999; 4]), None);
        }
    }

    #[test]
    fn groups_have_about_as_many_pairs_each() {
        let mut zones = Zones::new(20_000);
        let all = pairs(190);
        all.iter().for_each(|&pair| zones.join(pair));
        zones.share_out();
        let mut counts = [0; ZONES];
        all.iter().for_each(|pair| counts[zones.group(pair).expect("joined")] += 1);
        let mean = all.len() / ZONES;
        assert!(counts.iter().all(|&n| n >= mean - 7 && n <= mean + 7), "{counts:?}");
    }

    #[test]
    fn a_pair_that_joins_two_zones_is_seen_and_joins_their_groups() {
        let mut zones = Zones::new(10);
        [[0, 1, 2, 2], [3, 4, 5, 5]].into_iter().for_each(|pair| zones.join(pair));
        zones.share_out();
        assert_eq!(zones.group(&[2, 3, 3, 3]), None);
        zones.join([2, 3, 3, 3]);
        zones.share_out();
        assert!(zones.group(&[0, 1, 4, 5]).is_some());
    }
}
