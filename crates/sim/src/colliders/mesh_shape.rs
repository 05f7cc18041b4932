//! What rays and pictures need to know of a mesh. Cloth meets its triangles elsewhere.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::nearest::NearestTriangle;
use super::{Aabb, Closest, Hit, Shape};
use crate::contact::AabbTree;

/// A mesh as a shape: it stands in the wind and in the way of a cursor, but holds off no
/// point by itself; contact with triangles does that. Of a vertex animation rays see the
/// shape at rest.
#[derive(Clone, Debug)]
pub struct ColliderMesh {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    tree: AabbTree,
    nearest: NearestTriangle,
    bounds: Aabb,
}

impl ColliderMesh {
    /// Of these vertices [m] and triangles, and of bounds in which it stays.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]], bounds: Aabb) -> Self {
        let boxes: Vec<Aabb> =
            triangles.iter().map(|t| Aabb::around(t.map(|v| points[v as usize]))).collect();
        let tree = AabbTree::of(&boxes, 0.0);
        let nearest = NearestTriangle::new(points, triangles);
        let (points, triangles) = (points.to_vec(), triangles.to_vec());
        Self { parts: Arc::new(Parts { points, triangles, tree, nearest, bounds }) }
    }

    /// Its vertices at rest. [m]
    pub fn points(&self) -> &[Vec3] {
        &self.parts.points
    }

    /// Corners of its triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.parts.triangles
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let Parts { points, triangles, .. } = self.parts.as_ref();
        triangles[triangle as usize].map(|v| points[v as usize].as_dvec3())
    }
}

impl PartialEq for ColliderMesh {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
            || (self.points() == other.points()
                && self.triangles() == other.triangles()
                && self.parts.bounds == other.parts.bounds)
    }
}

impl Shape for ColliderMesh {
    fn hit(&self, _from: Vec3, _to: Vec3, _offset: f32) -> Option<Hit> {
        None
    }

    /// Never negative: a mesh may be open and has no inside.
    fn closest(&self, point: Vec3) -> Closest {
        let p = point.as_dvec3();
        let Some((triangle, found)) = self.parts.nearest.nearest(p, f64::INFINITY) else {
            return Closest { point, normal: Vec3::Y, distance: f32::INFINITY };
        };
        let distance = found.distance_squared.sqrt();
        let [a, b, c] = self.corners(triangle);
        let facing = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
        let normal = if distance > 0.0 { found.gap / distance } else { facing };
        let (point, normal) = ((p - found.gap).as_vec3(), normal.as_vec3());
        Closest { point, normal, distance: distance as f32 }
    }

    fn aabb(&self) -> Aabb {
        self.parts.bounds
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let line = (origin.as_dvec3(), direction.as_dvec3());
        let hit = |triangle| ray_triangle(line, self.corners(triangle)).map(|t| t as f32);
        self.parts.tree.ray((origin, direction), f32::MAX, hit).map(|(_, t)| t)
    }
}

/// The t ≥ 0 at which o + t d meets a triangle: the signed volumes of d with its three edges
/// are of one sign (Ericson 2005, §5.3.4), from either side.
fn ray_triangle((o, d): (DVec3, DVec3), corners: [DVec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|corner| corner - o);
    let (u, v, w) = (d.dot(c.cross(b)), d.dot(a.cross(c)), d.dot(b.cross(a)));
    let one_sign = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let sum = u + v + w;
    if !one_sign || sum == 0.0 {
        return None;
    }
    let hit = (a * u + b * v + c * w) / sum;
    let t = hit.dot(d) / d.length_squared();
    (t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The square [−1, 1]² in the plane y = 0.
    fn square() -> ColliderMesh {
        let points =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let bounds = Aabb::around(points);
        ColliderMesh::new(&points, &[[0, 2, 1], [0, 3, 2]], bounds)
    }

    #[test]
    fn rays_meet_triangles_from_both_sides_and_pass_beside_them() {
        let mesh = square();
        for side in [1.0, -1.0] {
            let origin = Vec3::new(0.3, 2.0 * side, -0.2);
            let t = mesh.ray(origin, Vec3::NEG_Y * side * 4.0);
            assert_eq!(t, Some(0.5));
            assert_eq!(mesh.ray(origin, Vec3::Y * side), None);
        }
        assert_eq!(mesh.ray(Vec3::new(1.01, 1.0, 0.0), Vec3::NEG_Y), None);
        assert_eq!(mesh.ray(Vec3::Y, Vec3::ZERO), None);
    }

    #[test]
    fn the_nearest_place_is_found_near_far_and_beside() {
        let mesh = square();
        for (point, distance, nearest) in [
            (Vec3::new(0.2, 0.5, 0.1), 0.5, Vec3::new(0.2, 0.0, 0.1)),
            (Vec3::new(4.0, 0.0, 5.0), 5.0, Vec3::new(1.0, 0.0, 1.0)),
            (Vec3::new(0.5, -1e4, 0.5), 1e4, Vec3::new(0.5, 0.0, 0.5)),
            (Vec3::new(0.25, 0.0, 0.5), 0.0, Vec3::new(0.25, 0.0, 0.5)),
        ] {
            let found = mesh.closest(point);
            assert!((found.distance - distance).abs() <= 1e-6 * distance, "{point}: {found:?}");
            assert!((found.point - nearest).length() < 1e-3, "{point}: {found:?}");
        }
    }

    #[test]
    fn an_empty_mesh_is_nowhere() {
        let mesh = ColliderMesh::new(&[], &[], Aabb::EMPTY);
        assert_eq!(mesh.ray(Vec3::ZERO, Vec3::X), None);
        assert_eq!(mesh.closest(Vec3::ZERO).distance, f32::INFINITY);
    }
}
