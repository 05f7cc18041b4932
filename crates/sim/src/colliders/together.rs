//! Many points against a collider at once.
//!
//! Of the points of a cloth most are far from a collider or rest on it: both are told, and resting is
//! answered, for [`LANES`] points together. All others (those that arrive, bounce or touch two
//! colliders) are left to be gone through one by one.

// Axes and lanes are numbers that several arrays share.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use super::Collider;
use super::contact::RESTS;
use super::meet::{Form, Meet};
use super::response::{ContactSettings, Particles};
use super::step::{ColliderStep, TOUCH_M, TOUCH_RELATIVE};
use crate::simd::three::{Three, add, choose, dot, larger, scale, sub};
use crate::simd::{Kernel, LANES};

type Lanes = [f32; LANES];
type Lanes3 = [Lanes; 3];

/// Sixteen points.
#[derive(Clone, Copy)]
struct Some16 {
    start: Lanes3,
    x: Lanes3,
    v: Lanes3,
}

/// Whether each is free of a collider, and whether that can answer it: 1, else 0.
struct Sorted {
    far: [u32; LANES],
    held: [u32; LANES],
}

#[inline(always)]
fn at(lanes: &Lanes3, l: usize) -> Three {
    [lanes[0][l], lanes[1][l], lanes[2][l]]
}

#[inline(always)]
fn put(lanes: &mut Lanes3, l: usize, value: Three) {
    for d in 0..3 {
        lanes[d][l] = value[d];
    }
}

/// A collider over a step, in the numbers that lanes need.
struct Obstacle {
    start: Three,
    end: Three,
    /// Columns of both rotations.
    turn: [[Three; 3]; 2],
    turns: bool,
    travel: Three,
    friction: f32,
    bounces: bool,
    offset: f32,
    h: f32,
}

impl Obstacle {
    #[inline(always)]
    fn new(collider: &Collider, step: &ColliderStep, settings: &ContactSettings) -> Self {
        Self {
            start: step.start.position.to_array(),
            end: step.end.position.to_array(),
            turn: step.turn.map(|turn| turn.to_cols_array_2d()),
            turns: step.turns,
            travel: step.travel.to_array(),
            friction: collider.friction.max(0.0),
            bounces: collider.restitution > 0.0,
            offset: settings.offset,
            h: settings.h,
        }
    }

    #[inline(always)]
    fn turned(&self, which: usize, v: Three) -> Three {
        let [a, b, c] = self.turn[which];
        let along = |d: usize| a[d] * v[0] + b[d] * v[1] + c[d] * v[2];
        [along(0), along(1), along(2)]
    }

    #[inline(always)]
    fn local(&self, which: usize, v: Three) -> Three {
        let [a, b, c] = self.turn[which];
        [dot(a, v), dot(b, v), dot(c, v)]
    }

    #[inline(always)]
    fn touch(x: Three) -> f32 {
        TOUCH_M + TOUCH_RELATIVE * larger(larger(x[0].abs(), x[1].abs()), x[2].abs())
    }

    #[inline(always)]
    fn path(&self, points: &Some16, l: usize) -> [Three; 2] {
        let (start, end) = (at(&points.start, l), at(&points.x, l));
        [self.local(0, sub(start, self.start)), self.local(1, sub(end, self.end))]
    }

    /// Which of sixteen points are free of it, and which it can answer.
    #[inline(always)]
    fn sort(&self, form: impl Meet, points: &Some16) -> Sorted {
        let mut sorted = Sorted { far: [0; LANES], held: [0; LANES] };
        for l in 0..LANES {
            let [from, to] = self.path(points, l);
            let met = form.meet(from, to, self.offset + Self::touch(at(&points.x, l)));
            sorted.far[l] = u32::from(met.far);
            sorted.held[l] = u32::from(met.held & !self.bounces);
        }
        sorted
    }

    /// Answers points that it holds, as `contact::respond` does for one contact.
    #[inline(always)]
    fn answer(&self, form: impl Meet, points: &Some16, held: &[u32; LANES], after: &mut Some16) {
        let per_second = 1.0 / self.h;
        for l in 0..LANES {
            let (start, end, incoming) = (at(&points.start, l), at(&points.x, l), at(&points.v, l));
            let touch = Self::touch(end);
            let [from, to] = self.path(points, l);
            let met = form.meet(from, to, self.offset + touch);
            let n = self.turned(1, met.normal);
            let point = add(self.turned(1, met.point), self.end);
            let turned = sub(self.turned(1, met.point), self.turned(0, met.point));
            let slide = add(choose(self.turns, turned, [0.0; 3]), self.travel);
            let surface = scale(slide, per_second);
            let hold = |x: Three| {
                let lift = dot(n, sub(point, x)) - touch;
                add(x, scale(n, larger(lift, 0.0)))
            };
            let x = hold(end);

            let impulse = larger(-dot(sub(incoming, surface), n), 0.0);
            let v = add(incoming, scale(n, impulse));
            let relative = sub(v, surface);
            let along = sub(relative, scale(n, dot(relative, n)));
            let (size, limit) = (dot(along, along), self.friction * impulse);
            let slips = size > limit * limit;
            let taken = if slips { limit / size.sqrt() } else { 1.0 };
            let v = sub(v, scale(along, taken));

            let (came, left) = (sub(incoming, surface), sub(v, surface));
            let height = dot(n, sub(add(start, slide), point)) + touch;
            let rests = (dot(left, left) <= RESTS * RESTS * dot(came, came))
                & (height.abs() <= 2.0 * touch);
            let moved = sub(sub(x, start), slide);
            let moved = sub(moved, scale(n, dot(moved, n)));
            let x = hold(sub(x, scale(moved, (1.0 - met.fraction) * taken)));
            let (x, v) = (choose(rests, add(start, slide), x), choose(rests, surface, v));
            let take = held[l] == 1;
            let (x, v) = (choose(take, x, at(&after.x, l)), choose(take, v, at(&after.v, l)));
            put(&mut after.x, l, x);
            put(&mut after.v, l, v);
        }
    }
}

