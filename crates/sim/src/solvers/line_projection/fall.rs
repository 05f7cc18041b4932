//! Strips of rows where weight alone takes them, in one pass over the grid.

use std::ops::Range;

use glam::Vec3;

use crate::simd::{Kernel, LANES, Lane, transpose};
use crate::soa::Soa3Ref;

use super::chain::Points;
use super::tethers::{Bond, draw_to};
use super::turning::{Members, strip_range};

/// y = x + h(v + h g) of what is not held, x + h v of what is; then the tethers.
#[derive(Clone, Copy)]
pub(super) struct Falling<'a> {
    /// Positions and velocities of the grid. [m, m/s]
    pub x: Soa3Ref<'a>,
    pub v: Soa3Ref<'a>,
    /// Inverse masses. [1/kg]
    pub weight: &'a [f32],
    pub bonds: &'a [Bond<'a>],
    /// Change of velocity in the step. [m/s]
    pub change: Vec3,
    /// Its length. [s]
    pub h: f32,
}

/// One strip of rows of `ni` points.
pub(super) struct Fall<'a> {
    pub to: &'a mut Points,
    pub rows: Members,
    pub ni: usize,
    pub falling: &'a Falling<'a>,
}

impl Kernel for Fall<'_> {
    #[inline(always)]
    fn run(self) {
        if self.ni < LANES { self.tiles::<false>() } else { self.tiles::<true>() }
    }
}

impl Fall<'_> {
    /// All squares of the strip. `WHOLE`: a row has sixteen points or more.
    #[inline(always)]
    fn tiles<const WHOLE: bool>(self) {
        let Self { to: [tx, ty, tz], rows, ni, falling } = self;
        let mut squares = [[Lane::ZERO; LANES]; 3];
        for b in 0..ni.div_ceil(LANES) {
            let columns = strip_range(b, ni);
            let [sx, sy, sz] = &mut squares;
            for (l, ((sx, sy), sz)) in sx.iter_mut().zip(sy).zip(sz).enumerate() {
                let row = rows.line(l);
                if row >= rows.count {
                    break;
                }
                let at = row * ni + columns.start..row * ni + columns.end;
                [*sx, *sy, *sz] = sixteen::<WHOLE>(falling, at);
            }
            for (to, square) in [&mut *tx, &mut *ty, &mut *tz].into_iter().zip(&squares) {
                if let Some(to) = to[columns.start..].first_chunk_mut::<LANES>() {
                    transpose(square, to);
                }
            }
        }
    }
}

/// Where up to sixteen points side by side get to.
#[inline(always)]
fn sixteen<const WHOLE: bool>(falling: &Falling<'_>, at: Range<usize>) -> [Lane; 3] {
    let Falling { x, v, weight, bonds, change, h } = *falling;
    let of = |numbers: &[f32]| {
        if WHOLE { Lane::full(numbers, at.start) } else { Lane::load(&numbers[at.clone()]) }
    };
    let (mut px, mut py, mut pz) = (of(x.x), of(x.y), of(x.z));
    let (vx, vy, vz, w) = (of(v.x), of(v.y), of(v.z), of(weight));
    for l in 0..LANES {
        let is_free = w.0[l] > 0.0;
        let new = |v: f32, change: f32| if is_free { v + change } else { v };
        px.0[l] += h * new(vx.0[l], change.x);
        py.0[l] += h * new(vy.0[l], change.y);
        pz.0[l] += h * new(vz.0[l], change.z);
    }
    for bond in bonds {
        (px, py, pz) = draw_to(bond.pin, of(bond.distances), (px, py, pz));
    }
    [px, py, pz]
}
