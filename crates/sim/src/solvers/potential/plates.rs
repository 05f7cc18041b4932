//! Plates of G, seen from each of their corners.

use glam::DVec3;

use super::{Local, Which};
use crate::elastic::{ElasticPlate, OTHERS, PlateShape, turn};
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;

/// E of [`ElasticPlate`] and D = Σ (c/2h)(θ − θ₀)², θ₀ at the start of the step.
#[derive(Debug)]
pub(super) struct Plates {
    plates: Vec<ElasticPlate>,
    incidence: Incidence,
    /// θ₀ of each side, where it has one; empty if none is damped.
    starts: Vec<Option<[f64; 3]>>,
    /// 1/h. [1/s]
    rate: f64,
}

impl Plates {
    pub fn new(particles: usize, plates: Vec<ElasticPlate>) -> Self {
        let corners: Vec<[u32; 6]> = plates.iter().map(|p| p.corners).collect();
        let mut sides = plates.iter().flat_map(|p| p.sides.iter().flatten());
        let damped = sides.any(|s| s.hinge.damping > 0.0);
        let starts = vec![None; if damped { plates.len() } else { 0 }];
        Self { incidence: Incidence::new(particles, &corners), plates, starts, rate: 0.0 }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.plates.iter().map(|p| p.corners.as_slice())
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        self.rate = 1.0 / h;
        if self.starts.is_empty() {
            return;
        }
        type Part<'a> = (&'a [ElasticPlate], &'a mut [Option<[f64; 3]>]);
        let items = (self.plates.as_slice(), self.starts.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (plates, out): Part<'_>| {
            for (plate, out) in plates.iter().zip(out) {
                let at = plate.corners.map(|c| x.get(c as usize).as_dvec3());
                *out = plate.shape(at).map(|shape| shape.angle);
            }
        });
    }

    /// The plate of an entry with vertex `i`, one of its corners, at `at`: its shape, if it has
    /// one, with dashpots in it, or else the energy.
    #[inline]
    fn shape(&self, entry: u32, at: DVec3, x: &[DVec3]) -> Result<PlateShape, f64> {
        let (index, corner) = (entry as usize / 6, entry as usize % 6);
        let plate = &self.plates[index];
        let mut corners = plate.corners.map(|c| x[c as usize]);
        corners[corner] = at;
        // As with a hinge: a plate with a triangle of no area holds more than it would in any
        // shape, so that nothing is caught in one without forces.
        let Some(mut shape) = plate.shape(corners) else { return Err(plate.worst()) };
        let Some(starts) = self.starts.get(index).copied().flatten() else { return Ok(shape) };
        for (i, side) in plate.sides.iter().enumerate() {
            let Some(side) = side else { continue };
            let (c, turned) = (side.hinge.damping * self.rate, turn(starts[i], shape.angle[i]));
            shape.energy += 0.5 * c * turned * turned;
            shape.torque[i] += c * turned;
            shape.curvature[i] += c;
        }
        Ok(shape)
    }

    /// Whether an entry is to be counted: a corner that is named twice counts once.
    #[inline]
    fn counts(&self, entry: u32, which: Which) -> bool {
        let corner = entry as usize % 6;
        match which {
            Which::Owned => corner == 0,
            Which::All => self.plates[entry as usize / 6].is_first(corner),
        }
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let entries = self.incidence.of(i).iter().filter(|&&entry| self.counts(entry, which));
        entries
            .map(|&entry| self.shape(entry, at, x).map_or_else(|worst| worst, |s| s.energy))
            .sum()
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        for &entry in self.incidence.of(i).iter().filter(|&&e| self.counts(e, Which::All)) {
            let shape = match self.shape(entry, at, x) {
                Ok(shape) => shape,
                Err(worst) => {
                    out.energy += worst;
                    continue;
                }
            };
            out.energy += shape.energy;
            let u = shape.gradient.map(|u| u[entry as usize % 6]);
            for (side, u) in u.into_iter().enumerate() {
                out.add_outer(shape.curvature[side], u, u * shape.torque[side]);
            }
            for ([a, b], q) in OTHERS.into_iter().zip(shape.coupled) {
                out.block.add_both(q, u[a], u[b]);
                out.bound += 2.0 * q.abs() * u[a].length() * u[b].length();
            }
        }
    }
}
