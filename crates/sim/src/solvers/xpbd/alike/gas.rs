//! Gas of alike bodies.

use glam::DVec3;

use super::CrowdStep;
use super::crowd::{START, Spot, WAY, WEIGHT};
use super::shape::Member;
use crate::elements::GasNow;
use crate::simd::three::larger;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::solvers::sym3::Sym3;
use crate::solvers::xpbd::turning::LARGEST_TURN;

/// One gas a lane; see `GasPass`.
#[derive(Debug)]
pub(super) struct CrowdGas {
    now: [Option<GasNow>; LANES],
    multipliers: [f64; LANES],
    /// Points relative to the first [m], then ∂V/∂x. [m²]
    places: Vec<[Lane; 3]>,
    slopes: Vec<[Lane; 3]>,
    /// Ways without any constraint. [m]
    aims: Vec<[Lane; 3]>,
}

/// The skin of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skin<'a> {
    pub points: usize,
    pub surface: &'a [[u32; 3]],
}

type Doubles = [f64; LANES];

impl CrowdGas {
    pub fn new(points: usize) -> Self {
        let zeros = || vec![[Lane::ZERO; 3]; points];
        Self {
            now: [None; LANES],
            multipliers: [0.0; LANES],
            places: zeros(),
            slopes: zeros(),
            aims: zeros(),
        }
    }

    /// A step begins, with points where nothing but inertia takes them.
    pub fn begin(&mut self, members: &[Member], step: &CrowdStep<'_>, spots: &[Spot]) {
        self.multipliers = [0.0; LANES];
        self.now = [None; LANES];
        for (now, member) in self.now.iter_mut().zip(members) {
            *now = member.gas.map(|gas| step.model.gases.gases()[gas].at(step.time));
        }
        for (aim, spot) in self.aims.iter_mut().zip(spots) {
            aim.copy_from_slice(&spot[WAY..WEIGHT]);
        }
    }

    /// Solves every gas once.
    pub fn sweep(&mut self, skin: Skin<'_>, h: f64, spots: &mut [Spot], longest: &mut Lane) {
        let (mut volumes, mut weights) = ([0.0; LANES], [0.0; LANES]);
        dispatch(Measure {
            skin,
            spots,
            places: &mut self.places,
            slopes: &mut self.slopes,
            sums: [&mut volumes, &mut weights],
        });
        let square = h * h;
        let mut changes = Lane::ZERO;
        for (l, now) in self.now.iter().enumerate() {
            let Some(now) = now else { continue };
            let change = (square * now.overpressure(volumes[l]) - self.multipliers[l])
                / (1.0 + square * now.stiffness(volumes[l]) * weights[l]);
            if change.is_finite() {
                self.multipliers[l] += change;
                changes.0[l] = change as f32;
            }
        }
        dispatch(Press { slopes: &self.slopes[..skin.points], changes, spots, longest });
    }

    /// See `Turning`.
    pub fn keep_from_turning(&mut self, points: usize, spots: &mut [Spot]) {
        let mut turns = [Lane::ZERO; 3];
        let mut centres = [Lane::ZERO; 3];
        dispatch(Turned {
            spots: &spots[..points],
            aims: &self.aims,
            turns: &mut turns,
            centres: &mut centres,
        });
        dispatch(TurnBack { spots: &mut spots[..points], turns, centres });
    }
}

/// V = Σ x·∂V/∂x/3 and W = Σ w|∂V/∂x|².
struct Measure<'a> {
    skin: Skin<'a>,
    spots: &'a [Spot],
    places: &'a mut [[Lane; 3]],
    slopes: &'a mut [[Lane; 3]],
    sums: [&'a mut Doubles; 2],
}

impl Kernel for Measure<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { skin: Skin { points, surface }, spots, places, slopes, .. } = self;
        let origin = spots[0];
        for (place, spot) in places.iter_mut().zip(&spots[..points]) {
            let mut at = [Lane::ZERO; 3];
            for (d, at) in at.iter_mut().enumerate() {
                let (start, way, origin) = (spot[START + d], spot[WAY + d], origin[START + d]);
                for l in 0..LANES {
                    at.0[l] = (start.0[l] - origin.0[l]) + way.0[l];
                }
            }
            *place = at;
        }
        slopes.fill([Lane::ZERO; 3]);
        for t in surface {
            let [a, b, c] = t.map(|v| v as usize);
            let [pa, pb, pc] = [places[a], places[b], places[c]];
            let mut twice = [Lane::ZERO; 3];
            for l in 0..LANES {
                let along = |p: &[Lane; 3], d: usize| p[d].0[l] - pa[d].0[l];
                let u = [along(&pb, 0), along(&pb, 1), along(&pb, 2)];
                let v = [along(&pc, 0), along(&pc, 1), along(&pc, 2)];
                twice[0].0[l] = u[1] * v[2] - u[2] * v[1];
                twice[1].0[l] = u[2] * v[0] - u[0] * v[2];
                twice[2].0[l] = u[0] * v[1] - u[1] * v[0];
            }
            for v in [a, b, c] {
                let mut slope = slopes[v];
                for (slope, twice) in slope.iter_mut().zip(&twice) {
                    for l in 0..LANES {
                        slope.0[l] += twice.0[l];
                    }
                }
                slopes[v] = slope;
            }
        }
        let (mut volumes, mut weights) = ([0.0; LANES], [0.0; LANES]);
        for ((slope, place), spot) in slopes[..points].iter_mut().zip(&*places).zip(spots) {
            for l in 0..LANES {
                let s = [0, 1, 2].map(|d: usize| slope[d].0[l] * (1.0 / 6.0));
                let out = place[0].0[l] * s[0] + place[1].0[l] * s[1] + place[2].0[l] * s[2];
                let size = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
                volumes[l] += f64::from(out);
                weights[l] += f64::from(spot[WEIGHT].0[l] * size);
                for d in 0..3 {
                    slope[d].0[l] = s[d];
                }
            }
        }
        let [volume, weight] = self.sums;
        *volume = volumes.map(|sum| sum / 3.0);
        *weight = weights;
    }
}

