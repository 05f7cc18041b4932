//! Velocities that everything but springs and colliders would give: what implicit and
//! position-based solvers start from.

use std::ops::Range;

use glam::Vec3;

use super::air::{air_force, drag_force};
use super::evaluate::{Workspace, add_pushes, mesh_normals, weather};
use super::external::AirPass;
use super::{Conditions, WindKind, add_wind_forces};
use crate::elements::{GasLaw, grid_normals};
use crate::hands::Hands;
use crate::model::Model;
use crate::parallel::for_each_part;
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

/// Writes to `workspace.free` the velocity of each particle after `h` seconds of weight,
/// pushes, medium and air, starting from (x, v). Grabbed particles are drawn to the hand,
/// held ones get the velocity that takes them to the end of their path. [m/s]
///
/// Medium and air are taken implicitly: a⁺ = a/(1 + c), a = v − wind, c = h d|a·n|/m, so
/// that no step is too long for them and the air never makes the speed through it grow.
pub fn free_velocities(
    model: &Model,
    (conditions, hands): (&Conditions, &Hands),
    (x, v): (&Soa3, &Soa3),
    h: f32,
    workspace: &mut Workspace,
) {
    let pushed = is_pushed(model, hands);
    let Workspace { forces, normals, wind, free, airy, damped, .. } = workspace;
    let damped = *damped;
    if free.len() != x.len() {
        *free = Soa3::zeros(x.len());
    }
    if *airy {
        if !model.mesh_triangles.is_empty() {
            mesh_normals(model, x, normals);
        }
        for grid in &model.grids {
            grid_normals(grid.first(), grid.counts(), x, normals);
        }
    }
    if pushed {
        forces.fill(Vec3::ZERO);
        let shelter = conditions.shelter(model);
        add_wind_forces(&model.wind, shelter, x.view(), normals.view(), forces.view_mut());
        add_pushes(model, (conditions, hands), forces);
        model.gases.add_document_forces(x, conditions.time, forces);
    }
    let air = weather(model, conditions, x, wind, *airy);
    let gravity = hands.gravity(model);
    let (v_all, forces, normals) = (v, &*forces, &*normals);
    for_each_part(free.view_mut(), LANES, &|first, out: Soa3Mut| {
        let range = first..first + out.len();
        let part = Part {
            v: v_all.slice(range.clone()),
            out,
            weight: &model.inverse_mass[range.clone()],
            h,
            gravity,
        };
        if !pushed && matches!(air, AirPass::None) {
            if damped {
                dispatch(Sinking(part, &model.damping[range]));
            } else {
                dispatch(Falling(part));
            }
        } else {
            let pushes = pushed.then(|| forces.slice(range.clone()));
            windy(model, (range, air), (normals, pushes), part);
        }
    });
    conditions.guide(model, hands, (x, h), free);
}

/// Whether nothing but weight acts: then v⁺ = v + h g for all that is not held.
pub fn only_weight_acts(model: &Model, hands: &Hands, workspace: &Workspace) -> bool {
    let is_still = !workspace.airy && !workspace.damped;
    is_still && hands.grabs.is_empty() && !is_pushed(model, hands)
}

/// Whether nothing but weight and a medium at rest acts: then v⁺ = (v + h g)/(1 + h b/m).
pub fn only_weight_and_medium_act(model: &Model, hands: &Hands, workspace: &Workspace) -> bool {
    !workspace.airy && hands.grabs.is_empty() && !is_pushed(model, hands)
}

/// The acceleration by weight, if nothing else pulls: no wind, no force, no tie and no hand. [m/s²]
pub fn only_weight(model: &Model, hands: &Hands) -> Option<Vec3> {
    let pulled = !model.wind.is_empty() || !model.ties.is_empty() || !hands.grabs.is_empty();
    (!pulled && !is_pushed(model, hands)).then(|| hands.gravity(model))
}

/// Whether any force acts besides weight and air drag.
fn is_pushed(model: &Model, hands: &Hands) -> bool {
    !hands.forces.is_empty()
        || !model.point_forces.is_empty()
        || model.gases.obeying(GasLaw::Document).next().is_some()
        || model.wind.iter().any(|w| matches!(w.kind, WindKind::Force { .. }))
}

