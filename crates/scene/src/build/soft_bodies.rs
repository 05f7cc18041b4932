//! Soft bodies.

use tkanina_sim::colliders::forms::{self, Triangles};
use tkanina_sim::elements::{self, GAS_CONSTANT, SpringParams};
use tkanina_sim::lattice::GoalLaw;
use tkanina_sim::motion::Pose;
use tkanina_sim::soft_body::{self, GasAmount};

use super::bodies::disordered;
use super::lattices::LatticeFields;
use super::{BodyPoints, Build, BuildError, rotation, vec3};
use crate::check::{meshes::is_tetra_mesh, steps};
use crate::schema::{Cores, GasFill, GasLaw, Inside, SoftBody, SoftMass, SoftShape, SpringLaw};

impl Build<'_> {
    pub(super) fn soft_body(&mut self, index: usize, body: &SoftBody) -> Result<(), BuildError> {
        let problems = self.problems.len();
        let solid = self.solid(index, body)?;
        if self.problems.len() > problems {
            return Ok(());
        }
        let skin = match &solid {
            Some(solid) => Some(solid.skin()),
            None => self.skin(index, body)?,
        };
        let Some(skin) = skin else { return Ok(()) };
        let volume = skin.volume();
        if !(volume > f64::from(f32::MIN_POSITIVE)) {
            self.problem(
                &steps!["bodies", index, "shape"],
                "encloses no volume",
                "give it a size in all three directions",
            );
            return Ok(());
        }
        let detail = match self.detail(index, body)? {
            None if solid.is_some() => self.skin_of_solid(index, body)?,
            detail => detail,
        };
        let carried = match (&detail, &solid, body.inside) {
            (Some(detail), Some(solid), _) => self.carried_by_solid(solid, detail),
            (Some(detail), None, None | Some(Inside::ShapeMatching { .. })) => {
                self.carried(index, body, (&skin, detail))
            }
            _ => None,
        };
        let described = soft_body::SoftBody {
            name: body.name.clone(),
            skin,
            place: Pose {
                position: vec3(body.place.position_m),
                rotation: rotation(body.place.rotation_deg),
            },
            velocity: vec3(body.velocity_m_s),
            mass: match body.mass {
                SoftMass::PerPointKg(mass) => soft_body::SoftMass::PerPoint(mass as f32),
                SoftMass::DensityKgM3(density) => soft_body::SoftMass::Density(density as f32),
                SoftMass::TotalKg(total) => soft_body::SoftMass::Total(total as f32),
            },
            edges: params(body.springs),
            centre: body.centre_springs.map(params),
            gas: body.gas.as_ref().map(fill),
            solid,
            cores: body.cores.as_ref().map(cores),
            damping: body.damping_kg_s as f32,
            tears_at: body.tears_at_stretch.map_or(f32::INFINITY, |limit| limit as f32),
            carried,
        };
        let particles = match body.inside {
            Some(Inside::Lattice {
                spacing_m,
                region_width,
                frequency_hz,
                damping_per_second,
                breaks_at_stretch,
            }) => {
                let law = GoalLaw { frequency: frequency_hz, damping: damping_per_second };
                let fields = LatticeFields {
                    spacing: spacing_m,
                    region_width,
                    law,
                    breaks_at: breaks_at_stretch,
                };
                match self.lattice_body((index, body), described, (fields, detail)) {
                    Some(particles) => particles,
                    None => return Ok(()),
                }
            }
            _ => self.builder.add_soft_body(&described),
        };
        if let Some(Inside::ShapeMatching { frequency_hz, damping_per_second }) = body.inside {
            let law = GoalLaw { frequency: frequency_hz, damping: damping_per_second };
            self.builder.match_shape(law);
        }
        if particles.clone().any(|p| !(1.0 / self.builder.mass(p)).is_finite()) {
            self.problem(
                &steps!["bodies", index, "mass"],
                format!("gives points of `{}` a mass too small to count with", body.name),
                "use a larger mass",
            );
        }
        if let Some(disorder) = body.disorder {
            let move_point = disordered(disorder, vec3(body.place.position_m));
            self.builder.displace(particles.clone(), move_point);
        }
        let points = BodyPoints { first: particles.start, count: particles.len(), grid: None };
        self.bodies.insert(body.name.clone(), points);
        for (i, pin) in body.pins.iter().enumerate() {
            self.pin(&body.name, pin, &steps!["bodies", index, "pins", i]);
        }
        Ok(())
    }

    /// The skin that was filled with tetrahedra, where they are cut from a lattice: it is finer.
    fn skin_of_solid(
        &mut self,
        index: usize,
        body: &SoftBody,
    ) -> Result<Option<Triangles>, BuildError> {
        match &body.shape {
            SoftShape::Mesh { file, .. } if is_tetra_mesh(file) => Ok(None),
            SoftShape::Box { .. } | SoftShape::CentredBox { .. } => Ok(None),
            _ => {
                // What there is to say of it has been said.
                let notes = self.notes.len();
                let skin = self.skin(index, body);
                self.notes.truncate(notes);
                skin
            }
        }
    }

    /// The closed skin of a body, or what is wrong with it.
    pub(super) fn skin(
        &mut self,
        index: usize,
        body: &SoftBody,
    ) -> Result<Option<Triangles>, BuildError> {
        let SoftShape::Mesh { file, scale, repair } = &body.shape else {
            return Ok(Some(by_formula(&body.shape)));
        };
        let here = steps!["bodies", index, "shape", "file"];
        if is_tetra_mesh(file) {
            self.problem(
                &here,
                format!("`{file}` has tetrahedra, which nothing here asks for"),
                "add `inside: { kind: tetrahedra, young_Pa: 10000 }`, or give an OBJ file",
            );
            return Ok(None);
        }
        let problems = self.problems.len();
        let mesh = self.mesh(&here, file, *scale as f32)?;
        if self.problems.len() > problems {
            return Ok(None);
        }
        Ok(self.closed((&here, &body.name), mesh, *repair))
    }
}

