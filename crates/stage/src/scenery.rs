//! Meshes that are only drawn.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3};
use tkanina_render::Frame;
use tkanina_render::frame::{Shading, Surface};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::mesh_io::{MeshData, load_obj_file};
use tkanina_scene::schema::{Look, Scenery};

use crate::bounds::Bounds;
use crate::errors::StageError;
use crate::looks::{self, Finish, vec3};
use crate::pictures::Pictures;

/// All scenery, which never changes but in its look.
#[derive(Debug)]
pub struct SceneryMeshes {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    name: String,
    positions: Arc<[Vec3]>,
    /// Smooth; a look that asks for it shows them.
    normals: Arc<[Vec3]>,
    uvs: Arc<[[f32; 2]]>,
    triangles: Arc<[[u32; 3]]>,
    world_from_local: Mat4,
    finish: Finish,
}

/// Rows of `row_colors` on scenery.
const ROWS: f32 = 10.0;

impl SceneryMeshes {
    /// Reads the meshes of a scene.
    pub fn load(loaded: &LoadedScene) -> Result<Self, StageError> {
        let load = |scenery: &Scenery| {
            let path = loaded
                .resolve(&scenery.file)
                .map_err(|reason| StageError::Scenery { name: scenery.name.clone(), reason })?;
            Ok(Piece::of(scenery, load_obj_file(&path)?))
        };
        let pieces = loaded.scene.scenery.iter().map(load).collect::<Result<_, StageError>>()?;
        Ok(Self { pieces })
    }

    /// The look of each piece.
    pub fn looks(&self, look: &Look, pictures: &mut Pictures) -> Result<Vec<Finish>, StageError> {
        let numbered = self.pieces.iter().enumerate();
        numbered
            .map(|(index, Piece { name, .. })| {
                // Other colours than those of the first obstacles.
                let mut of_its_own = looks::obstacle(index + 1);
                of_its_own.shading = Shading::Flat;
                looks::finish(look.bodies.get(name), name, of_its_own, ROWS, pictures)
            })
            .collect()
    }

    /// Gives each piece its look.
    pub fn set_looks(&mut self, looks: Vec<Finish>) {
        for (piece, finish) in self.pieces.iter_mut().zip(looks) {
            piece.finish = finish;
        }
    }

    /// How far it reaches.
    pub fn bounds(&self) -> Bounds {
        let shown = self.pieces.iter().filter(|piece| !piece.finish.hidden);
        let points = shown.flat_map(|piece| {
            piece.positions.iter().map(|point| piece.world_from_local.transform_point3(*point))
        });
        Bounds::of_points(points)
    }

    /// Puts all scenery into a frame.
    pub fn draw(&self, frame: &mut Frame) {
        for piece in self.pieces.iter().filter(|piece| !piece.finish.hidden) {
            frame.surfaces.push(Surface {
                positions: piece.positions.clone(),
                normals: piece.normals.clone(),
                uvs: piece.uvs.clone(),
                values: None,
                triangles: piece.triangles.clone(),
                world_from_local: piece.world_from_local,
                look: piece.finish.look.clone(),
            });
        }
    }
}

impl Piece {
    fn of(scenery: &Scenery, mesh: MeshData) -> Self {
        let [x, y, z] = scenery.place.rotation_deg.map(|d| d.to_radians() as f32);
        let rotation = Quat::from_euler(EulerRot::XYZEx, x, y, z);
        let scale = Vec3::splat(scenery.scale as f32);
        let positions: Arc<[Vec3]> = mesh.positions.iter().map(|p| Vec3::from(*p)).collect();
        let triangles: Arc<[[u32; 3]]> = mesh.faces.triangles().collect();
        Self {
            name: scenery.name.clone(),
            normals: smooth_normals(&positions, &triangles),
            positions,
            uvs: mesh.uvs.unwrap_or_default().into(),
            triangles,
            world_from_local: Mat4::from_scale_rotation_translation(
                scale,
                rotation,
                vec3(scenery.place.position_m),
            ),
            finish: Finish::default(),
        }
    }
}

/// Normalised sums of the normals of the triangles at each vertex, by their areas.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Arc<[Vec3]> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| positions[corner as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|&corner| normals[corner as usize] += normal);
    }
    normals.into_iter().map(|normal| normal.try_normalize().unwrap_or(Vec3::Y)).collect()
}
