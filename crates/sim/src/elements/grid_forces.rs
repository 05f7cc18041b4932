//! The inner loops of [`GridStencil`](crate::elements::GridStencil).
//!
//! A grid is cut into tiles of some columns. A tile walks down its
//! rows with three rows of positions and velocities in aligned buffers. For each
//! row it computes every spring that starts there once, then adds them to the
//! force on either end. What a point receives, and in which order, follows from
//! its place in the grid alone, never from how the rows are shared out.

use crate::elements::StencilSpring;
use crate::elements::grid_tile::{CHUNK, MARGIN, PADDING, Rows, Tile};
use crate::elements::rsqrt::{Pair, RSQRT_SCALE, rsqrt_scaled};
use crate::simd::{Kernel, LANES};
use crate::soa::{Soa3Mut, Soa3Ref};

/// Offsets that the loops know, each with dj > 0 or dj = 0 and di > 0.
pub const SLOTS: [(i32, i32); 10] =
    [(1, 0), (2, 0), (-2, 1), (-1, 1), (0, 1), (1, 1), (2, 1), (-1, 2), (0, 2), (1, 2)];

/// A spring's constants, with the scale of `rsqrt_scaled` folded in.
#[derive(Clone, Copy, Debug)]
pub struct SlotParams {
    stiffness: f32,
    /// κ k L
    pull: f32,
    /// κ² c
    damping: f32,
}

impl SlotParams {
    /// Constants of `spring`.
    pub fn new(spring: &StencilSpring) -> Self {
        let (k, c) = (f64::from(spring.stiffness), f64::from(spring.damping));
        Self {
            stiffness: spring.stiffness,
            pull: (RSQRT_SCALE * k * f64::from(spring.rest)) as f32,
            damping: (RSQRT_SCALE * RSQRT_SCALE * c) as f32,
        }
    }
}

/// Adds the forces on rows `first_row..` of a grid, `f` holding those rows.
pub struct ForceKernel<'a, const P: usize> {
    /// Points along i and j.
    pub counts: [usize; 2],
    /// Springs by slot.
    pub slots: &'a [Option<SlotParams>; SLOTS.len()],
    /// Positions of the whole grid.
    pub x: Soa3Ref<'a>,
    /// Velocities of the whole grid.
    pub v: Soa3Ref<'a>,
    /// First row of `f`.
    pub first_row: usize,
    /// Forces.
    pub f: Soa3Mut<'a>,
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Mask<const P: usize>([u32; P]);

/// Force of the spring in each slot on its first end.
type Pulls<const P: usize> = [Rows<P, 3>; SLOTS.len()];

impl<const P: usize> Kernel for ForceKernel<'_, P> {
    #[inline(always)]
    fn run(self) {
        let [ni, nj] = self.counts;
        let rows = self.first_row..self.first_row + self.f.len() / ni.max(1);
        let world = [self.x.x, self.x.y, self.x.z, self.v.x, self.v.y, self.v.z];
        // Positions and velocities, and forces so far, of rows j, j + 1, j + 2 at j mod 3.
        let mut points = [Rows::<P, 6>::ZERO; 3];
        let mut force = [Rows::<P, 3>::ZERO; 3];
        let mut pulls: Pulls<P> = [Rows::ZERO; SLOTS.len()];
        let mut masks = [Mask([0; P]); 5];
        let tiles = ni.div_ceil(P - PADDING);
        for tile in 0..tiles {
            let tile = Tile::new(tile, tiles, ni);
            fill_masks(&tile, ni, &mut masks);
            if tile.first > 0 {
                force = [Rows::ZERO; 3];
                pulls = [Rows::ZERO; SLOTS.len()];
            }
            // Springs of the two rows above end in the first rows of the part.
            let from = rows.start.saturating_sub(2);
            for row in from..(from + 2).min(nj) {
                tile.load(world, row * ni, &mut points[row % 3]);
            }
            for row in from..rows.end {
                if row + 2 < nj {
                    tile.load(world, (row + 2) * ni, &mut points[(row + 2) % 3]);
                }
                for (slot, (&(di, dj), params)) in SLOTS.iter().zip(self.slots).enumerate() {
                    let Some(params) = params else { continue };
                    let below = row + dj as usize;
                    if below < nj {
                        let (p, q) = (&points[row % 3], &points[below % 3]);
                        let mask = &masks[(di + 2) as usize];
                        spring_row(*params, p, q, (di, mask), tile.span(), &mut pulls[slot]);
                    } else {
                        pulls[slot] = Rows::ZERO;
                    }
                }
                for c in 0..3 {
                    let pull = pulls.each_ref().map(|pull| &pull.0[c]);
                    gather_own(&mut force[row % 3].0[c], pull, tile.lanes);
                    gather_next(&mut force[(row + 1) % 3].0[c], pull, tile.lanes);
                    gather_after(&mut force[(row + 2) % 3].0[c], pull, tile.lanes);
                }
                if rows.contains(&row) {
                    let at = (row - rows.start) * ni + tile.first;
                    let out = at..at + tile.len;
                    let own = &force[row % 3].0;
                    add(&mut self.f.x[out.clone()], &own[0][MARGIN..][..tile.len]);
                    add(&mut self.f.y[out.clone()], &own[1][MARGIN..][..tile.len]);
                    add(&mut self.f.z[out], &own[2][MARGIN..][..tile.len]);
                }
            }
        }
    }
}

