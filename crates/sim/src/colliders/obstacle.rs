//! A collider over a step, as sixteen points at once meet it.

use super::Collider;
use super::contact::RESTS;
use super::meet::{Form, Meet};
use super::response::ContactSettings;
use super::step::{ColliderStep, TOUCH_M, TOUCH_RELATIVE};
use crate::simd::three::{Three, add, choose, dot, larger, scale, sub};
use crate::simd::{LANES, Lane};

/// Sixteen points, by coordinate.
#[derive(Clone, Copy)]
pub(super) struct Sixteen {
    /// Where they start. [m]
    pub start: [Lane; 3],
    /// Where they come to. [m]
    pub x: [Lane; 3],
    /// How fast. [m/s]
    pub v: [Lane; 3],
}

/// One of each point: 1 for yes, 0 for no.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Flags(pub [u32; LANES]);

impl Flags {
    pub const NONE: Self = Self([0; LANES]);

    #[inline(always)]
    pub fn any(&self) -> bool {
        let mut any = 0;
        for l in 0..LANES {
            any |= self.0[l];
        }
        any != 0
    }

    #[inline(always)]
    pub fn count(&self) -> u32 {
        let mut count = 0;
        for l in 0..LANES {
            count += self.0[l];
        }
        count
    }
}

/// Whether each point may meet a collider, and whether that can answer it.
pub(super) struct Sorted {
    pub near: Flags,
    pub held: Flags,
}

#[inline(always)]
fn at([x, y, z]: &[Lane; 3], l: usize) -> Three {
    [x.0[l], y.0[l], z.0[l]]
}

#[inline(always)]
fn put([x, y, z]: &mut [Lane; 3], l: usize, [a, b, c]: Three) {
    (x.0[l], y.0[l], z.0[l]) = (a, b, c);
}

/// A collider over a step, in the numbers that lanes need.
#[derive(Clone, Copy)]
pub(super) struct Obstacle<'a> {
    step: &'a ColliderStep,
    friction: f32,
    /// 0 if it throws points back: those go one by one.
    answers: u32,
    offset: f32,
    h: f32,
}

impl<'a> Obstacle<'a> {
    #[inline(always)]
    pub fn new(collider: &Collider, step: &'a ColliderStep, settings: &ContactSettings) -> Self {
        Self {
            step,
            friction: larger(collider.friction, 0.0),
            answers: u32::from(!(collider.restitution > 0.0)),
            offset: settings.offset,
            h: settings.h,
        }
    }

    /// Which of sixteen points may meet it, and which it can answer.
    #[inline(always)]
    pub fn sort(&self, points: &Sixteen) -> Sorted {
        let turned = self.step.turned;
        match &self.step.form {
            Form::Round(form) if turned => self.sort_by::<true>(*form, points),
            Form::Round(form) => self.sort_by::<false>(*form, points),
            Form::Below(form) if turned => self.sort_by::<true>(*form, points),
            Form::Below(form) => self.sort_by::<false>(*form, points),
            Form::Within(form) => self.sort_by::<true>(*form, points),
        }
    }

    /// Answers points that it holds, as `contact::respond` does for one contact; the others are
    /// left as they are in `after`.
    #[inline(always)]
    pub fn answer(&self, points: &Sixteen, held: &Flags, after: &mut Sixteen) {
        let turned = self.step.turned;
        match &self.step.form {
            Form::Round(form) if turned => self.answer_by::<true>(*form, points, held, after),
            Form::Round(form) => self.answer_by::<false>(*form, points, held, after),
            Form::Below(form) if turned => self.answer_by::<true>(*form, points, held, after),
            Form::Below(form) => self.answer_by::<false>(*form, points, held, after),
            Form::Within(_) => {}
        }
    }

    #[inline(always)]
    fn sort_by<const TURNED: bool>(&self, form: impl Meet, points: &Sixteen) -> Sorted {
        // Copies share no memory: only then does the compiler use vectors.
        let (this, Sixteen { start, x, .. }) = (*self, *points);
        let (mut near, mut held) = (Flags::NONE, Flags::NONE);
        for l in 0..LANES {
            let end = at(&x, l);
            let [from, to] = this.path::<TURNED>(at(&start, l), end);
            let met = form.meet(from, to, this.offset + touch(end));
            near.0[l] = u32::from(!met.far);
            held.0[l] = u32::from(met.held) & this.answers;
        }
        Sorted { near, held }
    }