struct Part<'a> {
    v: Soa3Ref<'a>,
    out: Soa3Mut<'a>,
    weight: &'a [f32],
    h: f32,
    gravity: Vec3,
}

/// v⁺ = v + h g.
struct Falling<'a>(Part<'a>);

impl Kernel for Falling<'_> {
    #[inline(always)]
    fn run(self) {
        let Part { v, out, h, gravity: g, .. } = self.0;
        for (out, v, g) in [(out.x, v.x, g.x), (out.y, v.y, g.y), (out.z, v.z, g.z)] {
            let change = h * g;
            out.iter_mut().zip(v).for_each(|(out, v)| *out = v + change);
        }
    }
}

/// v⁺ = (v + h g)/(1 + h b/m).
struct Sinking<'a>(Part<'a>, &'a [f32]);

impl Kernel for Sinking<'_> {
    #[inline(always)]
    fn run(self) {
        let Self(Part { v, out, weight, h, gravity: g }, damping) = self;
        for (out, v, g) in [(out.x, v.x, g.x), (out.y, v.y, g.y), (out.z, v.z, g.z)] {
            let change = h * g;
            for (((out, v), w), b) in out.iter_mut().zip(v).zip(weight).zip(damping) {
                *out = (v + change) * (1.0 / (1.0 + h * w * b));
            }
        }
    }
}

fn windy(
    model: &Model,
    (range, air): (Range<usize>, AirPass<'_>),
    (normals, pushes): (&Soa3, Option<Soa3Ref<'_>>),
    part: Part<'_>,
) {
    let Part { v, mut out, weight, h, gravity } = part;
    for (i, particle) in range.enumerate() {
        let w = weight[i];
        let mut velocity = v.get(i);
        let wind = match air {
            AirPass::None => None,
            AirPass::Uniform(wind) => Some(wind),
            AirPass::Varying(wind) => Some(wind.get(particle)),
        };
        if let Some(wind) = wind {
            let through = velocity - wind;
            let (drag, lift) = (model.drag[particle], model.lift[particle]);
            velocity = wind + carried(through, normals.get(particle), [drag, lift], h * w);
        }
        velocity += h * gravity;
        if let Some(pushes) = &pushes {
            velocity += h * w * pushes.get(i);
        }
        out.set(i, velocity / (1.0 + h * w * model.damping[particle]));
    }
}

/// The velocity through the air after a step; `step` is h/m.
fn carried(a: Vec3, n: Vec3, [drag, lift]: [f32; 2], step: f32) -> Vec3 {
    let across = a.dot(n).abs();
    let (a_, n_) = (a.to_array(), n.to_array());
    if lift == 0.0 {
        let change = step * Vec3::from(drag_force(a_, n_, drag));
        return a + change / (1.0 + step * drag * across);
    }
    let speed = a.length();
    let change = step * Vec3::from(air_force(a_, n_, drag, lift));
    let after = a + change / (1.0 + step * (drag * across + lift * speed));
    // Lift is across the motion: it turns the velocity and must not lengthen it.
    after.clamp_length_max(speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_takes_speed_and_never_gives_any_at_any_step() {
        let mut rng = crate::rng::Rng::new(5);
        for _ in 0..1000 {
            let mut c = || rng.between(-5.0, 5.0) as f32;
            let (a, n) = (Vec3::new(c(), c(), c()), Vec3::new(c(), c(), c()).normalize());
            for step in [1e-3, 1.0, 1e6] {
                for lift in [0.0, 0.5] {
                    let after = carried(a, n, [0.3, lift], step);
                    assert!(after.length() <= a.length() * 1.000001, "{a} {n} {step}: {after}");
                }
            }
        }
    }

    #[test]
    fn short_steps_follow_the_force() {
        let (a, n) = (Vec3::new(3.0, -1.0, 0.5), Vec3::new(0.2, 1.0, 0.4).normalize());
        for lift in [0.0, 0.5] {
            let step = 1e-5;
            let change = (carried(a, n, [0.3, lift], step) - a) / step;
            let force = Vec3::from(air_force(a.to_array(), n.to_array(), 0.3, lift));
            assert!((change - force).length() < 0.02 * force.length(), "{change} {force}");
        }
    }
}
