//! Tetrahedra of G, seen from each of their corners.

use glam::{DMat3, DVec3};

use super::{Local, Which};
use crate::elastic::{ElasticTetra, cofactors, frobenius};
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;

/// W(F) of [`ElasticTetra`] and D = (1/2h)V β(2G|sym F₀ᵀ(F − F₀)|² + L(cof F₀ : (F − F₀))²), F₀ at the
/// start of the step: the damping of its strain, with directions of the start.
///
/// While one corner moves J is linear in its way, and all else of W curves by less than twice what
/// the block says (see `TetraMaterial::pull`): its Newton step never raises G, and nobody needs to look.
#[derive(Debug)]
pub(super) struct Tetras {
    tetras: Vec<ElasticTetra>,
    incidence: Incidence,
    /// F₀; empty if none is damped.
    starts: Vec<DMat3>,
    /// 1/h. [1/s]
    rate: f64,
}

impl Tetras {
    pub fn new(particles: usize, tetras: Vec<ElasticTetra>) -> Self {
        let corners: Vec<[u32; 4]> = tetras.iter().map(|t| t.corners).collect();
        let damped = tetras.iter().any(|t| t.damping > 0.0);
        let starts = vec![DMat3::IDENTITY; if damped { tetras.len() } else { 0 }];
        Self { incidence: Incidence::new(particles, &corners), tetras, starts, rate: 0.0 }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.tetras.iter().map(|t| t.corners.as_slice())
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        self.rate = 1.0 / h;
        if self.starts.is_empty() {
            return;
        }
        let items = (self.tetras.as_slice(), self.starts.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (tetras, out): (&[ElasticTetra], &mut [DMat3])| {
            for (t, out) in tetras.iter().zip(out) {
                *out = t.gradient_of_motion(t.corners.map(|c| x.get(c as usize).as_dvec3()));
            }
        });
    }

    /// Tetrahedron, corner and F of an entry of a vertex that is at `at`.
    #[inline]
    fn shape(&self, entry: u32, at: DVec3, x: &[DVec3]) -> (&ElasticTetra, usize, DMat3) {
        let (index, corner) = (entry as usize / 4, entry as usize % 4);
        let tetra = &self.tetras[index];
        let mut corners = tetra.corners.map(|c| x[c as usize]);
        corners[corner] = at;
        (tetra, corner, tetra.gradient_of_motion(corners))
    }

    /// F₀ of an entry and the strengths of its damper, if it has one.
    #[inline]
    fn damper(&self, entry: u32, tetra: &ElasticTetra) -> Option<Damper> {
        let start = *self.starts.get(entry as usize / 4).filter(|_| tetra.damping > 0.0)?;
        let [shear, bulk] = tetra.damper(self.rate);
        Some(Damper { start, cofactors: cofactors(start), shear, bulk })
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        if self.tetras.is_empty() {
            return sum;
        }
        for &entry in self.incidence.of(i) {
            if which == Which::All || entry.is_multiple_of(4) {
                let (tetra, _, f) = self.shape(entry, at, x);
                sum += tetra.energy(f);
                if let Some(damper) = self.damper(entry, tetra) {
                    sum += damper.energy(f);
                }
            }
        }
        sum
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        if !self.tetras.is_empty() {
            out.energy += self.energy(i, (at, x), Which::All);
            self.add_slopes(i, at, x, out);
        }
    }

    /// Slope and curvature alone.
    #[inline]
    pub fn add_slopes(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        for &entry in self.incidence.of(i) {
            let (tetra, corner, f) = self.shape(entry, at, x);
            let (v, g) = (tetra.volume, tetra.slopes[corner]);
            let pull = tetra.material.pull(f);
            let across = cofactors(f) * g;
            let slope = (pull.stress * g + across * pull.pressure) * v;
            out.add_isotropic(v * pull.stiffness * g.length_squared(), slope);
            out.add_outer(v * tetra.material.bulk, across, DVec3::ZERO);
            if let Some(damper) = self.damper(entry, tetra) {
                damper.add(f, g, out);
            }
        }
    }
}

/// D of one tetrahedron.
struct Damper {
    start: DMat3,
    /// cof F₀.
    cofactors: DMat3,
    /// Vβ G/h and Vβ L/h. [N·m]
    shear: f64,
    bulk: f64,
}

impl Damper {
    /// 2 sym F₀ᵀ(F − F₀), and cof F₀ : (F − F₀).
    #[inline]
    fn change(&self, f: DMat3) -> (DMat3, f64) {
        let way = f - self.start;
        let slope = self.start.transpose() * way;
        (slope + slope.transpose(), frobenius(self.cofactors, way))
    }

    #[inline]
    fn energy(&self, f: DMat3) -> f64 {
        let (twice, volume) = self.change(f);
        0.25 * self.shear * frobenius(twice, twice) + 0.5 * self.bulk * volume * volume
    }

    #[inline]
    fn add(&self, f: DMat3, g: DVec3, out: &mut Local) {
        let (twice, volume) = self.change(f);
        let (along, across) = (self.start * g, self.cofactors * g);
        let slope = self.start * (twice * g) * self.shear + across * (self.bulk * volume);
        out.add_outer(self.bulk, across, slope);
        out.add_outer(self.shear, along, DVec3::ZERO);
        let square = self.shear * g.length_squared();
        for c in 0..3 {
            out.add_outer(square, self.start.col(c), DVec3::ZERO);
        }
    }
}
