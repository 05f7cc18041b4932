//! Directors: a unit vector across each edge that turns with the material.

use glam::{DVec3, Vec3};

/// A director with the tangent that it is across.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Director {
    /// Unit tangent.
    pub tangent: DVec3,
    /// Unit vector across it.
    pub across: DVec3,
}

/// Some unit vector across a unit vector.
pub fn perpendicular(tangent: DVec3) -> DVec3 {
    tangent.any_orthonormal_vector()
}

/// A vector across `from` brought to `to` without twist: the rotation that takes one unit tangent
/// to the other on the shortest way.
pub fn carry_director(across: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let turned = across - (from + to) * (across.dot(to) / (1.0 + from.dot(to)).max(1e-9));
    (turned - to * turned.dot(to)).try_normalize().unwrap_or_else(|| perpendicular(to))
}

/// Directors of all edges of a curve, carried on from that of the first without twist. One that has
/// no length goes on as the one before.
pub fn directors_along(points: &[Vec3], first: Director) -> Vec<Director> {
    let mut last = first;
    let edges = points.windows(2).map(|ends| {
        let edge = (ends[1] - ends[0]).as_dvec3();
        let tangent = edge.try_normalize().unwrap_or(last.tangent);
        last = Director { tangent, across: carry_director(last.across, last.tangent, tangent) };
        last
    });
    edges.collect()
}

/// Natural bends of a curve, one for each point: x₋ − 2x + x₊ = β₁ u + β₂ v, u and v the means of
/// both edges' directors and of t × d. Zero at ends. [m]
pub fn bends_of(points: &[Vec3], directors: &[Director]) -> Vec<[f32; 2]> {
    let mut bends = vec![[0.0; 2]; points.len()];
    for i in 1..points.len().saturating_sub(1) {
        let [before, at, after] = [i - 1, i, i + 1].map(|k| points[k].as_dvec3());
        let [a, b] = [directors[i - 1], directors[i]];
        let u = 0.5 * (a.across + b.across);
        let v = 0.5 * (a.tangent.cross(a.across) + b.tangent.cross(b.across));
        let bend = before - 2.0 * at + after;
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let (ru, rv) = (u.dot(bend), v.dot(bend));
        let det = uu * vv - uv * uv;
        if det > 1e-6 {
            bends[i] = [((vv * ru - uv * rv) / det) as f32, ((uu * rv - uv * ru) / det) as f32];
        }
    }
    bends
}
