//! Elastic solids by tetrahedra.

use glam::{DVec3, Vec3};

use crate::elastic::{ElasticTetra, TetraCurvature};
use crate::incidence::Incidence;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// All tetrahedra of a model: W = V Ψ(F), see [`ElasticTetra`].
#[derive(Clone, Debug, Default)]
pub struct TetraBatch {
    tetras: Vec<ElasticTetra>,
    incidence: Incidence,
}

impl TetraBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, tetras: Vec<ElasticTetra>) -> Self {
        let corners: Vec<[u32; 4]> = tetras.iter().map(|t| t.corners).collect();
        Self { incidence: Incidence::new(particles, &corners), tetras }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tetras.is_empty()
    }

    /// The tetrahedra in order.
    pub fn tetras(&self) -> &[ElasticTetra] {
        &self.tetras
    }

    /// Adds all forces; `scratch` holds one entry a tetrahedron.
    pub fn add_forces(&self, x: &Soa3, v: &Soa3, f: &mut Soa3, scratch: &mut [[Vec3; 4]]) {
        if self.tetras.is_empty() {
            return;
        }
        type Part<'a> = (&'a [ElasticTetra], &'a mut [[Vec3; 4]]);
        let parts = (self.tetras.as_slice(), &mut *scratch);
        for_each_part(parts, 1, &|_, (tetras, out): Part<'_>| {
            for (tetra, out) in tetras.iter().zip(out) {
                *out = forces(tetra, at(tetra, x), at(tetra, v));
            }
        });
        let scratch = &*scratch;
        for_each_part(f.view_mut(), 1, &|first, mut f: Soa3Mut| {
            for i in 0..f.len() {
                let mut sum = f.get(i);
                for &entry in self.incidence.of(first + i) {
                    sum += scratch[entry as usize / 4][entry as usize % 4];
                }
                f.set(i, sum);
            }
        });
    }

    /// Σ W. [J]
    pub fn energy(&self, x: &Soa3) -> f64 {
        self.tetras.iter().map(|t| t.energy(t.gradient_of_motion(at(t, x)))).sum()
    }

    /// The largest ω² of a particle whose neighbours all stay, at rest. [1/s²]
    pub fn fastest_rate(&self, inverse_mass: &[f32]) -> f64 {
        if self.tetras.is_empty() {
            return 0.0;
        }
        let rate = |(i, &w): (usize, &f32)| {
            let entries = self.incidence.of(i).iter();
            let hold = |&e: &u32| self.tetras[e as usize / 4].hold(e as usize % 4);
            f64::from(w) * entries.map(hold).sum::<f64>()
        };
        inverse_mass.iter().enumerate().map(rate).fold(0.0, f64::max)
    }

    /// Calls `visit` with every tetrahedron and its curvature at `x`.
    pub fn for_each_curvature(
        &self,
        x: &Soa3,
        mut visit: impl FnMut(&ElasticTetra, TetraCurvature),
    ) {
        for t in &self.tetras {
            visit(t, t.curvature(t.gradient_of_motion(at(t, x))));
        }
    }
}

fn at(tetra: &ElasticTetra, points: &Soa3) -> [DVec3; 4] {
    tetra.corners.map(|c| points.get(c as usize).as_dvec3())
}

fn forces(t: &ElasticTetra, x: [DVec3; 4], v: [DVec3; 4]) -> [Vec3; 4] {
    let f = t.gradient_of_motion(x);
    let mut stress = t.stress(f);
    if t.damping != 0.0 {
        stress += t.viscous_stress(f, t.gradient_of_motion(v));
    }
    let [_, b, c, d] = t.slopes.map(|g| (stress * -g).as_vec3());
    // What is rounded must not push the whole.
    [-(b + c + d), b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastic::{TetraLaw, TetraMaterial};

    const REST: [Vec3; 4] =
        [Vec3::ZERO, Vec3::new(0.5, 0.1, 0.0), Vec3::new(0.1, 0.4, 0.0), Vec3::new(0.0, 0.1, 0.6)];

    fn batch(damping: f64) -> TetraBatch {
        let material = TetraMaterial::new(TetraLaw::NeoHookean, 100.0, 0.3);
        let x = REST.map(Vec3::as_dvec3);
        let t = ElasticTetra::at_rest([0, 1, 2, 3], x, material).unwrap().damped(damping);
        TetraBatch::new(4, vec![t])
    }

    fn forces_of(batch: &TetraBatch, x: [Vec3; 4], v: [Vec3; 4]) -> Soa3 {
        let mut f = Soa3::zeros(4);
        let (x, v) = (Soa3::from_points(&x), Soa3::from_points(&v));
        batch.add_forces(&x, &v, &mut f, &mut [[Vec3::ZERO; 4]]);
        f
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let batch = batch(0.0);
        let x = REST.map(|p| Vec3::new(1.2 * p.x + 0.3 * p.y, 0.8 * p.y, 1.1 * p.z - 0.2 * p.x));
        let f = forces_of(&batch, x, [Vec3::ZERO; 4]);
        for (corner, axis) in (0..4).flat_map(|c| (0..3).map(move |a| (c, a))) {
            let energy = |shift: f32| {
                let mut x = x;
                x[corner][axis] += shift;
                batch.energy(&Soa3::from_points(&x))
            };
            let slope = (energy(1e-3) - energy(-1e-3)) / 2e-3;
            assert!((slope + f64::from(f.get(corner)[axis])).abs() < 1e-3, "{slope} {f:?}");
        }
    }

    #[test]
    fn rigid_motion_gives_no_force_and_other_motion_costs_energy() {
        let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7);
        let turned = REST.map(|p| turn * p + Vec3::new(3.0, -2.0, 1.0));
        let spin = Vec3::new(0.3, -0.8, 0.5);
        let f = forces_of(&batch(0.3), turned, turned.map(|p| spin.cross(p)));
        assert!((0..4).all(|i| f.get(i).length() < 3e-5), "{f:?}");
        let v = [Vec3::X, Vec3::Y, Vec3::new(-1.0, 2.0, 0.5), Vec3::Z];
        let f = forces_of(&batch(0.01), REST, v);
        let power: f32 = (0..4).map(|i| f.get(i).dot(v[i])).sum();
        assert!(power < -0.01, "{power}");
    }
}
