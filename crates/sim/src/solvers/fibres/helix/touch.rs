//! Nodes of a strand against colliders, within Newton's method.

use glam::{DMat3, DVec3, Vec3};

use super::chain::Pull;
use super::layout::{Curve, Layout};
use crate::aabb::Aabb;
use crate::colliders::{ColliderStep, Shape};
use crate::model::Model;
use crate::strands::TouchParts;

/// Stiffness of what a node must not enter, in terms of its own inertia m/τ²: a strand that presses
/// on one node with all its weight enters by its fall in a stage over a thousand.
const HARD: f64 = 1e5;

/// Sliding slower than this is sticking. [m/s]
const STICKS: f64 = 1e-5;

/// What nodes meet in a stage.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// Which parts of strands touch.
    pub parts: TouchParts,
    /// Colliders over the stage.
    pub colliders: &'a [ColliderStep],
    /// Length of the stage. [s]
    pub tau: f64,
    /// How long colliders take for the way that they have in `colliders`. [s]
    pub lasts: f64,
    /// Mass of a node. [kg]
    pub mass: f64,
    /// The particle that is the first node.
    pub first: usize,
    /// Where nodes were, and where they would be in the world without speed: v = (x − rest)/τ. [m]
    pub was: &'a [DVec3],
    pub rest: &'a [DVec3],
}

/// What nodes touch.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// Of each node the force with which it is held off: nothing where it is free. [N]
    press: Vec<Option<f64>>,
    /// Places of nodes that are held by hand. [m]
    held: Vec<Option<DVec3>>,
}

impl Touch {
    /// For so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { press: vec![None; nodes], held: vec![None; nodes] }
    }

    /// Whether anything is touched.
    pub fn any(&self) -> bool {
        self.press.iter().any(Option::is_some)
    }

    /// Notes which nodes hands hold, and where.
    pub fn hold(&mut self, model: &Model, first: usize, x: impl Fn(usize) -> Vec3) {
        for (node, held) in self.held.iter_mut().enumerate().skip(1) {
            let fixed = model.inverse_mass[first + node] == 0.0;
            *held = fixed.then(|| x(first + node).as_dvec3());
        }
    }

    /// What draws nodes where the curve is now; whether that is other than before.
    pub fn renew(
        &mut self,
        ground: &Ground<'_>,
        (layout, curve): (&Layout, &Curve),
        pulls: &mut [Pull],
    ) -> bool {
        let meets = ground.parts != TouchParts::Nothing && !ground.colliders.is_empty();
        let hard = HARD * ground.mass / (ground.tau * ground.tau);
        let mut changed = false;
        for node in 1..pulls.len() {
            pulls[node] = Pull::NONE;
            if let Some(target) = self.held[node] {
                pulls[node] = Pull { weight: DMat3::IDENTITY * hard, target };
            } else if meets {
                let x = curve.point(layout.nodes[node]);
                let met = ground.meet(node, x, (hard, self.press[node]));
                changed |= met.is_some() != self.press[node].is_some();
                self.press[node] = met.map(|met| met.press);
                pulls[node] = met.map_or(Pull::NONE, |met| met.pull);
            }
        }
        changed
    }
}

/// What holds a node off.
#[derive(Clone, Copy)]
struct Met {
    pull: Pull,
    press: f64,
}

impl Ground<'_> {
    /// What a node at `x` meets. `pressed` is the force of its last contact, which friction is a
    /// part of.
    fn meet(&self, node: usize, x: DVec3, (hard, pressed): (f64, Option<f64>)) -> Option<Met> {
        let (from, to) = (self.was[node].as_vec3(), x.as_vec3());
        let path = Aabb { min: from.min(to), max: from.max(to) };
        let mut met: Option<Met> = None;
        for (collider, step) in self.model.colliders.iter().zip(self.colliders) {
            if !step.may_touch(&path) {
                continue;
            }
            let [start, end] = step.local_path(from, to);
            let Some(hit) = collider.shape.hit(start, end, self.model.contact_offset) else {
                continue;
            };
            let normal = step.end_vector(hit.normal).as_dvec3();
            let depth = (step.end.point(hit.point).as_dvec3() - x).dot(normal);
            let outer = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
            // Where it would end if it stuck.
            let carried = step.displacement(end).as_dvec3() * (self.tau / self.lasts);
            let stuck = self.rest[node] + carried;
            let slide = (x - stuck) - normal * (x - stuck).dot(normal);
            let grip = pressed.unwrap_or(0.0) * f64::from(collider.friction);
            let along = grip / slide.length().max(STICKS * self.tau);
            let weight = outer * hard + (DMat3::IDENTITY - outer) * along;
            // On the plane, below where it would end if it stuck.
            let target = stuck + normal * (depth + normal.dot(x - stuck));
            let one = Met { pull: Pull { weight, target }, press: (hard * depth).max(0.0) };
            met = Some(met.map_or(one, |other| other.and(one, x)));
        }
        met
    }
}

impl Met {
    /// Two contacts of one node at `x`, as one.
    fn and(self, other: Self, x: DVec3) -> Self {
        let force = |met: Self| met.pull.weight * (met.pull.target - x);
        let weight = self.pull.weight + other.pull.weight;
        let size = weight.x_axis.x + weight.y_axis.y + weight.z_axis.z;
        let solved = (weight + DMat3::IDENTITY * (1e-9 * size)).inverse();
        let target = x + solved * (force(self) + force(other));
        Self { pull: Pull { weight, target }, press: self.press.max(other.press) }
    }
}
