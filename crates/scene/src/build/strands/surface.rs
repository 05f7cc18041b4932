//! What strands grow on: triangles with what carries them.

use glam::Vec3;
use tkanina_sim::colliders::forms::{Triangles, capsule, cuboid, sphere};
use tkanina_sim::colliders::{ColliderShape, DistanceField, Shape};
use tkanina_sim::motion::Pose;
use tkanina_sim::strands::{RootPath, SkinCorners};

use crate::build::{BodyPoints, Build};

/// Segments of round surfaces; places are moved onto the round form itself.
const ROUND: u32 = 64;

/// Triangles that strands grow on, where they are at the start.
pub(super) struct Surface {
    /// Vertices. [m]
    pub points: Vec<Vec3>,
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Normals of vertices, where the surface is smooth.
    normals: Vec<Vec3>,
    carrier: Carrier,
    /// A form that tells how far a place is outside, with the pose of its frame.
    pub form: Option<(ColliderShape, Pose)>,
}

/// What takes roots along.
#[derive(Clone, Copy)]
enum Carrier {
    Collider(usize),
    /// A mesh whose vertices move, by the number of its first vertex.
    Obstacle(usize),
    /// Particles, by the number of the first.
    Body(usize),
    /// Nothing: they stay.
    Nothing,
}

/// A place on a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub point: Vec3,
    pub normal: Vec3,
    pub triangle: usize,
    pub weights: [f32; 3],
}

impl Surface {
    /// Of a collider by its number; a plane as a patch of some size.
    pub fn of_collider(build: &Build<'_>, index: usize, patch: [f64; 2]) -> Option<Self> {
        let collider = build.builder.collider(index)?;
        let pose = collider.pose_at(0.0);
        let mut smooth = true;
        let mesh = match &collider.shape {
            ColliderShape::Sphere(ball) => sphere(f64::from(ball.radius), [ROUND, ROUND / 2]),
            ColliderShape::Capsule(rod) => {
                let length = 2.0 * f64::from(rod.half_length);
                let along = (length / f64::from(rod.radius) * 4.0).clamp(1.0, 64.0) as u32;
                capsule(f64::from(rod.radius), length, [ROUND, along, ROUND / 4])
            }
            ColliderShape::Box(cuboid_) => {
                smooth = false;
                cuboid(2.0 * cuboid_.half_size, [1; 3])
            }
            ColliderShape::Plane(_) => {
                smooth = false;
                rectangle(patch)
            }
            ColliderShape::Mesh(mesh) => {
                Triangles { points: mesh.points().to_vec(), triangles: mesh.triangles().to_vec() }
            }
            ColliderShape::DistanceField(field) => Triangles {
                points: field.mesh().points().to_vec(),
                triangles: field.mesh().triangles().to_vec(),
            },
        };
        let deforming = build.builder.mesh_of_collider(index).filter(|(mesh, _)| mesh.deforms());
        let carrier = match deforming {
            Some((_, first)) => Carrier::Obstacle(first),
            None => Carrier::Collider(index),
        };
        let form = match &collider.shape {
            ColliderShape::Mesh(_) => {
                DistanceField::new(&mesh, None, 0.0).ok().map(ColliderShape::DistanceField)
            }
            shape => Some(shape.clone()),
        };
        let place = |p: &Vec3| pose.rotation * *p + pose.position;
        let points: Vec<Vec3> = mesh.points.iter().map(place).collect();
        let normals = if smooth { normals(&points, &mesh.triangles) } else { Vec::new() };
        let form = form.map(|form| (form, pose));
        Some(Self { points, triangles: mesh.triangles, normals, carrier, form })
    }

