//! Springs of a mesh that follow no line, and limits of its edges: sixteen pairs at a time.

use crate::elements::rsqrt;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::solvers::colouring::Colours;

use super::gather::{Numbers, Point, gather, gather_weights, scatter};

/// A spring between two points by number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pair {
    pub ends: [u32; 2],
    /// Length without force. [m]
    pub rest: f32,
    /// Stiffness. [N/m]
    pub stiffness: f32,
    /// Damping. [N·s/m]
    pub damping: f32,
}

/// Sixteen pairs that share no point.
#[derive(Clone, Debug)]
struct Batch {
    ends: [Numbers; 2],
    rest: Lane,
    stiffness: Lane,
    damping: Lane,
}

/// All pairs, colour after colour.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    batches: Vec<Batch>,
    damped: bool,
    /// Batches that a limit has found too long.
    beyond: Vec<u32>,
}

impl Pairs {
    /// `pairs` among `points` points; number `points` stands for nobody.
    pub fn new(points: usize, pairs: &[Pair]) -> Self {
        let ends: Vec<[u32; 2]> = pairs.iter().map(|p| p.ends).collect();
        let colours = Colours::of_elements(points, &ends);
        let mut batches = Vec::new();
        for range in colours.ranges() {
            for part in colours.order()[range].chunks(LANES) {
                let of = |l: usize| part.get(l).map(|&i| pairs[i as usize]);
                let lane = |value: fn(&Pair) -> f32| {
                    Lane(std::array::from_fn(|l| of(l).as_ref().map_or(0.0, value)))
                };
                let end =
                    |k: usize| std::array::from_fn(|l| of(l).map_or(points as u32, |p| p.ends[k]));
                batches.push(Batch {
                    ends: [end(0), end(1)],
                    rest: lane(|p| p.rest),
                    stiffness: lane(|p| p.stiffness),
                    damping: lane(|p| p.damping),
                });
            }
        }
        let beyond = Vec::with_capacity(batches.len());
        Self { batches, damped: pairs.iter().any(|p| p.damping > 0.0), beyond }
    }

    /// Whether a sweep asks where points were at the start of the step.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// Δλ = −C/(Σw + α), C = |d| − L: one sweep over a step of `h` that began at `start`.
    pub fn sweep(&self, points: &mut [Point], start: &[Point], h: f32) {
        let start = if self.damped { start } else { &[] };
        dispatch(Sweep { batches: &self.batches, points, start, h });
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Draws pairs longer than L(1 + `most`) to that, in `sweeps` sweeps; shorter ones are
    /// let be. After the first sweep only what was too long then is looked at.
    pub fn limit(&mut self, points: &mut [Point], most: f32, sweeps: usize) {
        let Self { batches, beyond, .. } = self;
        beyond.clear();
        dispatch(Limit { batches, points, longest: 1.0 + most, beyond, sweeps });
    }
}

struct Sweep<'a> {
    batches: &'a [Batch],
    points: &'a mut [Point],
    start: &'a [Point],
    h: f32,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { batches, points, start, h } = self;
        for Batch { ends: [a, b], rest, stiffness, damping } in batches {
            let (mut pa, mut pb) = (gather(points, a), gather(points, b));
            let (wa, wb) = (gather_weights(points, a), gather_weights(points, b));
            // k(l − L) + c(l − l₀)/h is a spring of stiffness k + c/h.
            let (mut stiff, mut drawn) = (*stiffness, Lane::ZERO);
            for l in 0..LANES {
                drawn.0[l] = stiffness.0[l] * rest.0[l];
            }
            if !start.is_empty() {
                let (sa, sb) = (gather(start, a), gather(start, b));
                for l in 0..LANES {
                    let dashpot = damping.0[l] / h;
                    stiff.0[l] += dashpot;
                    drawn.0[l] += dashpot * length(difference(&sa, &sb, l));
                }
            }
            for l in 0..LANES {
                let d = difference(&pa, &pb, l);
                let inverse = rsqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                // Multiplied by k h² throughout: what has no stiffness needs no exception.
                let pull = h * h * (stiff.0[l] - drawn.0[l] * inverse);
                let s = pull / (h * h * stiff.0[l] * (wa.0[l] + wb.0[l]) + 1.0);
                for c in 0..3 {
                    pa[c].0[l] += wa.0[l] * s * d[c];
                    pb[c].0[l] -= wb.0[l] * s * d[c];
                }
            }
            scatter(points, a, &pa);
            scatter(points, b, &pb);
        }
    }
}

struct Limit<'a> {
    batches: &'a [Batch],
    points: &'a mut [Point],
    longest: f32,
    beyond: &'a mut Vec<u32>,
    sweeps: usize,
}

impl Kernel for Limit<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { batches, points, longest, beyond, sweeps } = self;
        for (number, batch) in batches.iter().enumerate() {
            if shorten(batch, points, longest) {
                beyond.push(number as u32);
            }
        }
        for _ in 1..sweeps {
            for &number in &*beyond {
                shorten(&batches[number as usize], points, longest);
            }
        }
    }
}

/// Whether any of the batch was too long.
#[inline(always)]
fn shorten(Batch { ends: [a, b], rest, .. }: &Batch, points: &mut [Point], longest: f32) -> bool {
    let (mut pa, mut pb) = (gather(points, a), gather(points, b));
    let mut squares = Lane::ZERO;
    let mut beyond = 0;
    for l in 0..LANES {
        let d = difference(&pa, &pb, l);
        let most = longest * rest.0[l];
        squares.0[l] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        beyond |= u32::from(squares.0[l] > most * most);
    }
    if beyond == 0 {
        return false;
    }
    let (wa, wb) = (gather_weights(points, a), gather_weights(points, b));
    for l in 0..LANES {
        let d = difference(&pa, &pb, l);
        let excess = 1.0 - longest * rest.0[l] * rsqrt(squares.0[l]);
        let sum = wa.0[l] + wb.0[l];
        let s = if excess > 0.0 && sum > 0.0 { excess / sum } else { 0.0 };
        for c in 0..3 {
            pa[c].0[l] += wa.0[l] * s * d[c];
            pb[c].0[l] -= wb.0[l] * s * d[c];
        }
    }
    scatter(points, a, &pa);
    scatter(points, b, &pb);
    true
}

#[inline(always)]
fn difference(a: &[Lane; 3], b: &[Lane; 3], l: usize) -> [f32; 3] {
    [b[0].0[l] - a[0].0[l], b[1].0[l] - a[1].0[l], b[2].0[l] - a[2].0[l]]
}

#[inline(always)]
fn length(d: [f32; 3]) -> f32 {
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    square * rsqrt(square)
}
