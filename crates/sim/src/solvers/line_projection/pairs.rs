//! Springs of a mesh that follow no line, and limits of its edges: sixteen pairs at a time.

use std::ops::Range;

use crate::elements::rsqrt;
use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::gather::{BLOCK, Numbers, Point, Sixteen, batches, gather, lane, numbers, scatter};

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
    blocks: Vec<Range<usize>>,
    damped: bool,
    /// Blocks that a limit has found too long.
    beyond: Vec<u32>,
}

impl Pairs {
    /// `pairs` among `points` points; number `points` stands for nobody.
    pub fn new(points: usize, pairs: &[Pair]) -> Self {
        let ends: Vec<[u32; 2]> = pairs.iter().map(|p| p.ends).collect();
        let (batches, blocks) = batches(points, &ends, |part| Batch {
            ends: [0, 1].map(|k| numbers(&ends, part, k, points as u32)),
            rest: lane(pairs, part, |p| p.rest),
            stiffness: lane(pairs, part, |p| p.stiffness),
            damping: lane(pairs, part, |p| p.damping),
        });
        let beyond = Vec::with_capacity(blocks.len());
        Self { batches, blocks, damped: pairs.iter().any(|p| p.damping > 0.0), beyond }
    }

    /// Whether a sweep asks where points were at the start of the step.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Δλ = −C/(Σw + α), C = |d| − L: one sweep over a step of `h` that began at `start`.
    pub fn sweep(&self, points: &mut [Point], start: &[Point], h: f32) {
        let start = if self.damped { start } else { &[] };
        dispatch(Sweep { pairs: self, points, start, h });
    }

    /// Draws pairs longer than L(1 + `most`) to that, in `sweeps` sweeps; shorter ones are
    /// let be. After the first sweep only blocks with something too long are looked at.
    pub fn limit(&mut self, points: &mut [Point], most: f32, sweeps: usize) {
        let Self { batches, blocks, beyond, .. } = self;
        beyond.clear();
        dispatch(Limit { batches, blocks, points, longest: 1.0 + most, beyond, sweeps });
    }
}

/// Both ends of some batches.
type Ends = [[Sixteen; 2]; BLOCK];

#[inline(always)]
fn gather_ends(batches: &[Batch], points: &[Point], out: &mut Ends) {
    for (batch, out) in batches.iter().zip(out) {
        gather(points, &batch.ends[0], &mut out[0]);
        gather(points, &batch.ends[1], &mut out[1]);
    }
}

#[inline(always)]
fn scatter_ends(batches: &[Batch], points: &mut [Point], ends: &Ends) {
    for (batch, ends) in batches.iter().zip(ends) {
        scatter(points, &batch.ends[0], &ends[0]);
        scatter(points, &batch.ends[1], &ends[1]);
    }
}

struct Sweep<'a> {
    pairs: &'a Pairs,
    points: &'a mut [Point],
    start: &'a [Point],
    h: f32,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { pairs, points, start, h } = self;
        let mut ends: Ends = [[[Lane::ZERO; 4]; 2]; BLOCK];
        let mut starts = ends;
        for block in &pairs.blocks {
            let batches = &pairs.batches[block.clone()];
            gather_ends(batches, points, &mut ends);
            if !start.is_empty() {
                gather_ends(batches, start, &mut starts);
            }
            for ((batch, [a, b]), [sa, sb]) in batches.iter().zip(&mut ends).zip(&starts) {
                // k(l − L) + c(l − l₀)/h is a spring of stiffness k + c/h.
                let (mut stiff, mut drawn) = (batch.stiffness, Lane::ZERO);
                for l in 0..LANES {
                    drawn.0[l] = stiff.0[l] * batch.rest.0[l];
                }
                if !start.is_empty() {
                    for l in 0..LANES {
                        let dashpot = batch.damping.0[l] / h;
                        let square = square(sa, sb, l);
                        stiff.0[l] += dashpot;
                        drawn.0[l] += dashpot * (square * rsqrt(square));
                    }
                }
                let mut pull = Lane::ZERO;
                for l in 0..LANES {
                    let inverse = rsqrt(square(a, b, l));
                    // Multiplied by k h² throughout: what has none needs no exception.
                    let force = h * h * (stiff.0[l] - drawn.0[l] * inverse);
                    pull.0[l] = force / (h * h * stiff.0[l] * (a[3].0[l] + b[3].0[l]) + 1.0);
                }
                draw([a, b], &pull);
            }
            scatter_ends(batches, points, &ends);
        }
    }
}

struct Limit<'a> {
    batches: &'a [Batch],
    blocks: &'a [Range<usize>],
    points: &'a mut [Point],
    longest: f32,
    beyond: &'a mut Vec<u32>,
    sweeps: usize,
}

impl Kernel for Limit<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { batches, blocks, points, longest, beyond, sweeps } = self;
        let mut ends: Ends = [[[Lane::ZERO; 4]; 2]; BLOCK];
        for (number, block) in blocks.iter().enumerate() {
            if shorten(&batches[block.clone()], points, longest, &mut ends) {
                beyond.push(number as u32);
            }
        }
        for _ in 1..sweeps {
            for &number in &*beyond {
                let block = blocks[number as usize].clone();
                shorten(&batches[block], points, longest, &mut ends);
            }
        }
    }
}

/// Whether any of a block was too long.
#[inline(always)]
fn shorten(batches: &[Batch], points: &mut [Point], longest: f32, ends: &mut Ends) -> bool {
    gather_ends(batches, points, ends);
    let mut any = 0;
    for (batch, [a, b]) in batches.iter().zip(&mut *ends) {
        let (mut squares, mut beyond) = (Lane::ZERO, 0);
        for l in 0..LANES {
            let most = longest * batch.rest.0[l];
            squares.0[l] = square(a, b, l);
            beyond |= u32::from(squares.0[l] > most * most);
        }
        any |= beyond;
        if beyond != 0 {
            let mut pull = Lane::ZERO;
            for l in 0..LANES {
                let excess = 1.0 - longest * batch.rest.0[l] * rsqrt(squares.0[l]);
                let sum = a[3].0[l] + b[3].0[l];
                pull.0[l] = if excess > 0.0 && sum > 0.0 { excess / sum } else { 0.0 };
            }
            draw([a, b], &pull);
        }
    }
    if any != 0 {
        scatter_ends(batches, points, ends);
    }
    any != 0
}

/// a += w_a p d, b −= w_b p d. One loop over copies: with coordinates in a loop of their own
/// the compiler makes vectors of those.
#[inline(always)]
fn draw([a, b]: [&mut Sixteen; 2], pull: &Lane) {
    let [mut ax, mut ay, mut az, wa] = *a;
    let [mut bx, mut by, mut bz, wb] = *b;
    for l in 0..LANES {
        let (p, q) = (wa.0[l] * pull.0[l], wb.0[l] * pull.0[l]);
        let d = [bx.0[l] - ax.0[l], by.0[l] - ay.0[l], bz.0[l] - az.0[l]];
        ax.0[l] += p * d[0];
        ay.0[l] += p * d[1];
        az.0[l] += p * d[2];
        bx.0[l] -= q * d[0];
        by.0[l] -= q * d[1];
        bz.0[l] -= q * d[2];
    }
    (*a, *b) = ([ax, ay, az, wa], [bx, by, bz, wb]);
}

#[inline(always)]
fn square(a: &Sixteen, b: &Sixteen, l: usize) -> f32 {
    let d = [b[0].0[l] - a[0].0[l], b[1].0[l] - a[1].0[l], b[2].0[l] - a[2].0[l]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}
