//! Up to sixteen alike bodies and a step of them.

use super::CrowdStep;
use super::gas::{CrowdGas, Skin};
use super::shape::{Member, Shape, ShapeSpring};
use crate::simd::three::larger;
use crate::simd::{Kernel, LANES, Lane, Square, dispatch, transpose};
use crate::soa::{Soa3, Soa3Mut};

/// One point of all bodies: where it starts [m], its way over the step [m], and its inverse mass. [1/kg]
pub(super) type Spot = [Lane; 7];

/// Where they stand in a spot.
pub(super) const START: usize = 0;
pub(super) const WAY: usize = 3;
pub(super) const WEIGHT: usize = 6;

/// Alike bodies, one a lane.
#[derive(Debug)]
pub(super) struct Crowd {
    /// Which shape they have.
    pub shape: usize,
    members: Vec<Member>,
    /// In whole blocks of sixteen.
    spots: Vec<Spot>,
    multipliers: Vec<Lane>,
    gas: Option<CrowdGas>,
    /// Places and velocities after the step: of each block the sixteen bodies, x y z each. [m, m/s]
    after: [Vec<[Lane; 3]>; 2],
    /// Largest way of a point squared in the first and the last sweep. [m²]
    pub longest: [f64; 2],
}

/// Where a range begins that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// The body.
    pub lane: usize,
    /// The first of its points.
    pub first: usize,
}

impl Crowd {
    pub fn new((number, shape): (usize, &Shape), members: &[Member]) -> Self {
        let points = shape.points.next_multiple_of(LANES);
        let after = || vec![[Lane::ZERO; 3]; points];
        Self {
            shape: number,
            members: members.to_vec(),
            spots: vec![[Lane::ZERO; 7]; points],
            multipliers: vec![Lane::ZERO; shape.springs.len()],
            gas: (!shape.surface.is_empty()).then(|| CrowdGas::new(points)),
            after: [after(), after()],
            longest: [0.0; 2],
        }
    }

    /// Takes the bodies through a step.
    pub fn advance(&mut self, shape: &Shape, step: &CrowdStep<'_>) {
        self.load(shape.points, step);
        if let Some(gas) = &mut self.gas {
            gas.begin(&self.members, step, &self.spots);
        }
        self.multipliers.fill(Lane::ZERO);
        for sweep in 0..step.sweeps {
            let mut longest = Lane::ZERO;
            if let Some(gas) = &mut self.gas {
                let skin = Skin { points: shape.points, surface: &shape.surface };
                gas.sweep(skin, step.h, &mut self.spots, &mut longest);
            }
            dispatch(Springs {
                springs: &shape.springs,
                h: step.h,
                spots: &mut self.spots,
                multipliers: &mut self.multipliers,
                longest: &mut longest,
            });
            let longest = f64::from(longest.0.iter().copied().fold(0.0, larger));
            self.longest[1] = longest;
            if sweep == 0 {
                self.longest[0] = longest;
            }
        }
        if let Some(gas) = &mut self.gas {
            gas.keep_from_turning(shape.points, &mut self.spots);
        }
        self.unload(step.h);
    }

    /// Starts, ways without constraints, and weights.
    fn load(&mut self, points: usize, step: &CrowdStep<'_>) {
        let mut rows = [[Lane::ZERO; LANES]; 7];
        for (block, spots) in self.spots.chunks_mut(LANES).enumerate() {
            let from = block * LANES;
            let count = LANES.min(points - from);
            for (lane, member) in self.members.iter().enumerate() {
                let range = member.first + from..member.first + from + count;
                let some = |of: &Soa3| {
                    let view = of.slice(range.clone());
                    [view.x, view.y, view.z].map(Lane::load)
                };
                let ([a, b, c], [d, e, f]) = (some(step.x), some(step.free));
                let weights = Lane::load(&step.weights[range.clone()]);
                let damping = Lane::load(&step.model.damping[range.clone()]);
                let masses = Lane::load(&step.model.inverse_mass[range]);
                let all = [a, b, c, d, e, f, weights];
                rows.iter_mut().zip(all).for_each(|(row, numbers)| row[lane] = numbers);
                let h = step.h as f32;
                for l in 0..LANES {
                    for way in &mut rows[WAY..WEIGHT] {
                        way[lane].0[l] *= h;
                    }
                    rows[WEIGHT][lane].0[l] /= 1.0 + h * (damping.0[l] * masses.0[l]);
                }
            }
            let lanes = spots.as_flattened_mut();
            for (k, row) in rows.iter().enumerate() {
                let to = Square { lanes: &mut lanes[k..], step: 7 };
                transpose(Square { lanes: row.as_slice(), step: 1 }, to);
            }
        }
    }

