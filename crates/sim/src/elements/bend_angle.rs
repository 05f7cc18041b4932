//! Bending by the angle between two triangles.

use glam::Vec3;

use crate::elastic::{ElasticCoupling, ElasticHinge, HingeShape};
use crate::incidence::Incidence;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// F_i = −K (sin(θ/2) − sin(θ₀/2)) u_i with K = k|E|/(h₁ + h₂) and u_i = ∂θ/∂x_i:
/// 001, eq. 3.2, with the directions of Bridson et al. 2003. |E|, h₁ and h₂ are
/// taken at rest, so that the force has an energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleBend {
    /// The two far corners, then the two ends of the shared edge.
    pub corners: [u32; 4],
    /// K = k|E|/(h₁ + h₂). [N·m]
    pub stiffness: f32,
    /// Torque per turning speed. [N·m·s]
    pub damping: f32,
    /// sin(θ₀/2) of the rest shape.
    pub rest_sine: f32,
}

impl AngleBend {
    /// The hinge whose rest shape is `x`, for bending stiffness `stiffness` [N·m]
    /// and bending damping `damping` [N·m·s]. `None` if a triangle has no area.
    pub fn at_rest(corners: [u32; 4], x: [Vec3; 4], stiffness: f32, damping: f32) -> Option<Self> {
        let edge = (x[3] - x[2]).length();
        let hinge = Hinge::new(x)?;
        let heights = (hinge.area_normals[0].length() + hinge.area_normals[1].length()) / edge;
        let shape = edge / heights;
        Some(Self {
            corners,
            stiffness: stiffness * shape,
            damping: damping * shape,
            rest_sine: hinge.half_angle_sine(),
        })
    }
}

/// E = Q(φ − φ₀)(φ′ − φ₀′), φ = 4 sin(θ/4), of two hinges at one triangle: what makes hinges
/// bend as a plate does, alike in every direction. φ is chosen so that a hinge's own energy
/// from flat is ¼Kφ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendCoupling {
    /// The two hinges, by number.
    pub hinges: [u32; 2],
    /// Q. [N·m]
    pub stiffness: f32,
    /// What the triangle adds to each hinge's own energy ½qφ²; K = 2Σq over its triangles. [N·m]
    pub shares: [f32; 2],
    /// The triangle, by number. Those of one triangle follow each other.
    pub triangle: u32,
}

/// All angle hinges of a model.
#[derive(Clone, Debug, Default)]
pub struct AngleBendBatch {
    bends: Vec<AngleBend>,
    incidence: Incidence,
    couplings: Vec<BendCoupling>,
    /// The couplings of each hinge.
    coupled: Incidence,
}

/// What a step needs to compute bending.
#[derive(Debug, Default)]
pub struct BendScratch {
    forces: Vec<[Vec3; 4]>,
    /// φ − φ₀ of each hinge, and dφ/dθ.
    turned: Vec<[f32; 2]>,
}

