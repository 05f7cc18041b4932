//! What nodes of a strand may meet in a stage, and where they do.

use glam::DVec3;

use crate::aabb::Aabb;
use crate::colliders::{ColliderShape, ColliderStep, Shape};
use crate::strands::TouchParts;

/// What nodes meet in a stage.
#[derive(Clone, Copy)]
pub(in super::super) struct Ground<'a> {
    /// Which parts of strands touch.
    pub parts: TouchParts,
    /// μ on each collider. [1]
    pub rubs: &'a [f32],
    /// Shapes of colliders.
    pub shapes: &'a [ColliderShape],
    /// Colliders over the stage.
    pub colliders: &'a [ColliderStep],
    /// Length of the stage. [s]
    pub tau: f64,
    /// How long colliders take for the way that they have in `colliders`. [s]
    pub lasts: f64,
    /// How far nodes stay off them. [m]
    pub off: f32,
    /// Mass of a node. [kg]
    pub mass: f64,
    /// Where nodes were. [m]
    pub was: &'a [DVec3],
    /// Where a node is at the end of the stage if it does not move: v = (x − rest)/τ. [m]
    pub rest: &'a [DVec3],
}

/// A collider where a node has met it in a stage: rounding must not make it come and go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Which.
    pub collider: usize,
    /// Out of it.
    pub normal: DVec3,
    /// normal · x on it. [m]
    pub height: f64,
    /// What friction is in proportion to; nothing as long as it has not been asked for. [N]
    pub press: Option<f64>,
    /// Whether it holds the node back now.
    pub holds: bool,
}

impl Plane {
    /// How far a node at `x` has entered. [m]
    pub fn depth(&self, x: DVec3) -> f64 {
        self.height - self.normal.dot(x)
    }
}

impl Ground<'_> {
    /// Calls `with` each collider that a node at `x` has entered, or passed through on its way.
    #[inline]
    pub(super) fn hits(&self, node: usize, x: DVec3, mut with: impl FnMut(Plane)) {
        let (from, to) = (self.was[node].as_vec3(), x.as_vec3());
        let path = Aabb { min: from.min(to), max: from.max(to) };
        for (collider, step) in self.colliders.iter().enumerate() {
            if !step.may_touch(&path) {
                continue;
            }
            let [start, end] = step.local_path(from, to);
            if let Some(hit) = self.shapes[collider].hit(start, end, self.off) {
                let normal = step.end_vector(hit.normal).as_dvec3();
                let height = step.end.point(hit.point).as_dvec3().dot(normal);
                with(Plane { collider, normal, height, press: None, holds: false });
            }
        }
    }
}
