//! Solids inside soft bodies: tetrahedra become elements and masses.

use crate::colliders::forms::Triangles;
use crate::elastic::{ElasticTetra, TetraMaterial};
use crate::soft_body::SoftMass;
use crate::topology::TetraMesh;

/// What a soft body is made of inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// The tetrahedra at rest, none flat or inside out.
    pub mesh: TetraMesh,
    /// How they resist.
    pub material: TetraMaterial,
    /// β: a stress of this times the rate of the elastic one. [s]
    pub damping: f64,
}

impl Solid {
    /// All its points, and its outer faces: the skin of the body that it fills.
    pub fn skin(&self) -> Triangles {
        Triangles { points: self.mesh.points.clone(), triangles: self.mesh.surface() }
    }

    /// Its elements, with particle numbers from `first` on; those that are flat are left out.
    pub(crate) fn elements(&self, first: u32) -> Vec<ElasticTetra> {
        let tetras = self.mesh.tetras.iter().filter_map(|t| {
            let x = t.map(|v| self.mesh.points[v as usize].as_dvec3());
            ElasticTetra::at_rest(t.map(|v| v + first), x, self.material)
        });
        tetras.map(|tetra| tetra.damped(self.damping)).collect()
    }

    /// Each tetrahedron gives its mass in equal parts to its corners. [kg]
    pub(crate) fn masses(&self, mass: SoftMass) -> Vec<f32> {
        let count = self.mesh.points.len();
        let density = match mass {
            SoftMass::PerPoint(mass) => return vec![mass; count],
            SoftMass::Density(density) => f64::from(density),
            SoftMass::Total(total) => f64::from(total) / self.mesh.volume(),
        };
        let mut shares = vec![0.0f64; count];
        for &tetra in &self.mesh.tetras {
            let share = 0.25 * density * self.mesh.volume_of(tetra);
            tetra.iter().for_each(|&v| shares[v as usize] += share);
        }
        shares.into_iter().map(|share| share as f32).collect()
    }
}
