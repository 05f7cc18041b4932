//! A triangle of a plate: the hinges at its sides and what couples them, as one element.

use glam::DVec3;

use super::{ElasticHinge, HingeShape};
use crate::elements::BendCoupling;
use crate::model::Model;

/// E = Σ Eᵢ(θᵢ) + Σ Qᵢⱼψᵢψⱼ over the sides of a triangle, Eᵢ being the triangle's share of a
/// hinge and ψ that of [`super::ElasticCoupling`]. All plates and the hinges that are left
/// over hold what all hinges and couplings do; one plate alone has no negative curvature in
/// its angles, which a coupling has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticPlate {
    /// The triangle, then the far corner of the hinge at the side opposite each of its
    /// corners. Where there is none, or it is named before, a corner stands in its place.
    pub corners: [u32; 6],
    /// The hinges, by the corner opposite.
    pub sides: [Option<PlateSide>; 3],
    /// Q of the two sides that are not the i-th. [N·m]
    pub coupled: [f64; 3],
}

/// What a triangle has of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateSide {
    /// The hinge with the triangle's share of stiffness and damping.
    pub hinge: ElasticHinge,
    /// Its corners among those of the plate.
    pub places: [usize; 4],
    /// sin(θ₀/4).
    rest_quarter: f64,
    /// 4sin²(θ/4) − sin(θ₀/2)θ at rest.
    rest_well: f64,
}

/// A plate at one shape; zero at sides without a hinge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlateShape {
    /// θ of each side.
    pub angle: [f64; 3],
    /// ∂θ/∂x of each side at each corner. [1/m]
    pub gradient: [[DVec3; 6]; 3],
    /// E. [J]
    pub energy: f64,
    /// ∂E/∂θ. [N·m]
    pub torque: [f64; 3],
    /// ½K cos²(θ/4) of each side and, for the two sides that are not the i-th,
    /// Q cos(θ/4)cos(θ′/4): a symmetric matrix without negative eigenvalues. [N·m]
    pub curvature: [f64; 3],
    /// See `curvature`. [N·m]
    pub coupled: [f64; 3],
}

impl ElasticPlate {
    fn new([a, b, c]: [u32; 3]) -> Self {
        Self { corners: [a, b, c, a, b, c], sides: [None; 3], coupled: [0.0; 3] }
    }

    /// Takes up a hinge at one of the sides; returns which.
    fn add(&mut self, hinge: ElasticHinge) -> Option<usize> {
        let edge = &hinge.corners[2..];
        let side = (0..3).find(|&i| !edge.contains(&self.corners[i]))?;
        if self.sides[side].is_some() {
            return Some(side);
        }
        let [a, b, ..] = hinge.corners;
        let far = if a == self.corners[side] { b } else { a };
        if !self.corners.contains(&far) {
            self.corners[3 + side] = far;
        }
        let mut places = [0; 4];
        for (place, corner) in places.iter_mut().zip(hinge.corners) {
            *place = self.corners.iter().position(|&c| c == corner)?;
        }
        let rest_quarter = libm::sin(0.5 * libm::asin(hinge.rest_sine));
        let rest_well =
            4.0 * rest_quarter * rest_quarter - hinge.rest_sine * 2.0 * libm::asin(hinge.rest_sine);
        self.sides[side] = Some(PlateSide { hinge, places, rest_quarter, rest_well });
        Some(side)
    }

    /// Everything at `x`; `None` where a hinge has no angle.
    #[inline]
    pub fn shape(&self, x: [DVec3; 6]) -> Option<PlateShape> {
        let mut out = PlateShape::default();
        let (mut turned, mut cosines) = ([0.0; 3], [0.0; 3]);
        for (i, side) in self.sides.iter().enumerate() {
            let Some(PlateSide { hinge, places, rest_quarter, rest_well }) = side else { continue };
            let shape = HingeShape::new(places.map(|place| x[place]))?;
            let (sine, cosine) = libm::sincos(0.25 * shape.angle);
            for (&place, u) in places.iter().zip(shape.gradient) {
                out.gradient[i][place] = u;
            }
            out.angle[i] = shape.angle;
            (turned[i], cosines[i]) = (4.0 * (sine - rest_quarter), cosine);
            // −2cos(θ/2) = 4sin²(θ/4) − 2.
            let well = 4.0 * sine * sine - hinge.rest_sine * shape.angle;
            out.energy += hinge.stiffness * (well - rest_well);
            out.torque[i] = hinge.stiffness * (2.0 * sine * cosine - hinge.rest_sine);
            out.curvature[i] = 0.5 * hinge.stiffness * cosine * cosine;
        }
        for (i, q) in self.coupled.into_iter().enumerate() {
            let [a, b] = OTHERS[i];
            out.energy += q * turned[a] * turned[b];
            out.torque[a] += q * turned[b] * cosines[a];
            out.torque[b] += q * turned[a] * cosines[b];
            out.coupled[i] = q * cosines[a] * cosines[b];
        }
        Some(out)
    }

