//! Closest points of one pair, the plane across them, and the gap it shows.

use crate::contact::swept::Point4;
use crate::simd::three::{cross, dot, larger, scale, smaller, sub};

/// See the module above.
pub(super) const ROUNDING: f32 = 32.0 / 16_777_216.0;

/// The least gap along `normal` at `points`, less what rounding may have added.
#[inline(always)]
pub(in crate::contact) fn sure_gap<const SIDE: usize>(
    pair: [u32; 4],
    normal: [f32; 3],
    points: &[Point4],
) -> f32 {
    let p = relative(pair, points);
    gap::<SIDE>(normal, &p) - ROUNDING * size(&p)
}

/// Weights and normal of the closest points, and their distance.
pub(in crate::contact) fn nearest<const SIDE: usize>(
    pair: [u32; 4],
    points: &[Point4],
) -> ([f32; 4], [f32; 3], f32) {
    let p = relative(pair, points);
    let (weights, normal, _) = closest::<SIDE>(&p);
    let way = weighted(&weights, &p);
    (weights, normal, dot(way, way).sqrt())
}

#[inline(always)]
pub(super) fn relative(pair: [u32; 4], points: &[Point4]) -> [[f32; 3]; 4] {
    let at = |k: usize| {
        let p = &points[pair[k] as usize];
        [p[0], p[1], p[2]]
    };
    let origin = at(0);
    [[0.0; 3], sub(at(1), origin), sub(at(2), origin), sub(at(3), origin)]
}

/// min over A of n·x − max over B of n·x.
#[inline(always)]
pub(super) fn gap<const SIDE: usize>(n: [f32; 3], p: &[[f32; 3]; 4]) -> f32 {
    let (a, b, c, d) = (dot(n, p[0]), dot(n, p[1]), dot(n, p[2]), dot(n, p[3]));
    if SIDE == 1 { a - larger(larger(b, c), d) } else { smaller(a, b) - larger(c, d) }
}

/// Largest |x| + |y| + |z|.
#[inline(always)]
pub(super) fn size(p: &[[f32; 3]; 4]) -> f32 {
    let long = |v: [f32; 3]| v[0].abs() + v[1].abs() + v[2].abs();
    larger(larger(long(p[1]), long(p[2])), long(p[3]))
}

#[inline(always)]
pub(super) fn weighted(w: &[f32; 4], p: &[[f32; 3]; 4]) -> [f32; 3] {
    let along = |d: usize| w[1] * p[1][d] + w[2] * p[2][d] + w[3] * p[3][d];
    [along(0), along(1), along(2)]
}

/// Weights wᵢ of the closest points (Ericson 2005, §5.1.5 and §5.1.9) and the unit normal across
/// them, without branches. Any answer is sound: a certificate does not ask where its normal came from.
/// As two sides come to touch, the way between them loses its direction in rounding; where it is
/// across both of them, they know it better.
#[inline(always)]
pub(super) fn closest<const SIDE: usize>(p: &[[f32; 3]; 4]) -> ([f32; 4], [f32; 3], bool) {
    let (weights, inside, across) =
        if SIDE == 1 { vertex_triangle(p[1], p[2], p[3]) } else { edge_edge(p[1], p[2], p[3]) };
    let way = weighted(&weights, p);
    let sign = if dot(way, across) < 0.0 { -1.0 } else { 1.0 };
    let along = |d: usize| if inside { sign * across[d] } else { way[d] };
    (weights, unit([along(0), along(1), along(2)]), inside)
}

/// The origin against a triangle: weights, whether its foot is inside, and the triangle's normal.
#[inline(always)]
fn vertex_triangle(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> ([f32; 4], bool, [f32; 3]) {
    let (ab, ac, bc) = (sub(b, a), sub(c, a), sub(c, b));
    let (bb, cc, bc_) = (dot(ab, ab), dot(ac, ac), dot(ab, ac));
    let (pb, pc, pbc) = (-dot(a, ab), -dot(a, ac), -dot(b, bc));
    let inverse = 1.0 / larger(bb * cc - bc_ * bc_, TINY);
    let (v, w) = ((cc * pb - bc_ * pc) * inverse, (bb * pc - bc_ * pb) * inverse);
    let inside = smaller(smaller(v, w), 1.0 - v - w) >= 0.0;
    let on_ab = part(pb / larger(bb, TINY));
    let on_ac = part(pc / larger(cc, TINY));
    let on_bc = part(pbc / larger(dot(bc, bc), TINY));
    let far = |v: [f32; 3]| dot(v, v);
    let at = |from: [f32; 3], way: [f32; 3], t: f32| {
        [from[0] + way[0] * t, from[1] + way[1] * t, from[2] + way[2] * t]
    };
    let (d_ab, d_ac, d_bc) = (far(at(a, ab, on_ab)), far(at(a, ac, on_ac)), far(at(b, bc, on_bc)));
    let first = d_ab <= d_ac;
    let (v1, w1, d1) = if first { (on_ab, 0.0, d_ab) } else { (0.0, on_ac, d_ac) };
    let (v2, w2) = if d_bc < d1 { (1.0 - on_bc, on_bc) } else { (v1, w1) };
    let (v, w) = if inside { (v, w) } else { (v2, w2) };
    ([1.0, v + w - 1.0, -v, -w], inside, cross(ab, ac))
}

/// The edge from the origin to `b` against the edge from `c` to `d`: weights, whether both closest
/// points are inside, and the direction across both.
#[inline(always)]
fn edge_edge(b: [f32; 3], c: [f32; 3], d: [f32; 3]) -> ([f32; 4], bool, [f32; 3]) {
    let along = sub(d, c);
    let (bb, ee) = (larger(dot(b, b), TINY), larger(dot(along, along), TINY));
    let (mixed, r_b, r_e) = (dot(b, along), -dot(c, b), -dot(c, along));
    let area = bb * ee - mixed * mixed;
    let s = part((mixed * r_e - r_b * ee) / larger(area, TINY));
    let s = if area > PARALLEL * (bb * ee) { s } else { 0.5 };
    let t = part((mixed * s + r_e) / ee);
    let s = part((mixed * t - r_b) / bb);
    let t = part((mixed * s + r_e) / ee);
    let s = part((mixed * t - r_b) / bb);
    let clear = area > CLEAR * (bb * ee);
    let inside = clear & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0);
    ([1.0 - s, s, t - 1.0, -t], inside, cross(b, along))
}

/// sin² of the angle above which the direction across two edges is well known.
const CLEAR: f32 = 1e-3;

/// Below this a square is nothing to divide by.
const TINY: f32 = 1e-30;

/// sin² of the angle below which edges count as parallel.
const PARALLEL: f32 = 1e-6;

#[inline(always)]
fn part(t: f32) -> f32 {
    smaller(larger(t, 0.0), 1.0)
}

#[inline(always)]
fn unit(v: [f32; 3]) -> [f32; 3] {
    scale(v, 1.0 / larger(dot(v, v), TINY).sqrt())
}