/// x ← x + w ∂V/∂x Δλ.
struct Press<'a> {
    slopes: &'a [[Lane; 3]],
    changes: Lane,
    spots: &'a mut [Spot],
    longest: &'a mut Lane,
}

impl Kernel for Press<'_> {
    #[inline(always)]
    fn run(self) {
        let mut longest = *self.longest;
        for (slope, spot) in self.slopes.iter().zip(self.spots) {
            for l in 0..LANES {
                let by = spot[WEIGHT].0[l] * self.changes.0[l];
                let mut far = 0.0;
                for d in 0..3 {
                    let way = slope[d].0[l] * by;
                    spot[WAY + d].0[l] += way;
                    far += way * way;
                }
                longest.0[l] = larger(longest.0[l], far);
            }
        }
        *self.longest = longest;
    }
}

/// θ = I⁻¹ Σ m r × Δx about the centre; none where a point is held.
struct Turned<'a> {
    spots: &'a [Spot],
    aims: &'a [[Lane; 3]],
    turns: &'a mut [Lane; 3],
    centres: &'a mut [Lane; 3],
}

impl Kernel for Turned<'_> {
    #[inline(always)]
    fn run(self) {
        let (origin, mut held) = (self.spots[0], [0.0f32; LANES]);
        let (mut whole, mut moment) = ([0.0f64; LANES], [[0.0f64; LANES]; 3]);
        for spot in self.spots {
            for l in 0..LANES {
                let w = spot[WEIGHT].0[l];
                held[l] = if w > 0.0 { held[l] } else { 1.0 };
                let mass = if w > 0.0 { 1.0 / w } else { 0.0 };
                whole[l] += f64::from(mass);
                for d in 0..3 {
                    let start = spot[START + d].0[l] - origin[START + d].0[l];
                    moment[d][l] += f64::from(mass * (start + spot[WAY + d].0[l]));
                }
            }
        }
        for d in 0..3 {
            for l in 0..LANES {
                self.centres[d].0[l] = (moment[d][l] / whole[l]) as f32 + origin[START + d].0[l];
            }
        }
        let centres = *self.centres;
        // Σ m of r × Δx, then of xx, yy, zz, xy, xz, yz.
        let (mut turn, mut square) = ([[0.0f64; LANES]; 3], [[0.0f32; LANES]; 6]);
        for (spot, aim) in self.spots.iter().zip(self.aims) {
            for l in 0..LANES {
                let w = spot[WEIGHT].0[l];
                let mass = if w > 0.0 { 1.0 / w } else { 0.0 };
                let r = |d: usize| (spot[START + d].0[l] - centres[d].0[l]) + spot[WAY + d].0[l];
                let r = [r(0), r(1), r(2)];
                let by = |d: usize| mass * (spot[WAY + d].0[l] - aim[d].0[l]);
                let by = [by(0), by(1), by(2)];
                turn[0][l] += f64::from(r[1] * by[2] - r[2] * by[1]);
                turn[1][l] += f64::from(r[2] * by[0] - r[0] * by[2]);
                turn[2][l] += f64::from(r[0] * by[1] - r[1] * by[0]);
                for d in 0..3 {
                    square[d][l] += mass * (r[d] * r[d]);
                }
                square[3][l] += mass * (r[0] * r[1]);
                square[4][l] += mass * (r[0] * r[2]);
                square[5][l] += mass * (r[1] * r[2]);
            }
        }
        for l in 0..LANES {
            let [xx, yy, zz, xy, xz, yz] = square.map(|sum| f64::from(sum[l]));
            let inertia = Sym3::of([yy + zz, xx + zz, xx + yy], [-xy, -xz, -yz]);
            let angle = inertia.solve(DVec3::new(turn[0][l], turn[1][l], turn[2][l]));
            let sound = angle.is_finite() && angle.length() <= LARGEST_TURN && held[l] == 0.0;
            let angle = if sound { angle.as_vec3().to_array() } else { [0.0; 3] };
            (0..3).for_each(|d| self.turns[d].0[l] = angle[d]);
        }
    }
}

/// x ← x − θ × r.
struct TurnBack<'a> {
    spots: &'a mut [Spot],
    turns: [Lane; 3],
    centres: [Lane; 3],
}

impl Kernel for TurnBack<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { spots, turns, centres } = self;
        for spot in spots {
            for l in 0..LANES {
                let r = |d: usize| (spot[START + d].0[l] - centres[d].0[l]) + spot[WAY + d].0[l];
                let (r, t) = ([r(0), r(1), r(2)], turns.map(|turn| turn.0[l]));
                spot[WAY].0[l] -= t[1] * r[2] - t[2] * r[1];
                spot[WAY + 1].0[l] -= t[2] * r[0] - t[0] * r[2];
                spot[WAY + 2].0[l] -= t[0] * r[1] - t[1] * r[0];
            }
        }
    }
}
