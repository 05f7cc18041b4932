//! A world's bodies as exports want them.

use glam::Vec3;
use tkanina_sim::world::World;

use crate::export::{BodyView, Faces, FrameView};

/// Positions, normals and faces of all bodies, in buffers that are kept.
#[derive(Debug, Default)]
pub struct FrameBuffer {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Triangles with numbers that count from each body's first vertex.
    triangles: Vec<[u32; 3]>,
}

impl FrameBuffer {
    /// Takes the present state of a world.
    pub fn capture(&mut self, world: &mut World) {
        self.positions.clear();
        self.positions.extend(world.state().x.iter());
        self.normals.clear();
        self.normals.extend(world.normals().iter());
        self.triangles.clear();
        let model = world.model();
        for body in &model.bodies {
            let first = body.particles.start as u32;
            let triangles = &model.triangles[body.triangles.clone()];
            self.triangles.extend(triangles.iter().map(|t| t.map(|c| c - first)));
        }
    }

    /// Hands the captured frame of `world` to `use_frame`.
    pub fn with<R>(&self, world: &World, use_frame: impl FnOnce(&FrameView<'_>) -> R) -> R {
        let bodies: Vec<BodyView<'_>> = world
            .model()
            .bodies
            .iter()
            .map(|body| BodyView {
                name: &body.name,
                positions: &self.positions[body.particles.clone()],
                faces: Faces::Triangles(&self.triangles[body.triangles.clone()]),
                uvs: (!body.uvs.is_empty()).then_some(body.uvs.as_slice()),
                normals: Some(&self.normals[body.particles.clone()]),
            })
            .collect();
        use_frame(&FrameView { bodies: &bodies })
    }
}
