//! Steps between which nobody looks at the state: bodies stay in their lanes.

use glam::Vec3;

use super::crowd::{Bodies, START, Spot, WAY, WEIGHT};
use super::gas::Turn;
use super::shape::Member;
use crate::colliders::Obstacles;
use crate::model::Model;
use crate::simd::three::larger;
use crate::simd::{Kernel, LANES, Lane, Square, transpose};
use crate::soa::Soa3;

/// Steps that crowds are taken through together: nothing but weight, medium and colliders acts from
/// outside, and these stand still.
#[derive(Clone, Copy)]
pub(in crate::solvers::xpbd) struct Course<'a> {
    pub model: &'a Model,
    pub obstacles: Option<&'a Obstacles<'a>>,
    /// Acceleration by weight. [m/s²]
    pub gravity: Vec3,
    /// Length of a step. [s]
    pub h: f64,
    /// When the first begins. [s]
    pub time: f64,
    pub steps: u32,
    pub sweeps: u32,
}

/// What came of a step of a crowd.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solvers::xpbd) struct Passed {
    /// Those of `Account::of_sums`, then Σ ½m|v|².
    pub sums: [f64; COURSE_SUMS],
    /// Touches of colliders.
    pub touches: usize,
    /// As those of a crowd.
    pub longest: [f64; 2],
}

pub(in crate::solvers::xpbd) const COURSE_SUMS: usize = 11;

/// Of a point of all bodies: inverse mass with the inertia of the medium, 1/(1 + hb/m), and mass with that
/// inertia.
pub(super) type Inertia = [Lane; 3];

/// Places, velocities and inertia of bodies into lanes. In a lane without a body a copy of the first one
/// stands, without mass: boxes round lanes are no larger by it.
pub(super) struct Gather<'a> {
    pub members: &'a [Member],
    pub points: usize,
    pub course: &'a Course<'a>,
    pub x: &'a Soa3,
    pub v: &'a Soa3,
    pub places: &'a mut [[Lane; 3]],
    pub velocities: &'a mut [[Lane; 3]],
    pub inertia: &'a mut [Inertia],
}

impl Kernel for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { members, points, course, x, v, places, velocities, inertia } = self;
        let (model, h) = (course.model, course.h as f32);
        let own = [&model.inverse_mass[..], &model.damping[..], &model.mass[..]];
        let lanes = |from: [&[f32]; 3], first: usize, count: usize| {
            [0, 1, 2].map(|d| Lane::load(&from[d][first..first + count]))
        };
        let all = places.chunks_mut(LANES).zip(velocities.chunks_mut(LANES));
        for (block, ((places, velocities), inertia)) in
            all.zip(inertia.chunks_mut(LANES)).enumerate()
        {
            let from = block * LANES;
            let count = LANES.min(points - from);
            let mut rows = [[[Lane::ZERO; LANES]; 3]; 3];
            let others = std::iter::repeat((&members[0], false));
            let all = members.iter().map(|member| (member, true)).chain(others).take(LANES);
            for (lane, (member, is_own)) in all.enumerate() {
                let first = member.first + from;
                let place = lanes([&x.x, &x.y, &x.z], first, count);
                let velocity = lanes([&v.x, &v.y, &v.z], first, count);
                let mut inertia = if is_own { lanes(own, first, count) } else { [Lane::ZERO; 3] };
                for l in 0..LANES {
                    let [w, b, m] = [inertia[0].0[l], inertia[1].0[l], inertia[2].0[l]];
                    let part = 1.0 / (1.0 + h * w * b);
                    (inertia[0].0[l], inertia[1].0[l]) = (w * part, part);
                    inertia[2].0[l] = m + h * b;
                }
                for d in 0..3 {
                    rows[0][d][lane] = place[d];
                    rows[1][d][lane] = velocity[d];
                    rows[2][d][lane] = inertia[d];
                }
            }
            for (rows, to) in rows.iter().zip([places, velocities, inertia]) {
                for (d, row) in rows.iter().enumerate() {
                    let to = Square { lanes: &mut to.as_flattened_mut()[d..], step: 3 };
                    transpose(Square { lanes: row.as_slice(), step: 1 }, to);
                }
            }
        }
    }
}

/// Starts, ways without constraints and weights: the same bits as `Load` has.
pub(super) struct Begin<'a> {
    pub course: &'a Course<'a>,
    pub spots: &'a mut [Spot],
    pub places: &'a [[Lane; 3]],
    pub velocities: &'a [[Lane; 3]],
    pub inertia: &'a [Inertia],
    pub aims: &'a mut [[Lane; 3]],
}

