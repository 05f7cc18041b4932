//! Gas of alike bodies.

use glam::DVec3;

use super::crowd::{START, Spot, WAY, WEIGHT};
use super::shape::{Member, Shape};
use super::skin::Skin;
use crate::elements::GasNow;
use crate::model::Model;
use crate::simd::three::larger;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::solvers::sym3::Sym3;
use crate::solvers::xpbd::turning::LARGEST_TURN;

/// One gas a lane; see `GasPass`. A crowd without a skin has none.
#[derive(Debug)]
pub(super) struct CrowdGas<'a> {
    skin: &'a Skin,
    now: [Option<GasNow>; LANES],
    multipliers: [f64; LANES],
    rooms: &'a mut Rooms,
}

/// What it writes to.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    /// Points relative to the first [m], then ∂V/∂x. [m²]
    places: Vec<[Lane; 3]>,
    slopes: Vec<[Lane; 3]>,
    /// Ways without any constraint. [m]
    aims: Vec<[Lane; 3]>,
}

type Doubles = [f64; LANES];

impl Rooms {
    pub fn new(points: usize) -> Self {
        let zeros = || vec![[Lane::ZERO; 3]; points];
        Self { places: zeros(), slopes: zeros(), aims: zeros() }
    }

    /// Between steps they hold places and velocities.
    pub fn moving(&mut self, points: usize) -> [&mut [[Lane; 3]]; 2] {
        [&mut self.places[..points], &mut self.slopes[..points]]
    }

    /// The same with the aims.
    pub fn all(&mut self, points: usize) -> [&mut [[Lane; 3]]; 3] {
        let Self { places, slopes, aims } = self;
        [&mut places[..points], &mut slopes[..points], &mut aims[..points]]
    }
}

impl<'a> CrowdGas<'a> {
    /// The gas of bodies as it is at a time, which is the end of a step.
    pub fn new(
        shape: &'a Shape,
        members: &[Member],
        (model, time): (&Model, f64),
        rooms: &'a mut Rooms,
    ) -> Self {
        let mut now = [None; LANES];
        for (now, member) in now.iter_mut().zip(members) {
            *now = member.gas.map(|gas| model.gases.gases()[gas].at(time));
        }
        Self { skin: &shape.skin, now, multipliers: [0.0; LANES], rooms }
    }

    fn is_none(&self) -> bool {
        self.skin.ends.is_empty()
    }

    /// A step begins, with points where nothing but inertia takes them.
    pub fn begin(&mut self, spots: &[Spot]) {
        if self.is_none() {
            return;
        }
        for (aim, spot) in self.rooms.aims.iter_mut().zip(spots) {
            (aim[0], aim[1], aim[2]) = (spot[WAY], spot[WAY + 1], spot[WAY + 2]);
        }
    }

    /// Solves every gas once.
    pub fn sweep(&mut self, h: f64, spots: &mut [Spot], longest: &mut Lane) {
        if self.is_none() {
            return;
        }
        let Rooms { places, slopes, .. } = &mut *self.rooms;
        let (places, slopes) = (&mut places[..spots.len()], &mut slopes[..spots.len()]);
        let (mut volumes, mut weights) = ([0.0; LANES], [0.0; LANES]);
        let sums = [&mut volumes, &mut weights];
        dispatch(Measure { skin: self.skin, spots, places, slopes, sums });
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
        dispatch(Press { slopes, changes, spots, longest });
    }

    /// What constraints have turned bodies by; see `Turning`.
    pub fn turn(&self, spots: &[Spot]) -> Turn {
        let mut turn = Turn::NONE;
        if !self.is_none() {
            dispatch(Turned { spots, aims: &self.rooms.aims, turn: &mut turn });
        }
        turn
    }
}

/// Where bodies are seen from: what is small is not to be a difference of large numbers. [m]
#[inline(always)]
fn origin(spots: &[Spot]) -> [Lane; 3] {
    spots.first().map_or([Lane::ZERO; 3], |spot| [spot[START], spot[START + 1], spot[START + 2]])
}

