//! Visible points by other means: matrices, every triangle, closed formulas, double precision.

use glam::{DMat4, DQuat, DVec2, DVec3, DVec4, Vec2};
use tkanina_render::Camera;
use tkanina_sim::colliders::{Collider, ColliderShape};
use tkanina_sim::motion::Pose;

use crate::snapshot::Snapshot;

/// Particles that are in the rectangle and behind nothing.
pub fn visible(snapshot: &Snapshot, camera: &Camera, size: Vec2, rectangle: [Vec2; 2]) -> Vec<u32> {
    let eye = camera.eye.as_dvec3();
    let clip_from_world = matrix(camera, size);
    let [min, max] = rectangle.map(|r| r.as_dvec2());
    let near = f64::from(camera.near());
    let mut found = Vec::new();
    for (i, point) in (0u32..).zip(snapshot.positions.iter()) {
        let point = point.as_dvec3();
        let clip = clip_from_world * DVec4::new(point.x, point.y, point.z, 1.0);
        let place = DVec2::new(
            (clip.x / clip.w + 1.0) * 0.5 * f64::from(size.x),
            (1.0 - clip.y / clip.w) * 0.5 * f64::from(size.y),
        );
        let inside = place.x >= min.x && place.x <= max.x && place.y >= min.y && place.y <= max.y;
        if clip.w < near || !inside {
            continue;
        }
        let far = (point - eye).length();
        let way = (point - eye) / far;
        let by_triangle = snapshot.model.triangles.iter().any(|t| {
            let corners = t.map(|k| snapshot.positions[k as usize].as_dvec3());
            let hit = if t.contains(&i) { None } else { triangle(eye, way, corners) };
            hit.is_some_and(|d| d < far * (1.0 - 1e-4) && d * clip.w / far >= near)
        });
        let off = f64::from(snapshot.model.contact_offset).max(1e-4 * far);
        let by_collider = snapshot.model.colliders.iter().zip(&snapshot.collider_poses).any(
            |(collider, pose)| obstacle(eye, way, collider, pose).is_some_and(|d| d < far - off),
        );
        if !by_triangle && !by_collider {
            found.push(i);
        }
    }
    found
}

/// World to clip space, written out; w is the depth.
fn matrix(camera: &Camera, size: Vec2) -> DMat4 {
    let eye = camera.eye.as_dvec3();
    let ahead = (camera.target.as_dvec3() - eye).normalize();
    let right = ahead.cross(camera.up.as_dvec3()).normalize();
    let up = right.cross(ahead);
    let view = DMat4::from_cols(
        DVec4::new(right.x, up.x, -ahead.x, 0.0),
        DVec4::new(right.y, up.y, -ahead.y, 0.0),
        DVec4::new(right.z, up.z, -ahead.z, 0.0),
        DVec4::new(-right.dot(eye), -up.dot(eye), ahead.dot(eye), 1.0),
    );
    let f = 1.0 / (0.5 * f64::from(camera.fov_y)).tan();
    let aspect = f64::from(size.x) / f64::from(size.y);
    let projection = DMat4::from_cols(
        DVec4::new(f / aspect, 0.0, 0.0, 0.0),
        DVec4::new(0.0, f, 0.0, 0.0),
        DVec4::new(0.0, 0.0, 0.0, -1.0),
        DVec4::new(0.0, 0.0, 0.01, 0.0),
    );
    projection * view
}

/// Distance to a triangle by Cramer's rule in its two edges and the ray.
fn triangle(origin: DVec3, way: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let p = way.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = origin - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(e1);
    let v = way.dot(q) / determinant;
    let t = e2.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

/// Distance to an obstacle from outside it.
fn obstacle(eye: DVec3, way: DVec3, collider: &Collider, pose: &Pose) -> Option<f64> {
    let turn: DQuat = pose.rotation.as_dquat().conjugate();
    let (o, d) = (turn * (eye - pose.position.as_dvec3()), turn * way);
    match &collider.shape {
        ColliderShape::Sphere(s) => ball(o, d, DVec3::ZERO, f64::from(s.radius)),
        ColliderShape::Plane(_) => (d.y < 0.0).then(|| -o.y / d.y),
        ColliderShape::Box(b) => {
            let half = b.half_size.as_dvec3();
            let (t1, t2) = ((-half - o) / d, (half - o) / d);
            let (enter, leave) = (t1.min(t2).max_element(), t1.max(t2).min_element());
            (enter <= leave && enter >= 0.0).then_some(enter)
        }
        ColliderShape::Mesh(_) | ColliderShape::DistanceField(_) => {
            let mesh = match &collider.shape {
                ColliderShape::DistanceField(field) => field.mesh(),
                ColliderShape::Mesh(mesh) => mesh,
                _ => return None,
            };
            let corners = |t: &[u32; 3]| t.map(|v| mesh.points()[v as usize].as_dvec3());
            let hits = mesh.triangles().iter().filter_map(|t| triangle(o, d, corners(t)));
            hits.min_by(f64::total_cmp)
        }
        ColliderShape::Capsule(c) => {
            let (h, r) = (f64::from(c.half_length), f64::from(c.radius));
            let ends = [h, -h].map(|y| ball(o, d, DVec3::Y * y, r));
            let (of, df) = (DVec2::new(o.x, o.z), DVec2::new(d.x, d.z));
            let (a, b, k) = (df.dot(df), of.dot(df), of.dot(of) - r * r);
            let root = b * b - a * k;
            let side = (root >= 0.0).then(|| (-b - root.sqrt()) / a);
            let side = side.filter(|t| *t >= 0.0 && (o.y + t * d.y).abs() <= h);
            [ends[0], ends[1], side].into_iter().flatten().min_by(f64::total_cmp)
        }
    }
}

fn ball(o: DVec3, d: DVec3, centre: DVec3, radius: f64) -> Option<f64> {
    let m = o - centre;
    let b = m.dot(d);
    let root = b * b - (m.dot(m) - radius * radius);
    (root >= 0.0 && b < 0.0).then(|| -b - root.sqrt())
}
