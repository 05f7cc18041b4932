//! Bodies as surfaces.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use tkanina_render::Frame;
use tkanina_render::frame::{Fill, Surface};
use tkanina_scene::schema::{self, Look};
use tkanina_sim::model::Body;
use tkanina_sim::world::World;

use crate::bounds::Bounds;
use crate::carried::CarriedMesh;
use crate::errors::StageError;
use crate::keep::keep;
use crate::legend::Legend;
use crate::looks::{self, Finish};
use crate::pictures::Pictures;

/// All bodies, with what stays the same from frame to frame.
#[derive(Debug)]
pub struct Bodies {
    bodies: Vec<StagedBody>,
    topology_version: u64,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

#[derive(Debug)]
struct StagedBody {
    name: String,
    particles: std::ops::Range<usize>,
    /// Rows of cells along v.
    rows: f32,
    positions: Arc<[Vec3]>,
    normals: Arc<[Vec3]>,
    uvs: Arc<[[f32; 2]]>,
    /// Texture coordinates before anything came apart.
    whole_uvs: Vec<[f32; 2]>,
    triangles: Arc<[[u32; 3]]>,
    values: Arc<[f32]>,
    finish: Finish,
    /// The mesh that is drawn in its place.
    carried: Option<CarriedMesh>,
    /// Whether it is made of strands, which are drawn otherwise.
    stranded: bool,
}

/// Rows of a body that is no grid.
const MESH_ROWS: f32 = 20.0;

impl Bodies {
    /// The bodies of a world, without a look as yet.
    pub fn of(world: &World) -> Self {
        let model = world.whole_model();
        let mut places = vec![Vec3::ZERO; model.particle_count()];
        for (origin, place) in world.origins().into_iter().zip(world.state().x.iter()) {
            places[origin as usize] = place;
        }
        let stage = |body: &Body| {
            let uvs = if body.uvs.len() == body.particles.len() {
                body.uvs.clone()
            } else {
                flat_uvs(places[body.particles.clone()].iter().copied())
            };
            StagedBody {
                name: body.name.clone(),
                particles: 0..0,
                rows: body.grid.map_or(MESH_ROWS, |[_, nj]| (nj - 1) as f32),
                positions: Arc::from([]),
                normals: Arc::from([]),
                uvs: Arc::from([]),
                whole_uvs: uvs,
                triangles: Arc::from([]),
                values: Arc::from([]),
                finish: Finish::default(),
                carried: None,
                stranded: false,
            }
        };
        let bodies = model.bodies.iter().map(stage).collect();
        let mut staged =
            Self { bodies, topology_version: 0, positions: Vec::new(), normals: Vec::new() };
        for set in &model.strands {
            staged.bodies[set.body].stranded = true;
        }
        staged.follow(world);
        staged
    }

    /// A body as a surface, as it was captured.
    pub fn surface(&self, index: usize) -> Surface {
        let body = &self.bodies[index];
        Surface {
            positions: body.positions.clone(),
            normals: body.normals.clone(),
            uvs: body.uvs.clone(),
            values: None,
            triangles: body.triangles.clone(),
            world_from_local: Mat4::IDENTITY,
            look: body.finish.look.clone(),
        }
    }

    /// The body that a particle belongs to.
    pub fn of_particle(&self, particle: usize) -> Option<usize> {
        self.bodies.iter().position(|body| body.particles.contains(&particle))
    }

    /// Name and look of a body.
    pub fn finish(&self, index: usize) -> (&str, &Finish) {
        (&self.bodies[index].name, &self.bodies[index].finish)
    }

    /// Takes the present triangles if something has come apart, or together again.
    fn follow(&mut self, world: &World) {
        let model = world.model();
        if self.topology_version == model.topology_version {
            return;
        }
        self.topology_version = model.topology_version;
        let origins = world.origins();
        let bodies = model.bodies.iter().zip(&world.whole_model().bodies);
        for (staged, (body, whole)) in self.bodies.iter_mut().zip(bodies) {
            let (first, start) = (body.particles.start as u32, whole.particles.start);
            let uv = |&origin: &u32| staged.whole_uvs[origin as usize - start];
            staged.uvs = origins[body.particles.clone()].iter().map(uv).collect();
            staged.particles = body.particles.clone();
            let triangles = &model.triangles[body.triangles.clone()];
            staged.triangles = triangles.iter().map(|t| t.map(|c| c - first)).collect();
            staged.carried = match &body.carried {
                Some(carried) => Some(CarriedMesh::new(carried)),
                None if body.closed => CarriedMesh::of_sharp(&body.rest, &staged.triangles),
                None => None,
            };
            if let Some(mesh) = &staged.carried {
                staged.uvs = flat_uvs(mesh.rest()).into();
                staged.triangles = mesh.triangles().clone();
            }
        }
    }

