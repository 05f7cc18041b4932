//! Directors that follow their edges.

use crate::elements::rsqrt;
use crate::simd::three::{Three, add, dot, larger, scale, sub};
use crate::simd::{Kernel, LANES, Lane};

use super::lanes::{at, put};

/// Below this square of a length an edge has no direction. [m²]
pub(super) const SHORTEST: f32 = 1e-18;

/// A vector across the unit vector `from` brought to `to` on the shortest way:
/// d − (d·t⁺)(t + t⁺)/(1 + t·t⁺).
#[inline(always)]
pub(super) fn carry(director: Three, from: Three, to: Three) -> Three {
    let part = dot(director, to) / larger(1.0 + dot(from, to), 1e-4);
    sub(director, scale(add(from, to), part))
}

/// Directors and tangents of all edges brought to where points are now, without twist. Edges that
/// the root holds are left alone.
pub(super) struct Turn<'a> {
    pub x: &'a [[Lane; 3]],
    pub tangents: &'a mut [[Lane; 3]],
    pub directors: &'a mut [[Lane; 3]],
    /// Edges that are led.
    pub led: usize,
}

impl Kernel for Turn<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, tangents, directors, led } = self;
        for j in led..x.len().saturating_sub(1) {
            let edge = turned([x[j], x[j + 1]], (tangents[j], directors[j]));
            (tangents[j], directors[j]) = edge;
        }
    }
}

/// Tangent and director of an edge brought to where its ends are now.
#[inline(always)]
pub(super) fn turned(
    [a, b]: [[Lane; 3]; 2],
    (before, across): ([Lane; 3], [Lane; 3]),
) -> ([Lane; 3], [Lane; 3]) {
    let (mut after, mut units) = ([Lane::ZERO; 3], [Lane::ZERO; 3]);
    for l in 0..LANES {
        let edge = sub(at(&b, l), at(&a, l));
        let square = dot(edge, edge);
        let old = at(&before, l);
        let new = scale(edge, rsqrt(larger(square, SHORTEST)));
        let tangent = if square > SHORTEST { new } else { old };
        let director = carry(at(&across, l), old, tangent);
        let director = sub(director, scale(tangent, dot(director, tangent)));
        let unit = scale(director, rsqrt(larger(dot(director, director), 1e-12)));
        put(&mut after, l, tangent);
        put(&mut units, l, unit);
    }
    (after, units)
}

/// Unit tangents of all edges; an edge without length points down.
pub(super) struct Tangents<'a> {
    pub x: &'a [[Lane; 3]],
    pub tangents: &'a mut [[Lane; 3]],
}

impl Kernel for Tangents<'_> {
    #[inline(always)]
    fn run(self) {
        for (ends, tangent) in self.x.windows(2).zip(self.tangents) {
            let (a, b, mut out) = (ends[0], ends[1], [Lane::ZERO; 3]);
            for l in 0..LANES {
                let edge = sub(at(&b, l), at(&a, l));
                let square = dot(edge, edge);
                let unit = scale(edge, rsqrt(larger(square, SHORTEST)));
                let down = [0.0, -1.0, 0.0];
                put(&mut out, l, if square > SHORTEST { unit } else { down });
            }
            *tangent = out;
        }
    }
}