impl Kernel for Begin<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { course, spots, places, velocities, inertia, aims } = self;
        let h = course.h as f32;
        let fall = [h * course.gravity.x, h * course.gravity.y, h * course.gravity.z];
        let moving = places.iter().zip(velocities).zip(inertia);
        for (((place, v), [weight, part, _]), (spot, aim)) in moving.zip(spots.iter_mut().zip(aims))
        {
            let (v, mut ways) = (*v, [Lane::ZERO; 3]);
            for l in 0..LANES {
                for d in 0..3 {
                    ways[d].0[l] = (v[d].0[l] + fall[d]) * part.0[l] * h;
                }
            }
            (spot[START], spot[START + 1], spot[START + 2]) = (place[0], place[1], place[2]);
            (spot[WAY], spot[WAY + 1], spot[WAY + 2]) = (ways[0], ways[1], ways[2]);
            spot[WEIGHT] = *weight;
            (aim[0], aim[1], aim[2]) = (ways[0], ways[1], ways[2]);
        }
    }
}

/// Points whose sums in f32 are exact enough.
const BLOCK: usize = 64;

/// Where points come to and how fast, before colliders have their say, with sums over them.
pub(super) struct End<'a> {
    pub course: &'a Course<'a>,
    pub list: &'a [u32],
    pub spots: &'a [Spot],
    pub places: &'a mut [[Lane; 3]],
    pub velocities: &'a mut [[Lane; 3]],
    pub inertia: &'a [Inertia],
    pub aims: &'a [[Lane; 3]],
    pub turn: Turn,
    pub sums: &'a mut [f64; COURSE_SUMS],
}

impl Kernel for End<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { course, list, spots, places, velocities, inertia, aims, turn, sums: out } = self;
        let (h, per_second) = (course.h as f32, (1.0 / course.h) as f32);
        let fall = [h * course.gravity.x, h * course.gravity.y, h * course.gravity.z];
        let mut wide = [[0.0f64; LANES]; COURSE_SUMS];
        for block in list.chunks(BLOCK) {
            let mut sums = [Lane::ZERO; COURSE_SUMS];
            for &i in block {
                let i = i as usize;
                let (spot, aim, [_, part, heavy]) = (&spots[i], &aims[i], &inertia[i]);
                let ways = turn.back(spot);
                let (mut place, mut velocity) = ([Lane::ZERO; 3], [Lane::ZERO; 3]);
                for l in 0..LANES {
                    let (heavy, part) = (heavy.0[l], part.0[l]);
                    let m = heavy * part;
                    let (mut far, mut size, mut before) = (0.0, 0.0, 0.0);
                    let (mut fast, mut jerk, mut lowered) = (0.0, 0.0, 0.0);
                    for d in 0..3 {
                        let x = spot[START + d].0[l] + ways[d].0[l];
                        let v = ways[d].0[l] * per_second;
                        let was = aim[d].0[l] * per_second - fall[d] * part;
                        far = larger(far, x.abs());
                        fast = larger(fast, v.abs());
                        size += v * v;
                        before += was * was;
                        jerk += (v - was) * (v - was);
                        lowered += fall[d] * v;
                        sums[7 + d].0[l] += v * heavy;
                        (place[d].0[l], velocity[d].0[l]) = (x, v);
                    }
                    sums[0].0[l] += heavy * before;
                    // No more than there is: the root of `size` would take longer.
                    sums[1].0[l] += heavy * fast * far;
                    sums[2].0[l] += heavy * jerk;
                    sums[3].0[l] += heavy * size;
                    sums[4].0[l] += m * lowered;
                    sums[5].0[l] += heavy;
                    sums[6].0[l] += m;
                    sums[10].0[l] += m * size;
                }
                (places[i], velocities[i]) = (place, velocity);
            }
            for (wide, sum) in wide.iter_mut().zip(&sums) {
                wide.iter_mut().zip(&sum.0).for_each(|(wide, part)| *wide += f64::from(*part));
            }
        }
        *out = wide.map(|lanes| lanes.iter().sum());
        for motion in [0, 2, 3, 10] {
            out[motion] *= 0.5;
        }
        out[1] *= f64::from(f32::EPSILON) / course.h;
    }
}

/// Places and velocities back to the bodies.
pub(super) struct Scatter<'a, 'b> {
    pub members: &'a [Member],
    pub points: usize,
    pub places: &'a [[Lane; 3]],
    pub velocities: &'a [[Lane; 3]],
    pub bodies: &'a mut Bodies<'b>,
}

impl Kernel for Scatter<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { members, points, places, velocities, bodies } = self;
        let Bodies { first, x, v } = bodies;
        let mut rows = [Lane::ZERO; LANES];
        for (from, mut to) in [(places, [&mut *x.x, x.y, x.z]), (velocities, [&mut *v.x, v.y, v.z])]
        {
            for (block, from) in from.chunks(LANES).enumerate() {
                let start = block * LANES;
                let count = LANES.min(points - start);
                for (d, to) in to.iter_mut().enumerate() {
                    let from = Square { lanes: &from.as_flattened()[d..], step: 3 };
                    transpose(from, Square { lanes: &mut rows, step: 1 });
                    for (row, member) in rows.iter().zip(members) {
                        let own = member.first - *first + start;
                        row.store(&mut to[own..own + count]);
                    }
                }
            }
        }
    }
}
