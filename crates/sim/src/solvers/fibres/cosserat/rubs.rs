//! A point against colliders.

use glam::DVec3;

use crate::aabb::Aabb;
use crate::colliders::{ColliderShape, ColliderStep, Shape};

/// What points meet.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// How far they stay off. [m]
    pub offset: f32,
    /// μ on each collider. [1]
    pub rubs: &'a [f32],
    /// Shapes of colliders.
    pub shapes: &'a [ColliderShape],
    /// Colliders over a short step.
    pub steps: &'a [ColliderStep],
}

/// Puts a point that came from `was` on the surface of all that it has entered; what it slid over it
/// is shortened by friction, up to μ times the depth. Whether it had entered anything.
pub(super) fn hold_off(
    Ground { offset, rubs, shapes, steps }: Ground<'_>,
    was: DVec3,
    x: &mut DVec3,
) -> bool {
    let mut any = false;
    for (k, step) in steps.iter().enumerate() {
        let (from, to) = (was.as_vec3(), x.as_vec3());
        if !step.may_touch(&Aabb { min: from.min(to), max: from.max(to) }) {
            continue;
        }
        let [start, end] = step.local_path(from, to);
        let Some(hit) = shapes[k].hit(start, end, offset) else { continue };
        let normal = step.end_vector(hit.normal).as_dvec3();
        let depth = (step.end.point(hit.point).as_dvec3() - *x).dot(normal);
        if depth <= 0.0 {
            continue;
        }
        any = true;
        *x += normal * depth;
        let carried = step.displacement(step.end.local_point(x.as_vec3())).as_dvec3();
        let slid = *x - was - carried;
        let slid = slid - normal * slid.dot(normal);
        let most = f64::from(rubs[k]) * depth;
        let length = slid.length();
        *x -= if length <= most { slid } else { slid * (most / length) };
    }
    any
}