/// Marks the columns whose spring by di has both ends in the grid.
#[inline(always)]
fn fill_masks<const P: usize>(tile: &Tile, ni: usize, masks: &mut [Mask<P>; 5]) {
    for (mask, di) in masks.iter_mut().zip(-2isize..) {
        let at = |column: isize| MARGIN as isize + column - tile.first as isize;
        let first = at(-di).max((MARGIN - tile.left) as isize) as usize;
        let last = at(ni as isize - di).min((MARGIN + tile.len + tile.right) as isize) as usize;
        mask.0.fill(0);
        mask.0[first..last.max(first)].fill(u32::MAX);
    }
}

#[inline(always)]
fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += *from;
    }
}

/// Forces of the springs that start in one row, on their first ends.
#[inline(always)]
fn spring_row<const P: usize>(
    params: SlotParams,
    p: &Rows<P, 6>,
    q: &Rows<P, 6>,
    (di, mask): (i32, &Mask<P>),
    (start, len): (usize, usize),
    out: &mut Rows<P, 3>,
) {
    // One flat slice for each end, its coordinates P apart: fewer addresses to keep.
    let (p, q, out) = (p.0.as_flattened(), q.0.as_flattened(), out.0.as_flattened_mut());
    for chunk in 0..len / CHUNK {
        let at = start + chunk * CHUNK;
        let to = (at as isize + di as isize) as usize;
        let p = &p[at..at + 5 * P + CHUNK];
        let q = &q[to..to + 5 * P + CHUNK];
        let mask = &mask.0[at..at + CHUNK];
        let out = &mut out[at..at + 2 * P + CHUNK];
        for l in 0..LANES {
            let difference = |c: usize| {
                let (a, b) = (l + c * P, l + c * P + LANES);
                Pair(q[a] - p[a], q[b] - p[b])
            };
            let d = [difference(0), difference(1), difference(2)];
            let u = [difference(3), difference(4), difference(5)];
            let s = force_per_metre(params, d, u);
            let s = Pair(masked(s.0, mask[l]), masked(s.1, mask[l + LANES]));
            for c in 0..3 {
                let f = d[c] * s;
                out[l + c * P] = f.0;
                out[l + c * P + LANES] = f.1;
            }
        }
    }
}

/// k + (c (u·d)/l − k L)/l, l = |d|: the force along d for each metre of d.
#[inline(always)]
fn force_per_metre(params: SlotParams, d: [Pair; 3], u: [Pair; 3]) -> Pair {
    let w = rsqrt_scaled(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    let closing = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
    let damping = closing.map(|u| params.damping * u) * w;
    (damping.map(|u| u - params.pull) * w).map(|s| params.stiffness + s)
}

#[inline(always)]
fn masked(value: f32, mask: u32) -> f32 {
    f32::from_bits(value.to_bits() & mask)
}

/// Every spring that starts at a point, and those of the same row that end there.
#[inline(always)]
fn gather_own<const P: usize>(force: &mut [f32; P], pull: [&[f32; P]; SLOTS.len()], lanes: usize) {
    let own: [&[f32]; SLOTS.len()] = pull.map(|r| &r[MARGIN..MARGIN + lanes]);
    let by1 = &pull[0][MARGIN - 1..][..lanes];
    let by2 = &pull[1][MARGIN - 2..][..lanes];
    let force = &mut force[MARGIN..MARGIN + lanes];
    for i in 0..lanes {
        let row = (own[0][i] - by1[i]) + (own[1][i] - by2[i]);
        let next = (own[2][i] + own[3][i]) + (own[4][i] + own[5][i]) + own[6][i];
        let after = (own[7][i] + own[8][i]) + own[9][i];
        force[i] += row + (next + after);
    }
}

/// Springs that end one row below where they start.
#[inline(always)]
fn gather_next<const P: usize>(force: &mut [f32; P], pull: [&[f32; P]; SLOTS.len()], lanes: usize) {
    let a = &pull[2][MARGIN + 2..][..lanes];
    let b = &pull[3][MARGIN + 1..][..lanes];
    let c = &pull[4][MARGIN..][..lanes];
    let d = &pull[5][MARGIN - 1..][..lanes];
    let e = &pull[6][MARGIN - 2..][..lanes];
    let force = &mut force[MARGIN..MARGIN + lanes];
    for i in 0..lanes {
        force[i] -= (a[i] + b[i]) + (c[i] + d[i]) + e[i];
    }
}

/// Springs that end two rows below where they start: the first that a row receives.
#[inline(always)]
fn gather_after<const P: usize>(
    force: &mut [f32; P],
    pull: [&[f32; P]; SLOTS.len()],
    lanes: usize,
) {
    let a = &pull[7][MARGIN + 1..][..lanes];
    let b = &pull[8][MARGIN..][..lanes];
    let c = &pull[9][MARGIN - 1..][..lanes];
    let force = &mut force[MARGIN..MARGIN + lanes];
    for i in 0..lanes {
        force[i] = -((a[i] + b[i]) + c[i]);
    }
}
