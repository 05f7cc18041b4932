//! Membrane triangles of G, seen from each of their corners.

use glam::DVec3;

use super::{Local, Which};
use crate::elastic::{ElasticTriangle, TriangleShape, tension_of};
use crate::incidence::Incidence;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;

/// W(ε) of [`ElasticTriangle`] and D = (β/h)W(ε − ε₀), ε₀ at the start of the step.
#[derive(Debug)]
pub(super) struct Triangles {
    triangles: Vec<ElasticTriangle>,
    incidence: Incidence,
    /// ε₀; empty if none is damped.
    starts: Vec<[f64; 3]>,
    /// 1/h. [1/s]
    rate: f64,
}

impl Triangles {
    pub fn new(particles: usize, triangles: Vec<ElasticTriangle>) -> Self {
        let corners: Vec<[u32; 3]> = triangles.iter().map(|t| t.corners).collect();
        let damped = triangles.iter().any(|t| t.damping > 0.0);
        let starts = vec![[0.0; 3]; if damped { triangles.len() } else { 0 }];
        Self { incidence: Incidence::new(particles, &corners), triangles, starts, rate: 0.0 }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.triangles.iter().map(|t| t.corners.as_slice())
    }

    pub fn fastest_rate(&self, inverse_mass: &[f32]) -> f64 {
        let weight = |i: u32| f64::from(inverse_mass[i as usize]);
        let rate = |t: &ElasticTriangle| t.fastest_rate(t.corners.map(weight));
        self.triangles.iter().map(rate).fold(0.0, f64::max)
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        self.rate = 1.0 / h;
        if self.starts.is_empty() {
            return;
        }
        type Part<'a> = (&'a [ElasticTriangle], &'a mut [[f64; 3]]);
        let items = (self.triangles.as_slice(), self.starts.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (triangles, out): Part<'_>| {
            for (t, out) in triangles.iter().zip(out) {
                *out = t.shape(t.corners.map(|c| x.get(c as usize).as_dvec3())).strain;
            }
        });
    }

    /// Triangle and shape of an entry of a vertex that is at `at`; then β/h, and the change of
    /// strain.
    #[inline]
    fn shape(&self, entry: u32, at: DVec3, x: &[DVec3]) -> Now<'_> {
        let (index, corner) = (entry as usize / 3, entry as usize % 3);
        let triangle = &self.triangles[index];
        let mut corners = triangle.corners.map(|c| x[c as usize]);
        corners[corner] = at;
        let shape = triangle.shape(corners);
        let damper = triangle.damping * self.rate;
        let change = self.starts.get(index).map_or([0.0; 3], |start| {
            let strain = shape.strain;
            [strain[0] - start[0], strain[1] - start[1], strain[2] - start[2]]
        });
        Now { triangle, corner, shape, damper, change }
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        for &entry in self.incidence.of(i) {
            if which == Which::All || entry.is_multiple_of(3) {
                sum += self.shape(entry, at, x).energy();
            }
        }
        sum
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        for &entry in self.incidence.of(i) {
            let now = self.shape(entry, at, x);
            out.energy += now.energy();
            now.add(out);
        }
    }
}

/// A triangle during a step.
struct Now<'a> {
    triangle: &'a ElasticTriangle,
    corner: usize,
    shape: TriangleShape,
    /// β/h.
    damper: f64,
    /// ε − ε₀.
    change: [f64; 3],
}

impl Now<'_> {
    #[inline]
    fn energy(&self) -> f64 {
        self.triangle.energy(self.shape.strain) + self.damper * self.triangle.energy(self.change)
    }

    /// Σ Yₖ(∂εₖ)(∂εₖ)ᵀ + (gᵀS⁺g)I, as in [`ElasticTriangle::hessian`].
    #[inline]
    fn add(&self, out: &mut Local) {
        let TriangleShape { columns: [f1, f2], strain } = self.shape;
        let total = [0, 1, 2].map(|k| strain[k] + self.damper * self.change[k]);
        let stress = self.triangle.stress(total);
        let [g1, g2] = self.triangle.slopes[self.corner];
        let [y1, y2, y12] = self.triangle.stiffness.map(|y| y * (1.0 + self.damper));
        let [t1, t2, t12] = tension_of(stress);
        let geometric = g1 * (t1 * g1 + t12 * g2) + g2 * (t12 * g1 + t2 * g2);
        let slope = self.triangle.gradient([f1, f2], stress, self.corner);
        out.add_isotropic(geometric, slope);
        out.add_outer(y1 * g1 * g1, f1, DVec3::ZERO);
        out.add_outer(y2 * g2 * g2, f2, DVec3::ZERO);
        out.add_outer(y12, f1 * g2 + f2 * g1, DVec3::ZERO);
    }
}
