//! Into lanes at the start of a step, and out of them at its end.

use crate::simd::{Kernel, LANES, Lane, Square, dispatch, transpose};
use crate::soa::{Soa3, Soa3Mut};

use super::super::super::step::RodStep;
use super::super::Around;
use super::super::turn::Tangents;
use super::survey::{Extent, Stiffen, Survey, Weigh};
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
            gather(step.push, &firsts, &mut self.outside.push);
            gather(around.carried, &firsts, &mut self.outside.carried);
            gather_numbers(around.rates, &firsts, &mut self.outside.rate);
        } else if self.pushed {
            self.outside.let_go();
        }
        self.pushed = around.pushed;
        if around.windy {
            gather(step.air, &firsts, &mut self.outside.air);
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
        let inverse_mass = step.model.inverse_mass.as_slice();
        gather_numbers(inverse_mass, firsts, &mut self.free);
        let mut guided = false;
        dispatch(Weigh {
            free: &mut self.free,
            weight: &mut self.strip.weight[..self.points],
            held: self.held,
            guided: &mut guided,
        });
        self.guided.clear();
        for (l, first) in firsts.iter().enumerate().filter(|_| guided) {
            for j in self.held..self.points {
                let i = first + j;
                if inverse_mass[i] <= 0.0 {
                    self.guided.push((j, l, around.x.get(i), around.ends.get(i)));
                }
            }
        }
    }

    /// What draws points makes them harder to move, also where lengths are made right: else those would
    /// take a point out of a hand or off a spring, a little every time.
    pub fn harden(&mut self, h: f32) {
        for (weight, rate) in self.strip.weight[..self.points].iter_mut().zip(&self.outside.rate) {
            for l in 0..LANES {
                weight.0[l] *= 1.0 / (1.0 + h * rate.0[l]);
            }
        }
    }

    /// How far points are spread, and how fast they are.
    pub fn extent(&self) -> Extent {
        let mut extent = Extent::NONE;
        dispatch(Survey { x: &self.strip.x[..self.points], v: &self.v, extent: &mut extent });
        extent
    }

    /// Rows of K/(m/h²), with what is held left out.
    pub fn stiffen(&mut self, h: f32, friction: f32) {
        let Self { stiff, rod, mass, free, .. } = self;
        let mut scale = Lane::ZERO;
        for (scale, mass) in scale.0.iter_mut().zip(mass.0) {
            *scale = (1.0 + friction / h) * h * h / mass;
        }
        dispatch(Stiffen { stiff, rod, free, scale });
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

    /// Writes those of all strands, which are neighbours.
    pub fn put_all(&self, to: [Soa3Mut<'_>; 3]) {
        let strands = self.members.len();
        for (to, all) in
            to.into_iter().zip([&self.strip.x[..self.points], &self.v, &self.directors])
        {
            for (d, to) in [to.x, to.y, to.z].into_iter().enumerate() {
                dispatch(Scatter { from: &all.as_flattened()[d..], strands, to });
            }
        }
    }

    /// How many strands there are, if particles of each follow those of the one before.
    pub fn neighbours(&self) -> Option<usize> {
        let follow = |pair: &[u32]| pair[0] + 1 == pair[1];
        self.members.windows(2).all(follow).then_some(self.members.len())
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
    for (d, from) in [&from.x, &from.y, &from.z].into_iter().enumerate() {
        dispatch(Gather { from, firsts, to: &mut to.as_flattened_mut()[d..], step: 3 });
    }
}

/// The same for numbers.
fn gather_numbers(from: &[f32], firsts: &[usize; LANES], to: &mut [Lane]) {
    dispatch(Gather { from, firsts, to, step: 1 });
}

/// to[j step][lane] = from[firsts[lane] + j].
struct Gather<'a> {
    from: &'a [f32],
    firsts: &'a [usize; LANES],
    to: &'a mut [Lane],
    step: usize,
}

impl Kernel for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { from, firsts, to, step } = self;
        let (mut rows, mut turned) = ([Lane::ZERO; LANES], [Lane::ZERO; LANES]);
        for (block, to) in to.chunks_mut(LANES * step).enumerate() {
            let count = to.len().div_ceil(step);
            for (row, first) in rows.iter_mut().zip(firsts) {
                let begin = first + block * LANES;
                *row = Lane::load(&from[begin..begin + count]);
            }
            let square = Square { lanes: &rows[..], step: 1 };
            if count == LANES {
                transpose(square, Square { lanes: to, step });
            } else {
                transpose(square, Square { lanes: &mut turned[..], step: 1 });
                for (to, lane) in to.iter_mut().step_by(step).zip(turned) {
                    *to = lane;
                }
            }
        }
    }
}

/// to[lane points + j] = from[3 j][lane].
struct Scatter<'a> {
    from: &'a [Lane],
    strands: usize,
    to: &'a mut [f32],
}

impl Kernel for Scatter<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { from, strands, to } = self;
        let points = from.len().div_ceil(3);
        let (mut rows, mut turned) = ([Lane::ZERO; LANES], [Lane::ZERO; LANES]);
        for (block, from) in from.chunks(3 * LANES).enumerate() {
            for (row, from) in rows.iter_mut().zip(from.iter().step_by(3)) {
                *row = *from;
            }
            let square = Square { lanes: &rows[..], step: 1 };
            transpose(square, Square { lanes: &mut turned[..], step: 1 });
            let (begin, end) = (block * LANES, points.min((block + 1) * LANES));
            for (strand, lane) in turned[..strands].iter().enumerate() {
                lane.store(&mut to[strand * points + begin..strand * points + end]);
            }
        }
    }
}
