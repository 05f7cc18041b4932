//! The contact constraint and friction, pair after pair.

use super::narrow::Watched;
use super::setup::Bodies;
use super::swept::Point4;

/// What the pairs are held apart with.
pub(super) struct Settling<'a> {
    /// Where points started the step. [m]
    pub start: &'a [Point4],
    /// Inverse masses. [1/kg]
    pub weights: &'a [f32],
    /// How much a gap that is too small may grow in the step. [m]
    pub growth: f32,
    /// The part of the thickness that is asked for. \[1\]
    pub part: f32,
    /// How they rub.
    pub bodies: &'a Bodies,
}

impl Settling<'_> {
    /// One pass: C = n·Σw y − min(t, max(n·Σw x, 0) + v h) ≥ 0 for each pair in its turn, with a
    /// tangential correction of |Σw (y − x)|ₜ up to μ|C|. Adds the numbers of pairs that were pushed,
    /// counted from `first`.
    pub fn pass(
        &self,
        pairs: &mut [Watched],
        first: usize,
        y: &mut [Point4],
        pushed: &mut Vec<u32>,
    ) {
        for (index, pair) in (first as u32..).zip(&mut pairs[first..]) {
            if self.push(pair, y) {
                pair.pushed = true;
                pushed.push(index);
            }
        }
    }

    /// The same for some pairs. Returns whether any was pushed.
    pub fn pass_over(&self, pairs: &[Watched], some: &[u32], y: &mut [Point4]) -> bool {
        some.iter().fold(false, |pushed, &index| self.push(&pairs[index as usize], y) | pushed)
    }

    #[inline(always)]
    fn push(&self, pair: &Watched, y: &mut [Point4]) -> bool {
        let points = pair.points.map(|v| v as usize);
        let w = pair.weights;
        let sum = |x: &[Point4]| -> Point4 {
            let mut sum = [0.0; 4];
            for d in 0..4 {
                sum[d] = (w[0] * x[points[0]][d] + w[1] * x[points[1]][d])
                    + (w[2] * x[points[2]][d] + w[3] * x[points[3]][d]);
            }
            sum
        };
        let n = pair.normal;
        let along = |g: &Point4| g[0] * n[0] + g[1] * n[1] + g[2] * n[2];
        let after = sum(y);
        let gap = along(&after);
        let thickness = self.part * pair.thickness;
        if gap >= thickness {
            return false;
        }
        let before = sum(self.start);
        let gap_before = along(&before);
        let wanted = thickness.min(gap_before.max(0.0) + self.growth);
        let lack = wanted - gap;
        if lack <= 0.0 {
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
        let friction = self.bodies.rub(points[0], points[3]).friction;
        let stop = if slid > 0.0 { (friction * lack / slid).min(1.0) } else { 0.0 };
        let inverse = 1.0 / mobility;
        let push = [0, 1, 2].map(|d: usize| (n[d] * lack - slide[d] * stop) * inverse);
        for k in 0..4 {
            for d in 0..3 {
                y[points[k]][d] += shares[k] * push[d];
            }
        }
        true
    }
}
