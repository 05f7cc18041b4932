//! The end of a short step: what is in the way, what has come to rest, how fast points are.

use crate::simd::three::{add, larger, scale, smaller, sub};
use crate::simd::{Kernel, LANES, Lane};

use super::super::obstacles::{Meeting, Reach};
use super::lanes::{at, put};

/// Holds points off a collider.
pub(super) struct Touch<'a> {
    pub x: &'a mut [[Lane; 3]],
    pub start: &'a [[Lane; 3]],
    pub free: &'a [Lane],
    pub meeting: &'a Meeting<'a>,
    /// How far points are from it, where that is kept.
    pub reaches: &'a mut [Reach],
    /// Points that it held off.
    pub touched: &'a mut Lane,
}

impl Kernel for Touch<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, start, free, meeting, reaches, touched } = self;
        for (((x, start), free), reach) in x.iter_mut().zip(start).zip(free).zip(reaches) {
            meeting.answer(start, x, free, (reach, touched));
        }
    }
}

/// Strands that have been slow for a while are slowed down to nothing: curls would go on creeping
/// for seconds. What makes one faster wakes it. Then v = (x − x⁻)/h.
pub(super) struct Settle<'a> {
    pub x: &'a mut [[Lane; 3]],
    pub start: &'a [[Lane; 3]],
    pub v: &'a mut [[Lane; 3]],
    /// Time at rest. [s]
    pub rest: &'a mut Lane,
    pub h: f32,
    /// Strands slower than this come to rest; 0: none does. [m/s]
    pub speed: f32,
}

/// Time that a strand must have been slow for [s], and in which it then comes to rest [s].
const WAIT: f32 = 0.5;
const RAMP: f32 = 0.25;

impl Kernel for Settle<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, start, v, rest, h, speed } = self;
        let mut kept = Lane([1.0; LANES]);
        if speed > 0.0 {
            let mut farthest = Lane::ZERO;
            for (x, start) in x.iter().zip(start) {
                let (x, start) = (*x, *start);
                for l in 0..LANES {
                    let way = sub(at(&x, l), at(&start, l));
                    let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
                    farthest.0[l] = larger(farthest.0[l], square);
                }
            }
            let (limit, mut times) = (speed * speed * h * h, *rest);
            for l in 0..LANES {
                let time = if farthest.0[l] < limit { times.0[l] + h } else { 0.0 };
                times.0[l] = time;
                kept.0[l] = larger(smaller(1.0 - (time - WAIT) * (1.0 / RAMP), 1.0), 0.0);
            }
            *rest = times;
        } else {
            *rest = Lane::ZERO;
        }
        let per_second = 1.0 / h;
        for ((x, start), v) in x.iter_mut().zip(start).zip(v) {
            let (mut to, start, mut fast) = (*x, *start, [Lane::ZERO; 3]);
            for l in 0..LANES {
                let (from, all) = (at(&start, l), at(&to, l));
                let way = scale(sub(all, from), kept.0[l]);
                let there = add(from, way);
                for d in 0..3 {
                    to[d].0[l] = if kept.0[l] < 1.0 { there[d] } else { all[d] };
                }
                put(&mut fast, l, scale(way, per_second));
            }
            (*x, *v) = (to, fast);
        }
    }
}

/// v += (x − before)/h of points that move.
pub(super) struct Follow<'a> {
    pub x: &'a [[Lane; 3]],
    pub before: &'a [[Lane; 3]],
    pub v: &'a mut [[Lane; 3]],
    pub free: &'a [Lane],
    pub h: f32,
}

impl Kernel for Follow<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, before, v, free, h } = self;
        let per_second = 1.0 / h;
        for (((x, before), v), free) in x.iter().zip(before).zip(v).zip(free) {
            let (x, before, mut fast, free) = (*x, *before, *v, *free);
            for l in 0..LANES {
                let way = scale(sub(at(&x, l), at(&before, l)), per_second * free.0[l]);
                let sum = add(at(&fast, l), way);
                put(&mut fast, l, sum);
            }
            *v = fast;
        }
    }
}