    #[inline(always)]
    fn answer_by<const TURNED: bool>(
        &self,
        form: impl Meet,
        points: &Sixteen,
        held: &Flags,
        after: &mut Sixteen,
    ) {
        let (this, held, per_second) = (*self, *held, 1.0 / self.h);
        let (Sixteen { start, x, v }, mut out) = (*points, *after);
        let travel = this.step.travel.to_array();
        let turns = this.step.turns;
        for l in 0..LANES {
            let (start, end, incoming) = (at(&start, l), at(&x, l), at(&v, l));
            let touch = touch(end);
            let [from, to] = this.path::<TURNED>(start, end);
            let met = form.meet(from, to, this.offset + touch);
            let n = this.turn::<TURNED>(1, met.normal);
            let there = this.turn::<TURNED>(1, met.point);
            let point = add(there, this.step.end.position.to_array());
            let mut slide = travel;
            if TURNED {
                let turned = sub(there, this.turn::<TURNED>(0, met.point));
                slide = add(choose(turns, turned, [0.0; 3]), travel);
            }
            let surface = scale(slide, per_second);
            let x = hold(end, (n, point), touch);

            let came = sub(incoming, surface);
            let impulse = larger(-dot(came, n), 0.0);
            let v = add(incoming, scale(n, impulse));
            let relative = sub(v, surface);
            let along = sub(relative, scale(n, dot(relative, n)));
            let (size, limit) = (dot(along, along), this.friction * impulse);
            let slips = size > limit * limit;
            let taken = if slips { limit / size.sqrt() } else { 1.0 };
            let v = sub(v, scale(along, taken));

            let (left, carried) = (sub(v, surface), add(start, slide));
            let height = dot(n, sub(carried, point)) + touch;
            let rests = (dot(left, left) <= RESTS * RESTS * dot(came, came))
                & (height.abs() <= 2.0 * touch);
            let moved = sub(sub(x, start), slide);
            let moved = sub(moved, scale(n, dot(moved, n)));
            let x = sub(x, scale(moved, (1.0 - met.fraction) * taken));
            let x = hold(x, (n, point), touch);
            let (x, v) = (choose(rests, carried, x), choose(rests, surface, v));
            let take = held.0[l] == 1;
            let (x, v) = (choose(take, x, at(&out.x, l)), choose(take, v, at(&out.v, l)));
            put(&mut out.x, l, x);
            put(&mut out.v, l, v);
        }
        *after = out;
    }

    /// A path as the collider sees it.
    #[inline(always)]
    fn path<const TURNED: bool>(&self, start: Three, end: Three) -> [Three; 2] {
        let from = sub(start, self.step.start.position.to_array());
        let to = sub(end, self.step.end.position.to_array());
        if TURNED { [self.local(0, from), self.local(1, to)] } else { [from, to] }
    }

    #[inline(always)]
    fn local(&self, which: usize, v: Three) -> Three {
        let turn = &self.step.turn[which];
        let (a, b, c) = (turn.x_axis.to_array(), turn.y_axis.to_array(), turn.z_axis.to_array());
        [dot(a, v), dot(b, v), dot(c, v)]
    }

    /// World components of a direction that the collider has.
    #[inline(always)]
    fn turn<const TURNED: bool>(&self, which: usize, v: Three) -> Three {
        if !TURNED {
            return v;
        }
        let turn = &self.step.turn[which];
        let (a, b, c) = (turn.x_axis.to_array(), turn.y_axis.to_array(), turn.z_axis.to_array());
        let along = |d: usize| a[d] * v[0] + b[d] * v[1] + c[d] * v[2];
        [along(0), along(1), along(2)]
    }
}

#[inline(always)]
fn touch(x: Three) -> f32 {
    TOUCH_M + TOUCH_RELATIVE * larger(larger(x[0].abs(), x[1].abs()), x[2].abs())
}

/// Moves `x` out to the surface through `point`.
#[inline(always)]
fn hold(x: Three, (n, point): (Three, Three), touch: f32) -> Three {
    let lift = dot(n, sub(point, x)) - touch;
    add(x, scale(n, larger(lift, 0.0)))
}