    /// x = start + way, v = way/h.
    fn unload(&mut self, h: f64) {
        let per_second = (1.0 / h) as f32;
        let mut turned = [[Lane::ZERO; 3]; LANES];
        for (block, spots) in self.spots.chunks(LANES).enumerate() {
            let blocks = self.after.each_mut().map(|all| &mut all[block * LANES..][..LANES]);
            for (after, is_place) in blocks.into_iter().zip([true, false]) {
                for (turned, spot) in turned.iter_mut().zip(spots) {
                    for (d, turned) in turned.iter_mut().enumerate() {
                        let (start, way) = (&spot[START + d].0, &spot[WAY + d].0);
                        for l in 0..LANES {
                            turned.0[l] =
                                if is_place { start[l] + way[l] } else { way[l] * per_second };
                        }
                    }
                }
                for d in 0..3 {
                    let from = Square { lanes: &turned.as_flattened()[d..], step: 3 };
                    let to = Square { lanes: &mut after.as_flattened_mut()[d..], step: 3 };
                    transpose(from, to);
                }
            }
        }
    }

    /// Writes places and velocities of a body from a point on.
    pub fn put(&self, Start { lane, first }: Start, (x, v): (Soa3Mut<'_>, Soa3Mut<'_>)) {
        for (to, after) in [x, v].into_iter().zip(&self.after) {
            for (d, to) in [to.x, to.y, to.z].into_iter().enumerate() {
                let mut done = 0;
                while done < to.len() {
                    let (block, within) = ((first + done) / LANES, (first + done) % LANES);
                    let count = (LANES - within).min(to.len() - done);
                    let from = &after[block * LANES + lane][d].0[within..within + count];
                    to[done..done + count].copy_from_slice(from);
                    done += count;
                }
            }
        }
    }
}

/// Below this square of a length a direction is rounding noise. [m²]
const SHORTEST: f32 = 1e-24;

/// Δλ = (−K(|d| − L) − λ − B n·w)/((K + B)(wₐ + w_b) + 1), w the way of b against a.
struct Springs<'a> {
    springs: &'a [ShapeSpring],
    h: f64,
    spots: &'a mut [Spot],
    multipliers: &'a mut [Lane],
    longest: &'a mut Lane,
}

impl Kernel for Springs<'_> {
    #[inline(always)]
    fn run(self) {
        let mut longest = *self.longest;
        for (spring, multiplier) in self.springs.iter().zip(self.multipliers) {
            let [rest, k, c] = spring.numbers(self.h);
            let [a, b] = spring.ends();
            let [pa, pb] = [&self.spots[a], &self.spots[b]];
            let (mut to_a, mut to_b) = ([Lane::ZERO; 3], [Lane::ZERO; 3]);
            for l in 0..LANES {
                let way = |d: usize| pb[WAY + d].0[l] - pa[WAY + d].0[l];
                let way = [way(0), way(1), way(2)];
                let apart = |d: usize| (pb[START + d].0[l] - pa[START + d].0[l]) + way[d];
                let apart = [apart(0), apart(1), apart(2)];
                let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
                let length = square.sqrt();
                let (wa, wb) = (pa[WEIGHT].0[l], pb[WEIGHT].0[l]);
                let yields = (k + c) * (wa + wb) + 1.0;
                // One division for both.
                let both = 1.0 / (length * yields);
                let inverse = if square > SHORTEST { both * yields } else { 0.0 };
                let n = [apart[0] * inverse, apart[1] * inverse, apart[2] * inverse];
                let widened = n[0] * way[0] + n[1] * way[1] + n[2] * way[2];
                let pull = k * (length - rest) + multiplier.0[l] + c * widened;
                let change = -pull * (both * length);
                // Without a direction nothing moves, and nothing is owed.
                let change = if square > SHORTEST { change } else { 0.0 };
                multiplier.0[l] += change;
                let (by_a, by_b) = (wa * change, wb * change);
                for d in 0..3 {
                    to_a[d].0[l] = pa[WAY + d].0[l] - n[d] * by_a;
                    to_b[d].0[l] = pb[WAY + d].0[l] + n[d] * by_b;
                }
                let far = larger(wa, wb) * change;
                longest.0[l] = larger(longest.0[l], far * far);
            }
            for (v, [x, y, z]) in [(a, to_a), (b, to_b)] {
                let spot = &mut self.spots[v];
                (spot[WAY], spot[WAY + 1], spot[WAY + 2]) = (x, y, z);
            }
        }
        *self.longest = longest;
    }
}
