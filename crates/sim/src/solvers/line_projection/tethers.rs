//! One-sided bonds between every point and the few that are held.

use glam::Vec3;

use crate::elements::{GridStencil, SpringKind, rsqrt};
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::Soa3Mut;

/// |x − p| ≤ the distance of both in the flat panel. Where a cloth hangs by single points
/// warp and weft become parallel there, and going from one to the other in turns hardly
/// gains: a tether does in one stride what they take many rounds for.
#[derive(Debug, Default)]
pub(super) struct Tethers {
    /// Held points of the grid, by their place in it, with the distance of every point. [m]
    pins: Vec<(usize, Vec<f32>)>,
    /// For each pin of a grid the squared distances of columns, and of rows. [m²]
    squares: Vec<[Vec<f32>; 2]>,
}

/// Bonds of all points of a grid to one that is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond<'a> {
    /// Where that is. [m]
    pub pin: Vec3,
    /// How far points may be from it, squared: a part by column and one by row. [m²]
    pub columns: &'a [f32],
    pub rows: &'a [f32],
}

/// With more pins than this every line is held somewhere near, and tethers gain nothing.
const MOST_PINS: usize = 4;

/// A sheet's stiffness over the weight that hangs on a unit of its width: beyond this its
/// points are as far apart as in the flat panel to within a percent or two, in shear as well.
const STIFF: f32 = 50.0;

impl Tethers {
    /// Whether the sheet keeps its distances under its own weight: only then do bonds of
    /// fixed length tell the truth.
    pub fn suit(grid: &GridStencil, mean_mass: f32, gravity: f32) -> bool {
        let [dx, dy] = grid.spacing();
        let [ni, nj] = grid.counts();
        let of = |kind: SpringKind| {
            grid.springs().iter().filter(move |s| s.kind == kind).map(|s| s.stiffness)
        };
        // Force per width over strain; the same for shear (see the membrane's springs).
        let stretch = of(SpringKind::Structural).fold(f32::INFINITY, f32::min);
        let shear = of(SpringKind::Shear).fold(f32::INFINITY, f32::min);
        let squarish = 2.0 * dx * dy / (dx * dx + dy * dy);
        let weight = mean_mass * gravity * ni.max(nj) as f32 / dx.min(dy);
        let both = of(SpringKind::Structural).count() == 2 && of(SpringKind::Shear).count() > 0;
        // Without weight nothing says what will pull.
        both && weight > 0.0 && stretch.min(shear * squarish) >= STIFF * weight
    }

    /// Looks which points of a grid are held.
    pub fn find(&mut self, grid: &GridStencil, weight: &[f32]) {
        let (ni, [dx, dy]) = (grid.counts()[0], grid.spacing());
        self.find_on_panel(weight, |i| [(i % ni) as f32 * dx, (i / ni) as f32 * dy]);
        let squares = |from: usize, count: usize, length: f32| {
            let far = |at: usize| from.abs_diff(at) as f32 * length;
            (0..count).map(|at| far(at) * far(at)).collect()
        };
        let nj = grid.counts()[1];
        let of = |pin: usize| [squares(pin % ni, ni, dx), squares(pin / ni, nj, dy)];
        self.squares = self.pins.iter().map(|(pin, _)| of(*pin)).collect();
    }

    /// The same for points at these places of a flat, convex panel.
    pub fn find_on_panel(&mut self, weight: &[f32], place: impl Fn(usize) -> [f32; 2]) {
        self.pins.clear();
        let held = (0..weight.len()).filter(|&i| weight[i] == 0.0);
        if held.clone().count() > MOST_PINS {
            return;
        }
        for pin in held {
            let [x, y] = place(pin);
            let distance = |point: usize| {
                // Where it is held it is not drawn anywhere.
                if weight[point] <= 0.0 {
                    return f32::INFINITY;
                }
                let [i, j] = place(point);
                let (dx, dy) = (i - x, j - y);
                (dx * dx + dy * dy).sqrt()
            };
            self.pins.push((pin, (0..weight.len()).map(distance).collect()));
        }
    }

    /// Bonds to all pins, that are where `place` says. As many of them as the second number.
    pub fn bonds(&self, place: impl Fn(usize) -> Vec3) -> ([Bond<'_>; MOST_PINS], usize) {
        let mut bonds = [Bond { pin: Vec3::ZERO, columns: &[], rows: &[] }; MOST_PINS];
        for (bond, ((pin, _), [columns, rows])) in
            bonds.iter_mut().zip(self.pins.iter().zip(&self.squares))
        {
            *bond = Bond { pin: place(*pin), columns, rows };
        }
        (bonds, self.squares.len())
    }

    /// Draws points that are too far from a pin to where they may be.
    pub fn draw(&self, x: &mut Soa3Mut<'_>) {
        for (pin, distances) in &self.pins {
            let pin = x.get(*pin);
            crate::parallel::for_each_part(
                (x.slice_mut(0..x.len()), distances.as_slice()),
                LANES,
                &|_, (x, distances): (Soa3Mut, &[f32])| {
                    dispatch(Draw { x, distances, pin });
                },
            );
        }
    }
}

struct Draw<'a> {
    x: Soa3Mut<'a>,
    distances: &'a [f32],
    pin: Vec3,
}

impl Kernel for Draw<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { x, distances, pin } = self;
        let n = x.x.len();
        if n < LANES {
            return few(x, distances, pin);
        }
        for chunk in 0..n.div_ceil(LANES) {
            // The last sixteen overlap those before: who is near enough is left alone.
            let first = (chunk * LANES).min(n - LANES);
            let points = (Lane::full(x.x, first), Lane::full(x.y, first), Lane::full(x.z, first));
            let (px, py, pz) = draw_to(pin, Lane::full(distances, first), points);
            px.put(x.x, first);
            py.put(x.y, first);
            pz.put(x.z, first);
        }
    }
}

/// Draws sixteen points that are farther than `far` from `pin` to where they may be.
#[inline(always)]
fn draw_to(pin: Vec3, far: Lane, (mut x, mut y, mut z): (Lane, Lane, Lane)) -> (Lane, Lane, Lane) {
    let mut squares = Lane::ZERO;
    let mut beyond = 0;
    for l in 0..LANES {
        let d = [pin.x - x.0[l], pin.y - y.0[l], pin.z - z.0[l]];
        let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        squares.0[l] = square;
        beyond |= u32::from(square > far.0[l] * far.0[l]);
    }
    // A root is a long chain of steps that wait for one another, and mostly none is needed.
    if beyond != 0 {
        for l in 0..LANES {
            let excess = 1.0 - far.0[l] * rsqrt(squares.0[l]);
            let pull = if excess > 0.0 { excess } else { 0.0 };
            x.0[l] += pull * (pin.x - x.0[l]);
            y.0[l] += pull * (pin.y - y.0[l]);
            z.0[l] += pull * (pin.z - z.0[l]);
        }
    }
    (x, y, z)
}

fn few(mut x: Soa3Mut<'_>, distances: &[f32], pin: Vec3) {
    for (i, far) in distances.iter().enumerate() {
        let d = pin - x.get(i);
        let excess = 1.0 - far * rsqrt(d.length_squared());
        if excess > 0.0 {
            x.add(i, d * excess);
        }
    }
}
