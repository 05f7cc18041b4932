//! Springs between any two particles.

use glam::{DVec3, Vec3};

use super::{SpringKind, SpringParams};
use crate::incidence::Incidence;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// Below this length the direction of a spring is rounding noise. [m]
const SHORTEST: f32 = 1e-12;

/// F = d̂·(k(|d| − L) + c (v_b − v_a)·d̂), d = x_b − x_a, on a; −F on b (001, eq. 3.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The two particles.
    pub ends: [u32; 2],
    /// Length without force. [m]
    pub rest: f32,
    /// Stiffness [N/m] and damping along the spring [N·s/m].
    pub params: SpringParams,
    /// What it resists.
    pub kind: SpringKind,
}

/// All free-form springs of a model. Grid cloth keeps its springs in
/// [`super::GridStencil`] instead, where their regularity can be used.
#[derive(Clone, Debug, Default)]
pub struct SpringBatch {
    springs: Vec<Spring>,
    incidence: Incidence,
}

impl SpringBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, springs: Vec<Spring>) -> Self {
        let ends: Vec<[u32; 2]> = springs.iter().map(|s| s.ends).collect();
        Self { incidence: Incidence::new(particles, &ends), springs }
    }

    /// The springs in order.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    /// Adds all spring forces. Each spring is computed once into `scratch`
    /// (one entry a spring); each particle then sums its own in fixed order.
    pub fn add_forces(&self, x: &Soa3, v: &Soa3, f: &mut Soa3, scratch: &mut Soa3) {
        if self.springs.is_empty() {
            return;
        }
        for_each_part((self.springs.as_slice(), scratch.view_mut()), 1, &|_,
                                                                          (springs, mut out): (
            &[Spring],
            Soa3Mut,
        )| {
            for (i, spring) in springs.iter().enumerate() {
                let [a, b] = spring.ends.map(|e| e as usize);
                out.set(i, force(spring, x.get(b) - x.get(a), v.get(b) - v.get(a)));
            }
        });
        let scratch = &*scratch;
        for_each_part(f.view_mut(), 1, &|first, mut f: Soa3Mut| {
            for i in 0..f.len() {
                let mut sum = f.get(i);
                for &entry in self.incidence.of(first + i) {
                    let pull = scratch.get(entry as usize / 2);
                    sum = if entry % 2 == 0 { sum + pull } else { sum - pull };
                }
                f.set(i, sum);
            }
        });
    }

    /// Σ ½k(|d| − L)². [J]
    pub fn energy(&self, x: &Soa3) -> f64 {
        self.springs
            .iter()
            .map(|s| {
                let [a, b] = s.ends.map(|e| x.get(e as usize).as_dvec3());
                spring_energy(b - a, s.rest, s.params.stiffness)
            })
            .sum()
    }
}

/// ½k(|d| − L)². [J]
pub fn spring_energy(d: DVec3, rest: f32, stiffness: f32) -> f64 {
    let stretch = d.length() - f64::from(rest);
    0.5 * f64::from(stiffness) * stretch * stretch
}

/// Force on end a for d = x_b − x_a and relative velocity w = v_b − v_a.
#[inline]
fn force(spring: &Spring, d: Vec3, w: Vec3) -> Vec3 {
    let length = d.length();
    if length < SHORTEST {
        return Vec3::ZERO;
    }
    let direction = d / length;
    let SpringParams { stiffness, damping } = spring.params;
    direction * (stiffness * (length - spring.rest) + damping * w.dot(direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(stiffness: f32, damping: f32) -> SpringBatch {
        SpringBatch::new(
            2,
            vec![Spring {
                ends: [0, 1],
                rest: 0.5,
                params: SpringParams { stiffness, damping },
                kind: SpringKind::Structural,
            }],
        )
    }

    fn forces(batch: &SpringBatch, x: [Vec3; 2], v: [Vec3; 2]) -> Soa3 {
        let mut f = Soa3::zeros(2);
        let mut scratch = Soa3::zeros(1);
        batch.add_forces(&Soa3::from_points(&x), &Soa3::from_points(&v), &mut f, &mut scratch);
        f
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let batch = pair(40.0, 0.0);
        let x = [Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.7, 0.4, -0.1)];
        let f = forces(&batch, x, [Vec3::ZERO; 2]);
        let step = 1e-3;
        for (particle, axis) in (0..2).flat_map(|p| (0..3).map(move |a| (p, a))) {
            let energy = |shift: f32| {
                let mut moved = x;
                moved[particle][axis] += shift;
                batch.energy(&Soa3::from_points(&moved))
            };
            let slope = (energy(step) - energy(-step)) / (2.0 * f64::from(step));
            assert!((slope + f64::from(f.get(particle)[axis])).abs() < 1e-3 * 20.0);
        }
    }

    #[test]
    fn damping_acts_along_the_spring_only() {
        let x = [Vec3::ZERO, Vec3::X * 0.5];
        let across = forces(&pair(40.0, 3.0), x, [Vec3::ZERO, Vec3::Y]);
        assert_eq!(across.get(0), Vec3::ZERO);
        let along = forces(&pair(40.0, 3.0), x, [Vec3::ZERO, Vec3::X]);
        assert!((along.get(0) - Vec3::X * 3.0).length() < 1e-6);
        assert_eq!(along.get(0), -along.get(1));
    }

    #[test]
    fn coincident_ends_give_no_force_and_no_nan() {
        let f = forces(&pair(40.0, 3.0), [Vec3::ONE; 2], [Vec3::ZERO, Vec3::X]);
        assert_eq!(f.get(0), Vec3::ZERO);
    }
}
