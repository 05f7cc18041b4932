//! Stretch and shear of a surface by triangles: the finite-element model.

use glam::{DVec2, DVec3, Vec3};

use crate::incidence::Incidence;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// W = A·½(Y₁E₁₁² + Y₂E₂₂² + Gγ²) with Green's strain E = ½(FᵀF − I), γ = 2E₁₂ and
/// F = Σ xᵢ gᵢᵀ: orthotropic St. Venant–Kirchhoff without coupling of warp and weft, constant
/// over the triangle (Volino, Magnenat-Thalmann and Faure 2009). Damping is β times the
/// stiffness, on the rate of strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneTriangle {
    /// The three particles.
    pub corners: [u32; 3],
    /// gᵢ: slope of each corner's share along warp and weft. [1/m]
    pub slopes: [[f32; 2]; 3],
    /// A at rest. [m²]
    pub area: f32,
    /// Y₁, Y₂ and G. [N/m]
    pub stiffness: [f32; 3],
    /// β. [s]
    pub damping: f32,
}

impl MembraneTriangle {
    /// The triangle whose corners lie at `flat` of the panel, warp first, when at rest [m].
    /// `None` if it has no area there.
    pub fn at_rest(
        corners: [u32; 3],
        flat: [DVec2; 3],
        stiffness: [f32; 3],
        damping: f32,
    ) -> Option<Self> {
        let [a, b, c] = flat;
        let doubled = (b - a).perp_dot(c - a);
        let longest = (b - a).length_squared().max((c - a).length_squared());
        if !(doubled.abs() > 1e-9 * longest) {
            return None;
        }
        // The share of a corner falls from 1 to 0 across the triangle, at right angles to the
        // opposite side.
        let slope = |from: DVec2, to: DVec2| {
            let across = (to - from).perp() / doubled;
            [across.x as f32, across.y as f32]
        };
        Some(Self {
            corners,
            slopes: [slope(b, c), slope(c, a), slope(a, b)],
            area: (0.5 * doubled.abs()) as f32,
            stiffness,
            damping,
        })
    }

    /// The corners at rest on the panel: the plane of a triangle in space, the first
    /// axis along `warp` [m]. `None` if the triangle has no area or stands across it.
    pub fn flatten(x: [Vec3; 3], warp: Vec3) -> Option<[DVec2; 3]> {
        let [a, b, c] = x.map(Vec3::as_dvec3);
        let normal = (b - a).cross(c - a).try_normalize()?;
        let along = warp.as_dvec3();
        let in_plane = along - normal * along.dot(normal);
        if !(in_plane.length() > 0.1 * along.length()) {
            return None;
        }
        let first = in_plane.normalize();
        let second = normal.cross(first);
        Some([a, b, c].map(|p| DVec2::new((p - a).dot(first), (p - a).dot(second))))
    }
}

/// All membrane triangles of a model.
#[derive(Clone, Debug, Default)]
pub struct MembraneBatch {
    triangles: Vec<MembraneTriangle>,
    incidence: Incidence,
}

