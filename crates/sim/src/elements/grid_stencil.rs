//! Springs of a regular grid.

use crate::elements::grid_energy::GridEnergy;
use crate::elements::grid_forces::{ForceKernel, SLOTS, SlotParams};
use crate::elements::grid_tile::{PADDING, TILE, TILE_SMALL};
use crate::elements::{SpringKind, SpringParams};
use crate::parallel::for_each_part;
use crate::simd::dispatch;
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

/// The springs that join every point (i, j) of a grid to (i + di, j + dj),
/// which counts (−di, −dj) in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StencilSpring {
    /// Grid offset along i.
    pub di: i32,
    /// Grid offset along j.
    pub dj: i32,
    /// Rest length [m].
    pub rest: f32,
    /// Stiffness [N/m].
    pub stiffness: f32,
    /// Damping along the spring [N s/m].
    pub damping: f32,
    /// What the spring holds up.
    pub kind: SpringKind,
}

/// F_p = d̂ (k(|d| − L) + c (v_q − v_p)·d̂), d = x_q − x_p, over the pairs (p, q)
/// of a grid that its springs join; F_q = −F_p.
#[derive(Clone, Debug)]
pub struct GridStencil {
    first: usize,
    counts: [usize; 2],
    springs: Vec<StencilSpring>,
    spacing: [f32; 2],
    bending: SpringParams,
    slots: [Option<SlotParams>; SLOTS.len()],
}

impl GridStencil {
    /// `springs` over the `counts` points along i and j that start at particle
    /// `first`; point (i, j) is particle `first + j * counts[0] + i`. A spring
    /// to a point that is none of the 20 nearest, or a second one to the same
    /// point, is left out.
    pub fn new(first: usize, counts: [usize; 2], springs: Vec<StencilSpring>) -> Self {
        let mut slots = [None; SLOTS.len()];
        let mut kept = Vec::with_capacity(SLOTS.len());
        for spring in springs {
            let found = SLOTS.iter().position(|&(di, dj)| {
                (spring.di, spring.dj) == (di, dj) || (-spring.di, -spring.dj) == (di, dj)
            });
            if let Some(slot) = found.filter(|&slot| slots[slot].is_none()) {
                slots[slot] = Some(SlotParams::new(&spring));
                kept.push(spring);
            }
        }
        Self {
            first,
            counts,
            springs: kept,
            spacing: [0.0; 2],
            bending: SpringParams::default(),
            slots,
        }
    }

    /// The same grid, told how far its points are apart along i and j [m] and how its
    /// hinges resist bending [N·m] and its change [N·m·s]. Springs and hinges do not need to
    /// know; solvers that go along lines do.
    pub fn on_panel(self, spacing: [f32; 2], bending: SpringParams) -> Self {
        Self { spacing, bending, ..self }
    }

    /// The same grid with its points from particle `first` on.
    pub(crate) fn starting_at(self, first: usize) -> Self {
        Self { first, ..self }
    }

    /// Distance between neighbours along i and j in the flat panel. [m]
    pub fn spacing(&self) -> [f32; 2] {
        self.spacing
    }

    /// Bending rigidity B, ½Bκ² an area [N·m], and moment a width per rate of κ [N·m·s].
    pub fn bending(&self) -> SpringParams {
        self.bending
    }

    /// √(2kw): the rate of the fastest spring that follows no line of the grid, between two
    /// points of inverse mass `weight` [1/kg]. [1/s]
    pub fn fastest_across(&self, weight: f64) -> f64 {
        let across = self.springs.iter().filter(|s| s.di != 0 && s.dj != 0);
        let stiffest = across.map(|s| f64::from(s.stiffness)).fold(0.0, f64::max);
        (2.0 * stiffest * weight).sqrt()
    }

    /// The first particle.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Points along i and j.
    pub fn counts(&self) -> [usize; 2] {
        self.counts
    }

    /// The kinds of spring, each standing for all its copies over the grid.
    pub fn springs(&self) -> &[StencilSpring] {
        &self.springs
    }

