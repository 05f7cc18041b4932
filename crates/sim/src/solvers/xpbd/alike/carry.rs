//! Bodies into lanes and back.

use std::ops::Range;

use super::CrowdStep;
use super::crowd::{Bodies, START, SUMS, Spot, WAY, WEIGHT};
use super::gas::Turn;
use super::shape::Member;
use crate::simd::{Kernel, LANES, Lane, Square, transpose};
use crate::soa::{Soa3Mut, Soa3Ref};

/// Starts, ways without constraints, and weights.
pub(super) struct Load<'a, 'b> {
    pub members: &'a [Member],
    pub points: usize,
    pub step: &'a CrowdStep<'a>,
    pub bodies: &'a Bodies<'b>,
    pub spots: &'a mut [Spot],
    /// Σ (m + hb)|v₀|², see `Account`.
    pub before: &'a mut f64,
}

impl Kernel for Load<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { members, points, step, bodies, spots, before } = self;
        let h = step.h as f32;
        let mut rows = [[Lane::ZERO; LANES]; 7];
        let mut tally = [Lane::ZERO; LANES];
        for (block, spots) in spots.chunks_mut(LANES).enumerate() {
            let from = block * LANES;
            let count = LANES.min(points - from);
            for (lane, member) in members.iter().enumerate() {
                let own = member.first - bodies.first;
                let places = lanes(bodies.x.slice(own + from..own + from + count));
                let all = member.first + from..member.first + from + count;
                let free = lanes(step.free.slice(all.clone()));
                let weights = Lane::load(&step.weights[all.clone()]);
                let inertia = Inertia::of(step, all);
                for d in 0..3 {
                    let mut way = Lane::ZERO;
                    for l in 0..LANES {
                        way.0[l] = free[d].0[l] * h;
                    }
                    (rows[START + d][lane], rows[WAY + d][lane]) = (places[d], way);
                }
                let mut resisted = Lane::ZERO;
                for l in 0..LANES {
                    resisted.0[l] = weights.0[l] * inertia.part.0[l];
                }
                rows[WEIGHT][lane] = resisted;
                tally[lane] = inertia.motion_before(free, tally[lane], step);
            }
            let lanes = spots.as_flattened_mut();
            for (k, row) in rows.iter().enumerate() {
                let to = Square { lanes: &mut lanes[k..], step: 7 };
                transpose(Square { lanes: row.as_slice(), step: 1 }, to);
            }
        }
        *before = tally[..members.len()].iter().map(sum).sum();
    }
}

/// What moves with sixteen points of a body.
#[derive(Clone, Copy)]
struct Inertia {
    mass: Lane,
    damping: Lane,
    /// What part of their motion the medium leaves them: 1/(1 + hb/m).
    part: Lane,
}

impl Inertia {
    #[inline(always)]
    fn of(step: &CrowdStep<'_>, range: Range<usize>) -> Self {
        let (h, mut part) = (step.h as f32, Lane::ZERO);
        let weights = Lane::load(&step.model.inverse_mass[range.clone()]);
        let damping = Lane::load(&step.model.damping[range.clone()]);
        for l in 0..LANES {
            part.0[l] = 1.0 / (1.0 + h * weights.0[l] * damping.0[l]);
        }
        Self { mass: Lane::load(&step.model.mass[range]), damping, part }
    }

    /// Adds (m + hb)|v₀|², v₀ = v − gh/(1 + hb/m) for velocities v without constraints; what is
    /// beyond the last point has no mass.
    #[inline(always)]
    fn motion_before(&self, free: [Lane; 3], sum: Lane, step: &CrowdStep<'_>) -> Lane {
        let (Self { mass, damping, part }, h) = (*self, step.h as f32);
        let (fall, mut sum) = ([step.gravity.x * h, step.gravity.y * h, step.gravity.z * h], sum);
        for l in 0..LANES {
            let was = |d: usize| free[d].0[l] - fall[d] * part.0[l];
            let was = [was(0), was(1), was(2)];
            let size = was[0] * was[0] + was[1] * was[1] + was[2] * was[2];
            sum.0[l] += (mass.0[l] + h * damping.0[l]) * size;
        }
        sum
    }