pub(super) fn by_formula(shape: &SoftShape) -> Triangles {
    match *shape {
        SoftShape::Mesh { .. } => Triangles::default(),
        SoftShape::IcoSphere { radius_m, subdivisions } => {
            forms::ico_sphere(radius_m, subdivisions)
        }
        SoftShape::CentredBox { size_m } => forms::centred_box(vec3(size_m)),
        SoftShape::Box { size_m, cells } => forms::cuboid(vec3(size_m), cells),
        SoftShape::Torus { radius_m, tube_m, segments } => forms::torus(radius_m, tube_m, segments),
        SoftShape::Capsule { radius_m, height_m, segments } => {
            let [around, along, cap] = segments;
            forms::capsule(radius_m, height_m, [around.max(3), along, cap])
        }
        SoftShape::Letter { letter, size_m, cells } => {
            forms::letter(letter.as_char(), vec3(size_m), cells).unwrap_or_default()
        }
        SoftShape::Bear { height_m, cells } => forms::bear(height_m, height_m / f64::from(cells)),
        SoftShape::RobotHead { height_m, cells } => {
            forms::robot_head(height_m, height_m / f64::from(cells))
        }
    }
}

fn params(law: SpringLaw) -> SpringParams {
    SpringParams { stiffness: law.stiffness as f32, damping: law.damping as f32 }
}

fn cores(cores: &Cores) -> soft_body::Cores {
    soft_body::Cores {
        joints: cores.joints_m.iter().map(|&joint| vec3(joint)).collect(),
        radius: cores.radius_m as f32,
        mass: cores.mass_kg as f32,
        springs: params(cores.springs),
    }
}

fn fill(gas: &GasFill) -> soft_body::GasFill {
    let energy = |mol: f64| (mol * GAS_CONSTANT * gas.temperature_k) as f32;
    soft_body::GasFill {
        law: match gas.law {
            GasLaw::Ideal => elements::GasLaw::Ideal,
            GasLaw::Document => elements::GasLaw::Document,
        },
        amount: match gas.overpressure_pa {
            Some(more) => GasAmount::Overpressure(more as f32),
            None => GasAmount::Energy(energy(gas.amount_mol.unwrap_or(0.0))),
        },
        inflation: gas.inflation.iter().map(|key| (key.t_s, key.factor as f32)).collect(),
        leak: gas.leak_per_second as f32,
        outside: gas.outside_pa as f32,
    }
}
