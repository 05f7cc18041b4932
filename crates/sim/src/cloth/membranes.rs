//! From a cloth's material to the membrane triangles of its grid or mesh.

use glam::{DVec2, Vec3};

use super::{Cloth, SpringModel};
use crate::elements::MembraneTriangle;
use crate::topology::{GridShape, SewnMesh};

/// Triangles of a grid cloth: warp along its first axis, weft along its second.
pub(super) fn grid_membranes(
    cloth: &Cloth,
    grid: &GridShape,
    point_mass: f32,
    first: usize,
) -> Vec<MembraneTriangle> {
    let Some((stiffness, damping)) = law(cloth, point_mass) else { return Vec::new() };
    let (ni, spacing) = (grid.counts[0] as u32, grid.spacing().map(f64::from));
    let flat = |p: u32| DVec2::new(f64::from(p % ni), f64::from(p / ni)) * DVec2::from(spacing);
    let make = |t: [u32; 3]| {
        let corners = t.map(|p| p + first as u32);
        MembraneTriangle::at_rest(corners, t.map(flat), stiffness, damping)
    };
    grid.triangles().into_iter().filter_map(make).collect()
}

/// Triangles of a mesh cloth. Warp runs along ∂x/∂u of the texture coordinates in each triangle;
/// without them along the x axis of the shape at rest, laid into the triangle, or along
/// z where a triangle stands across x: right for flat panels, arbitrary for others. Weft
/// is at right angles to it.
pub(super) fn mesh_membranes(
    cloth: &Cloth,
    (points, uvs): (&[Vec3], &[[f32; 2]]),
    triangles: &[[u32; 3]],
    point_mass: f32,
    first: usize,
) -> Vec<MembraneTriangle> {
    let Some((stiffness, damping)) = law(cloth, point_mass) else { return Vec::new() };
    let make = |t: &[u32; 3]| {
        let x = t.map(|p| points[p as usize]);
        let by_texture = if uvs.len() == points.len() {
            texture_direction(x, t.map(|p| uvs[p as usize]))
        } else {
            None
        };
        let directions = [by_texture, Some(Vec3::X), Some(Vec3::Z), Some(x[1] - x[0])];
        let flat =
            directions.into_iter().flatten().find_map(|d| MembraneTriangle::flatten(x, d))?;
        let corners = t.map(|p| p + first as u32);
        MembraneTriangle::at_rest(corners, flat, stiffness, damping)
    };
    triangles.iter().filter_map(make).collect()
}

/// Triangles of a sewn cloth: warp along the first axis of each panel.
pub(super) fn sewn_membranes(
    cloth: &Cloth,
    mesh: &SewnMesh,
    point_mass: f32,
    first: usize,
) -> Vec<MembraneTriangle> {
    let Some((stiffness, damping)) = law(cloth, point_mass) else { return Vec::new() };
    let make = |(t, flat): (&[u32; 3], &[DVec2; 3])| {
        MembraneTriangle::at_rest(t.map(|p| p + first as u32), *flat, stiffness, damping)
    };
    mesh.triangles.iter().zip(&mesh.flat).filter_map(make).collect()
}

/// Stiffness along warp, weft and in shear [N/m], and damping over stiffness: c/k of two points
/// of mass m on a spring as stiff as the cloth, 2ζ√(m/2k). [s]
fn law(cloth: &Cloth, point_mass: f32) -> Option<([f32; 3], f32)> {
    let SpringModel::Triangles { warp, weft, shear, damping_ratio } = cloth.springs else {
        return None;
    };
    let mean = 0.5 * (warp + weft);
    let damping =
        if mean > 0.0 { 2.0 * damping_ratio * (0.5 * point_mass / mean).sqrt() } else { 0.0 };
    Some(([warp, weft, shear], damping))
}

/// ∂x/∂u of a triangle, if its texture coordinates say.
fn texture_direction([a, b, c]: [Vec3; 3], uv: [[f32; 2]; 3]) -> Option<Vec3> {
    let [p, q, r] = uv;
    let (b_u, b_v) = (q[0] - p[0], q[1] - p[1]);
    let (c_u, c_v) = (r[0] - p[0], r[1] - p[1]);
    let determinant = b_u * c_v - b_v * c_u;
    let direction = ((b - a) * c_v - (c - a) * b_v) / determinant;
    (direction.is_finite() && direction != Vec3::ZERO).then_some(direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warp_follows_the_texture() {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y];
        // u grows along y.
        let uv = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
        assert_eq!(texture_direction(x, uv), Some(Vec3::Y));
        assert_eq!(texture_direction(x, [[0.0; 2]; 3]), None);
    }
}
