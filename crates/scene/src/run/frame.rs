//! A world's bodies as exports want them.

use std::ops::Range;

use glam::Vec3;
use tkanina_sim::carried::Carried;
use tkanina_sim::world::World;

use crate::export::{BodyView, Faces, FrameView};

/// Positions, normals and faces of all bodies, in buffers that are kept.
#[derive(Debug, Default)]
pub struct FrameBuffer {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Triangles with numbers that count from each body's first vertex.
    triangles: Vec<[u32; 3]>,
    /// Vertices and triangles of each body.
    spans: Vec<(Range<usize>, Range<usize>)>,
    /// Normals of all particles.
    of_particles: Vec<Vec3>,
    places: Vec<Vec3>,
    /// Vertices of each strand of each body; empty for one that is no fibres.
    strands: Vec<Vec<u32>>,
}

impl FrameBuffer {
    /// Takes the present state of a world: of a body that carries a mesh, that mesh.
    pub fn capture(&mut self, world: &mut World) {
        self.positions.clear();
        self.normals.clear();
        self.triangles.clear();
        self.spans.clear();
        self.of_particles.clear();
        self.of_particles.extend(world.normals().iter());
        self.strands.clear();
        self.strands.resize(world.model().bodies.len(), Vec::new());
        for set in &world.model().strands {
            self.strands[set.body].extend(set.strands.iter().map(|strand| strand.count));
        }
        for number in 0..world.model().bodies.len() {
            let vertices = self.positions.len();
            let triangles = self.triangles.len();
            self.add(world, number);
            self.spans.push((vertices..self.positions.len(), triangles..self.triangles.len()));
        }
    }

    fn add(&mut self, world: &World, number: usize) {
        let body = &world.model().bodies[number];
        let (own, triangles) = (body.particles.clone(), body.triangles.clone());
        if let Some(carried) = body.carried.clone() {
            let x: Vec<Vec3> = own.map(|i| world.state().x.get(i)).collect();
            return self.add_carried(&carried, &x);
        }
        self.positions.extend(own.clone().map(|i| world.state().x.get(i)));
        self.normals.extend(&self.of_particles[own.clone()]);
        let first = own.start as u32;
        let triangles = &world.model().triangles[triangles];
        self.triangles.extend(triangles.iter().map(|t| t.map(|c| c - first)));
    }

    fn add_carried(&mut self, carried: &Carried, x: &[Vec3]) {
        carried.places(x, &mut self.places);
        let first = self.normals.len();
        self.normals.resize(first + self.places.len(), Vec3::ZERO);
        for triangle in carried.triangles() {
            let [a, b, c] = triangle.map(|v| self.places[v as usize]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|&v| self.normals[first + v as usize] += area);
        }
        self.normals[first..].iter_mut().for_each(|n| *n = n.normalize_or_zero());
        self.positions.extend(&self.places);
        self.triangles.extend(carried.triangles());
    }

    /// Hands the captured frame of `world` to `use_frame`.
    pub fn with<R>(&self, world: &World, use_frame: impl FnOnce(&FrameView<'_>) -> R) -> R {
        let bodies = world.model().bodies.iter().zip(&self.spans).zip(&self.strands);
        let views = bodies.map(|((body, (vertices, triangles)), strands)| BodyView {
            name: &body.name,
            positions: &self.positions[vertices.clone()],
            faces: match strands.as_slice() {
                [] => Faces::Triangles(&self.triangles[triangles.clone()]),
                strands => Faces::Curves(strands),
            },
            uvs: (!body.uvs.is_empty()).then_some(body.uvs.as_slice()),
            normals: strands.is_empty().then(|| &self.normals[vertices.clone()]),
        });
        let bodies: Vec<BodyView<'_>> = views.collect();
        use_frame(&FrameView { bodies: &bodies })
    }
}
