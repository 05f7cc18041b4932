//! The contact constraint and friction, pair after pair.

use super::narrow::{Watched, nearest};
use super::setup::{Bodies, Rub};
use super::spare::Stands;
use super::swept::Point4;

/// What the pairs are held apart with.
pub(super) struct Settling<'a> {
    /// Where points started the step. [m]
    pub start: &'a [Point4],
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// Length of the step. [s]
    pub h: f32,
    /// How they rub.
    pub bodies: &'a Bodies,
    /// What meets more slowly does not bounce. [m/s]
    pub resting_speed: f32,
}

/// Gaps up to this many times the thickness are touches.
const TOUCHING: f32 = 1.02;

/// What a gap may lack, as a part of the thickness, before a pair is pushed once more. In the first
/// place it may lack nothing: friction would come in jerks, and stop what should slide.
const ENOUGH: f32 = 0.002;

/// Gaps up to this many times the thickness may close within a step.
pub(super) const CLOSE: f32 = 2.0;

/// What the closest points of two edges may have slid along each other since their plane was found, as a
/// part of the thickness.
const SLID: f32 = 0.1;

/// Gaps that are too small grow at speeds between these. [m/s]
const SLOW: f32 = 0.05;
const FAST: f32 = 0.3;

/// A pair with its number, and where its points are among those that are pushed: what is needed again
/// and again lies one after the other so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    pub number: u32,
    pub at: [u32; 4],
    pub pair: Watched,
}

/// The part of the thickness that is kept from corners and from the rims of triangles.
const AT_RIMS: f32 = 0.7;

impl Settling<'_> {
    /// One pass: C = n·Σw y − min(t, max(n·Σw x, 0) + v h) ≥ 0 for each pair in its turn, with a
    /// tangential correction of |Σw (y − x)|ₜ up to μ|C|. What bounces goes on from there by e|C|: the way
    /// that is left when it touches, at e times the speed. Adds the numbers of those that touch and had
    /// not, the numbers of those that had not been pushed in this step, and the places of all that
    /// were pushed.
    pub fn pass<const SIDE: usize>(
        &self,
        asked: &mut [Numbered],
        y: &mut [Point4],
        [touched, moved, pushed]: [&mut Vec<u32>; 3],
    ) {
        for (place, Numbered { number, at, pair }) in (0..).zip(asked) {
            // What has just been pushed, perhaps by a pair that this one stands for, touches.
            let gap = pair.gap(at, y);
            if !pair.touches && gap < TOUCHING * pair.thickness {
                pair.touches = true;
                touched.push(*number);
            }
            if self.push::<SIDE>((pair, at), gap, 0.0, y) {
                if !std::mem::replace(&mut pair.pushed, true) {
                    moved.push(*number);
                }
                pushed.push(place);
            }
        }
    }

    /// The same for some pairs. Returns whether any was pushed.
    pub fn pass_over<const SIDE: usize>(
        &self,
        asked: &[Numbered],
        some: &[u32],
        y: &mut [Point4],
    ) -> bool {
        let push = |place: u32, y: &mut [Point4]| {
            let Numbered { at, pair, .. } = &asked[place as usize];
            self.push::<SIDE>((pair, at), pair.gap(at, y), ENOUGH, y)
        };
        some.iter().fold(false, |pushed, &place| push(place, y) | pushed)
    }

    /// `at` are the places of the points among `y`.
    #[inline(always)]
    fn push<const SIDE: usize>(
        &self,
        (pair, at): (&Watched, &[u32; 4]),
        gap: f32,
        enough: f32,
        y: &mut [Point4],
    ) -> bool {
        // What slides over a flat surface must not catch on the edges inside it: it is kept off its
        // triangles, and edges see only what comes nearer.
        let thickness = pair.kept();
        if !(gap < thickness) {
            return false;
        }
        if pair.inside && (SIDE == 1 || !self.slides((pair, at), y)) {
            return self.push_along((pair, at), [thickness, enough], y);
        }
        // The plane at a rim turns as the pair goes by; and of two edges the closest points may have come
        // to an end meanwhile, which the plane across both does not show: what slides fast would catch.
        let (weights, normal, distance) = nearest::<SIDE>(*at, y);
        if distance >= thickness {
            return false;
        }
        let [a, b] = [normal, pair.normal];
        let same_side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.0;
        let turned = Watched { weights, normal, ..*pair };
        let pair = if same_side { &turned } else { pair };
        self.push_along((pair, at), [thickness, enough], y)
    }

    /// Whether the closest points have slid along each other.
    #[inline(always)]
    fn slides(&self, (pair, at): (&Watched, &[u32; 4]), y: &[Point4]) -> bool {
        if pair.stands == Stands::Before {
            return false;
        }
        let after = weighted(&pair.weights, at, y);
        let before = weighted(&pair.weights, &pair.points, self.start);
        pair.is_far_along([0, 1, 2].map(|d| after[d] - before[d]), SLID)
    }

    #[inline(always)]
    fn push_along(
        &self,
        (pair, at): (&Watched, &[u32; 4]),
        [thickness, enough]: [f32; 2],
        y: &mut [Point4],
    ) -> bool {
        let points = pair.points.map(|v| v as usize);
        let w = pair.weights;
        let n = pair.normal;
        let along = |g: &Point4| g[0] * n[0] + g[1] * n[1] + g[2] * n[2];
        let after = weighted(&w, at, y);
        let gap = along(&after);
        let before = weighted(&w, &pair.points, self.start);
        let gap_before = along(&before);
        let wanted = wanted_gap(thickness, gap_before, self.h);
        let lack = wanted - gap;
        if lack <= enough * thickness {
            return false;
        }
        let shares = [0, 1, 2, 3].map(|k: usize| self.weights[points[k]] * w[k]);
        let mobility = shares[0] * w[0] + shares[1] * w[1] + shares[2] * w[2] + shares[3] * w[3];
        if mobility <= 0.0 {
            return false;
        }
        let mut slide = [0.0; 3];
        for d in 0..3 {
            slide[d] = after[d] - before[d] - n[d] * (gap - gap_before);
        }
        let slid = (slide[0] * slide[0] + slide[1] * slide[1] + slide[2] * slide[2]).sqrt();
        let Rub { friction, restitution } = self.bodies.rub(points[0], points[3]);
        let bounces = restitution > 0.0 && gap_before - gap > self.resting_speed * self.h;
        let lack = if bounces { lack * (1.0 + restitution) } else { lack };
        let stop = if slid > 0.0 { (friction * lack / slid).min(1.0) } else { 0.0 };
        let inverse = 1.0 / mobility;
        let push = [0, 1, 2].map(|d: usize| (n[d] * lack - slide[d] * stop) * inverse);
        for k in 0..4 {
            for d in 0..3 {
                y[at[k] as usize][d] += shares[k] * push[d];
            }
        }
        true
    }
}

