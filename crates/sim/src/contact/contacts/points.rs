//! Points of particles, then of mesh colliders.

use std::ops::Range;

use crate::colliders::MeshCollider;
use crate::contact::swept::Point4;
use crate::model::Model;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// Of each point, whether it is part of a strand that is advanced on its own.
pub(super) fn on_their_own(model: &Model, points: usize) -> Vec<bool> {
    let mut own = vec![false; points];
    for set in model.strands.iter().filter(|set| set.law.is_rod()) {
        own[model.bodies[set.body].particles.clone()].fill(true);
    }
    own
}

/// Points of mesh colliders that keep their form.
pub(super) fn rigid_meshes(model: &Model) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut first = model.particle_count();
    let next = move |mesh: &MeshCollider| {
        let own = first..first + mesh.vertex_count();
        first = own.end;
        (!mesh.deforms()).then_some(own)
    };
    model.mesh_colliders.iter().filter_map(next)
}

pub(super) fn put(from: &Soa3, to: &mut [Point4]) {
    for_each_part(to, 1, &|first, to: &mut [Point4]| {
        for (i, to) in (first..from.len()).zip(to) {
            *to = [from.x[i], from.y[i], from.z[i], 0.0];
        }
    });
}

pub(in crate::contact) fn take(to: &mut Soa3, from: &[Point4]) {
    let from = &from[..to.len()];
    for_each_part((to.view_mut(), from), 1, &|_, (to, from): (Soa3Mut, &[Point4])| {
        for (i, from) in from.iter().enumerate() {
            (to.x[i], to.y[i], to.z[i]) = (from[0], from[1], from[2]);
        }
    });
}