impl MembraneBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, triangles: Vec<MembraneTriangle>) -> Self {
        let corners: Vec<[u32; 3]> = triangles.iter().map(|t| t.corners).collect();
        Self { incidence: Incidence::new(particles, &corners), triangles }
    }

    /// The triangles in order.
    pub fn triangles(&self) -> &[MembraneTriangle] {
        &self.triangles
    }

    /// Adds all forces; `scratch` holds one entry a triangle.
    pub fn add_forces(&self, x: &Soa3, v: &Soa3, f: &mut Soa3, scratch: &mut [[Vec3; 3]]) {
        if self.triangles.is_empty() {
            return;
        }
        type Part<'a> = (&'a [MembraneTriangle], &'a mut [[Vec3; 3]]);
        let parts = (self.triangles.as_slice(), &mut *scratch);
        for_each_part(parts, 1, &|_, (triangles, out): Part<'_>| {
            for (triangle, out) in triangles.iter().zip(out) {
                let at = |points: &Soa3| triangle.corners.map(|c| points.get(c as usize));
                *out = forces(triangle, at(x), at(v));
            }
        });
        let scratch = &*scratch;
        for_each_part(f.view_mut(), 1, &|first, mut f: Soa3Mut| {
            for i in 0..f.len() {
                let mut sum = f.get(i);
                for &entry in self.incidence.of(first + i) {
                    sum += scratch[entry as usize / 3][entry as usize % 3];
                }
                f.set(i, sum);
            }
        });
    }

    /// Σ W. [J]
    pub fn energy(&self, x: &Soa3) -> f64 {
        self.triangles
            .iter()
            .map(|t| energy(t, t.corners.map(|c| x.get(c as usize).as_dvec3())))
            .sum()
    }

    /// Calls `visit(triangle, k, ∂εₖ/∂x)` for the three strains of every triangle at `x`.
    pub fn for_each_strain(
        &self,
        x: &Soa3,
        mut visit: impl FnMut(&MembraneTriangle, usize, [Vec3; 3]),
    ) {
        for triangle in &self.triangles {
            let f = columns(triangle, triangle.corners.map(|c| x.get(c as usize)));
            for k in 0..3 {
                visit(triangle, k, triangle.slopes.map(|g| strain_slope(f, g, k)));
            }
        }
    }
}

/// The columns of F: what a step along warp and along weft has become.
#[inline]
fn columns(triangle: &MembraneTriangle, x: [Vec3; 3]) -> [Vec3; 2] {
    // Relative to a corner, so that the place in the world does not round strains away.
    let (b, c) = (x[1] - x[0], x[2] - x[0]);
    let [_, g1, g2] = triangle.slopes;
    [b * g1[0] + c * g2[0], b * g1[1] + c * g2[1]]
}

/// ∂εₖ/∂xᵢ of the strains ε = (E₁₁, E₂₂, γ).
#[inline]
fn strain_slope(f: [Vec3; 2], g: [f32; 2], k: usize) -> Vec3 {
    match k {
        0 => f[0] * g[0],
        1 => f[1] * g[1],
        _ => f[0] * g[1] + f[1] * g[0],
    }
}

#[inline]
fn forces(t: &MembraneTriangle, x: [Vec3; 3], v: [Vec3; 3]) -> [Vec3; 3] {
    let f = columns(t, x);
    let mut strain = [0.5 * (f[0].dot(f[0]) - 1.0), 0.5 * (f[1].dot(f[1]) - 1.0), f[0].dot(f[1])];
    if t.damping != 0.0 {
        let w = columns(t, v);
        let rate = [f[0].dot(w[0]), f[1].dot(w[1]), f[0].dot(w[1]) + f[1].dot(w[0])];
        strain.iter_mut().zip(rate).for_each(|(strain, rate)| *strain += t.damping * rate);
    }
    let [s1, s2, s12] = [0, 1, 2].map(|k| t.area * t.stiffness[k] * strain[k]);
    let [p1, p2] = [f[0] * s1 + f[1] * s12, f[0] * s12 + f[1] * s2];
    let [_, b, c] = t.slopes.map(|g| p1 * -g[0] + p2 * -g[1]);
    [-(b + c), b, c]
}

