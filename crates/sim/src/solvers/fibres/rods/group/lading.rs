//! Into lanes at the start of a step, and out of them at its end.

use glam::Vec3;

use crate::aabb::Aabb;
use crate::simd::{LANES, Lane, Square, dispatch, transpose};
use crate::soa::{Soa3, Soa3Mut};

use super::super::super::step::RodStep;
use super::super::Around;
use super::super::banded::StiffRow;
use super::super::lanes::{at, put};
use super::super::predict::Outside;
use super::super::turn::Tangents;
use super::{ALPHA, Group, LOOSE};

impl Group {
    /// Takes everything that the step begins with.
    pub fn load(&mut self, step: &RodStep<'_>, around: &Around<'_>) {
        let firsts: [usize; LANES] =
            std::array::from_fn(|l| self.strand(step.set, l).first as usize);
        gather(around.x, &firsts, &mut self.strip.x[..self.points]);
        gather(around.v, &firsts, &mut self.v);
        gather(around.directors, &firsts, &mut self.directors);
        for l in 0..LANES {
            let strand = self.members[l.min(self.members.len() - 1)] as usize;
            self.rest.0[l] = around.rest[strand] as f32;
        }
        self.weigh(step, around, &firsts);
        self.link(around.cut, &firsts);
        if around.pushed {
            for (j, acting) in self.outside.iter_mut().enumerate() {
                for (l, first) in firsts.iter().enumerate() {
                    put(&mut acting.push, l, step.push.get(first + j).to_array());
                    put(&mut acting.carried, l, around.carried.get(first + j).to_array());
                    acting.rate.0[l] = around.rates[first + j];
                }
            }
        }
        if around.pushed != self.pushed && !around.pushed {
            let air = |outside: &Outside| Outside { air: outside.air, ..Outside::ZERO };
            self.outside.iter_mut().for_each(|outside| *outside = air(outside));
        }
        self.pushed = around.pushed;
        if around.windy {
            for (j, acting) in self.outside.iter_mut().enumerate() {
                for (l, first) in firsts.iter().enumerate() {
                    put(&mut acting.air, l, step.air.get(first + j).to_array());
                }
            }
        }
        dispatch(Tangents { x: &self.strip.x[..self.points], tangents: &mut self.tangents });
    }

    /// Takes note of what is cut. A clamped strand has half a cell at the first point that bends.
    fn link(&mut self, cut: &[u32], firsts: &[usize; LANES]) {
        if self.cuts == cut.len() {
            return;
        }
        self.cuts = cut.len();
        let ends = self.points.saturating_sub(1);
        for (l, &first) in firsts.iter().enumerate() {
            for j in 0..ends {
                let whole = cut.binary_search(&((first + j) as u32)).is_err();
                self.links[j].0[l] = f32::from(whole);
                self.strip.alpha[j].0[l] = if whole { ALPHA } else { LOOSE };
            }
        }
        for i in 1..ends {
            let part = if i == 1 && self.held > 1 { 2.0 } else { 1.0 };
            for l in 0..LANES {
                let part = part * self.links[i - 1].0[l] * self.links[i].0[l];
                self.rod[i].twist.0[l] = part * self.plain.twist.0[l];
                self.rod[i].bend.0[l] = part * self.plain.bend.0[l];
            }
        }
    }

    /// Takes note of what is held.
    fn weigh(&mut self, step: &RodStep<'_>, around: &Around<'_>, firsts: &[usize; LANES]) {
        self.guided.clear();
        for (l, first) in firsts.iter().enumerate() {
            let weights = &step.model.inverse_mass[*first..*first + self.points];
            for (j, &weight) in weights.iter().enumerate() {
                let free = weight > 0.0;
                self.free[j].0[l] = f32::from(free);
                let end = if j + 1 == self.points || j == 0 { 2.0 } else { 1.0 };
                self.strip.weight[j].0[l] = if free { end } else { 0.0 };
                if !free && j >= self.held {
                    let i = first + j;
                    self.guided.push((j, l, around.x.get(i), around.ends.get(i)));
                }
            }
        }
    }

    /// Bounds of all points. [m]
    pub fn bounds(&self) -> Aabb {
        let of = |lane: &[Lane; 3], l: usize| Vec3::from(at(lane, l));
        let points = &self.strip.x[..self.points];
        Aabb::around(points.iter().flat_map(|p| (0..LANES).map(move |l| of(p, l))))
    }

    /// The fastest point. [m/s]
    pub fn fastest(&self) -> f32 {
        let square = |v: &[Lane; 3], l: usize| v.iter().map(|c| c.0[l] * c.0[l]).sum::<f32>();
        let all = self.v.iter().flat_map(|v| (0..LANES).map(move |l| square(v, l)));
        all.fold(0.0, f32::max).sqrt()
    }

    /// Rows of K/(m/h²), with what is held left out.
    pub fn stiffen(&mut self, h: f32, friction: f32) {
        let n = self.points;
        let more = 1.0 + friction / h;
        let Self { stiff: plain, rod, mass, free, .. } = self;
        plain.fill(StiffRow::ZERO);
        for i in 1..n.saturating_sub(1) {
            for l in 0..LANES {
                let k = more * rod[i].bend.0[l] * h * h / mass.0[l];
                plain[i - 1].own.0[l] += k;
                plain[i].own.0[l] += 4.0 * k;
                plain[i + 1].own.0[l] += k;
                plain[i].before.0[l] -= 2.0 * k;
                plain[i + 1].before.0[l] -= 2.0 * k;
                plain[i + 1].second.0[l] += k;
            }
        }
        for j in 0..n {
            for l in 0..LANES {
                let own = free[j].0[l];
                let behind = |k: usize| if j >= k { free[j - k].0[l] } else { 0.0 };
                plain[j].before.0[l] *= own * behind(1);
                plain[j].second.0[l] *= own * behind(2);
            }
        }
    }

    /// Writes places, velocities and directors of a strand's points from `from` on.
    pub fn put(&self, lane: usize, from: usize, to: [Soa3Mut<'_>; 3]) {
        for (to, all) in to.into_iter().zip([&self.strip.x[..], &self.v, &self.directors]) {
            for (d, to) in [to.x, to.y, to.z].into_iter().enumerate() {
                for (to, point) in to.iter_mut().zip(&all[from..]) {
                    *to = point[d].0[lane];
                }
            }
        }
    }

    /// Touches of points and colliders in the last round.
    pub fn touches(&self) -> usize {
        self.touched.0[..self.members.len()].iter().map(|&count| count as usize).sum()
    }

    /// Time at rest of a strand. [s]
    pub fn rest(&self, lane: usize) -> f32 {
        self.rest.0[lane]
    }
}

/// to[j][lane] = from[firsts[lane] + j].
pub(super) fn gather(from: &Soa3, firsts: &[usize; LANES], to: &mut [[Lane; 3]]) {
    let axes = [&from.x, &from.y, &from.z];
    let (mut rows, mut turned) = ([Lane::ZERO; LANES], [Lane::ZERO; LANES]);
    for (block, to) in to.chunks_mut(LANES).enumerate() {
        for (d, axis) in axes.iter().enumerate() {
            for (row, first) in rows.iter_mut().zip(firsts) {
                let begin = first + block * LANES;
                *row = Lane::load(&axis[begin..begin + to.len()]);
            }
            let from = Square { lanes: &rows[..], step: 1 };
            transpose(from, Square { lanes: &mut turned[..], step: 1 });
            for (to, lane) in to.iter_mut().zip(turned) {
                to[d] = lane;
            }
        }
    }
}
