//! Meshes that bodies carry, as they are drawn.

use std::sync::Arc;

use glam::Vec3;
use tkanina_sim::carried::Carried;

use crate::facets::Facets;
use crate::keep::keep;
use crate::scenery::smooth_normals;

/// A carried mesh, parted where it is sharp at rest.
#[derive(Debug)]
pub struct CarriedMesh {
    carried: Arc<Carried>,
    facets: Facets,
    places: Vec<Vec3>,
    drawn: Vec<Vec3>,
    values: Vec<f32>,
}

impl CarriedMesh {
    /// The mesh as it is at rest.
    pub fn new(carried: &Arc<Carried>) -> Self {
        let facets = Facets::new(carried.rest(), carried.triangles());
        let carried = carried.clone();
        Self { carried, facets, places: Vec::new(), drawn: Vec::new(), values: Vec::new() }
    }

    /// Corners of the drawn triangles.
    pub fn triangles(&self) -> &Arc<[[u32; 3]]> {
        self.facets.triangles()
    }

    /// Drawn vertices at rest. [m]
    pub fn rest(&self) -> impl Iterator<Item = Vec3> + Clone + '_ {
        self.facets.source().iter().map(|&v| self.carried.rest()[v as usize])
    }

    /// Positions and normals while the body's particles are at `x`. [m]
    pub fn follow(&mut self, x: &[Vec3], positions: &mut Arc<[Vec3]>, normals: &mut Arc<[Vec3]>) {
        self.carried.places(x, &mut self.places);
        self.drawn.clear();
        self.drawn.extend(self.facets.source().iter().map(|&v| self.places[v as usize]));
        let moved = positions[..] != self.drawn[..];
        keep(positions, &self.drawn);
        if moved {
            *normals = smooth_normals(positions, self.facets.triangles());
        }
    }

    /// A number a drawn vertex from one a particle.
    pub fn values(&mut self, values: &[f32]) -> Vec<f32> {
        self.carried.values(values, &mut self.values);
        self.facets.source().iter().map(|&v| self.values[v as usize]).collect()
    }
}
