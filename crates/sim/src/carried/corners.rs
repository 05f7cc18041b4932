//! Weights by the corners of a box.

use glam::{DVec3, Vec3};

use crate::colliders::forms::Triangles;

/// wₖ = Π (s or 1 − s) over the axes, s the place within the box round the cage: its eight corners
/// carry everything. Each is the vertex of the cage that is nearest to it.
pub fn corner_weights(cage: &Triangles, x: Vec3) -> Vec<(u32, f64)> {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = cage.points.iter().fold(start, |(low, high), p| {
        let p = p.as_dvec3();
        (low.min(p), high.max(p))
    });
    let size = (high - low).max(DVec3::splat(f64::MIN_POSITIVE));
    let s = (x.as_dvec3() - low) / size;
    let corner = |k: usize| {
        let side = |axis: usize| k >> axis & 1 == 1;
        let pick = |axis: usize| if side(axis) { high[axis] } else { low[axis] };
        let place = DVec3::new(pick(0), pick(1), pick(2));
        let away = |p: &Vec3| p.as_dvec3().distance_squared(place);
        let nearest = (0..).zip(&cage.points).min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        let weight = (0..3).map(|axis| if side(axis) { s[axis] } else { 1.0 - s[axis] });
        nearest.map(|(vertex, _)| (vertex, weight.product()))
    };
    (0..8).filter_map(corner).collect()
}