    /// Adds the springs' forces to `f` [N]; `x`, `v` and `f` hold the whole world.
    pub fn add_forces(&self, x: &Soa3, v: &Soa3, f: &mut Soa3) {
        let [ni, nj] = self.counts;
        if ni == 0 || nj == 0 {
            return;
        }
        let grid = self.first..self.first + ni * nj;
        let (x, v) = (x.slice(grid.clone()), v.slice(grid.clone()));
        for_each_part(f.slice_mut(grid), ni, &|start, f: Soa3Mut<'_>| {
            self.add_forces_to_rows(start / ni, x, v, f);
        });
    }

    /// The same for the whole rows that `f` holds, from `first_row` on; `x` and
    /// `v` hold this grid alone. The bits do not depend on which rows go together.
    #[inline]
    pub(crate) fn add_forces_to_rows(
        &self,
        first_row: usize,
        x: Soa3Ref<'_>,
        v: Soa3Ref<'_>,
        f: Soa3Mut<'_>,
    ) {
        let (counts, slots) = (self.counts, &self.slots);
        if counts[0] <= TILE_SMALL {
            dispatch(ForceKernel::<{ TILE_SMALL + PADDING }> { counts, slots, x, v, first_row, f });
        } else {
            dispatch(ForceKernel::<{ TILE + PADDING }> { counts, slots, x, v, first_row, f });
        }
    }

    /// E = Σ ½k(|d| − L)² [J].
    pub fn energy(&self, x: &Soa3) -> f64 {
        let [ni, nj] = self.counts;
        let x = x.slice(self.first..self.first + ni * nj);
        let mut sum = 0.0;
        dispatch(GridEnergy { counts: self.counts, springs: &self.springs, x, sum: &mut sum });
        sum
    }

    /// Calls `each(p, q, spring)` for the particles p and q that every single spring joins.
    pub fn for_each_spring(&self, mut each: impl FnMut(usize, usize, &StencilSpring)) {
        let [ni, nj] = self.counts.map(|n| n as i64);
        for spring in &self.springs {
            let (di, dj) = (i64::from(spring.di), i64::from(spring.dj));
            for j in (-dj).max(0)..(nj - dj).min(nj) {
                for i in (-di).max(0)..(ni - di).min(ni) {
                    let p = self.first + (j * ni + i) as usize;
                    let q = self.first + ((j + dj) * ni + i + di) as usize;
                    each(p, q, spring);
                }
            }
        }
    }
}

/// Springs to the 20 nearest points, k/u and c/u each, u being the distance in
/// grid steps: the farther pull less. `spacing` is the rest distance of
/// neighbours along i and j [m], `stiffness` [N/m], `damping` [N s/m].
pub fn neighbours_20(spacing: [f32; 2], stiffness: f32, damping: f32) -> Vec<StencilSpring> {
    OFFSETS
        .iter()
        .map(|&(di, dj, kind)| {
            let u = ((di * di + dj * dj) as f32).sqrt();
            let params = SpringParams { stiffness: stiffness / u, damping: damping / u };
            spring(spacing, (di, dj), kind, params)
        })
        .collect()
}

/// Springs to the 12 nearest points: structural and bend ones along i and
/// along j, and shear ones. `spacing` as for [`neighbours_20`].
pub fn neighbours_12(
    spacing: [f32; 2],
    structural: [SpringParams; 2],
    shear: SpringParams,
    bend: [SpringParams; 2],
) -> Vec<StencilSpring> {
    let params = [structural[0], structural[1], shear, shear, bend[0], bend[1]];
    let offsets = OFFSETS.iter().zip(params);
    offsets.map(|(&(di, dj, kind), params)| spring(spacing, (di, dj), kind, params)).collect()
}

/// Half of the 20 nearest points, the other half being opposite; the first six
/// and their opposites are the 12 nearest.
const OFFSETS: [(i32, i32, SpringKind); 10] = [
    (1, 0, SpringKind::Structural),
    (0, 1, SpringKind::Structural),
    (1, 1, SpringKind::Shear),
    (1, -1, SpringKind::Shear),
    (2, 0, SpringKind::Bend),
    (0, 2, SpringKind::Bend),
    (2, 1, SpringKind::Knight),
    (2, -1, SpringKind::Knight),
    (1, 2, SpringKind::Knight),
    (1, -2, SpringKind::Knight),
];

