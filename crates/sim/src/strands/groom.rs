//! What scissors and combs do to strands.

use glam::Vec3;

use crate::model::Model;
use crate::state::State;
use crate::tearing::Cut;

/// Cuts all strands that a blade meets: the edge goes, and what is beyond it falls. Those of springs stay
/// whole, and the edge that a root holds cannot be cut.
pub(crate) fn cut(model: &Model, state: &mut State, by: &Cut) {
    if !by.is_sound() {
        return;
    }
    let State { x, fibres, .. } = state;
    let rods = model.strands.iter().filter(|set| set.law.can_be_cut());
    for strand in rods.flat_map(|set| &set.strands) {
        let first = strand.held().end.saturating_sub(1).max(strand.first as usize);
        for p in first..strand.particles().end - 1 {
            let ends = [p, p + 1].map(|i| x.get(i).as_dvec3());
            if by.meets(ends) {
                fibres.cut.push(p as u32);
            }
        }
    }
    fibres.cut.sort_unstable();
    fibres.cut.dedup();
}

/// v ← v + w (u − v) for points of strands within `radius` of `at`, w falling from 1 there to 0.
pub(crate) fn comb(model: &Model, state: &mut State, (at, radius): (Vec3, f32), u: Vec3) {
    if !(at.is_finite() && u.is_finite() && radius > 0.0) {
        return;
    }
    for strand in model.strands.iter().flat_map(|set| &set.strands) {
        for p in strand.particles().filter(|&p| model.inverse_mass[p] > 0.0) {
            let far = state.x.get(p).distance(at) / radius;
            if far < 1.0 {
                let weight = (1.0 - far * far) * (1.0 - far * far);
                let v = state.v.get(p);
                state.v.set(p, v + weight * (u - v));
            }
        }
    }
}
