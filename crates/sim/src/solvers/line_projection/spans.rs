//! Bend springs over two cells of sixteen lines side by side.

use crate::elements::{Pair, rsqrt_pair};
use crate::simd::{Kernel, LANES, Lane};

use super::chain::{EdgeLaw, Eliminated, Need, Strip, project};

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

/// C = |x_{j+2} − x_j| − L: one sweep down the chain, which is enough where springs are
/// soft for the step. `VARIED`: L
/// is taken from the strip.
pub(super) struct Span<'a, const VARIED: bool> {
    pub strip: &'a mut Strip,
    pub points: usize,
    pub law: EdgeLaw,
}

impl<const VARIED: bool> Kernel for Span<'_, VARIED> {
    #[inline(always)]
    fn run(self) {
        let Self { strip, points, law: EdgeLaw { alpha, rest } } = self;
        let spans = if VARIED { &strip.span[..points] } else { &[] };
        let weight = &strip.weight[..points];
        let [x, y, z] = &mut strip.x;
        let (x, y, z) = (&mut x[..points], &mut y[..points], &mut z[..points]);
        // Two in four, then the other two: none of a round waits for another, and the two
        // run side by side.
        let rounds = [2, 4];
        for j in rounds.into_iter().flat_map(|far| (far..points).step_by(4)) {
            let next = if j + 1 < points { j + 1 } else { j };
            let (a, b) = ([j - 2, next - 2], [j, next]);
            let (mut xa, mut ya, mut za) = (x.pair(a), y.pair(a), z.pair(a));
            let (mut xb, mut yb, mut zb) = (x.pair(b), y.pair(b), z.pair(b));
            let (wa, wb) = (weight.pair(a), weight.pair(b));
            let rests = if VARIED { spans.pair(a) } else { [Lane([rest; LANES]); 2] };
            for l in 0..LANES {
                let two = |of: &[Lane; 2]| Pair(of[0].0[l], of[1].0[l]);
                let d = [two(&xb) - two(&xa), two(&yb) - two(&ya), two(&zb) - two(&za)];
                let inverse = rsqrt_pair(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                let weights = (two(&wa) + two(&wb)).map(|w| w + alpha);
                let s = (two(&rests) * inverse).map(|r| 1.0 - r) / weights;
                let (sa, sb) = (two(&wa) * s, two(&wb) * s);
                let put = |to: &mut [Lane; 2], value: Pair| {
                    (to[0].0[l], to[1].0[l]) = (value.0, value.1);
                };
                let (ax, ay, az) =
                    (two(&xa) + sa * d[0], two(&ya) + sa * d[1], two(&za) + sa * d[2]);
                let (bx, by, bz) =
                    (two(&xb) - sb * d[0], two(&yb) - sb * d[1], two(&zb) - sb * d[2]);
                put(&mut xa, ax);
                put(&mut ya, ay);
                put(&mut za, az);
                put(&mut xb, bx);
                put(&mut yb, by);
                put(&mut zb, bz);
            }
            // Where there is no second one, both are the same.
            for (x, (from_a, from_b)) in
                [(&mut *x, (xa, xb)), (&mut *y, (ya, yb)), (&mut *z, (za, zb))]
            {
                (x[a[0]], x[a[1]], x[b[0]], x[b[1]]) = (from_a[0], from_a[1], from_b[0], from_b[1]);
            }
        }
    }
}

trait Pairs {
    fn pair(&self, at: [usize; 2]) -> [Lane; 2];
}

impl Pairs for [Lane] {
    #[inline(always)]
    fn pair(&self, at: [usize; 2]) -> [Lane; 2] {
        [self[at[0]], self[at[1]]]
    }
}