impl AngleBendBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, bends: Vec<AngleBend>) -> Self {
        Self::coupled(particles, bends, Vec::new())
    }

    /// A batch in which some hinges act together.
    pub fn coupled(particles: usize, bends: Vec<AngleBend>, couplings: Vec<BendCoupling>) -> Self {
        let corners: Vec<[u32; 4]> = bends.iter().map(|b| b.corners).collect();
        let pairs: Vec<[u32; 2]> = couplings.iter().map(|c| c.hinges).collect();
        let coupled = Incidence::new(bends.len(), &pairs);
        Self { incidence: Incidence::new(particles, &corners), bends, couplings, coupled }
    }

    /// Which hinges act together.
    pub fn couplings(&self) -> &[BendCoupling] {
        &self.couplings
    }

    /// Room for what [`Self::add_forces`] computes.
    pub fn scratch(&self) -> BendScratch {
        let turned = if self.couplings.is_empty() { 0 } else { self.bends.len() };
        BendScratch {
            forces: vec![[Vec3::ZERO; 4]; self.bends.len()],
            turned: vec![[0.0; 2]; turned],
        }
    }

    /// The hinges in order.
    pub fn bends(&self) -> &[AngleBend] {
        &self.bends
    }

    /// Adds all bending forces.
    pub fn add_forces(&self, x: &Soa3, v: &Soa3, f: &mut Soa3, scratch: &mut BendScratch) {
        if self.bends.is_empty() {
            return;
        }
        let BendScratch { forces: out, turned } = scratch;
        type Turned<'a> = (&'a [AngleBend], &'a mut [[f32; 2]]);
        if !turned.is_empty() {
            let parts = (self.bends.as_slice(), turned.as_mut_slice());
            for_each_part(parts, 1, &|_, (bends, turned): Turned<'_>| {
                for (bend, turned) in bends.iter().zip(turned) {
                    *turned = turn(bend, bend.corners.map(|c| x.get(c as usize)));
                }
            });
        }
        let turned = &*turned;
        type Forces<'a> = (&'a [AngleBend], &'a mut [[Vec3; 4]]);
        let parts = (self.bends.as_slice(), out.as_mut_slice());
        for_each_part(parts, 1, &|first, (bends, out): Forces<'_>| {
            for (i, (bend, out)) in bends.iter().zip(out).enumerate() {
                let at = |points: &Soa3| bend.corners.map(|c| points.get(c as usize));
                *out = forces(bend, at(x), at(v), self.coupled_torque(first + i, turned));
            }
        });
        let scratch = &*out;
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

    /// φ′ΣQ(φ − φ₀): the torque on a hinge by those that it is coupled to. [N·m]
    #[inline]
    fn coupled_torque(&self, hinge: usize, turned: &[[f32; 2]]) -> f32 {
        if turned.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for &entry in self.coupled.of(hinge) {
            let coupling = &self.couplings[entry as usize / 2];
            let other = coupling.hinges[1 - entry as usize % 2];
            sum += coupling.stiffness * turned[other as usize][0];
        }
        sum * turned[hinge][1]
    }

    /// Σ K(2cos(θ₀/2) − 2cos(θ/2) − sin(θ₀/2)(θ − θ₀)) and of all couplings; the most that a
    /// hinge can hold where a triangle has no area. [J]
    pub fn energy(&self, x: &Soa3) -> f64 {
        let at = |c: u32| x.get(c as usize).as_dvec3();
        let own = |bend: &AngleBend| {
            let hinge = ElasticHinge::new(bend);
            let shape = HingeShape::new(hinge.corners.map(at));
            shape.map_or_else(|| hinge.worst(), |shape| hinge.energy(shape.angle))
        };
        let coupled = |c: ElasticCoupling| {
            c.both(c.places(at)).map_or_else(|| c.worst(), |[(a, _), (b, _)]| c.stiffness * a * b)
        };
        self.bends.iter().map(own).sum::<f64>() + self.pairs().map(coupled).sum::<f64>()
    }

    /// What of that is counted for triangles without area. [J]
    pub fn unresolved(&self, x: &Soa3) -> f64 {
        let at = |c: u32| x.get(c as usize).as_dvec3();
        let hinges = self.bends.iter().map(ElasticHinge::new);
        let own = hinges.filter(|h| HingeShape::new(h.corners.map(at)).is_none());
        let coupled = self.pairs().filter(|c| c.both(c.places(at)).is_none());
        own.map(|h| h.worst()).sum::<f64>() + coupled.map(|c| c.worst()).sum::<f64>()
    }

    /// Couplings in f64.
    fn pairs(&self) -> impl Iterator<Item = ElasticCoupling> + '_ {
        let hinge = |hinge: u32| ElasticHinge::new(&self.bends[hinge as usize]);
        self.couplings
            .iter()
            .map(move |c| ElasticCoupling::between(c.stiffness, c.hinges.map(hinge)))
    }

    /// ∂θ/∂x of every hinge, for stability estimates; zero where it has no force.
    pub fn for_each_gradient(&self, x: &Soa3, mut visit: impl FnMut(&AngleBend, [Vec3; 4])) {
        for bend in &self.bends {
            let hinge = Hinge::new(bend.corners.map(|c| x.get(c as usize)));
            visit(bend, hinge.map_or([Vec3::ZERO; 4], |hinge| hinge.gradient()));
        }
    }
}

/// Geometry of two triangles that share an edge.
struct Hinge {
    x: [Vec3; 4],
    /// Twice the triangles' area vectors.
    area_normals: [Vec3; 2],
}

impl Hinge {
    /// `None` where a triangle is so thin that its normal is noise.
    #[inline]
    fn new(x: [Vec3; 4]) -> Option<Self> {
        let n1 = (x[0] - x[2]).cross(x[0] - x[3]);
        let n2 = (x[1] - x[3]).cross(x[1] - x[2]);
        let floor = 1e-6 * (x[3] - x[2]).length_squared();
        let thin = |n: Vec3| n.length_squared() <= floor * floor;
        if floor == 0.0 || thin(n1) || thin(n2) {
            return None;
        }
        Some(Self { x, area_normals: [n1, n2] })
    }

    /// sin(θ/2) = ±|n̂₁ − n̂₂|/2: no cancellation at small angles, unlike √((1 − cos θ)/2).
    #[inline]
    fn half_angle_sine(&self) -> f32 {
        let [n1, n2] = self.area_normals.map(|n| n / n.length());
        let half = 0.5 * (n1 - n2).length();
        if n1.cross(n2).dot(self.x[3] - self.x[2]) < 0.0 { -half } else { half }
    }