    /// The look of each body.
    pub fn looks(&self, look: &Look, pictures: &mut Pictures) -> Result<Vec<Finish>, StageError> {
        let numbered = self.bodies.iter().enumerate();
        numbered
            .map(|(index, StagedBody { name, rows, .. })| {
                let of_its_own = looks::cloth(index);
                looks::finish(look.bodies.get(name), name, of_its_own, *rows, pictures)
            })
            .collect()
    }

    /// Gives each body its look.
    pub fn set_looks(&mut self, looks: Vec<Finish>) {
        for (body, finish) in self.bodies.iter_mut().zip(looks) {
            body.finish = finish;
        }
    }

    /// Takes the present state of the world.
    pub fn capture(&mut self, world: &mut World) {
        self.follow(world);
        self.positions.clear();
        self.positions.extend(world.state().x.iter());
        self.normals.clear();
        self.normals.extend(world.normals().iter());
        for body in &mut self.bodies {
            if let Some(mesh) = &mut body.carried {
                let x = &self.positions[body.particles.clone()];
                mesh.follow(x, &mut body.positions, &mut body.normals);
                continue;
            }
            keep(&mut body.positions, &self.positions[body.particles.clone()]);
            keep(&mut body.normals, &self.normals[body.particles.clone()]);
        }
    }

    /// Positions of all particles that are shown, in the order of the model's. [m]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Unit normals of all particles.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Particles of bodies that are not hidden.
    pub fn shown(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.bodies.iter().filter(|body| !body.finish.hidden).map(|body| body.particles.clone())
    }

    /// Puts what was captured into a frame. `heat` is a value from 0 to 1 for each particle.
    pub fn draw(
        &mut self,
        fill: Fill,
        shading: Option<schema::Shading>,
        heat: Option<(&[f32], &Legend)>,
        frame: &mut Frame,
    ) {
        let shown = |body: &&mut StagedBody| !body.finish.hidden && !body.stranded;
        for body in self.bodies.iter_mut().filter(shown) {
            let mut look = body.finish.look.clone();
            look.fill = match (look.fill, fill) {
                (Fill::Edges, Fill::Faces | Fill::FacesAndEdges) => Fill::Edges,
                _ => fill,
            };
            if let Some(shading) = shading {
                look.shading = looks::shading(shading);
            }
            let values = heat.map(|(values, legend)| {
                look.color_map = legend.map;
                let own = &values[body.particles.clone()];
                match &mut body.carried {
                    Some(mesh) => keep(&mut body.values, &mesh.values(own)),
                    None => keep(&mut body.values, own),
                }
            });
            frame.surfaces.push(Surface {
                positions: body.positions.clone(),
                normals: body.normals.clone(),
                uvs: body.uvs.clone(),
                values,
                triangles: body.triangles.clone(),
                world_from_local: Mat4::IDENTITY,
                look,
            });
        }
    }
}

/// Texture coordinates for a mesh without: seen along its thinnest side.
fn flat_uvs(points: impl Iterator<Item = Vec3> + Clone) -> Vec<[f32; 2]> {
    let bounds = Bounds::of_points(points.clone());
    let size = bounds.high - bounds.low;
    let [u, v] = match size.min_position() {
        0 => [2, 1],
        1 => [0, 2],
        _ => [0, 1],
    };
    let along = |point: Vec3, axis: usize| {
        if size[axis] > 0.0 { (point[axis] - bounds.low[axis]) / size[axis] } else { 0.0 }
    };
    points.map(|point| [along(point, u), along(point, v)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_without_texture_coordinates_is_seen_along_its_thinnest_side() {
        let points = [Vec3::new(1.0, 5.0, 2.0), Vec3::new(3.0, 5.5, 2.0), Vec3::new(1.0, 5.0, 6.0)];
        assert_eq!(flat_uvs(points.into_iter()), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(flat_uvs([Vec3::ONE].into_iter()), [[0.0, 0.0]]);
    }
}
