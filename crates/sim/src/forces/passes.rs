//! Passes over particles that compute normals and forces together, while they
//! are in the cache.

use std::ops::Range;

use crate::elements::{GridStencil, grid_normals_of_rows};
use crate::model::Model;
use crate::parallel::{Split, for_each_part};
use crate::simd::LANES;
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

use super::external::{AirPass, external_forces};

/// Particles that are taken together: their arrays fit into a core's own cache.
const BLOCK: usize = 1 << 14;

/// Normals (if there is air), external forces and springs of one grid; then
/// `finish(particles, forces, more)` with each block of `more`, which is as long
/// as the grid or nothing.
pub(super) fn grid_pass<M: Split>(
    model: &Model,
    grid: &GridStencil,
    (x, v): (&Soa3, &Soa3),
    air: AirPass<'_>,
    (normals, f, more): (&mut Soa3, &mut Soa3, M),
    finish: &(impl Fn(Range<usize>, Soa3Ref<'_>, M) + Sync),
) {
    let [ni, nj] = grid.counts();
    let first = grid.first();
    let range = first..first + ni * nj;
    let (grid_x, grid_v) = (x.slice(range.clone()), v.slice(range.clone()));
    let block = (BLOCK / ni).max(1) * ni;
    let outputs = (normals.slice_mut(range.clone()), f.slice_mut(range), more);
    for_each_part(outputs, ni, &|start, outputs: (Soa3Mut, Soa3Mut, M)| {
        let mut rest = outputs;
        let mut from = start;
        while !rest.1.is_empty() {
            let len = block.min(rest.1.len());
            let (now, later) = rest.split(len);
            let (mut normals, mut f, more) = now;
            let first_row = from / ni;
            if !matches!(air, AirPass::None) {
                grid_normals_of_rows([ni, nj], first_row, grid_x, normals.slice_mut(0..len));
            }
            let particles = first + from..first + from + len;
            let own = (v, normals.slice(0..len));
            external_forces(model, particles.clone(), own, air, f.slice_mut(0..len));
            grid.add_forces_to_rows(first_row, grid_x, grid_v, f.slice_mut(0..len));
            finish(particles, f.slice(0..len), more);
            rest = later;
            from += len;
        }
    });
}

/// External forces of particles on no grid; their normals are there already.
pub(super) fn loose_pass(
    model: &Model,
    range: Range<usize>,
    v: &Soa3,
    air: AirPass<'_>,
    (normals, f): (&Soa3, &mut Soa3),
) {
    let offset = range.start;
    for_each_part(f.slice_mut(range), LANES, &|start, f: Soa3Mut| {
        let particles = offset + start..offset + start + f.len();
        external_forces(model, particles.clone(), (v, normals.slice(particles)), air, f);
    });
}