/// V = Σ x·∂V/∂x/3 and W = Σ w|∂V/∂x|².
struct Measure<'a> {
    skin: &'a Skin,
    spots: &'a [Spot],
    places: &'a mut [[Lane; 3]],
    slopes: &'a mut [[Lane; 3]],
    sums: [&'a mut Doubles; 2],
}

/// Points whose sums in f32 are exact enough.
const BLOCK: usize = 64;

impl Kernel for Measure<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { skin: Skin { pairs, ends, points }, spots, places, slopes, .. } = self;
        let origin = origin(spots);
        for &i in points {
            let spot = &spots[i as usize];
            // Copies share no memory: only then does the compiler use vectors.
            let mut at = [Lane::ZERO; 3];
            for d in 0..3 {
                for l in 0..LANES {
                    at[d].0[l] = (spot[START + d].0[l] - origin[d].0[l]) + spot[WAY + d].0[l];
                }
            }
            places[i as usize] = at;
        }
        let (mut volumes, mut weights) = ([0.0; LANES], [0.0; LANES]);
        let mut from = 0;
        for block in points.chunks(BLOCK) {
            let (mut volume, mut weight) = (Lane::ZERO, Lane::ZERO);
            for &i in block {
                let i = i as usize;
                let place = &places[i];
                let mut six = [Lane::ZERO; 3];
                let end = ends[i] as usize;
                for pair in &pairs[from..end] {
                    let [a, b, c] = pair.map(|v| &places[v as usize]);
                    for l in 0..LANES {
                        let u = [0, 1, 2].map(|d: usize| a[d].0[l] - place[d].0[l]);
                        let v = [0, 1, 2].map(|d: usize| b[d].0[l] - c[d].0[l]);
                        six[0].0[l] += u[1] * v[2] - u[2] * v[1];
                        six[1].0[l] += u[2] * v[0] - u[0] * v[2];
                        six[2].0[l] += u[0] * v[1] - u[1] * v[0];
                    }
                }
                from = end;
                let (mut slope, w) = ([Lane::ZERO; 3], &spots[i][WEIGHT]);
                for l in 0..LANES {
                    let s = [0, 1, 2].map(|d: usize| six[d].0[l] * (1.0 / 6.0));
                    let out = place[0].0[l] * s[0] + place[1].0[l] * s[1] + place[2].0[l] * s[2];
                    let size = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
                    volume.0[l] += out;
                    weight.0[l] += w.0[l] * size;
                    (slope[0].0[l], slope[1].0[l], slope[2].0[l]) = (s[0], s[1], s[2]);
                }
                slopes[i] = slope;
            }
            for l in 0..LANES {
                volumes[l] += f64::from(volume.0[l]);
                weights[l] += f64::from(weight.0[l]);
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
        let (mut longest, changes) = (*self.longest, self.changes);
        for (slope, spot) in self.slopes.iter().zip(self.spots) {
            let mut ways = [spot[WAY], spot[WAY + 1], spot[WAY + 2]];
            for l in 0..LANES {
                let by = spot[WEIGHT].0[l] * changes.0[l];
                let mut far = 0.0;
                for d in 0..3 {
                    let way = slope[d].0[l] * by;
                    ways[d].0[l] += way;
                    far += way * way;
                }
                longest.0[l] = larger(longest.0[l], far);
            }
            (spot[WAY], spot[WAY + 1], spot[WAY + 2]) = (ways[0], ways[1], ways[2]);
        }
        *self.longest = longest;
    }
}

/// By how much bodies are turned, and about what point of theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    angles: [Lane; 3],
    centres: [Lane; 3],
}

impl Turn {
    const NONE: Self = Self { angles: [Lane::ZERO; 3], centres: [Lane::ZERO; 3] };