fn spring(
    spacing: [f32; 2],
    (di, dj): (i32, i32),
    kind: SpringKind,
    SpringParams { stiffness, damping }: SpringParams,
) -> StencilSpring {
    let along_i = f64::from(spacing[0]) * f64::from(di);
    let along_j = f64::from(spacing[1]) * f64::from(dj);
    let rest = (along_i * along_i + along_j * along_j).sqrt() as f32;
    StencilSpring { di, dj, rest, stiffness, damping, kind }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::simd::{SimdLevel, at_level};

    /// A world of `before` other particles, a crumpled grid and 5 more.
    fn crumpled(before: usize, counts: [usize; 2]) -> (Soa3, Soa3, GridStencil) {
        let mut seed = 12345u32;
        let mut noise = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let total = before + counts[0] * counts[1] + 5;
        let (mut x, mut v) = (Soa3::zeros(total), Soa3::zeros(total));
        for p in 0..total {
            let grid = p.saturating_sub(before);
            x.x[p] = 0.1 * (grid % counts[0]) as f32 + 0.04 * noise();
            x.y[p] = 0.2 * (grid / counts[0]) as f32 + 0.04 * noise();
            x.z[p] = 0.3 * noise();
            (v.x[p], v.y[p], v.z[p]) = (noise(), noise(), noise());
        }
        let stencil = GridStencil::new(before, counts, neighbours_20([0.1, 0.2], 40.0, 0.5));
        (x, v, stencil)
    }

    fn forces(stencil: &GridStencil, x: &Soa3, v: &Soa3) -> Soa3 {
        let mut f = Soa3::zeros(x.len());
        stencil.add_forces(x, v, &mut f);
        f
    }

    /// The law written out for each point and each of its 20 neighbours, in f64.
    fn reference(stencil: &GridStencil, x: &Soa3, v: &Soa3) -> Vec<DVec3> {
        let [ni, nj] = stencil.counts.map(|n| n as i64);
        let mut forces = vec![DVec3::ZERO; x.len()];
        for j in 0..nj {
            for i in 0..ni {
                for dj in -2..=2i64 {
                    for di in -2..=2i64 {
                        let units2 = di * di + dj * dj;
                        let (qi, qj) = (i + di, j + dj);
                        let inside = (0..ni).contains(&qi) && (0..nj).contains(&qj);
                        if units2 == 0 || units2 == 8 || !inside {
                            continue;
                        }
                        let p = stencil.first + (j * ni + i) as usize;
                        let q = stencil.first + (qj * ni + qi) as usize;
                        let u = (units2 as f64).sqrt();
                        let rest = (0.1 * di as f64).hypot(0.2 * dj as f64);
                        let d = x.get(q).as_dvec3() - x.get(p).as_dvec3();
                        let dir = d.normalize();
                        let relative = v.get(q).as_dvec3() - v.get(p).as_dvec3();
                        forces[p] += dir * (d.length() - rest) * 40.0 / u;
                        forces[p] += 0.5 * relative.dot(dir) * dir / u;
                    }
                }
            }
        }
        forces
    }

    const SHAPES: [[usize; 2]; 14] = [
        [2, 2],
        [2, 9],
        [9, 2],
        [3, 3],
        [1, 7],
        [20, 20],
        [31, 5],
        [64, 7],
        [65, 7],
        [100, 90],
        [256, 40],
        [257, 40],
        [700, 20],
        [1100, 9],
    ];

    #[test]
    fn forces_follow_the_law_for_every_point() {
        for counts in SHAPES {
            for before in [0, 3] {
                let (x, v, stencil) = crumpled(before, counts);
                let f = forces(&stencil, &x, &v);
                for (p, (f, expected)) in f.iter().zip(reference(&stencil, &x, &v)).enumerate() {
                    let error = (f.as_dvec3() - expected).length();
                    assert!(
                        error < 1e-5 * expected.length().max(4.0),
                        "{counts:?} particle {p}: {f} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn bits_are_the_same_for_any_threads_and_instructions() {
        for counts in SHAPES {
            let (x, v, stencil) = crumpled(3, counts);
            let expected = forces(&stencil, &x, &v);
            for threads in [1, 2, 3, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for level in [SimdLevel::Plain, SimdLevel::Avx2, SimdLevel::Widest] {
                    let f = at_level(level, || pool.install(|| forces(&stencil, &x, &v)));
                    let same = |a: &[f32], b: &[f32]| {
                        a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
                    };
                    let all = same(&f.x, &expected.x)
                        && same(&f.y, &expected.y)
                        && same(&f.z, &expected.z);
                    assert!(all, "{counts:?} {threads} threads {level:?}");
                }
            }
        }
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let (x, v, stencil) = crumpled(2, [7, 6]);
        let f = forces(&stencil, &x, &Soa3::zeros(v.len()));
        for p in [2, 10, 43] {
            let h = 1e-3f32;
            let (mut ahead, mut behind) = (x.clone(), x.clone());
            ahead.y[p] += h;
            behind.y[p] -= h;
            let step = f64::from(ahead.y[p]) - f64::from(behind.y[p]);
            let slope = (stencil.energy(&ahead) - stencil.energy(&behind)) / step;
            assert!((f64::from(f.y[p]) + slope).abs() < 1e-3 * slope.abs().max(1.0));
        }
    }

    #[test]
    fn a_grid_at_rest_feels_nothing_and_coincident_points_no_nan() {
        let (mut x, v, stencil) = crumpled(0, [30, 30]);
        for p in 0..900 {
            x.x[p] = 0.1 * (p % 30) as f32;
            x.y[p] = 0.2 * (p / 30) as f32;
            x.z[p] = 0.0;
        }
        let still = Soa3::zeros(v.len());
        assert!(forces(&stencil, &x, &still).iter().all(|f| f.length() < 1e-3));
        x.fill(glam::Vec3::ONE);
        assert!(forces(&stencil, &x, &v).iter().all(|f| f == glam::Vec3::ZERO));
    }

    #[test]
    fn every_pair_of_the_grid_is_listed_once() {
        let (_, _, stencil) = crumpled(3, [5, 4]);
        let mut pairs = Vec::new();
        stencil.for_each_spring(|p, q, _| pairs.push((p.min(q), p.max(q))));
        let count = pairs.len();
        // Structural 16 + 15, shear 2·12, bend 12 + 10, knight 2·9 + 2·8.
        assert_eq!(count, 31 + 24 + 22 + 34);
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), count);
    }
}
