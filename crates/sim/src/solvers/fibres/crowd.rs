//! Hair in hair: a grid of mass and velocity round the points of a body.
//!
//! Strands of thousands are too many to touch one by one. Each point puts its mass and momentum into
//! its cell; smoothed, cells say how dense hair is and how it moves. A point loses a part of its
//! velocity against the hair round it, and where hair is denser than it likes to be it is driven
//! down the slope of density (after Petrovic, Henne and Anderson 2005; McAdams et al. 2009).

use glam::Vec3;

use crate::aabb::Aabb;
use crate::parallel::for_each_part;
use crate::simd::{Kernel, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};
use crate::strands::Crowd;

use super::outside::Outside;

/// Mass and momentum of cells.
#[derive(Debug, Default)]
pub(super) struct CrowdGrid {
    origin: Vec3,
    cell: f32,
    counts: [usize; 3],
    /// Mass [kg], momentum [kg·m/s].
    cells: Vec<[f32; 4]>,
    smoothed: Vec<[f32; 4]>,
    /// What points ask for, side by side.
    told: Vec<Told>,
}

/// Mass [kg], momentum [kg·m/s], slope of the mass [kg/m] of a cell, and nothing.
type Told = [f32; 8];

/// Cells at most; hair that is spread wider has larger ones.
const MOST_CELLS: f32 = 1e6;

impl CrowdGrid {
    /// Adds what the hair round them does to the points `own` of a body.
    pub fn act(
        &mut self,
        (law, h): (&Crowd, f32),
        own: std::ops::Range<usize>,
        (x, v, mass): (&Soa3, &Soa3, &[f32]),
        outside: &mut Outside,
    ) {
        self.place(law.cell, own.clone(), x);
        self.fill(own.clone(), x, v, mass);
        self.smooth();
        self.tell();
        let (carried, rates) = outside.draws(own.clone());
        let views = (x.slice(own.clone()), carried, rates);
        for_each_part(views, 64, &|_, (x, carried, rates): (Soa3Ref, Soa3Mut, &mut [f32])| {
            dispatch(Act { grid: self, law, h, x, carried, rates });
        });
    }

    /// Cells round all points, two more on every side.
    fn place(&mut self, cell: f32, own: std::ops::Range<usize>, x: &Soa3) {
        let bounds = Aabb::around(own.map(|i| x.get(i)));
        let size = (bounds.max - bounds.min).max(Vec3::ZERO);
        let count = |cell: f32| (size / cell).floor() + 5.0;
        self.cell = cell;
        while count(self.cell).element_product() > MOST_CELLS {
            self.cell *= 1.25;
        }
        self.counts = count(self.cell).to_array().map(|n| n as usize);
        self.origin = bounds.min - Vec3::splat(2.0 * self.cell);
        let all = self.counts.iter().product();
        self.cells.clear();
        self.cells.resize(all, [0.0; 4]);
        self.smoothed.clear();
        self.smoothed.resize(all, [0.0; 4]);
        self.told.clear();
        self.told.resize(all, [0.0; 8]);
    }

    /// On one thread, in the order of points: sums must not depend on threads.
    fn fill(&mut self, own: std::ops::Range<usize>, x: &Soa3, v: &Soa3, mass: &[f32]) {
        let [nx, ny, _] = self.counts;
        let per_cell = 1.0 / self.cell;
        for i in own {
            let [a, b, c] = ((x.get(i) - self.origin) * per_cell).to_array().map(|s| s as usize);
            let (v, m) = (v.get(i), mass[i]);
            let cell = &mut self.cells[(c * ny + b) * nx + a];
            cell[0] += m;
            cell[1] += m * v.x;
            cell[2] += m * v.y;
            cell[3] += m * v.z;
        }
    }

    /// (1, 2, 1)/4 along each axis.
    fn smooth(&mut self) {
        let [nx, ny, nz] = self.counts;
        for (apart, count) in [(1, nx), (nx, ny), (nx * ny, nz)] {
            let cells = self.cells.as_slice();
            for_each_part(self.smoothed.as_mut_slice(), 64, &|first, out: &mut [[f32; 4]]| {
                for (i, out) in (first..).zip(out) {
                    // The outermost cells are empty.
                    let k = i / apart % count;
                    if k == 0 || k + 1 == count {
                        continue;
                    }
                    let (a, b, c) = (cells[i - apart], cells[i], cells[i + apart]);
                    *out = std::array::from_fn(|d| 0.25 * (a[d] + c[d]) + 0.5 * b[d]);
                }
            });
            std::mem::swap(&mut self.cells, &mut self.smoothed);
        }
    }

    /// Slopes between neighbours, beside what they are slopes of.
    fn tell(&mut self) {
        let [nx, ny, _] = self.counts;
        let (cells, half) = (self.cells.as_slice(), 0.5 / self.cell);
        let border = nx * ny + nx + 1;
        for_each_part(self.told.as_mut_slice(), 64, &|first, out: &mut [Told]| {
            for (i, out) in (first..).zip(out) {
                if i < border || i + border >= cells.len() {
                    continue;
                }
                let slope = |apart: usize| half * (cells[i + apart][0] - cells[i - apart][0]);
                let [m, u, v, w] = cells[i];
                *out = [m, u, v, w, slope(1), slope(nx), slope(nx * ny), 0.0];
            }
        });
    }

