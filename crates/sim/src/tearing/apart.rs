//! A hair's breadth between what has come apart.

use glam::Vec3;

use crate::model::Model;
use crate::state::State;

/// Copies of a point are in one place, of which nothing can be proved where surfaces must not pass
/// through each other. Each goes towards its own triangles by δ = 5 µm + 4·10⁻⁶|x|: too little to be
/// seen, and enough for `f32` to tell them apart. `copies` are numbers of particles.
pub(super) fn set_apart(model: &Model, state: &mut State, copies: impl Iterator<Item = u32>) {
    if !model.surfaces_meet() {
        return;
    }
    let mut middles: Vec<Option<(Vec3, f32)>> = vec![None; model.particle_count()];
    for copy in copies.filter(|&copy| model.inverse_mass[copy as usize] > 0.0) {
        middles[copy as usize] = Some((Vec3::ZERO, 0.0));
    }
    for triangle in &model.triangles {
        let corners = triangle.map(|v| v as usize);
        if corners.iter().all(|&v| middles[v].is_none()) {
            continue;
        }
        let middle = corners.iter().map(|&v| state.x.get(v)).sum::<Vec3>() / 3.0;
        for v in corners {
            if let Some((sum, count)) = &mut middles[v] {
                (*sum, *count) = (*sum + middle, *count + 1.0);
            }
        }
    }
    for (v, middle) in middles.iter().enumerate() {
        let Some((sum, count)) = middle.filter(|(_, count)| *count > 0.0) else { continue };
        let x = state.x.get(v);
        let way = sum / count - x;
        let breadth = (5e-6 + 4e-6 * x.abs().max_element()).min(0.1 * way.length());
        state.x.add(v, way.normalize_or_zero() * breadth);
    }
}
