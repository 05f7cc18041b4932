//! A mesh laid flat: where its points lie in the pattern that it was cut from.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use crate::model::{Body, Model};

/// The flat pattern of a body. Particles are counted from the body's first.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// Place of each particle: warp along the first axis, none below zero. [m]
    pub places: Vec<DVec2>,
    pub triangles: Vec<[u32; 3]>,
    /// Of all triangles. [m²]
    pub area: f64,
    /// Extent along both axes. [m]
    pub extent: DVec2,
    /// Whether straight ways between its points stay within it.
    pub convex: bool,
    /// Whether the shape at rest is plane, rather than texture coordinates saying so.
    pub plane: bool,
}

/// A shape that leaves its plane by less than this part of its size is plane.
const PLANE: f64 = 1e-4;

/// Edges may differ by this from their length in a pattern of texture coordinates: in the
/// mean, and each.
const ISOMETRIC: [f64; 2] = [0.01, 0.05];

/// A panel that fills this much of its convex hull is convex.
const CONVEX: f64 = 0.98;

impl Panel {
    /// The pattern of a mesh body, if its rest shape is plane or its texture coordinates
    /// keep all lengths.
    pub fn of(model: &Model, body: &Body) -> Option<Self> {
        let first = body.particles.start as u32;
        let triangles: Vec<[u32; 3]> = model.triangles[body.triangles.clone()]
            .iter()
            .map(|t| t.map(|corner| corner - first))
            .collect();
        if body.rest.len() != body.particles.len() || triangles.is_empty() {
            return None;
        }
        let rest: Vec<DVec3> = body.rest.iter().map(|p| p.as_dvec3()).collect();
        let uvs = (body.uvs.len() == rest.len()).then_some(body.uvs.as_slice());
        let laid = lay_plane(&rest, &triangles);
        let plane = laid.is_some();
        let (mut places, warp) = match (laid, uvs) {
            (Some(places), uvs) => {
                let warp = uvs.and_then(|uvs| warp_of(&places, uvs, &triangles));
                (places, warp)
            }
            (None, Some(uvs)) => (lay_by_texture(&rest, uvs, &triangles)?, Some(DVec2::X)),
            (None, None) => return None,
        };
        let hull = hull(corners(&triangles).map(|i| places[i]).collect());
        let along = warp.unwrap_or_else(|| tightest(&hull));
        places.iter_mut().for_each(|p| *p = DVec2::new(along.dot(*p), along.perp_dot(*p)));
        let used = || corners(&triangles).map(|i| places[i]);
        let low = used().fold(DVec2::INFINITY, DVec2::min);
        let high = used().fold(DVec2::NEG_INFINITY, DVec2::max);
        places.iter_mut().for_each(|p| *p -= low);
        let area = triangles.iter().map(|&t| doubled(&places, t).abs()).sum::<f64>() * 0.5;
        let whole = polygon_area(&hull);
        let extent = high - low;
        let sound = extent.min_element() > 0.0 && area > 0.0 && extent.is_finite();
        sound.then_some(Self {
            places,
            triangles,
            area,
            extent,
            convex: area > CONVEX * whole,
            plane,
        })
    }
}

/// Twice the signed area of a triangle. [m²]
pub(super) fn doubled(places: &[DVec2], t: [u32; 3]) -> f64 {
    let [a, b, c] = t.map(|i| places[i as usize]);
    (b - a).perp_dot(c - a)
}

fn corners(triangles: &[[u32; 3]]) -> impl Iterator<Item = usize> + '_ {
    triangles.iter().flatten().map(|&i| i as usize)
}

/// Coordinates in the plane of the largest triangle, if all others lie in it.
fn lay_plane(rest: &[DVec3], triangles: &[[u32; 3]]) -> Option<Vec<DVec2>> {
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| rest[i as usize]);
        (b - a).cross(c - a)
    };
    let area = |t: &[u32; 3]| normal(t).length_squared();
    let largest = triangles.iter().max_by(|a, b| area(a).total_cmp(&area(b)))?;
    let (n, origin) = (normal(largest).normalize_or_zero(), rest[largest[0] as usize]);
    let used = || corners(triangles).map(|i| rest[i] - origin);
    let size = used().map(DVec3::length).fold(0.0, f64::max);
    if n == DVec3::ZERO || used().any(|p| p.dot(n).abs() > PLANE * size) {
        return None;
    }
    let (e, f) = n.any_orthonormal_pair();
    Some(rest.iter().map(|&p| DVec2::new(e.dot(p - origin), f.dot(p - origin))).collect())
}