    /// Density [kg/m³], its slope [kg/m⁴] and the velocity of the hair [m/s] at a point, linear
    /// between the middles of cells.
    #[inline(always)]
    fn at(&self, point: Vec3) -> (f32, Vec3, Vec3) {
        let [nx, ny, _] = self.counts;
        let place = (point - self.origin) * (1.0 / self.cell) - 0.5;
        // Never negative: there are cells on every side of all points.
        let [a, b, c] = place.to_array().map(|s| s as usize);
        let [s, t, u] = [place.x - a as f32, place.y - b as f32, place.z - c as f32];
        let first = (c * ny + b) * nx + a;
        let mut sum = [0.0f32; 8];
        for (corner, part) in [
            (0, (1.0 - t) * (1.0 - u)),
            (nx, t * (1.0 - u)),
            (nx * ny, (1.0 - t) * u),
            (nx * ny + nx, t * u),
        ] {
            let (low, high) = (self.told[first + corner], self.told[first + corner + 1]);
            for d in 0..8 {
                sum[d] += part * (low[d] + s * (high[d] - low[d]));
            }
        }
        let per_volume = 1.0 / (self.cell * self.cell * self.cell);
        let momentum = Vec3::new(sum[1], sum[2], sum[3]);
        let velocity = if sum[0] > 0.0 { momentum * (1.0 / sum[0]) } else { Vec3::ZERO };
        (sum[0] * per_volume, Vec3::new(sum[4], sum[5], sum[6]) * per_volume, velocity)
    }
}

/// What the hair round them does to some points.
struct Act<'a> {
    grid: &'a CrowdGrid,
    law: &'a Crowd,
    /// Length of the step. [s]
    h: f32,
    x: Soa3Ref<'a>,
    carried: Soa3Mut<'a>,
    rates: &'a mut [f32],
}

impl Kernel for Act<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { grid, law, h, x, mut carried, rates } = self;
        // Pressure is a spring of this frequency² between cells. Its damping, against the hair round
        // a point, is that of a step that cannot overshoot: else dense hair would tremble.
        let square = law.pressure / law.cell;
        let stiff = square * h + square.sqrt();
        for (i, rates) in rates.iter_mut().enumerate() {
            let (density, slope, velocity) = grid.at(x.get(i));
            let over = (density / law.density - 1.0).clamp(0.0, 1.0);
            let down = slope * (-law.pressure * law.cell / law.density * over);
            let rate = law.friction + over * stiff;
            carried.add(i, down + rate * velocity);
            *rates += rate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// A cube of 0.2 m, full of points that weigh 1000 kg/m³ together.
    fn cube() -> (Soa3, Soa3, Vec<f32>) {
        let (mut x, mut v, mut rng) = (Soa3::default(), Soa3::default(), Rng::new(5));
        let count = 60_000;
        for _ in 0..count {
            let mut along = || rng.between(0.0, 0.2) as f32;
            x.push(Vec3::new(along(), along(), along()));
            v.push(ALONG);
        }
        (x, v, vec![8.0 / count as f32; count])
    }

    const ALONG: Vec3 = Vec3::new(1.0, -2.0, 3.0);

    #[test]
    fn cells_know_density_and_velocity() {
        let (x, v, mass) = cube();
        let mut grid = CrowdGrid::default();
        grid.place(0.02, 0..x.len(), &x);
        grid.fill(0..x.len(), &x, &v, &mass);
        grid.smooth();
        grid.tell();
        let (density, slope, velocity) = grid.at(Vec3::splat(0.1));
        assert!((density / 1000.0 - 1.0).abs() < 0.1, "{density}");
        assert!(slope.length() < 0.1 * density / 0.02, "{slope}");
        assert!((velocity - ALONG).length() < 1e-3, "{velocity}");
        // Half way into a face density is half, and falls outwards.
        let (density, slope, _) = grid.at(Vec3::new(0.2, 0.1, 0.1));
        assert!((density / 500.0 - 1.0).abs() < 0.25, "{density}");
        assert!(slope.x < -0.2 * density / 0.02 && slope.x.abs() > 5.0 * slope.y.abs(), "{slope}");
    }

    #[test]
    fn crowded_points_are_driven_apart_and_share_their_motion() {
        let (x, v, mass) = cube();
        let model = crate::model::Model { mass: mass.clone(), ..Default::default() };
        let law = Crowd { cell: 0.02, friction: 5.0, density: 400.0, pressure: 2.0 };
        let mut outside = Outside::new(&model);
        CrowdGrid::default().act((&law, 0.0), 0..x.len(), (&x, &v, &mass), &mut outside);
        let pull = |from: f32, to: f32| {
            let there: Vec<usize> =
                (0..x.len()).filter(|&i| (from..to).contains(&x.x[i])).collect();
            let of = |&i: &usize| (outside.carried.get(i) - outside.rates[i] * ALONG).x;
            there.iter().map(of).sum::<f32>() / there.len() as f32
        };
        let (low, middle, high) = (pull(0.0, 0.02), pull(0.09, 0.11), pull(0.18, 0.2));
        assert!(low < -0.2 && high > 0.2, "{low} {high}");
        assert!(middle.abs() < 0.1 * high, "{middle}");
        // Dense hair resists more than friction alone.
        assert!(outside.rates.iter().all(|&rate| rate >= 5.0));
        assert!(outside.rates.iter().any(|&rate| rate > 8.0));
    }
}
