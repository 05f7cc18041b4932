//! Bend springs over two cells of sixteen lines side by side.

use crate::simd::{Kernel, LANES, Lane, dispatch, inverse_root};

use super::chain::{EdgeLaw, Eliminated, Need, Strip, project};
use super::cross::CrossRow;

/// Every other point of a line is a line of its own, and its spans are its edges: `half` is
/// solved as such, twice. `need.varied` is found out here.
pub(super) fn project_spans(
    strip: &mut Strip,
    (points, need): (usize, Need),
    law: EdgeLaw,
    (half, scratch): (&mut Strip, &mut [Eliminated]),
) {
    for from in [0, 1] {
        let count = points.saturating_sub(from).div_ceil(2);
        if count < 2 {
            continue;
        }
        let varied = !strip.span.is_empty();
        pick(&strip.weight, from, &mut half.weight[..count]);
        for (x, to) in strip.x.iter().zip(&mut half.x) {
            pick(x, from, &mut to[..count]);
        }
        if !need.first {
            pick(&strip.spanned, from, &mut half.multiplier[..count]);
        }
        if varied {
            half.rest.resize(count.max(half.rest.len()), Lane::ZERO);
            half.alpha.resize(count.max(half.alpha.len()), Lane::ZERO);
            half.alpha[..count].fill(Lane([law.alpha; LANES]));
            pick(&strip.span, from, &mut half.rest[..count]);
        }
        project(half, count, (law, scratch), Need { varied, ..need });
        for (x, from_half) in strip.x.iter_mut().zip(&half.x) {
            put(&from_half[..count], x, from);
        }
        if need.keep {
            put(&half.multiplier[..count], &mut strip.spanned, from);
        }
    }
}

fn pick(all: &[Lane], from: usize, to: &mut [Lane]) {
    to.iter_mut().zip(all[from..].iter().step_by(2)).for_each(|(to, lane)| *to = *lane);
}

fn put(some: &[Lane], to: &mut [Lane], from: usize) {
    to[from..].iter_mut().step_by(2).zip(some).for_each(|(to, lane)| *to = *lane);
}

/// What soft spans of sixteen lines move their ends by: w/(w + w′ + α).
#[derive(Clone, Debug, Default)]
pub(super) struct SpanShares {
    /// α that they are made for; zero if for none. [1/kg]
    alpha: f32,
    row: CrossRow,
}

impl SpanShares {
    /// Masses have changed.
    pub fn forget(&mut self) {
        self.alpha = 0.0;
    }

    fn prepare(&mut self, weight: &[Lane], alpha: f32) {
        if self.alpha == alpha {
            return;
        }
        self.alpha = alpha;
        self.row.clear();
        for (a, b) in weight.iter().zip(&weight[2..]) {
            let mut shares = [Lane::ZERO; 2];
            for l in 0..LANES {
                let both = a.0[l] + b.0[l] + alpha;
                (shares[0].0[l], shares[1].0[l]) = (a.0[l] / both, b.0[l] / both);
            }
            self.row.push(shares);
        }
    }
}

/// C = |x_{j+2} − x_j| − L: one sweep down the chain, which is enough where springs are soft for
/// the step.
pub(super) fn sweep_spans(strip: &mut Strip, points: usize, law: EdgeLaw) {
    if points < 3 {
        return;
    }
    strip.shares.prepare(&strip.weight[..points], law.alpha);
    if strip.span.is_empty() {
        dispatch(Span::<false> { strip, points, rest: law.rest });
    } else {
        dispatch(Span::<true> { strip, points, rest: law.rest });
    }
}

/// See [`sweep_spans`]. `VARIED`: L is taken from the strip.
struct Span<'a, const VARIED: bool> {
    strip: &'a mut Strip,
    points: usize,
    rest: f32,
}

impl<const VARIED: bool> Kernel for Span<'_, VARIED> {
    #[inline(always)]
    fn run(mut self) {
        let points = self.points;
        // Two in four, then, when both of their ends are long ready, the other two: none waits for
        // another, and what is read is still near.
        for j in (2..points + LAG).step_by(4) {
            if j + 1 < points {
                self.span(j);
                self.span(j + 1);
            } else if j < points {
                self.span(j);
            }
            let Some(j) = j.checked_sub(LAG).filter(|j| *j > 2) else { continue };
            if j + 1 < points {
                self.span(j);
                self.span(j + 1);
            } else if j < points {
                self.span(j);
            }
        }
    }
}

/// Points between one round and the other; two more than a multiple of four.
const LAG: usize = 14;

impl<const VARIED: bool> Span<'_, VARIED> {
    /// The spring from j − 2 to j.
    #[inline(always)]
    fn span(&mut self, j: usize) {
        let strip = &mut *self.strip;
        let i = j - 2;
        let [sa, sb] = *strip.shares.row.get(i);
        let rest = if VARIED { strip.span[i] } else { Lane([self.rest; LANES]) };
        let [x, y, z] = &mut strip.x;
        let (mut xa, mut ya, mut za) = (x[i], y[i], z[i]);
        let (mut xb, mut yb, mut zb) = (x[j], y[j], z[j]);
        for l in 0..LANES {
            let d = [xb.0[l] - xa.0[l], yb.0[l] - ya.0[l], zb.0[l] - za.0[l]];
            let inverse = inverse_root(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            let excess = 1.0 - rest.0[l] * inverse;
            let (ma, mb) = (sa.0[l] * excess, sb.0[l] * excess);
            xa.0[l] += ma * d[0];
            ya.0[l] += ma * d[1];
            za.0[l] += ma * d[2];
            xb.0[l] -= mb * d[0];
            yb.0[l] -= mb * d[1];
            zb.0[l] -= mb * d[2];
        }
        (x[i], y[i], z[i]) = (xa, ya, za);
        (x[j], y[j], z[j]) = (xb, yb, zb);
    }
}
