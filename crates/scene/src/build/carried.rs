//! Detailed meshes that bodies carry.

use std::sync::Arc;

use tkanina_sim::carried::{Carried, TetraCarriers, corner_weights, mean_value_weights};
use tkanina_sim::colliders::forms::Triangles;
use tkanina_sim::motion::Pose;
use tkanina_sim::solid::Solid;
use tkanina_sim::topology::connect_mesh;

use super::soft_bodies::by_formula;
use super::{Build, BuildError, rotation, vec3};
use crate::check::steps;
use crate::schema::{CarryWeights, SoftBody, SoftShape};

/// Vertices of a cage times those of the mesh in it: more would take too much memory.
const MOST_WEIGHTS: usize = 20_000_000;

/// Tetrahedra times vertices of the mesh in them: more would take long to look through.
const MOST_TESTS: usize = 5_000_000_000;

impl Build<'_> {
    /// The mesh that a body carries, in the body's own frame.
    pub(super) fn detail(
        &mut self,
        index: usize,
        body: &SoftBody,
    ) -> Result<Option<Triangles>, BuildError> {
        let Some(carries) = &body.carries else { return Ok(None) };
        let mut mesh = match &carries.shape {
            SoftShape::Mesh { file, scale, .. } => {
                let here = steps!["bodies", index, "carries", "shape", "file"];
                let mesh = self.mesh(&here, file, *scale as f32)?;
                let triangles = connect_mesh(&mesh.points, &mesh.faces).triangles;
                Triangles { points: mesh.points, triangles }
            }
            shape => by_formula(shape),
        };
        let place = Pose {
            position: vec3(carries.place.position_m),
            rotation: rotation(carries.place.rotation_deg),
        };
        mesh.points.iter_mut().for_each(|p| *p = place.point(*p));
        Ok(Some(mesh))
    }

    /// A mesh carried by the tetrahedra of a solid.
    pub(super) fn carried_by_solid(
        &mut self,
        solid: &Solid,
        mesh: &Triangles,
    ) -> Option<Arc<Carried>> {
        let carriers = TetraCarriers::new(&solid.mesh);
        if carriers.is_empty() || carriers.len() * mesh.points.len() > MOST_TESTS {
            self.warn(
                "the mesh in a solid is too fine for it: the solid itself is shown".to_owned(),
            );
            return None;
        }
        Some(Arc::new(Carried::new(mesh, |p| carriers.weights(p))))
    }

    /// A mesh carried by the points of a skin.
    pub(super) fn carried(
        &mut self,
        index: usize,
        body: &SoftBody,
        (skin, mesh): (&Triangles, &Triangles),
    ) -> Option<Arc<Carried>> {
        let weights = body.carries.as_ref().map(|carries| carries.weights).unwrap_or_default();
        if weights == CarryWeights::Trilinear {
            return Some(Arc::new(Carried::new(mesh, |p| corner_weights(skin, p))));
        }
        if mesh.points.len() * skin.points.len() > MOST_WEIGHTS {
            self.problem(
                &steps!["bodies", index, "carries", "shape"],
                format!(
                    "has {} vertices, too many for a cage of {}",
                    mesh.points.len(),
                    skin.points.len()
                ),
                "use a coarser cage, or `weights: trilinear`",
            );
            return None;
        }
        Some(Arc::new(Carried::new(mesh, |p| mean_value_weights(skin, p))))
    }
}