    /// Adds m v, m|v|² and (m + hb)|v|².
    #[inline(always)]
    fn motion_after(&self, v: [Lane; 3], sums: [Lane; SUMS], h: f32) -> [Lane; SUMS] {
        let (Self { mass, damping, .. }, mut sums) = (*self, sums);
        for l in 0..LANES {
            let m = mass.0[l];
            let v = [v[0].0[l], v[1].0[l], v[2].0[l]];
            let size = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            for d in 0..3 {
                sums[d].0[l] += m * v[d];
            }
            sums[3].0[l] += m * size;
            sums[4].0[l] += (m + h * damping.0[l]) * size;
        }
        sums
    }
}

/// x ← x − θ × r, then place and velocity w/h, w the way; with the sums over what has come of it.
pub(super) struct Unload<'a, 'b> {
    pub members: &'a [Member],
    pub points: usize,
    pub step: &'a CrowdStep<'a>,
    pub bodies: &'a mut Bodies<'b>,
    pub spots: &'a [Spot],
    pub turn: Turn,
    pub sums: &'a mut [f64; SUMS],
}

impl Kernel for Unload<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { members, points, step, bodies, spots, turn, sums } = self;
        let mut turned = [[Lane::ZERO; LANES]; 3];
        let mut ways = [[Lane::ZERO; LANES]; 3];
        let mut tally = [[Lane::ZERO; SUMS]; LANES];
        for (block, spots) in spots.chunks(LANES).enumerate() {
            for (k, spot) in spots.iter().enumerate() {
                let [x, y, z] = turn.back(spot);
                (turned[0][k], turned[1][k], turned[2][k]) = (x, y, z);
            }
            for (turned, ways) in turned.iter().zip(&mut ways) {
                let from = Square { lanes: turned.as_slice(), step: 1 };
                transpose(from, Square { lanes: ways.as_mut_slice(), step: 1 });
            }
            let from = block * LANES;
            let count = LANES.min(points - from);
            for (lane, member) in members.iter().enumerate() {
                let own = member.first - bodies.first + from;
                let ways = [ways[0][lane], ways[1][lane], ways[2][lane]];
                let after = go(ways, (step.h, own, count), bodies);
                let inertia = Inertia::of(step, member.first + from..member.first + from + count);
                tally[lane] = inertia.motion_after(after, tally[lane], step.h as f32);
            }
        }
        *sums = [0.0; SUMS];
        for tally in &tally[..members.len()] {
            sums.iter_mut().zip(tally).for_each(|(to, part)| *to += sum(part));
        }
    }
}

#[inline(always)]
fn sum(lane: &Lane) -> f64 {
    lane.0.iter().map(|&part| f64::from(part)).sum()
}

/// Sixteen points of a body go their way; returns their velocities.
#[inline(always)]
fn go(ways: [Lane; 3], (h, own, count): (f64, usize, usize), bodies: &mut Bodies<'_>) -> [Lane; 3] {
    let per_second = (1.0 / h) as f32;
    let Bodies { x: Soa3Mut { x, y, z }, v: Soa3Mut { x: u, y: v, z: w }, .. } = bodies;
    let mut after = [Lane::ZERO; 3];
    let to = [(x, u), (y, v), (z, w)];
    for ((way, after), (x, v)) in ways.into_iter().zip(&mut after).zip(to) {
        let place = &mut x[own..own + count];
        let (mut at, mut velocity) = (Lane::load(place), Lane::ZERO);
        for l in 0..LANES {
            at.0[l] += way.0[l];
            velocity.0[l] = way.0[l] * per_second;
        }
        at.store(place);
        velocity.store(&mut v[own..own + count]);
        *after = velocity;
    }
    after
}

#[inline(always)]
fn lanes(from: Soa3Ref<'_>) -> [Lane; 3] {
    [Lane::load(from.x), Lane::load(from.y), Lane::load(from.z)]
}