/// The direction in which the first texture coordinate grows, in places of a plane.
fn warp_of(places: &[DVec2], uvs: &[[f32; 2]], triangles: &[[u32; 3]]) -> Option<DVec2> {
    let mut sum = DVec2::ZERO;
    for &t in triangles {
        let [p, q, r] = t.map(|i| places[i as usize]);
        let [a, b, c] = t.map(|i| DVec2::from(uvs[i as usize].map(f64::from)));
        let turned = (b - a).perp_dot(c - a);
        if turned != 0.0 {
            // ∂p/∂u, weighted by the triangle's area.
            let along = ((q - p) * (c - a).y - (r - p) * (b - a).y) / turned;
            sum += along.normalize_or_zero() * doubled(places, t).abs();
        }
    }
    let total: f64 = triangles.iter().map(|&t| doubled(places, t).abs()).sum();
    // Islands that are turned against each other have no common direction.
    (sum.length() > 0.9 * total).then(|| sum.normalize())
}

/// L² = a Δu² + 2c ΔuΔv + b Δv² over all edges by least squares: texture coordinates in
/// metres, if that holds for each edge.
fn lay_by_texture(rest: &[DVec3], uvs: &[[f32; 2]], triangles: &[[u32; 3]]) -> Option<Vec<DVec2>> {
    let mut edges: BTreeMap<[u32; 2], (DVec2, f64)> = BTreeMap::new();
    for (&a, &b) in triangles.iter().flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]) {
        let uv = |i: u32| DVec2::from(uvs[i as usize].map(f64::from));
        let length = (rest[b as usize] - rest[a as usize]).length();
        edges.insert([a.min(b), a.max(b)], (uv(b) - uv(a), length));
    }
    let mut matrix = glam::DMat3::ZERO;
    let mut right = DVec3::ZERO;
    for &(d, length) in edges.values() {
        let row = DVec3::new(d.x * d.x, 2.0 * d.x * d.y, d.y * d.y) / (length * length);
        matrix += crate::elastic::outer(row, row);
        right += row;
    }
    if !(matrix.determinant().abs() > 0.0) {
        return None;
    }
    let DVec3 { x: a, y: c, z: b } = matrix.inverse() * right;
    let (across, weft) = (c / a.sqrt(), (b - c * c / a).sqrt());
    let place = |d: DVec2| DVec2::new(a.sqrt() * d.x + across * d.y, weft * d.y);
    let mut mean = 0.0;
    for &(d, length) in edges.values() {
        let error = (place(d).length() / length - 1.0).abs();
        mean += error / edges.len() as f64;
        // Also where the fit has failed and nothing is finite.
        if !(error <= ISOMETRIC[1]) {
            return None;
        }
    }
    let places = uvs.iter().map(|uv| place(DVec2::from(uv.map(f64::from))));
    (mean <= ISOMETRIC[0]).then(|| places.collect())
}

/// Corners of the convex hull, in order (Andrew 1979).
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let mut out: Vec<DVec2> = Vec::new();
    for upper in [false, true] {
        let floor = out.len() + 1;
        let mut add = |p: DVec2| {
            let turns = |out: &[DVec2]| {
                let [.., a, b] = out else { return true };
                (b - a).perp_dot(p - b) > 0.0
            };
            while out.len() > floor && !turns(&out) {
                out.pop();
            }
            out.push(p);
        };
        if upper {
            points.iter().rev().skip(1).for_each(|&p| add(p));
        } else {
            points.iter().for_each(|&p| add(p));
        }
    }
    out.pop();
    out
}

fn polygon_area(corners: &[DVec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    0.5 * corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>().abs()
}

/// The direction of the hull's side along which its bounding box is smallest.
fn tightest(hull: &[DVec2]) -> DVec2 {
    let next = hull.iter().cycle().skip(1);
    let sides = hull.iter().zip(next).map(|(a, b)| (*b - *a).normalize_or_zero());
    let size = |along: DVec2| {
        let turned = || hull.iter().map(|p| DVec2::new(along.dot(*p), along.perp_dot(*p)));
        let low = turned().fold(DVec2::INFINITY, DVec2::min);
        let extent = turned().fold(DVec2::NEG_INFINITY, DVec2::max) - low;
        extent.x * extent.y
    };
    sides
        .filter(|side| *side != DVec2::ZERO)
        .min_by(|a, b| size(*a).total_cmp(&size(*b)))
        .unwrap_or(DVec2::X)
}
