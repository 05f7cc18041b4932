//! What spheres and capsules share: both are all points within a radius of a
//! core, which is a point or a segment.

use glam::Vec3;

use super::{Closest, Hit};

/// Cosine of the widest angle between where a point came in and where it would
/// be put out. Beyond it the nearest way out is round the far side, and putting
/// the point there would be to let it through.
pub const SAME_SIDE: f32 = 0.7;

/// A start below this part of the radius is not a resting contact that rounding
/// pushed in, but a point placed inside: it may leave by any side.
const RESTING: f32 = 0.9;

/// Path against the shape of radius `reach` about `core`.
///
/// A path that ends inside is answered by the radial projection of its end
/// (n = a/|a|, a = p − core(p)), unless the end has gone so deep that this would
/// put it out on the other side; then, and when the path has passed right
/// through, by the point at which it came in. `entry` gives that point as a
/// part of the path, for a start outside.
pub fn hit(
    [from, to]: [Vec3; 2],
    reach: f32,
    core: impl Fn(Vec3) -> Vec3,
    entry: impl Fn(Vec3, Vec3) -> Option<f32>,
) -> Option<Hit> {
    let path = to - from;
    let (start, end) = (from - core(from), to - core(to));
    let starts_inside = start.length_squared() < reach * reach;
    let ends_inside = end.length_squared() < reach * reach;
    if !starts_inside && !ends_inside {
        // Too far for so short a path, with more to spare than rounding takes.
        let farthest = (reach + path.length()) * (1.0 + 1e-4);
        if start.length_squared() > farthest * farthest {
            return None;
        }
        let fraction = entry(from, path).filter(|&t| t <= 1.0)?;
        return Some(surface_hit(from + path * fraction, fraction, reach, core));
    }
    let came_in = if starts_inside {
        surface_hit(from, 0.0, reach, &core)
    } else {
        let fraction = entry(from, path).map_or(1.0, |t| t.min(1.0));
        surface_hit(from + path * fraction, fraction, reach, &core)
    };
    if !ends_inside {
        let rested = start.length_squared() >= RESTING * RESTING * reach * reach;
        return (rested && came_in.normal.dot(path) < 0.0).then_some(came_in);
    }
    let put_out = surface_hit(to, came_in.fraction, reach, &core);
    let unknown_side = starts_inside && start.length_squared() < 0.25 * reach * reach;
    if unknown_side || put_out.normal.dot(came_in.normal) >= SAME_SIDE {
        Some(put_out)
    } else {
        Some(came_in)
    }
}

/// The nearest place on the surface at `radius` from `core`.
pub fn closest(point: Vec3, radius: f32, core: Vec3) -> Closest {
    let arm = point - core;
    let normal = direction(arm);
    Closest { point: core + normal * radius, normal, distance: arm.length() - radius }
}

/// The least t ≥ 0 with |o + t d| = r, for o outside. In f64: a fast point far
/// away loses the small difference of large squares in f32.
pub fn sphere_entry(origin: Vec3, direction: Vec3, radius: f32) -> Option<f32> {
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3());
    quadratic_entry(d.length_squared(), o.dot(d), o.length_squared() - square(radius))
}

/// The least t ≥ 0 at which |(o + t d)_xz| = r, for o outside.
pub fn cylinder_entry(origin: Vec3, direction: Vec3, radius: f32) -> Option<f32> {
    let flat = |v: Vec3| v.as_dvec3().with_y(0.0);
    let (o, d) = (flat(origin), flat(direction));
    quadratic_entry(d.length_squared(), o.dot(d), o.length_squared() - square(radius))
}

/// First root of a t² + 2 b t + c = 0, for c ≥ 0 (outside) and b < 0 (approaching).
fn quadratic_entry(a: f64, b: f64, c: f64) -> Option<f32> {
    let discriminant = b * b - a * c;
    if b >= 0.0 || discriminant.is_nan() || discriminant < 0.0 {
        return None;
    }
    // c / (−b + √…) and not (−b − √…) / a: no cancellation, and no division by a ≈ 0.
    Some((c.max(0.0) / (discriminant.sqrt() - b)) as f32)
}

fn square(radius: f32) -> f64 {
    f64::from(radius) * f64::from(radius)
}

fn surface_hit(point: Vec3, fraction: f32, reach: f32, core: impl Fn(Vec3) -> Vec3) -> Hit {
    let centre = core(point);
    let normal = direction(point - centre);
    Hit { fraction, point: centre + normal * reach, normal }
}

/// Unit direction; a point exactly on the core goes up.
fn direction(arm: Vec3) -> Vec3 {
    arm.try_normalize().unwrap_or(Vec3::Y)
}
