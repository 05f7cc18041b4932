//! The shape of cloth at rest, as its elements ask for it.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec3};

use super::distance;
use crate::topology::SewnMesh;

/// Lengths, triangles and hinges at rest. Places are good within one answer only.
pub(super) trait RestShape {
    /// Distance of two points that an edge or a hinge joins. [m]
    fn length(&self, pair: [u32; 2]) -> f32;
    /// The corners of a triangle, by its number. [m]
    fn triangle(&self, number: usize) -> [DVec3; 3];
    /// The corners of a hinge: two far ones, then the ends of the shared edge. [m]
    fn hinge(&self, corners: [u32; 4]) -> [Vec3; 4];
    /// Number of points.
    fn point_count(&self) -> usize;
}

/// A shape that lies in space as it rests.
pub(super) struct PlacedShape<'a> {
    pub points: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
}

impl RestShape for PlacedShape<'_> {
    fn length(&self, pair: [u32; 2]) -> f32 {
        distance(self.points, pair)
    }

    fn triangle(&self, number: usize) -> [DVec3; 3] {
        self.triangles[number].map(|c| self.points[c as usize].as_dvec3())
    }

    fn hinge(&self, corners: [u32; 4]) -> [Vec3; 4] {
        corners.map(|c| self.points[c as usize])
    }

    fn point_count(&self) -> usize {
        self.points.len()
    }
}

/// A shape known triangle by triangle; hinges are flat at rest, seams too.
pub(super) struct SewnShape<'a> {
    mesh: &'a SewnMesh,
    lengths: BTreeMap<[u32; 2], f64>,
    /// The triangle that runs along an edge from its first point to its second.
    along: BTreeMap<[u32; 2], usize>,
    /// Across hinges.
    spans: BTreeMap<[u32; 2], f64>,
}

impl<'a> SewnShape<'a> {
    pub fn new(mesh: &'a SewnMesh, hinges: &[[u32; 4]]) -> Self {
        let sides =
            mesh.triangles.iter().enumerate().flat_map(|(number, &[a, b, c])| {
                [[a, b], [b, c], [c, a]].map(|side| (side, number))
            });
        let along = sides.collect();
        let mut shape = Self { mesh, lengths: mesh.lengths(), along, spans: BTreeMap::new() };
        for &corners in hinges {
            let [f, g, ..] = shape.hinge(corners);
            let pair = [corners[0].min(corners[1]), corners[0].max(corners[1])];
            shape.spans.insert(pair, f64::from((f - g).length()));
        }
        shape
    }

    /// A point beside an edge that its triangle runs along from `p` to `q`: how far along it,
    /// as a part of its length, and how far off. [1, m]
    fn beside(&self, [p, q]: [u32; 2]) -> Option<[f64; 2]> {
        let number = *self.along.get(&[p, q])?;
        let (corners, flat) = (self.mesh.triangles[number], self.mesh.flat[number]);
        let at = |v: u32| Some(flat[corners.iter().position(|&c| c == v)?]);
        let far = corners.into_iter().find(|&c| c != p && c != q)?;
        let (p, q, far) = (at(p)?, at(q)?, at(far)?);
        let edge = q - p;
        let square = edge.length_squared();
        Some([edge.dot(far - p) / square, edge.perp_dot(far - p) / square.sqrt()])
    }
}

impl RestShape for SewnShape<'_> {
    fn length(&self, [a, b]: [u32; 2]) -> f32 {
        let pair = [a.min(b), a.max(b)];
        self.lengths.get(&pair).or(self.spans.get(&pair)).copied().unwrap_or(0.0) as f32
    }

    fn triangle(&self, number: usize) -> [DVec3; 3] {
        self.mesh.flat[number].map(|p: DVec2| p.extend(0.0))
    }

    /// Both triangles laid into one plane beside their edge, each as it is seen in its panel.
    fn hinge(&self, [f, _, start, end]: [u32; 4]) -> [Vec3; 4] {
        let length = f64::from(self.length([start, end]));
        // The first triangle runs along the edge one way, the second the other.
        let first = self.along.get(&[start, end]);
        let is_first = first.is_some_and(|&n| self.mesh.triangles[n].contains(&f));
        let place = |forward: bool| {
            let [along, off] = if forward {
                self.beside([start, end]).unwrap_or_default()
            } else {
                let [along, off] = self.beside([end, start]).unwrap_or_default();
                [1.0 - along, -off]
            };
            Vec3::new((along * length) as f32, off as f32, 0.0)
        };
        [place(is_first), place(!is_first), Vec3::ZERO, Vec3::X * length as f32]
    }

    fn point_count(&self) -> usize {
        self.mesh.start.len()
    }
}

/// Area share of each point: a third of every triangle at it. [m²]
pub(super) fn point_areas(rest: &dyn RestShape, triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut areas = vec![0.0f64; rest.point_count()];
    for (number, t) in triangles.iter().enumerate() {
        let [a, b, c] = rest.triangle(number);
        let third = (b - a).cross(c - a).length() / 6.0;
        t.iter().for_each(|&i| areas[i as usize] += third);
    }
    areas.into_iter().map(|a| a as f32).collect()
}
