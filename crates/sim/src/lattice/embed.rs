//! A detailed mesh carried by a lattice.

use glam::{DVec3, Vec3};

use super::connectivity::Lattice;
use super::voxel::Voxels;
use crate::carried::Carried;
use crate::colliders::forms::Triangles;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// p = Σ wₖ xₖ over the eight vertices of the cell that a point rests in, with
/// wₖ = Π (s or 1 − s), s its place in the cell along each axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    bonds: Vec<Bond>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bond {
    vertices: [u32; 8],
    place: [f32; 3],
}

impl Embedding {
    /// For points that rest at `points` [m]. One outside all kept cells goes with the nearest of
    /// them, its weights extrapolated. Nothing is carried if there is no cell.
    pub fn new(voxels: &Voxels, lattice: &Lattice, points: &[Vec3]) -> Self {
        let cells: Vec<[usize; 3]> = voxels.cells().collect();
        let bond = |p: &Vec3| {
            let p = (p.as_dvec3() - voxels.origin()) / voxels.spacing();
            let cell = home(voxels, &cells, p)?;
            let place = (p - DVec3::from_array(cell.map(|i| i as f64))).as_vec3();
            let mut vertices = [0; 8];
            for (k, to) in vertices.iter_mut().enumerate() {
                let at = [0, 1, 2].map(|d| cell[d] + (k >> d & 1));
                *to = lattice.vertex_at(at)? as u32;
            }
            Some(Bond { vertices, place: place.to_array() })
        };
        let bonds: Option<Vec<Bond>> = points.iter().map(bond).collect();
        Self { bonds: bonds.unwrap_or_default() }
    }

    /// Number of points that are carried.
    pub fn len(&self) -> usize {
        self.bonds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bonds.is_empty()
    }

    /// The vertices that carry a point, and their weights, which add up to 1.
    pub fn carriers(&self, point: usize) -> ([u32; 8], [f32; 8]) {
        let Bond { vertices, place } = self.bonds[point];
        (vertices, weights(place))
    }

    /// A mesh with these points, as it is shown.
    pub fn carried(&self, mesh: &Triangles) -> Carried {
        let mut point = 0;
        Carried::new(mesh, |_| {
            let (vertices, weights) = self.carriers(point);
            point += 1;
            vertices.into_iter().zip(weights.map(f64::from))
        })
    }

    /// Points where their lattice is at `x`. [m]
    pub fn carry(&self, x: &Soa3, points: &mut Soa3) {
        if points.len() != self.bonds.len() {
            return;
        }
        for_each_part(points.view_mut(), 16, &|first, mut out: Soa3Mut<'_>| {
            for (i, bond) in self.bonds[first..first + out.len()].iter().enumerate() {
                let mut at = Vec3::ZERO;
                for (&v, w) in bond.vertices.iter().zip(weights(bond.place)) {
                    at += w * x.get(v as usize);
                }
                out.set(i, at);
            }
        });
    }
}

#[inline]
fn weights(place: [f32; 3]) -> [f32; 8] {
    let mut weights = [1.0; 8];
    for (k, w) in weights.iter_mut().enumerate() {
        for (d, s) in place.iter().enumerate() {
            *w *= if k >> d & 1 == 1 { *s } else { 1.0 - s };
        }
    }
    weights
}

/// The kept cell that holds a place, or the nearest one. [cells]
fn home(voxels: &Voxels, cells: &[[usize; 3]], p: DVec3) -> Option<[usize; 3]> {
    let counts = voxels.counts();
    let last = |d: usize| counts[d].saturating_sub(1);
    // Casts of what is below zero, or not a number, give zero.
    let own = [0, 1, 2].map(|d| (p[d].floor() as usize).min(last(d)));
    let away = |cell: &[usize; 3]| {
        let low = DVec3::from_array(cell.map(|i| i as f64));
        (p - p.clamp(low, low + DVec3::ONE)).length_squared()
    };
    if voxels.is_kept(own) && away(&own) == 0.0 {
        return Some(own);
    }
    cells.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)))
}
