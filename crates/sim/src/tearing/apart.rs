//! A hair's breadth between what has come apart.

use glam::Vec3;

use crate::lattice::Goal;
use crate::model::Model;
use crate::state::State;

/// Copies of a point are in one place, of which nothing can be proved where surfaces must not pass
/// through each other. Each goes towards its own triangles, or cells of a lattice, by δ = 5 µm + 4·10⁻⁶|x|: too little to be
/// seen, and enough for `f32` to tell them apart. `copies` are numbers of particles.
pub(super) fn set_apart(model: &Model, state: &mut State, copies: impl Iterator<Item = u32>) {
    if !model.surfaces_meet() {
        return;
    }
    let mut middles: Vec<Option<(Vec3, f32)>> = vec![None; model.particle_count()];
    for copy in copies.filter(|&copy| model.inverse_mass[copy as usize] > 0.0) {
        middles[copy as usize] = Some((Vec3::ZERO, 0.0));
    }
    let mut see = |corners: &[u32], only: &[bool]| {
        if corners.iter().all(|&v| middles[v as usize].is_none()) {
            return;
        }
        let sum: Vec3 = corners.iter().map(|&v| state.x.get(v as usize)).sum();
        let middle = sum / corners.len() as f32;
        for &v in corners.iter().filter(|&&v| only[v as usize]) {
            if let Some((sum, count)) = &mut middles[v as usize] {
                (*sum, *count) = (*sum + middle, *count + 1.0);
            }
        }
    };
    // Triangles of a crack lie in it, and say nothing of what is behind.
    let mut flat = vec![true; model.particle_count()];
    let cells: Vec<[u32; 8]> = model.goals.iter().flat_map(cells_of).collect();
    cells.iter().flatten().for_each(|&v| flat[v as usize] = false);
    model.triangles.iter().for_each(|triangle| see(triangle, &flat));
    flat.iter_mut().for_each(|flat| *flat = !*flat);
    cells.iter().for_each(|cell| see(cell, &flat));
    for (v, middle) in middles.iter().enumerate() {
        let Some((sum, count)) = middle.filter(|(_, count)| *count > 0.0) else { continue };
        let x = state.x.get(v);
        let way = sum / count - x;
        let breadth = (5e-6 + 4e-6 * x.abs().max_element()).min(0.1 * way.length());
        state.x.add(v, way.normalize_or_zero() * breadth);
    }
}

/// Cells of a lattice by particle.
fn cells_of(goal: &Goal) -> impl Iterator<Item = [u32; 8]> + '_ {
    let cells = goal.lattice().map(|shape| shape.cells.as_slice()).unwrap_or_default();
    cells.iter().map(|cell| cell.map(|v| goal.particles[v as usize]))
}