    /// Of a body that has been built.
    pub fn of_body(build: &Build<'_>, body: &BodyPoints) -> Option<Self> {
        let range = body.first..body.first + body.count;
        let triangles = build.builder.triangles_of(range.clone());
        let first = body.first as u32;
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| v - first)).collect();
        let points: Vec<Vec3> = range.map(|p| build.builder.position(p)).collect();
        let normals = normals(&points, &triangles);
        let carrier = Carrier::Body(body.first);
        if triangles.is_empty() {
            return None;
        }
        Some(Self { points, triangles, normals, carrier, form: None })
    }

    /// Triangles that stay where they are, without a smooth surface.
    pub fn fixed(Triangles { points, triangles }: Triangles) -> Self {
        Self { points, triangles, normals: Vec::new(), carrier: Carrier::Nothing, form: None }
    }

    /// Corners of a triangle. [m]
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.points[v as usize])
    }

    /// A place by its triangle and weights, moved onto the form if that is round.
    pub fn spot(&self, triangle: usize, weights: [f32; 3]) -> Spot {
        let [a, b, c] = self.corners(triangle);
        let blend = |[a, b, c]: [Vec3; 3]| a * weights[0] + b * weights[1] + c * weights[2];
        let mut point = blend([a, b, c]);
        let facing = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let mut normal = facing;
        if !self.normals.is_empty() {
            let corners = self.triangles[triangle].map(|v| self.normals[v as usize]);
            normal = blend(corners).normalize_or(facing);
        }
        if let Some((form @ (ColliderShape::Sphere(_) | ColliderShape::Capsule(_)), pose)) =
            &self.form
        {
            let closest = form.closest(pose.rotation.inverse() * (point - pose.position));
            point = pose.rotation * closest.point + pose.position;
            normal = pose.rotation * closest.normal;
        }
        Spot { point, normal, triangle, weights }
    }

    /// What takes a root at a place along.
    pub fn path(&self, spot: &Spot) -> RootPath {
        let numbers = |first: usize| self.triangles[spot.triangle].map(|v| v + first as u32);
        let skin = |corners| RootPath::Skin { corners, weights: spot.weights };
        match self.carrier {
            Carrier::Collider(index) => RootPath::Collider(index),
            Carrier::Obstacle(first) => skin(SkinCorners::Obstacles(numbers(first))),
            Carrier::Nothing => RootPath::Fixed,
            Carrier::Body(first) => skin(SkinCorners::Particles(numbers(first))),
        }
    }

    /// The place of the surface that is nearest to a point; none if it has no triangles.
    pub fn nearest(&self, point: Vec3) -> Option<Spot> {
        let of = |t: usize| (t, closest_weights(self.corners(t), point));
        let far = |(t, w): &(usize, [f32; 3])| {
            let [a, b, c] = self.corners(*t);
            (a * w[0] + b * w[1] + c * w[2] - point).length_squared()
        };
        let nearest = (0..self.triangles.len()).map(of).min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.map(|(triangle, weights)| self.spot(triangle, weights))
    }

    /// Distance of a point from the form, negative inside, and the direction out of it. [m]
    pub fn outside(&self, point: Vec3) -> Option<(f32, Vec3)> {
        let (form, pose) = self.form.as_ref()?;
        let closest = form.closest(pose.rotation.inverse() * (point - pose.position));
        Some((closest.distance, pose.rotation * closest.normal))
    }

    /// Least and greatest corner of the box round it. [m]
    pub fn bounds(&self) -> [Vec3; 2] {
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        self.points.iter().fold(start, |[low, high], &p| [low.min(p), high.max(p)])
    }
}

/// A level rectangle, seen from above.
pub(super) fn rectangle(size: [f64; 2]) -> Triangles {
    let [x, z] = size.map(|s| 0.5 * s as f32);
    let points = [(-x, -z), (x, -z), (x, z), (-x, z)].map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
    Triangles { points, triangles: vec![[0, 2, 1], [0, 3, 2]] }
}

/// Normals of vertices: sums of those of their triangles by area.
fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; points.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| points[v as usize]);
        corners.iter().for_each(|&v| sums[v as usize] += (b - a).cross(c - a));
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

/// Weights of the corners at the point of a triangle that is nearest to `p`. Ericson 2005, §5.1.5.
pub(super) fn closest_weights([a, b, c]: [Vec3; 3], p: Vec3) -> [f32; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3).max(f32::MIN_POSITIVE);
        return [1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6).max(f32::MIN_POSITIVE);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6)).max(f32::MIN_POSITIVE);
        return [0.0, 1.0 - w, w];
    }
    let sum = (va + vb + vc).max(f32::MIN_POSITIVE);
    let (v, w) = (vb / sum, vc / sum);
    [1.0 - v - w, v, w]
}