    /// No less than E of any shape. [J]
    pub fn worst(&self) -> f64 {
        let own: f64 = self.sides.iter().flatten().map(|side| side.hinge.worst()).sum();
        let most = self.sides.map(|side| {
            side.map_or(0.0, |s| 4.0 * (std::f64::consts::FRAC_1_SQRT_2 + s.rest_quarter.abs()))
        });
        let couplings = OTHERS.iter().zip(self.coupled);
        own + couplings.map(|([a, b], q)| q.abs() * most[*a] * most[*b]).sum::<f64>()
    }

    /// Whether a corner is named for the first time.
    #[inline]
    pub fn is_first(&self, corner: usize) -> bool {
        corner < 3 || !self.corners[..corner].contains(&self.corners[corner])
    }
}

/// The two sides that are not the i-th.
pub(crate) const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// A hinge of which less than this part is left belongs to plates alone.
const NOTHING_LEFT: f64 = 1e-4;

/// The plates of a model, and the hinges or parts of hinges that belong to none.
pub fn plates_of(model: &Model) -> (Vec<ElasticPlate>, Vec<ElasticHinge>) {
    let hinges: Vec<ElasticHinge> = model.bends.bends().iter().map(ElasticHinge::new).collect();
    let mut left: Vec<f64> = vec![1.0; hinges.len()];
    let mut plates = Vec::new();
    for group in model.bends.couplings().chunk_by(|a, b| a.triangle == b.triangle) {
        let Some(&corners) = model.triangles.get(group[0].triangle as usize) else { continue };
        let mut plate = ElasticPlate::new(corners);
        for BendCoupling { hinges: two, stiffness, shares, .. } in group {
            let mut sides = [None; 2];
            for end in 0..2 {
                let number = two[end] as usize;
                let whole = hinges[number];
                if !(whole.stiffness > 0.0) {
                    continue;
                }
                let part = 2.0 * f64::from(shares[end]) / whole.stiffness;
                let known = plate.sides.iter().flatten().any(|s| s.hinge.corners == whole.corners);
                let (stiffness, damping) = (part * whole.stiffness, part * whole.damping);
                sides[end] = plate.add(ElasticHinge { stiffness, damping, ..whole });
                if !known && sides[end].is_some() {
                    left[number] -= part;
                }
            }
            if let [Some(a), Some(b)] = sides
                && a != b
            {
                plate.coupled[3 - a - b] = f64::from(*stiffness);
            }
        }
        plates.push(plate);
    }
    let remaining = hinges.iter().zip(left).filter(|(_, part)| *part > NOTHING_LEFT);
    let share = |(hinge, part): (&ElasticHinge, f64)| ElasticHinge {
        stiffness: part * hinge.stiffness,
        damping: part * hinge.damping,
        ..*hinge
    };
    (plates, remaining.map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ModelBuilder;
    use crate::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
    use crate::elements::SpringParams;
    use crate::rng::Rng;
    use glam::Vec3;

    /// A curved irregular sheet, and the same disturbed.
    fn sheet(curved: f32) -> (Model, Vec<DVec3>) {
        let mut rng = Rng::new(5);
        let mut noise = |size: f64| rng.between(-size, size) as f32;
        let points: Vec<Vec3> = (0..20)
            .map(|i| Vec3::new((i % 5) as f32 + noise(0.2), 0.0, (i / 5) as f32 + noise(0.2)))
            .map(|p| Vec3::new(p.x, curved * p.x * p.x, p.z))
            .collect();
        let moved = points.iter().map(|p| *p + Vec3::new(noise(0.2), noise(0.3), noise(0.2)));
        let moved = moved.map(|p| p.as_dvec3()).collect();
        let faces = (0..12u32).map(|i| i + i / 4).map(|i| vec![i, i + 5, i + 6, i + 1]).collect();
        let none = SpringParams { stiffness: 0.0, damping: 0.0 };
        let mut b = ModelBuilder::new(Vec3::ZERO);
        b.add_particle(1.0, Vec3::ZERO, Vec3::ZERO);
        let cloth = Cloth {
            bending: Some(AngleBending { stiffness: 4.0, damping: 0.1 }),
            plate: true,
            ..Cloth::new(
                "sheet",
                ClothShape::Mesh { points, faces, uvs: Vec::new() },
                MassRule::PerPoint(1.0),
                SpringModel::Neighbours12 { structural: none, shear: none, bend: none },
            )
        };
        // Twice, so that numbers of triangles and hinges do not start at zero.
        b.add_cloth(&cloth);
        b.add_cloth(&cloth);
        (b.build().0, moved)
    }

    fn placed(moved: &[DVec3]) -> Vec<DVec3> {
        std::iter::once(DVec3::ZERO).chain(moved.iter().chain(moved).copied()).collect()
    }

    fn energy(plates: &(Vec<ElasticPlate>, Vec<ElasticHinge>), x: &[DVec3]) -> f64 {
        let at = |c: u32| x[c as usize];
        let hinge = |h: &ElasticHinge| h.energy(HingeShape::new(h.corners.map(at)).unwrap().angle);
        let plate = |p: &ElasticPlate| p.shape(p.corners.map(at)).unwrap().energy;
        plates.0.iter().map(plate).sum::<f64>() + plates.1.iter().map(hinge).sum::<f64>()
    }

    #[test]
    fn plates_and_what_is_left_hold_what_hinges_and_couplings_do() {
        for curved in [0.0, 0.2] {
            let (model, moved) = sheet(curved);
            let x = placed(&moved);
            let points: Vec<Vec3> = x.iter().map(|p| p.as_vec3()).collect();
            let known = model.bends.energy(&crate::soa::Soa3::from_points(&points));
            let plates = plates_of(&model);
            let found = energy(&plates, &x);
            assert!(known > 0.1 && (found / known - 1.0).abs() < 1e-5, "{found}, not {known}");
            let damping = |all: f64, h: &ElasticHinge| all + h.damping;
            let whole: f64 = model.bends.bends().iter().map(|b| f64::from(b.damping)).sum();
            let sides = plates.0.iter().flat_map(|p| p.sides.iter().flatten());
            let shares = sides.map(|s| &s.hinge).chain(&plates.1).fold(0.0, damping);
            assert!((shares / whole - 1.0).abs() < 1e-5, "{shares}, not {whole}");
        }
    }

    #[test]
    fn torques_are_slopes_and_curvatures_have_no_negative_eigenvalue() {
        let (model, moved) = sheet(0.2);
        let (x, mut rng) = (placed(&moved), Rng::new(3));
        for plate in plates_of(&model).0 {
            let at = plate.corners.map(|c| x[c as usize]);
            let shape = plate.shape(at).unwrap();
            for (corner, axis) in (0..6).flat_map(|c| (0..3).map(move |a| (c, a))) {
                if !plate.is_first(corner) {
                    continue;
                }
                let energy = |shift: f64| {
                    let mut at = at;
                    at[corner][axis] += shift;
                    plate.shape(at).unwrap().energy
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                let force = |i: usize| shape.torque[i] * shape.gradient[i][corner][axis];
                let expected: f64 = (0..3).map(force).sum();
                assert!((slope - expected).abs() < 1e-7, "{slope} {expected}");
            }
            for _ in 0..50 {
                let p = [(); 3].map(|()| rng.between(-1.0, 1.0));
                let own: f64 = (0..3).map(|i| shape.curvature[i] * p[i] * p[i]).sum();
                let both = |i: usize| {
                    let [a, b] = OTHERS[i];
                    2.0 * shape.coupled[i] * p[a] * p[b]
                };
                let sum = own + (0..3).map(both).sum::<f64>();
                assert!(sum > -1e-6 * own, "{sum} of {own}");
            }
            assert!(plate.worst() >= shape.energy);
        }
    }
}