/// How far apart what was `gap_before` apart should be after a step of `h`. [m]
#[inline(always)]
pub(super) fn wanted_gap(thickness: f32, gap_before: f32, h: f32) -> f32 {
    thickness.min(gap_before.max(0.0) + h * growth(gap_before / thickness))
}

/// How fast a gap of a given part of the thickness grows: what all but touches gets away from there;
/// what is nearly as far apart as it should be is not thrown up, so that piles lie still. [m/s]
#[inline(always)]
fn growth(part: f32) -> f32 {
    SLOW + (FAST - SLOW) * (1.0 - 2.0 * part).clamp(0.0, 1.0)
}

impl Watched {
    /// The gap that is kept. [m]
    #[inline(always)]
    pub fn kept(&self) -> f32 {
        let whole = self.inside || self.stands == Stands::Before;
        if whole { self.thickness } else { AT_RIMS * self.thickness }
    }

    /// n·Σ wᵢ xᵢ, its points being `at` these places of `x`.
    #[inline(always)]
    pub fn gap(&self, at: &[u32; 4], x: &[Point4]) -> f32 {
        let n = &self.normal;
        let way = weighted(&self.weights, at, x);
        way[0] * n[0] + way[1] * n[1] + way[2] * n[2]
    }
}

/// Σ wᵢ xᵢ.
#[inline(always)]
fn weighted(w: &[f32; 4], at: &[u32; 4], x: &[Point4]) -> Point4 {
    let [a, b, c, d] = at.map(|v| &x[v as usize]);
    let mut sum = [0.0; 4];
    for k in 0..4 {
        sum[k] = (w[0] * a[k] + w[1] * b[k]) + (w[2] * c[k] + w[3] * d[k]);
    }
    sum
}
