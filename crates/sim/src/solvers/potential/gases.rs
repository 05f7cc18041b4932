//! Gas of G: its volume joins all vertices of a surface.

use glam::DVec3;

use super::{Local, Which};
use crate::elements::{GasBatch, GasLaw, GasNow};
use crate::model::Model;

/// E(V) = −nRT ln V + p₀V, seen from each vertex. V is linear in the place of one vertex, and in
/// those of all that move together, as no two of them share a triangle.
///
/// Of m vertices that move together each sees E(V + m ΔV)/m, ΔV its own change: as E is convex,
/// E(V + ΣΔV) ≤ Σ E(V + m ΔV)/m, so that what each gains together they gain at least. Where all
/// change the volume alike both are the same.
#[derive(Debug, Default)]
pub(super) struct Gases {
    batch: GasBatch,
    now: Vec<GasNow>,
    /// V where vertices are now. [m³]
    volumes: Vec<f64>,
    /// m of each gas.
    together: Vec<f64>,
    /// The vertex that answers for each gas.
    owners: Vec<u32>,
}

impl Gases {
    pub fn new(model: &Model) -> Self {
        let batch = model.gases.clone();
        let gases = batch.gases();
        let owner = |gas: &crate::elements::Gas| gas.surface.first().map_or(u32::MAX, |t| t[0]);
        Self {
            now: gases.iter().map(|gas| gas.at(0.0)).collect(),
            volumes: vec![0.0; gases.len()],
            together: vec![1.0; gases.len()],
            owners: gases.iter().map(owner).collect(),
            batch,
        }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        let gases = self.batch.gases().iter();
        gases.flat_map(|gas| gas.surface.iter().map(|t| t.as_slice()))
    }

    pub fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// A step ends at `time`. [s]
    pub fn begin(&mut self, time: f64) {
        for (now, gas) in self.now.iter_mut().zip(self.batch.gases()) {
            *now = gas.at(time);
        }
    }

    /// Takes volumes from where vertices are.
    pub fn measure(&mut self, x: &[DVec3]) {
        for (volume, gas) in self.volumes.iter_mut().zip(self.batch.gases()) {
            *volume = gas.volume(|v| x[v as usize]);
        }
    }

    /// These vertices move together.
    pub fn share(&mut self, vertices: &[u32]) {
        self.together.fill(0.0);
        for &v in vertices {
            if let Some(gas) = self.of(v as usize) {
                self.together[gas] += 1.0;
            }
        }
        self.together.iter_mut().for_each(|m| *m = m.max(1.0));
    }

    /// What the volume gains if vertex `i` alone goes to `to`. [m³]
    #[inline]
    pub fn gained(&self, i: usize, to: DVec3, x: &[DVec3]) -> f64 {
        match self.of(i) {
            Some(_) => self.batch.slope(i, |v| x[v]).dot(to - x[i]),
            None => 0.0,
        }
    }

    /// A vertex has moved and gained so much volume. [m³]
    pub fn add(&mut self, i: usize, gained: f64) {
        if let Some(gas) = self.of(i) {
            self.volumes[gas] += gained;
        }
    }

    /// The gas with an energy that presses on vertex `i`.
    #[inline]
    fn of(&self, i: usize) -> Option<usize> {
        self.batch.of(i).filter(|&gas| self.batch.gases()[gas].law == GasLaw::Ideal)
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let Some(gas) = self.of(i) else { return 0.0 };
        match which {
            Which::All => {
                let m = self.together[gas];
                self.now[gas].energy(self.volumes[gas] + m * self.gained(i, at, x)) / m
            }
            Which::Owned if self.owners[gas] as usize == i => {
                let volume = self.batch.gases()[gas].volume(|v| x[v as usize]);
                self.now[gas].energy(volume + self.gained(i, at, x))
            }
            Which::Owned => 0.0,
        }
    }

    #[inline]
    pub fn add_to(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        let Some(gas) = self.of(i) else { return };
        let (m, now) = (self.together[gas], &self.now[gas]);
        let slope = self.batch.slope(i, |v| x[v]);
        let volume = self.volumes[gas] + m * slope.dot(at - x[i]);
        out.energy += now.energy(volume) / m;
        out.add_outer(m * now.stiffness(volume), slope, -slope * now.overpressure(volume));
    }
}
