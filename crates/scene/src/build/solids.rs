//! Soft bodies filled with tetrahedra.

use glam::Vec3;
use tkanina_sim::elastic::{ElasticTetra, TetraLaw, TetraMaterial};
use tkanina_sim::solid::Solid;
use tkanina_sim::topology::TetraMesh;

use super::{Build, BuildError, vec3};
use crate::check::meshes::is_tetra_mesh;
use crate::check::{MAX_POINTS, steps};
use crate::mesh_io::{TetraFile, load_tetra_file};
use crate::schema::{Inside, SoftBody, SoftShape, SolidLaw};

/// Cells along the longest side if no spacing is given.
const CELLS: f64 = 10.0;

/// Flat tetrahedra that are named before the rest is counted.
const NAMED: usize = 5;

impl Build<'_> {
    /// The tetrahedra of a body that asks for them; `None` where a problem was said.
    pub(super) fn solid(
        &mut self,
        index: usize,
        body: &SoftBody,
    ) -> Result<Option<Solid>, BuildError> {
        let Some(Inside::Tetrahedra { spacing_m, law, young_pa, poisson, damping_s }) = body.inside
        else {
            return Ok(None);
        };
        let problems = self.problems.len();
        self.beside_a_solid(index, body);
        let mesh = match &body.shape {
            SoftShape::Mesh { file, scale, .. } if is_tetra_mesh(file) => {
                self.tetra_file(index, file, *scale as f32)?
            }
            _ => self.filled(index, body, spacing_m)?,
        };
        let Some(mesh) = mesh.filter(|_| self.problems.len() == problems) else {
            return Ok(None);
        };
        if mesh.points.len() as u64 > MAX_POINTS {
            let message = format!(
                "fills it with {} points; a scene may have {MAX_POINTS} in all",
                mesh.points.len()
            );
            self.problem(&steps!["bodies", index, "inside"], message, "use a wider `spacing_m`");
            return Ok(None);
        }
        let law = match law {
            SolidLaw::NeoHookean => TetraLaw::NeoHookean,
            SolidLaw::Corotated => TetraLaw::Corotated,
        };
        let material = TetraMaterial::new(law, young_pa, poisson);
        Ok(Some(Solid { mesh, material, damping: damping_s }))
    }

    /// What cannot be, or need not be, where tetrahedra are.
    fn beside_a_solid(&mut self, index: usize, body: &SoftBody) {
        let at = |field: &str| steps!["bodies", index, field];
        if body.centre_springs.is_some() {
            self.problem(
                &at("centre_springs"),
                "cannot stand beside tetrahedra: they fill the middle already",
                "leave it out; a larger `young_Pa` makes the body stiffer",
            );
        }
        if body.tears_at_stretch.is_some() {
            self.problem(
                &at("tears_at_stretch"),
                "cannot stand beside tetrahedra: a solid does not tear",
                "leave it out",
            );
        }
        if body.gas.is_some() {
            self.warn(format!(
                "`{}` has gas besides tetrahedra, which keep its volume by themselves (`poisson`)",
                body.name
            ));
        }
    }

    /// A skin filled: boxes brick by brick, all else cut from a lattice.
    fn filled(
        &mut self,
        index: usize,
        body: &SoftBody,
        spacing: Option<f64>,
    ) -> Result<Option<TetraMesh>, BuildError> {
        let filled = match body.shape {
            SoftShape::Box { size_m, .. } | SoftShape::CentredBox { size_m } => {
                let size = vec3(size_m);
                let tenth = f64::from(size.max_element()) / CELLS;
                TetraMesh::block(size, spacing.unwrap_or(tenth))
            }
            _ => {
                let Some(skin) = self.skin(index, body)? else { return Ok(None) };
                let tenth = longest_side(&skin.points) / CELLS;
                TetraMesh::fill(&skin.points, &skin.triangles, spacing.unwrap_or(tenth))
            }
        };
        match filled {
            Ok(mesh) => Ok(Some(mesh)),
            Err(error) => {
                let path = steps!["bodies", index, "inside", "spacing_m"];
                self.problem(
                    &path,
                    format!("cannot fill `{}`: {error}", body.name),
                    "give a `spacing_m` of a third of its thinnest part, or less",
                );
                Ok(None)
            }
        }
    }

    /// Tetrahedra as a file has them, all the same way round.
    fn tetra_file(
        &mut self,
        index: usize,
        file: &str,
        scale: f32,
    ) -> Result<Option<TetraMesh>, BuildError> {
        let here = steps!["bodies", index, "shape", "file"];
        let path = match self.loaded.resolve(file) {
            Ok(path) => path,
            Err(message) => {
                self.problem(&here, message, "put the mesh beside the scene file");
                return Ok(None);
            }
        };
        let TetraFile { mut mesh, others, turned, loose } = load_tetra_file(&path)?;
        for (count, what) in [
            (others, "elements that are no tetrahedra were left out"),
            (turned, "tetrahedra were inside out and have been turned"),
            (loose, "points belong to no tetrahedron and were left out"),
        ] {
            if count > 0 {
                self.warn(format!("`{file}`: {count} {what}"));
            }
        }
        mesh.points.iter_mut().for_each(|p| *p *= scale);
        if let Some(flat) = flat_ones(&mesh) {
            self.problem(&here, flat, "mesh the body anew, or take the flat ones out");
            return Ok(None);
        }
        if !(mesh.volume() > f64::from(f32::MIN_POSITIVE)) {
            self.problem(&here, "encloses no volume", "give it a larger `scale`");
            return Ok(None);
        }
        Ok(Some(mesh))
    }
}

fn longest_side(points: &[Vec3]) -> f64 {
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    f64::from((high - low).max_element())
}

/// Tetrahedra without volume, by number from 1, if there are any.
fn flat_ones(mesh: &TetraMesh) -> Option<String> {
    let material = TetraMaterial::new(TetraLaw::NeoHookean, 1.0, 0.0);
    let is_flat = |t: &[u32; 4]| {
        let x = t.map(|v| mesh.points[v as usize].as_dvec3());
        ElasticTetra::at_rest(*t, x, material).is_none()
    };
    let flat: Vec<usize> =
        (1..).zip(&mesh.tetras).filter(|(_, t)| is_flat(t)).map(|f| f.0).collect();
    let first: Vec<String> = flat.iter().take(NAMED).map(usize::to_string).collect();
    let more = flat.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    match first.len() {
        0 => None,
        1 => Some(format!("tetrahedron {} has no volume", first[0])),
        _ => Some(format!("tetrahedra {}{rest} have no volume", first.join(", "))),
    }
}
