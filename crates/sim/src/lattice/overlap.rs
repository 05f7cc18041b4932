//! Triangles against cubes.

use glam::DVec3;

/// Whether a triangle comes into the cube |x − centre| < half along every axis: no axis separates
/// them, be it one of the cube's, the triangle's normal, or across an edge of each.
/// Akenine-Möller 2001. What only touches the cube's faces is outside.
pub(super) fn triangle_in_cube(triangle: [DVec3; 3], centre: DVec3, half: f64) -> bool {
    let t = triangle.map(|p| p - centre);
    let edges = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let separates = |axis: DVec3| {
        let reach = half * axis.abs().element_sum();
        let d = t.map(|p| p.dot(axis));
        let (low, high) = (d[0].min(d[1]).min(d[2]), d[0].max(d[1]).max(d[2]));
        // An axis of length zero says nothing.
        (low >= reach || high <= -reach) && reach > 0.0
    };
    let units = [DVec3::X, DVec3::Y, DVec3::Z];
    !units.into_iter().any(separates)
        && !separates(edges[0].cross(edges[1]))
        && !edges.iter().any(|e| units.iter().any(|u| separates(e.cross(*u))))
}
