//! Bending of sixteen chains side by side.

use crate::elements::{Pair, rsqrt_pair};
use crate::simd::{Kernel, LANES, Lane};

use super::chain::{EdgeLaw, Strip};

/// C = x_{j−1} − 2x_j + x_{j+1}, E = ½k|C|²: what bending costs a line, one sweep down the
/// chain. A vector constraint, linear, so that it needs no root.
pub(super) struct Straighten<'a> {
    pub strip: &'a mut Strip,
    pub points: usize,
    /// 1/(k h²) of each line. [1/kg]
    pub alpha: Lane,
}

impl Kernel for Straighten<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { strip, points, alpha } = self;
        let weight = &strip.weight[..points];
        let [x, y, z] = &mut strip.x;
        for x in [x, y, z] {
            let x = &mut x[..points];
            for j in 1..points.max(1) - 1 {
                let (mut a, mut b, mut c) = (x[j - 1], x[j], x[j + 1]);
                let (wa, wb, wc) = (weight[j - 1], weight[j], weight[j + 1]);
                for l in 0..LANES {
                    let bow = a.0[l] - 2.0 * b.0[l] + c.0[l];
                    let sum = wa.0[l] + 4.0 * wb.0[l] + wc.0[l] + alpha.0[l];
                    let lambda = -bow / sum;
                    a.0[l] += wa.0[l] * lambda;
                    b.0[l] -= 2.0 * wb.0[l] * lambda;
                    c.0[l] += wc.0[l] * lambda;
                }
                (x[j - 1], x[j], x[j + 1]) = (a, b, c);
            }
        }
    }
}

/// C = |x_{j+2} − x_j| − L: bend springs over two cells, one sweep down the chain. `VARIED`: L
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
