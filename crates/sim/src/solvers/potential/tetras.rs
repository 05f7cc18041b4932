//! Tetrahedra of G, seen from each of their corners.

use glam::{DMat3, DVec3};

use super::{Local, Which};
use crate::elastic::{ElasticTetra, cofactors, frobenius};
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;
use crate::solvers::sym3::Sym3;

/// W(F) of [`ElasticTetra`] and D = (1/2h)V β(2G|sym F₀ᵀ(F − F₀)|² + L(cof F₀ : (F − F₀))²), F₀ at the
/// start of the step: the damping of its strain, with directions of the start.
///
/// While one corner moves J is linear in its way, and all else of W curves by less than twice what
/// the block says (see `TetraMaterial::pull`): its Newton step never raises G, and nobody needs to look.
#[derive(Debug)]
pub(super) struct Tetras {
    tetras: Vec<ElasticTetra>,
    incidence: Incidence,
    /// Empty if none is damped.
    dampers: Vec<Damper>,
}

impl Tetras {
    pub fn new(particles: usize, tetras: Vec<ElasticTetra>) -> Self {
        let corners: Vec<[u32; 4]> = tetras.iter().map(|t| t.corners).collect();
        let damped = tetras.iter().any(|t| t.damping > 0.0);
        let dampers = vec![Damper::default(); if damped { tetras.len() } else { 0 }];
        Self { incidence: Incidence::new(particles, &corners), tetras, dampers }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.tetras.iter().map(|t| t.corners.as_slice())
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        if self.dampers.is_empty() {
            return;
        }
        let items = (self.tetras.as_slice(), self.dampers.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (tetras, out): (&[ElasticTetra], &mut [Damper])| {
            for (t, out) in tetras.iter().zip(out) {
                let start = t.gradient_of_motion(t.corners.map(|c| x.get(c as usize).as_dvec3()));
                *out = Damper::new(start, t.damper(1.0 / h));
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

    /// The damper of an entry, if it has one.
    #[inline]
    fn damper(&self, entry: u32) -> Option<&Damper> {
        self.dampers.get(entry as usize / 4)
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
                if let Some(damper) = self.damper(entry) {
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
            if let Some(damper) = self.damper(entry) {
                damper.add(f, g, out);
            }
        }
    }
}

/// D of one tetrahedron.
#[derive(Clone, Copy, Debug, Default)]
struct Damper {
    /// F₀.
    start: DMat3,
    /// cof F₀.
    cofactors: DMat3,
    /// (Vβ G/h) F₀F₀ᵀ. [N·m]
    square: Sym3,
    /// Vβ G/h and Vβ L/h. [N·m]
    shear: f64,
    bulk: f64,
}

impl Damper {
    fn new(start: DMat3, [shear, bulk]: [f64; 2]) -> Self {
        let mut square = Sym3::default();
        (0..3).for_each(|c| square.add_outer(shear, start.col(c)));
        Self { start, cofactors: cofactors(start), square, shear, bulk }
    }

    #[inline]
    fn energy(&self, f: DMat3) -> f64 {
        let way = f - self.start;
        let slope = self.start.transpose() * way;
        // 2 sym F₀ᵀ(F − F₀).
        let twice = slope + slope.transpose();
        let volume = frobenius(self.cofactors, way);
        0.25 * self.shear * frobenius(twice, twice) + 0.5 * self.bulk * volume * volume
    }

    #[inline]
    fn add(&self, f: DMat3, g: DVec3, out: &mut Local) {
        let way = f - self.start;
        let (along, across) = (self.start * g, self.cofactors * g);
        let volume = frobenius(self.cofactors, way);
        let turned = self.start * (way.transpose() * along) * self.shear;
        let slope = self.square.times(way * g) + turned + across * (self.bulk * volume);
        out.add_outer(self.bulk, across, slope);
        out.add_outer(self.shear, along, DVec3::ZERO);
        out.add_block(g.length_squared(), &self.square);
    }
}
