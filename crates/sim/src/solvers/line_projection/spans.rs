//! Bend springs over two cells of sixteen lines side by side.

use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::chain::{EdgeLaw, Eliminated, Need, Strip, project};
use super::cross::{CrossRow, SharesOf, pull};

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
        dispatch(Pick { all: &strip.weight, from, to: &mut half.weight[..count] });
        dispatch(Pick { all: &strip.x, from, to: &mut half.x[..count] });
        if !need.first {
            dispatch(Pick { all: &strip.spanned, from, to: &mut half.multiplier[..count] });
        }
        if varied {
            half.rest.resize(count.max(half.rest.len()), Lane::ZERO);
            half.alpha.resize(count.max(half.alpha.len()), Lane::ZERO);
            half.alpha[..count].fill(Lane([law.alpha; LANES]));
            dispatch(Pick { all: &strip.span, from, to: &mut half.rest[..count] });
        }
        project(half, count, (law, scratch), Need { varied, ..need });
        dispatch(Put { some: &half.x[..count], to: &mut strip.x, from });
        if need.keep {
            dispatch(Put { some: &half.multiplier[..count], to: &mut strip.spanned, from });
        }
    }
}

/// Every other entry of a list, from `from` on.
struct Pick<'a, T> {
    all: &'a [T],
    from: usize,
    to: &'a mut [T],
}

impl<T: Copy> Kernel for Pick<'_, T> {
    #[inline(always)]
    fn run(self) {
        for (to, some) in self.to.iter_mut().zip(self.all[self.from..].iter().step_by(2)) {
            *to = *some;
        }
    }
}

/// Undoes [`Pick`].
struct Put<'a, T> {
    some: &'a [T],
    to: &'a mut [T],
    from: usize,
}

impl<T: Copy> Kernel for Put<'_, T> {
    #[inline(always)]
    fn run(self) {
        for (to, some) in self.to[self.from..].iter_mut().step_by(2).zip(self.some) {
            *to = *some;
        }
    }
}

/// What soft spans of sixteen lines move their ends by: w/(w + w′ + α).
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct SpanShares {
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
    fn run(self) {
        let points = self.points;
        let mut spans = Spans::<VARIED> {
            x: &mut self.strip.x[..points],
            shares: self.strip.shares.row.view(),
            rests: if VARIED { &self.strip.span[..points] } else { &[] },
            rest: Lane([self.rest; LANES]),
        };
        // Two in four, then, when both of their ends are long ready, the other two: none waits for
        // another, and what is read is still near.
        for j in (2..points + LAG).step_by(4) {
            spans.two(j);
            if j > LAG + 2 {
                spans.two(j - LAG);
            }
        }
    }
}

/// Points between one round and the other; two more than a multiple of four.
const LAG: usize = 14;

struct Spans<'a, const VARIED: bool> {
    x: &'a mut [[Lane; 3]],
    shares: SharesOf<'a>,
    rests: &'a [Lane],
    rest: Lane,
}

impl<const VARIED: bool> Spans<'_, VARIED> {
    /// The springs that end at j and j + 1.
    #[inline(always)]
    fn two(&mut self, j: usize) {
        if j + 1 < self.x.len() {
            self.span(j);
            self.span(j + 1);
        } else if j < self.x.len() {
            self.span(j);
        }
    }

    #[inline(always)]
    fn span(&mut self, j: usize) {
        let i = j - 2;
        let rest = if VARIED { self.rests[i] } else { self.rest };
        (self.x[i], self.x[j]) = pull(self.x[i], self.x[j], self.shares.get(i), rest);
    }
}
