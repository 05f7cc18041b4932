//! Strips of rows where weight alone takes them, in one pass over the grid.

use std::ops::Range;

use glam::Vec3;

use crate::elements::rsqrt;
use crate::simd::{Kernel, LANES, Lane, Square, transpose_points};
use crate::soa::Soa3Ref;

use super::chain::Points;
use super::tethers::Bond;
use super::turning::{Members, strip_range};

/// y = x + h(v + h g), then the tethers; x + h v of what is held.
#[derive(Clone, Copy)]
pub(super) struct Falling<'a> {
    /// Positions and velocities of the grid. [m, m/s]
    pub x: Soa3Ref<'a>,
    pub v: Soa3Ref<'a>,
    pub bonds: &'a [Bond<'a>],
    /// Change of velocity in the step. [m/s]
    pub change: Vec3,
    /// Its length. [s]
    pub h: f32,
    /// Points of a row.
    pub ni: usize,
}

/// One strip of rows.
pub(super) struct Fall<'a> {
    pub to: &'a mut Points,
    /// Room: see [`squares`].
    pub squares: &'a mut [[Lane; 3]],
    pub rows: Members,
    pub falling: &'a Falling<'a>,
}

impl Falling<'_> {
    /// Puts what is held where it belongs, in a strip of rows.
    pub fn hold(&self, to: &mut Points, rows: Members, held: &[u32]) {
        for &point in held {
            let (at, i, j) = (point as usize, point as usize % self.ni, point as usize / self.ni);
            if j % rows.step == rows.first {
                let y = self.x.get(at) + self.h * self.v.get(at);
                let lane = j / rows.step;
                to[i].iter_mut().zip(y.to_array()).for_each(|(to, y)| to.0[lane] = y);
            }
        }
    }
}

/// From one square to the next; an entry more than they have, so that the same entry of all of them
/// does not fall into the same part of a cache.
const APART: usize = LANES + 1;

/// Room for the squares of rows of `points` points.
pub(super) fn squares(points: usize) -> Points {
    vec![[Lane::ZERO; 3]; APART * points.div_ceil(LANES)]
}

impl Kernel for Fall<'_> {
    #[inline(always)]
    fn run(self) {
        if self.falling.ni < LANES { self.strip::<false>() } else { self.strip::<true>() }
    }
}

impl Fall<'_> {
    /// Row by row, as they lie in memory, into squares; then these are turned over. `WHOLE`: a row
    /// has sixteen points or more.
    #[inline(always)]
    fn strip<const WHOLE: bool>(self) {
        let Self { to, squares, rows, falling } = self;
        let ni = falling.ni;
        for l in 0..LANES {
            let row = rows.line(l);
            if row >= rows.count {
                break;
            }
            for b in 0..ni.div_ceil(LANES) {
                squares[APART * b + l] = sixteen::<WHOLE>(falling, row, strip_range(b, ni));
            }
        }
        for b in 0..ni.div_ceil(LANES) {
            let to = Square { lanes: &mut to[strip_range(b, ni).start..], step: 1 };
            transpose_points(Square { lanes: &squares[APART * b..], step: 1 }, to);
        }
    }
}

/// Where up to sixteen points of row `j`, side by side, get to.
#[inline(always)]
fn sixteen<const WHOLE: bool>(falling: &Falling<'_>, j: usize, columns: Range<usize>) -> [Lane; 3] {
    let Falling { x, v, bonds, change, h, ni } = *falling;
    let at = j * ni + columns.start..j * ni + columns.end;
    let (mut px, mut py, mut pz) =
        (of::<WHOLE>(x.x, &at), of::<WHOLE>(x.y, &at), of::<WHOLE>(x.z, &at));
    let (vx, vy, vz) = (of::<WHOLE>(v.x, &at), of::<WHOLE>(v.y, &at), of::<WHOLE>(v.z, &at));
    for l in 0..LANES {
        px.0[l] += h * (vx.0[l] + change.x);
        py.0[l] += h * (vy.0[l] + change.y);
        pz.0[l] += h * (vz.0[l] + change.z);
    }
    for bond in bonds {
        let (pin, row) = (bond.pin, bond.rows[j]);
        let mut far = of::<WHOLE>(bond.columns, &columns);
        let mut squares = Lane::ZERO;
        let mut beyond = 0;
        for l in 0..LANES {
            let d = [pin.x - px.0[l], pin.y - py.0[l], pin.z - pz.0[l]];
            squares.0[l] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            far.0[l] += row;
            beyond |= u32::from(squares.0[l] > far.0[l]);
        }
        // A root is a long chain of steps that wait for one another, and mostly none is needed.
        if beyond != 0 {
            for l in 0..LANES {
                // far/|d| from their squares.
                let excess = 1.0 - far.0[l] * rsqrt(far.0[l] * squares.0[l]);
                let pull = if excess > 0.0 { excess } else { 0.0 };
                px.0[l] += pull * (pin.x - px.0[l]);
                py.0[l] += pull * (pin.y - py.0[l]);
                pz.0[l] += pull * (pin.z - pz.0[l]);
            }
        }
    }
    [px, py, pz]
}

#[inline(always)]
fn of<const WHOLE: bool>(numbers: &[f32], at: &Range<usize>) -> Lane {
    if WHOLE { Lane::full(numbers, at.start) } else { Lane::load(&numbers[at.start..at.end]) }
}
