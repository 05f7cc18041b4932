//! Meshes that bodies carry, and bodies with sharp edges, as they are drawn.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use tkanina_sim::carried::Carried;
use tkanina_sim::colliders::forms::Triangles;

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

    /// A closed body that is sharp somewhere at rest, by its own points; `None` if it is smooth.
    pub fn of_sharp(rest: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let mesh = Triangles { points: rest.to_vec(), triangles: triangles.to_vec() };
        let corners = triangles.iter().flatten().collect::<BTreeSet<_>>().len();
        if Facets::new(rest, triangles).source().len() == corners {
            return None;
        }
        let mut own = 0..;
        Some(Self::new(&Arc::new(Carried::new(&mesh, |_| own.next().map(|point| (point, 1.0))))))
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
