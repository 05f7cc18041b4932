//! Detailed meshes that simple bodies carry.
//!
//! A mesh that is drawn and exported in place of a body: xᵢ = Σ wᵢₖ xₖ over particles of the body.
//! It has no mass and touches nothing; what touches is the body.

mod barycentric;
mod corners;
mod mean_value;
#[cfg(test)]
mod tests;

use glam::Vec3;

use crate::colliders::forms::Triangles;

pub use barycentric::TetraCarriers;
pub use corners::corner_weights;
pub use mean_value::mean_value_weights;

/// A mesh and what carries each of its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    /// Where the carriers of each vertex begin, and the end of the last.
    starts: Vec<u32>,
    /// Particles, counted from the body's first.
    carriers: Vec<u32>,
    weights: Vec<f32>,
    /// Corners of its triangles.
    triangles: Vec<[u32; 3]>,
    /// Its vertices at rest. [m]
    rest: Vec<Vec3>,
}

/// Weights below this part of one are left out: f32 positions would not tell.
const LEAST: f64 = 1e-7;

impl Carried {
    /// A mesh whose vertex i is carried by `weights(i)`: particles, counted from the body's first,
    /// with weights that add up to 1.
    pub fn new<I>(mesh: &Triangles, mut weights: impl FnMut(Vec3) -> I) -> Self
    where
        I: IntoIterator<Item = (u32, f64)>,
    {
        let mut carried = Self {
            starts: vec![0],
            triangles: mesh.triangles.clone(),
            rest: mesh.points.clone(),
            ..Self::default()
        };
        for &point in &mesh.points {
            let first = carried.weights.len();
            let found = weights(point).into_iter().filter(|(_, weight)| weight.abs() > LEAST);
            for (carrier, weight) in found {
                carried.carriers.push(carrier);
                carried.weights.push(weight as f32);
            }
            let sum: f32 = carried.weights[first..].iter().sum();
            carried.weights[first..].iter_mut().for_each(|weight| *weight /= sum);
            carried.starts.push(carried.weights.len() as u32);
        }
        carried
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Corners of its triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Its vertices at rest. [m]
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// Where its vertices are while the body's particles are at `x` [m], to `out`.
    pub fn places(&self, x: &[Vec3], out: &mut Vec<Vec3>) {
        out.clear();
        out.extend(self.spans().map(|(carriers, weights)| {
            let terms = carriers.iter().zip(weights);
            terms.map(|(&k, &w)| w * x.get(k as usize).copied().unwrap_or_default()).sum::<Vec3>()
        }));
    }

    /// The same for a number a particle.
    pub fn values(&self, values: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(self.spans().map(|(carriers, weights)| {
            let terms = carriers.iter().zip(weights);
            terms.map(|(&k, &w)| w * values.get(k as usize).copied().unwrap_or(0.0)).sum::<f32>()
        }));
    }

    fn spans(&self) -> impl Iterator<Item = (&[u32], &[f32])> {
        self.starts.windows(2).map(|span| {
            let range = span[0] as usize..span[1] as usize;
            (&self.carriers[range.clone()], &self.weights[range])
        })
    }
}
