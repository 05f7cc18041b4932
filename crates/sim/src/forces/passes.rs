//! Passes over particles that compute normals and forces together, while they
//! are in the cache.

use std::ops::Range;

use crate::elements::{GridStencil, grid_normals_of_rows};
use crate::model::Model;
use crate::parallel::for_each_part;
use crate::simd::LANES;
use crate::soa::{Soa3, Soa3Mut};

use super::external::{AirPass, Surroundings, external_forces};

/// Particles that are taken together: their arrays fit into a core's own cache.
const BLOCK: usize = 1 << 15;

/// Normals (if there is air), external forces and springs of one grid.
pub(super) fn grid_pass(
    model: &Model,
    grid: &GridStencil,
    (x, v): (&Soa3, &Soa3),
    around: Surroundings<'_>,
    (normals, f): (&mut Soa3, &mut Soa3),
) {
    let [ni, nj] = grid.counts();
    let first = grid.first();
    let range = first..first + ni * nj;
    let (grid_x, grid_v) = (x.slice(range.clone()), v.slice(range.clone()));
    let block = (BLOCK / ni).max(1) * ni;
    let outputs = (normals.slice_mut(range.clone()), f.slice_mut(range));
    for_each_part(outputs, ni, &|start, (mut normals, mut f): (Soa3Mut, Soa3Mut)| {
        for from in (0..f.len()).step_by(block) {
            let rows = from..(from + block).min(f.len());
            let first_row = (start + from) / ni;
            if !matches!(around.air, AirPass::None) {
                let out = normals.slice_mut(rows.clone());
                grid_normals_of_rows([ni, nj], first_row, grid_x, out);
            }
            let particles = first + start + rows.start..first + start + rows.end;
            let own = (v, normals.slice(rows.clone()));
            external_forces(model, particles, own, around, f.slice_mut(rows.clone()));
            grid.add_forces_to_rows(first_row, grid_x, grid_v, f.slice_mut(rows));
        }
    });
}

/// External forces of particles on no grid; their normals are there already.
pub(super) fn loose_pass(
    model: &Model,
    range: Range<usize>,
    v: &Soa3,
    around: Surroundings<'_>,
    (normals, f): (&Soa3, &mut Soa3),
) {
    let offset = range.start;
    for_each_part(f.slice_mut(range), LANES, &|start, f: Soa3Mut| {
        let particles = offset + start..offset + start + f.len();
        external_forces(model, particles.clone(), (v, normals.slice(particles)), around, f);
    });
}
