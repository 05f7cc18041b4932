//! What the springs and hinges of a mesh amount to as a sheet.

use std::ops::Range;

use glam::DVec2;

use crate::elastic::{Elastic, ElasticHinge, ElasticSpring};
use crate::elements::SpringKind;
use crate::model::{Body, Model};

use super::bows::Bow;
use super::panel::Panel;

/// A sheet's stiffness by trial: the energy of a uniform strain, and of a uniform bend, over
/// its area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    /// Force per width over strain along warp and weft, and for shear. [N/m]
    pub stretch: [f64; 3],
    /// The same of dashpots: force per width over rate of strain. [N·s/m]
    pub damping: [f64; 3],
    /// Of springs against bending, as if they were for stretch. [N/m]
    pub spans: [f64; 2],
    /// Of those springs' dashpots. [N·s/m]
    pub span_damping: [f64; 2],
    /// B: bending moment per width over curvature. [N·m]
    pub rigidity: f64,
    /// What resists its change. [N·m·s]
    pub bend_damping: f64,
    /// Mass over area. [kg/m²]
    pub density: f64,
}

/// A sheet's stiffness over the weight that hangs on a unit of its width: beyond this its
/// points are as far apart as in the flat panel to within a percent or two, in shear as well.
pub(super) const STIFF: f64 = 50.0;

impl Sheet {
    /// The sheet that `body`, laid out as `panel`, amounts to.
    pub fn of(model: &Model, body: &Body, panel: &Panel, elastic: &Elastic) -> Self {
        let mut out = Self::default();
        let particles = &body.particles;
        let place = |particle: u32| panel.places[particle as usize - particles.start];
        for spring in within(&elastic.springs, particles) {
            let along = place(spring.ends[1]) - place(spring.ends[0]);
            out.add_spring(spring, along, panel.area);
        }
        for triangle in &elastic.triangles {
            if particles.contains(&(triangle.corners[0] as usize)) {
                for k in 0..3 {
                    out.stretch[k] += triangle.stiffness[k] / panel.area;
                    out.damping[k] += triangle.damping * triangle.stiffness[k] / panel.area;
                }
            }
        }
        for hinge in hinges_within(&elastic.hinges, particles) {
            let corners = hinge.corners.map(place);
            if let Some(bow) = Bow::of(hinge, corners.map(|p| p.extend(0.0))) {
                // z = ½s² along each axis: a curvature of one, that costs ½B an area.
                let bent = |axis: usize| bow.of_heights(corners.map(|p| 0.5 * p[axis] * p[axis]));
                let both = bent(0).powi(2) + bent(1).powi(2);
                out.rigidity += bow.half_stiffness() * both / panel.area;
                out.bend_damping += 0.5 * hinge.damping * both / panel.area;
            }
        }
        let mass: f64 = model.mass[particles.clone()].iter().map(|&m| f64::from(m)).sum();
        out.density = mass / panel.area;
        out
    }

    /// k L² cos⁴ over the area for warp, and so on.
    fn add_spring(&mut self, spring: &ElasticSpring, along: DVec2, area: f64) {
        let n = along.normalize_or_zero();
        let (c, s) = (n.x * n.x, n.y * n.y);
        let shares = [c * c, s * s, c * s].map(|part| part * along.length_squared() / area);
        for (k, share) in shares.into_iter().enumerate() {
            if spring.kind == SpringKind::Bend {
                if k < 2 {
                    self.spans[k] += spring.stiffness * share;
                    self.span_damping[k] += spring.damping * share;
                }
            } else {
                self.stretch[k] += spring.stiffness * share;
                self.damping[k] += spring.damping * share;
            }
        }
    }

    /// Whether it keeps its distances under its own weight when it hangs over `length` [m].
    pub fn is_stiff(&self, gravity: f64, length: f64) -> bool {
        let weakest = self.stretch.into_iter().fold(f64::INFINITY, f64::min);
        weakest > 0.0 && weakest >= STIFF * self.density * gravity * length
    }
}

fn within<'a>(
    springs: &'a [ElasticSpring],
    particles: &'a Range<usize>,
) -> impl Iterator<Item = &'a ElasticSpring> {
    springs.iter().filter(|s| s.ends.iter().all(|&end| particles.contains(&(end as usize))))
}

fn hinges_within<'a>(
    hinges: &'a [ElasticHinge],
    particles: &'a Range<usize>,
) -> impl Iterator<Item = &'a ElasticHinge> {
    hinges.iter().filter(|h| particles.contains(&(h.corners[0] as usize)))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::builder::ModelBuilder;
    use crate::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
    use crate::topology::IrregularSheet;

    #[test]
    fn an_irregular_mesh_amounts_to_the_sheet_it_was_made_for() {
        let IrregularSheet { points, uvs, triangles } =
            IrregularSheet::new([30, 25], [2.0, 1.5], 4);
        let faces = triangles.iter().map(|t| t.to_vec()).collect();
        let cloth = Cloth {
            bending: Some(AngleBending { stiffness: 4e-3, damping: 0.0 }),
            ..Cloth::new(
                "sheet",
                ClothShape::Mesh { points, faces, uvs },
                MassRule::AreaDensity(0.2),
                SpringModel::Membrane { warp: 800.0, weft: 800.0, shear: 0.0, damping_ratio: 0.0 },
            )
        };
        let mut b = ModelBuilder::new(Vec3::ZERO);
        b.add_cloth(&cloth);
        let (model, state) = b.build();
        let body = &model.bodies[0];
        let panel = Panel::of(&model, body).unwrap();
        assert!((panel.extent - DVec2::new(2.0, 1.5)).length() < 1e-6, "{}", panel.extent);
        assert!(panel.convex && panel.plane && (panel.area - 3.0).abs() < 1e-6);
        let sheet = Sheet::of(&model, body, &panel, &Elastic::of(&model));
        assert!((sheet.density - 0.2).abs() < 1e-6);
        // What it says of a uniform strain, and of a uniform bend, is what the model stores.
        let stored = |shape: &dyn Fn(Vec3) -> Vec3| {
            let bent: Vec<Vec3> = state.x.iter().map(shape).collect();
            let x = crate::soa::Soa3::from_points(&bent);
            (model.springs.energy(&x) / panel.area, model.bends.energy(&x) / panel.area)
        };
        let strain = 1e-2;
        let along = stored(&|p| Vec3::new(p.x * (1.0 + strain), p.y, p.z)).0;
        let across = stored(&|p| Vec3::new(p.x, p.y, p.z * (1.0 + strain))).0;
        let sheared = stored(&|p| Vec3::new(p.x + strain * p.z, p.y, p.z)).0;
        for (energy, stiffness) in [along, across, sheared].into_iter().zip(sheet.stretch) {
            let expected = 0.5 * stiffness * f64::from(strain * strain);
            assert!((energy / expected - 1.0).abs() < 0.03, "{energy} {expected}");
        }
        let curvature = 0.05;
        let bent = |axis: usize| {
            stored(&|p: Vec3| Vec3::new(p.x, 0.5 * curvature * p[axis] * p[axis], p.z)).1
        };
        let expected = 0.5 * sheet.rigidity * f64::from(curvature * curvature);
        let mean = 0.5 * (bent(0) + bent(2));
        assert!((mean / expected - 1.0).abs() < 0.03, "{mean} {expected}");
    }
}