    /// u_i = ∂θ/∂x_i.
    #[inline]
    fn gradient(&self) -> [Vec3; 4] {
        let edge = self.x[3] - self.x[2];
        let length = edge.length();
        let along = edge / length;
        let [m1, m2] = self.area_normals.map(|n| n / n.length_squared());
        let [a, b, start, end] = self.x;
        [
            m1 * -length,
            m2 * -length,
            m1 * -(a - end).dot(along) + m2 * -(b - end).dot(along),
            m1 * (a - start).dot(along) + m2 * (b - start).dot(along),
        ]
    }
}

/// φ − φ₀ with φ = 4 sin(θ/4), and dφ/dθ = cos(θ/4), from sin(θ/2) alone.
#[inline]
fn turn(bend: &AngleBend, x: [Vec3; 4]) -> [f32; 2] {
    let Some(hinge) = Hinge::new(x) else {
        return [0.0; 2];
    };
    let quarter = |sine: f32| {
        let cosine = (1.0 - sine * sine).max(0.0).sqrt();
        let quarter = (0.5 * (1.0 + cosine)).sqrt();
        [2.0 * sine / quarter, quarter]
    };
    let [turned, slope] = quarter(hinge.half_angle_sine());
    [turned - quarter(bend.rest_sine)[0], slope]
}

/// Forces of a hinge on which `more` torque acts besides its own.
#[inline]
fn forces(bend: &AngleBend, x: [Vec3; 4], v: [Vec3; 4], more: f32) -> [Vec3; 4] {
    let Some(hinge) = Hinge::new(x) else {
        return [Vec3::ZERO; 4];
    };
    let gradient = hinge.gradient();
    let turning: f32 = gradient.iter().zip(v).map(|(u, v)| u.dot(v)).sum();
    let torque =
        bend.stiffness * (hinge.half_angle_sine() - bend.rest_sine) + bend.damping * turning + more;
    gradient.map(|u| u * -torque)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(height: f32) -> [Vec3; 4] {
        [
            Vec3::new(-0.4, height, 0.45),
            Vec3::new(0.5, 0.7 * height, 0.6),
            Vec3::new(0.02, 0.0, 0.0),
            Vec3::new(0.0, 0.03, 1.0),
        ]
    }

    fn batch(rest: [Vec3; 4], stiffness: f32, damping: f32) -> AngleBendBatch {
        let bend = AngleBend::at_rest([0, 1, 2, 3], rest, stiffness, damping).unwrap();
        AngleBendBatch::new(4, vec![bend])
    }

    fn forces_of(batch: &AngleBendBatch, x: [Vec3; 4], v: [Vec3; 4]) -> Soa3 {
        let mut f = Soa3::zeros(4);
        let mut scratch = batch.scratch();
        batch.add_forces(&Soa3::from_points(&x), &Soa3::from_points(&v), &mut f, &mut scratch);
        f
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        for (rest, now) in [(0.0, 0.3), (0.0, -0.4), (0.2, 0.5), (-0.3, 0.4)] {
            let bends = batch(folded(rest), 2.0, 0.0);
            let f = forces_of(&bends, folded(now), [Vec3::ZERO; 4]);
            let scale = (0..4).map(|i| f.get(i).length()).fold(0.0, f32::max);
            assert!(scale > 0.1);
            let step = 1e-3;
            for (corner, axis) in (0..4).flat_map(|c| (0..3).map(move |a| (c, a))) {
                let energy = |shift: f32| {
                    let mut moved = folded(now);
                    moved[corner][axis] += shift;
                    bends.energy(&Soa3::from_points(&moved))
                };
                let slope = (energy(step) - energy(-step)) / (2.0 * f64::from(step));
                assert!(
                    (slope + f64::from(f.get(corner)[axis])).abs() < 1e-3 * f64::from(scale),
                    "rest {rest} now {now} corner {corner} axis {axis}"
                );
            }
        }
    }

    #[test]
    fn no_net_force_or_torque() {
        let x = folded(0.35);
        let v = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let f = forces_of(&batch(folded(0.0), 2.0, 0.7), x, v);
        let net: Vec3 = f.iter().sum();
        let torque: Vec3 = (0..4).map(|i| x[i].cross(f.get(i))).sum();
        assert!(net.length() < 1e-5 && torque.length() < 1e-5, "{net} {torque}");
    }

    #[test]
    fn rest_shape_and_rigid_motion_give_no_force() {
        let bends = batch(folded(0.25), 2.0, 0.7);
        let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7);
        let turned = folded(0.25).map(|p| turn * p + Vec3::new(3.0, -2.0, 1.0));
        let spin = Vec3::new(0.3, -0.8, 0.5);
        let f = forces_of(&bends, turned, turned.map(|p| spin.cross(p)));
        assert!((0..4).all(|i| f.get(i).length() < 1e-5));
    }

    #[test]
    fn flat_triangles_without_area_are_refused() {
        let mut flat = folded(0.0);
        flat[0] = flat[2];
        assert!(AngleBend::at_rest([0, 1, 2, 3], flat, 1.0, 0.0).is_none());
    }
}
