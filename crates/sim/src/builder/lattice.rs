//! Bodies that are drawn to a shape.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use super::ModelBuilder;
use crate::carried::Carried;
use crate::lattice::{Goal, GoalLaw, GoalShape, LatticeShape, Regions, Voxels, outer_faces};
use crate::motion::Pose;
use crate::soft_body::SoftMass;

/// A soft body of lattice as it is described.
#[derive(Clone, Debug)]
pub struct LatticeBody {
    /// Name of the body.
    pub name: String,
    /// Its cells at rest.
    pub voxels: Voxels,
    /// Where it is.
    pub place: Pose,
    /// Velocity of every point at the start. [m/s]
    pub velocity: Vec3,
    /// How its points get their mass.
    pub mass: SoftMass,
    /// F −= b v a point. [kg/s]
    pub damping: f32,
    /// How fast points are drawn to where their regions want them.
    pub law: GoalLaw,
    /// Half width w of regions. [cells]
    pub region_width: usize,
    /// length/rest − 1 beyond which links break; infinite where they do not.
    pub breaks_at: f32,
    /// A mesh that is shown in its place.
    pub carried: Option<Arc<Carried>>,
}

impl ModelBuilder {
    /// Adds a soft body of lattice. Its particles are the corners of the cells, its triangles their
    /// outer faces.
    pub fn add_lattice_body(&mut self, body: &LatticeBody) -> Range<usize> {
        let first = self.x.len();
        let lattice = body.voxels.lattice();
        let cells = body.voxels.corners_in(&lattice);
        let shares: Vec<f64> = (0..lattice.len()).map(|v| lattice.volume_share(v)).collect();
        let whole: f64 = shares.iter().sum();
        let cell = lattice.spacing().powi(3);
        let rest: Vec<Vec3> =
            (0..lattice.len()).map(|v| body.place.point(lattice.rest(v).as_vec3())).collect();
        for (share, &point) in shares.iter().zip(&rest) {
            let mass = match body.mass {
                SoftMass::PerPoint(mass) => mass,
                SoftMass::Density(density) => (f64::from(density) * cell * share) as f32,
                SoftMass::Total(total) => (f64::from(total) * share / whole) as f32,
            };
            let index = self.add_particle(mass, point, body.velocity);
            self.model.damping[index] = body.damping;
        }
        let particles = first..self.x.len();
        let triangles: Vec<[u32; 3]> =
            outer_faces(&cells).into_iter().map(|t| t.map(|v| v + first as u32)).collect();
        let regions = Arc::new(Regions::new(lattice, body.region_width));
        self.model.goals.push(Goal {
            body: self.model.bodies.len(),
            particles: (particles.start as u32..particles.end as u32).collect(),
            law: body.law,
            shape: GoalShape::Lattice(LatticeShape { regions, cells, breaks_at: body.breaks_at }),
        });
        self.close_body(&body.name, &triangles, rest, body.carried.clone())
    }

    /// Draws the body added last, a mesh, to its shape as a whole.
    pub fn match_shape(&mut self, law: GoalLaw) {
        let Some(body) = self.model.bodies.last() else { return };
        self.model.goals.push(Goal {
            body: self.model.bodies.len() - 1,
            particles: (body.particles.start as u32..body.particles.end as u32).collect(),
            law,
            shape: GoalShape::Whole(body.rest.clone()),
        });
    }
}
