//! Meshes by formula, so that a scene needs no file for common things.
//!
//! All but terrain are closed: every edge has two triangles, which run along it in opposite
//! directions, and normals point outward. A form made of several boxes is closed box by box.

mod blend;
mod boxes;
mod figure;
mod nets;
mod round;
mod solid;
mod terrain;
#[cfg(test)]
mod tests;

use glam::Vec3;

pub use blend::{bear, bust, robot_head};
pub use boxes::{chair, cuboid, table};
pub use figure::{FIGURE_RATE, Figure, LONGEST_STRIDE, USUAL_HEIGHT};
pub use round::{bowl, cylinder, sphere, torus, tube};
pub use solid::{capsule, centred_box, ico_sphere, letter, letters};
pub use terrain::{Hills, height_field};

/// Vertices and triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Vertices. [m]
    pub points: Vec<Vec3>,
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// V = Σ a·(b × c)/6: positive if closed and facing outward. [m³]
    pub fn volume(&self) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.points[v as usize].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(of).sum()
    }

    /// Edges that are not shared by as many triangles that run one way as the other: of a
    /// closed mesh none.
    pub fn open_edges(&self) -> Vec<[u32; 2]> {
        let mut runs: Vec<([u32; 2], i32)> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| if a < b { ([a, b], 1) } else { ([b, a], -1) })
            .collect();
        runs.sort_unstable();
        let same = |p: &([u32; 2], i32), q: &([u32; 2], i32)| p.0 == q.0;
        let open = runs.chunk_by(same).filter(|runs| runs.iter().map(|r| r.1).sum::<i32>() != 0);
        open.map(|runs| runs[0].0).collect()
    }

    /// Adds another mesh beside what is there.
    pub fn add(&mut self, other: &Self) {
        let first = self.points.len() as u32;
        self.points.extend(&other.points);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    }

    /// Every vertex moved by `by` [m].
    pub fn moved(mut self, by: Vec3) -> Self {
        self.points.iter_mut().for_each(|p| *p += by);
        self
    }

    fn point(&mut self, point: Vec3) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// A rectangle by its corners, counter-clockwise.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}