/// Answers points that touch one collider and rest on it; says which are left, a bit each, and how
/// many contacts there were.
pub(super) struct Together<'a, 'p> {
    pub colliders: &'a [Collider],
    pub steps: &'a [ColliderStep],
    pub settings: &'a ContactSettings,
    /// Which colliders are near.
    pub near: &'a [usize],
    pub particles: &'a mut Particles<'p>,
    pub points: Range<usize>,
    pub left: &'a mut u64,
    pub contacts: &'a mut usize,
}

impl Kernel for Together<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { colliders, steps, settings, near, particles, points, left, contacts } = self;
        let first = points.start;
        for begin in points.clone().step_by(LANES) {
            let range = begin..(begin + LANES).min(points.end);
            let before = Some16::load(particles, range.clone());
            let mut some = before;
            let free = free(&particles.inverse_mass[range.clone()]);
            let (mut held, mut hard) = ([0; LANES], [0; LANES]);
            let mut by = [0; LANES];
            let mut after = before;
            for (slot, &k) in near.iter().enumerate() {
                let obstacle = Obstacle::new(&colliders[k], &steps[k], settings);
                let found = obstacle.sort_by(&steps[k].form, &some);
                let mut any = 0;
                for l in 0..LANES {
                    any |= found.held[l];
                    held[l] += found.held[l];
                    hard[l] |= (found.far[l] | found.held[l]) ^ 1;
                    by[l] = if found.held[l] == 1 { slot as u32 } else { by[l] };
                }
                if any != 0 {
                    obstacle.answer_by(&steps[k].form, &some, &found.held, &mut after);
                }
            }
            let any = held.iter().chain(&hard).fold(0, |any, &one| any | one);
            if any == 0 {
                continue;
            }
            if near.len() > 1 {
                // Held off one it must still be free of the others.
                some.x = after.x;
                for (slot, &k) in near.iter().enumerate() {
                    let obstacle = Obstacle::new(&colliders[k], &steps[k], settings);
                    let found = obstacle.sort_by(&steps[k].form, &some);
                    for l in 0..LANES {
                        let other = u32::from(by[l] != slot as u32);
                        hard[l] |= held[l] & other & (found.far[l] ^ 1);
                    }
                }
            }
            for l in 0..LANES {
                let busy = hard[l] | u32::from(held[l] > 1);
                held[l] &= (busy ^ 1) & free[l];
                hard[l] = busy & free[l];
            }
            for l in 0..LANES {
                *contacts += held[l] as usize;
                *left |= u64::from(hard[l]) << (begin - first + l);
            }
            for d in 0..3 {
                for l in 0..LANES {
                    let take = held[l] == 1;
                    after.x[d][l] = if take { after.x[d][l] } else { before.x[d][l] };
                    after.v[d][l] = if take { after.v[d][l] } else { before.v[d][l] };
                }
            }
            after.store(particles, range);
        }
    }
}

impl Obstacle {
    #[inline(always)]
    fn sort_by(&self, form: &Form, points: &Some16) -> Sorted {
        match form {
            Form::Round(form) => self.sort(*form, points),
            Form::Below(form) => self.sort(*form, points),
            Form::Within(form) => self.sort(*form, points),
        }
    }

    #[inline(always)]
    fn answer_by(&self, form: &Form, points: &Some16, held: &[u32; LANES], after: &mut Some16) {
        match form {
            Form::Round(form) => self.answer(*form, points, held, after),
            Form::Below(form) => self.answer(*form, points, held, after),
            Form::Within(_) => {}
        }
    }
}

impl Some16 {
    #[inline(always)]
    fn load(from: &Particles<'_>, range: Range<usize>) -> Self {
        let mut some =
            Self { start: [[0.0; LANES]; 3], x: [[0.0; LANES]; 3], v: [[0.0; LANES]; 3] };
        let count = range.len();
        let start = [from.x_start.x, from.x_start.y, from.x_start.z];
        let x = [&*from.x.x, &*from.x.y, &*from.x.z];
        let v = [&*from.v.x, &*from.v.y, &*from.v.z];
        for d in 0..3 {
            some.start[d][..count].copy_from_slice(&start[d][range.clone()]);
            some.x[d][..count].copy_from_slice(&x[d][range.clone()]);
            some.v[d][..count].copy_from_slice(&v[d][range.clone()]);
        }
        some
    }

    #[inline(always)]
    fn store(&self, to: &mut Particles<'_>, range: Range<usize>) {
        let count = range.len();
        let x = [&mut *to.x.x, &mut *to.x.y, &mut *to.x.z];
        for (x, from) in x.into_iter().zip(&self.x) {
            x[range.clone()].copy_from_slice(&from[..count]);
        }
        let v = [&mut *to.v.x, &mut *to.v.y, &mut *to.v.z];
        for (v, from) in v.into_iter().zip(&self.v) {
            v[range.clone()].copy_from_slice(&from[..count]);
        }
    }
}

#[inline(always)]
fn free(inverse_mass: &[f32]) -> [u32; LANES] {
    let mut free = [0; LANES];
    for (free, &weight) in free.iter_mut().zip(inverse_mass) {
        *free = u32::from(weight > 0.0);
    }
    free
}