    /// The way of a point without it: w − θ × r.
    #[inline(always)]
    pub fn back(&self, spot: &Spot) -> [Lane; 3] {
        // Copies share no memory: only then does the compiler use vectors.
        let (Self { angles, centres }, mut ways) = (*self, [Lane::ZERO; 3]);
        let (start, way) = ([spot[0], spot[1], spot[2]], [spot[WAY], spot[WAY + 1], spot[WAY + 2]]);
        for l in 0..LANES {
            let r = |d: usize| (start[d].0[l] - centres[d].0[l]) + way[d].0[l];
            let r = [r(0), r(1), r(2)];
            let t = [angles[0].0[l], angles[1].0[l], angles[2].0[l]];
            ways[0].0[l] = way[0].0[l] - (t[1] * r[2] - t[2] * r[1]);
            ways[1].0[l] = way[1].0[l] - (t[2] * r[0] - t[0] * r[2]);
            ways[2].0[l] = way[2].0[l] - (t[0] * r[1] - t[1] * r[0]);
        }
        ways
    }
}

/// θ = I⁻¹ Σ m r × Δx about the centre; none where a point is held.
struct Turned<'a> {
    spots: &'a [Spot],
    aims: &'a [[Lane; 3]],
    turn: &'a mut Turn,
}

/// Σ m, then Σ m of x, Δx, x × Δx, and of xx, yy, zz, xy, xz, yz.
const SUMS: usize = 16;

impl Kernel for Turned<'_> {
    #[inline(always)]
    fn run(self) {
        let mut wide = [[0.0f64; LANES]; SUMS];
        let mut held = Lane::ZERO;
        let origin = origin(self.spots);
        for (spots, aims) in self.spots.chunks(BLOCK).zip(self.aims.chunks(BLOCK)) {
            let mut sums = [Lane::ZERO; SUMS];
            for (spot, aim) in spots.iter().zip(aims) {
                for l in 0..LANES {
                    let w = spot[WEIGHT].0[l];
                    let mass = if w > 0.0 { 1.0 / w } else { 0.0 };
                    held.0[l] = if w > 0.0 { held.0[l] } else { 1.0 };
                    let x = [0, 1, 2].map(|d: usize| {
                        (spot[START + d].0[l] - origin[d].0[l]) + spot[WAY + d].0[l]
                    });
                    let by = [0, 1, 2].map(|d: usize| mass * (spot[WAY + d].0[l] - aim[d].0[l]));
                    let m = x.map(|x| mass * x);
                    sums[0].0[l] += mass;
                    for d in 0..3 {
                        sums[1 + d].0[l] += m[d];
                        sums[4 + d].0[l] += by[d];
                        sums[10 + d].0[l] += m[d] * x[d];
                    }
                    sums[7].0[l] += x[1] * by[2] - x[2] * by[1];
                    sums[8].0[l] += x[2] * by[0] - x[0] * by[2];
                    sums[9].0[l] += x[0] * by[1] - x[1] * by[0];
                    sums[13].0[l] += m[0] * x[1];
                    sums[14].0[l] += m[0] * x[2];
                    sums[15].0[l] += m[1] * x[2];
                }
            }
            for (wide, sum) in wide.iter_mut().zip(&sums) {
                wide.iter_mut().zip(&sum.0).for_each(|(wide, part)| *wide += f64::from(*part));
            }
        }
        let held = held.0;
        for (l, held) in held.iter().enumerate() {
            let sum = |k: usize| wide[k][l];
            let three = |k: usize| DVec3::new(sum(k), sum(k + 1), sum(k + 2));
            let (mass, centre) = (sum(0), three(1) / sum(0));
            let angle = {
                let c = centre;
                let [xx, yy, zz] = [0, 1, 2].map(|d: usize| sum(10 + d) - mass * c[d] * c[d]);
                let across = |k: usize, d: usize, e: usize| mass * c[d] * c[e] - sum(k);
                let off = [across(13, 0, 1), across(14, 0, 2), across(15, 1, 2)];
                let inertia = Sym3::of([yy + zz, xx + zz, xx + yy], off);
                inertia.solve(three(7) - c.cross(three(4)))
            };
            let sound = angle.is_finite() && angle.length() <= LARGEST_TURN && *held == 0.0;
            if sound {
                for d in 0..3 {
                    self.turn.angles[d].0[l] = angle[d] as f32;
                    self.turn.centres[d].0[l] = (f64::from(origin[d].0[l]) + centre[d]) as f32;
                }
            }
        }
    }
}
