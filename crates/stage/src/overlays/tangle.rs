//! Outlines of triangles that pass through others.

use glam::Vec3;
use tkanina_sim::world::World;

/// Returns whether there are any.
pub fn outlines(world: &World, out: &mut Vec<[Vec3; 2]>) -> bool {
    let state = world.state();
    let at = |v: u32| match (v as usize).checked_sub(state.x.len()) {
        None => state.x.get(v as usize),
        Some(vertex) => state.obstacles.get(vertex),
    };
    out.clear();
    for triangle in world.tangled_triangles() {
        let [a, b, c] = triangle.map(at);
        out.extend([[a, b], [b, c], [c, a]]);
    }
    !out.is_empty()
}