fn energy(t: &MembraneTriangle, x: [DVec3; 3]) -> f64 {
    let (b, c) = (x[1] - x[0], x[2] - x[0]);
    let g = t.slopes.map(|g| g.map(f64::from));
    let f = [0, 1].map(|axis| b * g[1][axis] + c * g[2][axis]);
    let strain = [0.5 * (f[0].dot(f[0]) - 1.0), 0.5 * (f[1].dot(f[1]) - 1.0), f[0].dot(f[1])];
    let density: f64 = (0..3).map(|k| f64::from(t.stiffness[k]) * strain[k] * strain[k]).sum();
    0.5 * f64::from(t.area) * density
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: [DVec2; 3] = [DVec2::ZERO, DVec2::new(0.5, 0.1), DVec2::new(0.05, 0.4)];

    fn batch(damping: f32) -> MembraneBatch {
        let t = MembraneTriangle::at_rest([0, 1, 2], REST, [40.0, 30.0, 10.0], damping).unwrap();
        MembraneBatch::new(3, vec![t])
    }

    fn forces_of(batch: &MembraneBatch, x: [Vec3; 3], v: [Vec3; 3]) -> Soa3 {
        let mut f = Soa3::zeros(3);
        let (x, v) = (Soa3::from_points(&x), Soa3::from_points(&v));
        batch.add_forces(&x, &v, &mut f, &mut [[Vec3::ZERO; 3]]);
        f
    }

    fn stretched() -> [Vec3; 3] {
        [Vec3::new(0.1, 0.0, 0.02), Vec3::new(0.7, -0.1, 0.2), Vec3::new(0.2, 0.5, -0.1)]
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let batch = batch(0.0);
        let f = forces_of(&batch, stretched(), [Vec3::ZERO; 3]);
        for (corner, axis) in (0..3).flat_map(|c| (0..3).map(move |a| (c, a))) {
            let energy = |shift: f32| {
                let mut x = stretched();
                x[corner][axis] += shift;
                batch.energy(&Soa3::from_points(&x))
            };
            let slope = (energy(1e-3) - energy(-1e-3)) / 2e-3;
            assert!((slope + f64::from(f.get(corner)[axis])).abs() < 1e-2, "{slope} {f:?}");
        }
        let net: Vec3 = f.iter().sum();
        assert!(net.length() < 1e-5);
    }

    #[test]
    fn a_strip_pulled_along_the_warp_answers_with_its_stiffness() {
        // Two triangles of a unit square, drawn out by 0.1 % along the warp: Y₁ε a width.
        let flat = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
        let of = |corners: [u32; 3]| {
            let places = corners.map(|c| flat[c as usize]);
            MembraneTriangle::at_rest(corners, places, [500.0, 300.0, 20.0], 0.0).unwrap()
        };
        let batch = MembraneBatch::new(4, vec![of([0, 1, 2]), of([2, 1, 3])]);
        let x = flat.map(|p| Vec3::new(1.001 * p.x as f32, p.y as f32, 0.0));
        let mut f = Soa3::zeros(4);
        let still = Soa3::zeros(4);
        let x = Soa3::from_points(&x);
        batch.add_forces(&x, &still, &mut f, &mut [[Vec3::ZERO; 3]; 2]);
        let pull = -(f.get(1).x + f.get(3).x);
        assert!((pull / 0.5 - 1.0).abs() < 0.01, "{pull}");
    }

    #[test]
    fn rigid_motion_gives_no_force() {
        let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7);
        let rest = REST.map(|p| Vec3::new(p.x as f32, p.y as f32, 0.0));
        let turned = rest.map(|p| turn * p + Vec3::new(3.0, -2.0, 1.0));
        let spin = Vec3::new(0.3, -0.8, 0.5);
        let f = forces_of(&batch(0.3), turned, turned.map(|p| spin.cross(p)));
        assert!((0..3).all(|i| f.get(i).length() < 3e-5), "{f:?}");
    }

    #[test]
    fn damping_takes_energy() {
        let v = [Vec3::X, Vec3::Y, Vec3::new(-1.0, 2.0, 0.5)];
        let [with, without] = [0.01, 0.0].map(|damping| forces_of(&batch(damping), stretched(), v));
        let power: f32 = (0..3).map(|i| (with.get(i) - without.get(i)).dot(v[i])).sum();
        assert!(power < -0.01, "{power}");
    }

    #[test]
    fn a_triangle_without_area_is_refused() {
        let line = [DVec2::ZERO, DVec2::X, DVec2::X * 2.0];
        assert!(MembraneTriangle::at_rest([0, 1, 2], line, [1.0; 3], 0.0).is_none());
    }
}
