//! Meshes as they are drawn: smooth where they are smooth, sharp where they are sharp.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use tkanina_render::meshes::Mesh;

use crate::scenery::smooth_normals;

/// Cosine of the angle between neighbours from which on their common edge is sharp: 40°.
const SHARP: f32 = 0.766;

/// A mesh with its vertices parted along sharp edges, so that each part has its own normals.
#[derive(Debug)]
pub struct Facets {
    /// The vertex of the mesh that each drawn one is at.
    source: Vec<u32>,
    triangles: Arc<[[u32; 3]]>,
    uvs: Arc<[[f32; 2]]>,
}

impl Facets {
    /// Parts a mesh where it is sharp in this shape.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals: Vec<Vec3> = triangles.iter().map(normal).collect();
        // Corners of triangles, by 3 · triangle + corner; each run ends in its first member.
        let mut joined: Vec<u32> = (0..3 * triangles.len() as u32).collect();
        for ([p, q], sides) in edges(triangles) {
            let [Some(a), Some(b)] = sides else { continue };
            if normals[a].dot(normals[b]) > SHARP {
                for vertex in [p, q] {
                    let corner = |t: usize| {
                        let at = triangles[t].iter().position(|&v| v == vertex).unwrap_or(0);
                        (3 * t + at) as u32
                    };
                    join(&mut joined, corner(a), corner(b));
                }
            }
        }
        let mut number = vec![u32::MAX; joined.len()];
        let mut source = Vec::new();
        let mut drawn = |corner: u32, vertex: u32| {
            let root = first(&mut joined, corner) as usize;
            if number[root] == u32::MAX {
                number[root] = source.len() as u32;
                source.push(vertex);
            }
            number[root]
        };
        let drawn: Vec<[u32; 3]> = (0u32..)
            .zip(triangles)
            .map(|(t, corners)| std::array::from_fn(|i| drawn(3 * t + i as u32, corners[i])))
            .collect();
        Self { source, triangles: drawn.into(), uvs: Vec::new().into() }
    }

    /// The vertex of the mesh that each drawn one is at.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    /// Corners of the drawn triangles.
    pub fn triangles(&self) -> &Arc<[[u32; 3]]> {
        &self.triangles
    }

    /// The mesh with its vertices at these places. [m]
    pub fn mesh(&self, points: &[Vec3]) -> Mesh {
        let positions: Arc<[Vec3]> = self.source.iter().map(|&v| points[v as usize]).collect();
        Mesh {
            normals: smooth_normals(&positions, &self.triangles),
            positions,
            uvs: self.uvs.clone(),
            triangles: self.triangles.clone(),
        }
    }
}

/// Each edge with the two triangles at it; none where there are more.
fn edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], [Option<usize>; 2]> {
    let mut edges: BTreeMap<[u32; 2], [Option<usize>; 2]> = BTreeMap::new();
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            let sides = edges.entry([p.min(q), p.max(q)]).or_default();
            match sides {
                [None, _] => sides[0] = Some(t),
                [Some(_), None] => sides[1] = Some(t),
                // A third: the edge joins nobody.
                _ => *sides = [Some(t), Some(t)],
            }
        }
    }
    edges.retain(|_, sides| sides[0] != sides[1]);
    edges
}

fn first(joined: &mut [u32], mut corner: u32) -> u32 {
    while joined[corner as usize] != corner {
        joined[corner as usize] = joined[joined[corner as usize] as usize];
        corner = joined[corner as usize];
    }
    corner
}

fn join(joined: &mut [u32], a: u32, b: u32) {
    let (a, b) = (first(joined, a), first(joined, b));
    joined[a.max(b) as usize] = a.min(b);
}

#[cfg(test)]
mod tests {
    use tkanina_sim::colliders::forms;

    use super::*;

    #[test]
    fn a_box_has_sharp_edges_and_a_ring_none() {
        let cube = forms::cuboid(Vec3::ONE, [2; 3]);
        let mesh = Facets::new(&cube.points, &cube.triangles).mesh(&cube.points);
        // Nine vertices on each of six sides, each with the normal of its side.
        assert_eq!(mesh.positions.len(), 54);
        for (p, n) in mesh.positions.iter().zip(&mesh.normals[..]) {
            assert!(n.max_element().max(-n.min_element()) > 0.999 && p.dot(*n) > 0.49, "{p} {n}");
        }
        let ring = forms::torus(0.2, 0.05, [32, 16]);
        let mesh = Facets::new(&ring.points, &ring.triangles).mesh(&ring.points);
        assert_eq!(mesh.positions.len(), ring.points.len());
        assert_eq!(mesh.triangles.len(), ring.triangles.len());
    }
}
