//! Nodes of a strand against colliders, within Newton's method.

use std::mem::discriminant;

use glam::{DVec3, Vec3};

use super::chain::Pull;
use super::layout::{Curve, Layout};
use super::newton::Meets;
use crate::aabb::Aabb;
use crate::colliders::{Collider, ColliderShape, ColliderStep, Shape};
use crate::model::Model;
use crate::strands::TouchParts;

/// Stiffness of what a node must not enter, in terms of its own inertia m/τ²: thirty nodes that
/// one of them stops from 5 m/s within 5 ms enter by a tenth of a millimetre.
const HARD: f64 = 1e4;

/// Sliding slower than this is sticking. [m/s]
const STICKS: f64 = 1e-5;

/// What nodes meet in a stage.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// Which parts of strands touch.
    pub parts: TouchParts,
    /// Shapes of colliders.
    pub shapes: &'a [ColliderShape],
    /// Colliders over the stage.
    pub colliders: &'a [ColliderStep],
    /// Length of the stage. [s]
    pub tau: f64,
    /// How long colliders take for the way that they have in `colliders`. [s]
    pub lasts: f64,
    /// Mass of a node. [kg]
    pub mass: f64,
    /// Where nodes were. [m]
    pub was: &'a [DVec3],
    /// Where a node is at the end of the stage if it does not move: v = (x − rest)/τ. [m]
    pub rest: &'a [DVec3],
}

/// What a node touches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    /// It has just come.
    Fresh,
    /// It goes with the surface. Without friction it would have slid so far. [m]
    Sticks { free: f64 },
    /// It slides.
    Slips,
}

/// What nodes touch.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// How each node touches something, if it does.
    grips: Vec<Option<Grip>>,
    /// Places of nodes that are held by hand. [m]
    held: Vec<Option<DVec3>>,
}

impl Touch {
    /// For so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { grips: vec![None; nodes], held: vec![None; nodes] }
    }

    /// Whether anything is touched.
    pub fn any(&self) -> bool {
        self.grips.iter().any(Option::is_some)
    }

    /// Notes which nodes hands hold, and where; `first` is the particle of the first node.
    pub fn hold(&mut self, model: &Model, first: usize, x: impl Fn(usize) -> Vec3) {
        for (node, held) in self.held.iter_mut().enumerate().skip(1) {
            let fixed = model.inverse_mass[first + node] == 0.0;
            *held = fixed.then(|| x(first + node).as_dvec3());
        }
    }

    /// The nodes in a stage.
    pub fn on<'a>(&'a mut self, layout: &'a Layout, ground: &'a Ground<'a>) -> Touching<'a> {
        self.grips.fill(None);
        let hard = HARD * ground.mass / (ground.tau * ground.tau);
        let meets = ground.parts != TouchParts::Nothing && !ground.colliders.is_empty();
        Touching { touch: self, layout, ground, hard, meets }
    }
}

/// The nodes of a strand in a stage.
pub(super) struct Touching<'a> {
    touch: &'a mut Touch,
    layout: &'a Layout,
    ground: &'a Ground<'a>,
    /// Stiffness of what must not be entered. [N/m]
    hard: f64,
    /// Whether there is anything to meet.
    meets: bool,
}

impl Meets for Touching<'_> {
    fn renew(&mut self, curve: &Curve, pulls: &mut [[Pull; 2]]) -> bool {
        let mut changed = false;
        for (node, pulls) in pulls.iter_mut().enumerate().skip(1) {
            *pulls = [Pull::NONE; 2];
            if let Some(target) = self.touch.held[node] {
                pulls[0] = Pull::to(target, self.hard);
            } else if self.meets {
                let x = curve.point(self.layout.nodes[node]);
                let before = self.touch.grips[node];
                let now = self.ground.meet(node, x, (self.hard, before), pulls);
                changed |= now.map(|grip| discriminant(&grip)) != before.map(|b| discriminant(&b));
                self.touch.grips[node] = now;
            }
        }
        changed
    }

    /// Of contact as it is for that curve, and friction as it is now.
    fn energy(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let mut sum = 0.0;
        for (node, pulls) in pulls.iter().enumerate().skip(1) {
            if self.touch.held[node].is_some() {
                sum += pulls[0].energy(curve.point(self.layout.nodes[node]));
            } else if self.meets {
                let x = curve.point(self.layout.nodes[node]);
                for pull in pulls.iter().filter(|pull| pull.weight > 0.0) {
                    let apart = x - pull.target;
                    let along = apart - pull.along * pull.along.dot(apart);
                    sum += 0.5 * pull.weight * along.length_squared();
                }
                self.ground.hits(node, x, |hit| sum += 0.5 * self.hard * hit.depth * hit.depth);
            }
        }
        sum
    }

    fn is_nothing(&self) -> bool {
        !self.meets && self.touch.held.iter().all(Option::is_none)
    }
}

/// A collider that a node has entered, or passed through on its way.
struct Hit<'a> {
    collider: &'a Collider,
    step: &'a ColliderStep,
    normal: DVec3,
    depth: f64,
}

impl Ground<'_> {
    #[inline]
    fn hits(&self, node: usize, x: DVec3, mut with: impl FnMut(Hit<'_>)) {
        let (from, to) = (self.was[node].as_vec3(), x.as_vec3());
        let path = Aabb { min: from.min(to), max: from.max(to) };
        for (k, (collider, step)) in self.model.colliders.iter().zip(self.colliders).enumerate() {
            if !step.may_touch(&path) {
                continue;
            }
            let [start, end] = step.local_path(from, to);
            if let Some(hit) = self.shapes[k].hit(start, end, self.model.contact_offset) {
                let normal = step.end_vector(hit.normal).as_dvec3();
                let depth = (step.end.point(hit.point).as_dvec3() - x).dot(normal).max(0.0);
                with(Hit { collider, step, normal, depth });
            }
        }
    }

    /// What draws a node at `x`: up to two colliders hold it off. `before` is how it touched when
    /// that was last asked in this stage.
    fn meet(
        &self,
        node: usize,
        x: DVec3,
        (hard, before): (f64, Option<Grip>),
        pulls: &mut [Pull; 2],
    ) -> Option<Grip> {
        let mut now = None;
        let mut met = 0;
        self.hits(node, x, |Hit { collider, step, normal, depth }| {
            // Where it would end if it stuck.
            let carried = step.displacement(step.end.local_point(x.as_vec3())).as_dvec3();
            let stuck = self.rest[node] + carried * (self.tau / self.lasts);
            let slide = ((x - stuck) - normal * (x - stuck).dot(normal)).length();
            let most = f64::from(collider.friction) * hard * depth;
            let least = STICKS * self.tau;
            let sticks = |free: f64| (hard, Grip::Sticks { free });
            let slips = |slide: f64| (most / slide.max(least), Grip::Slips);
            let (weight, grip) = match before {
                _ if collider.friction == 0.0 => (0.0, Grip::Fresh),
                None => (0.0, Grip::Fresh),
                Some(Grip::Fresh) => sticks(slide),
                Some(Grip::Sticks { free }) if hard * slide > most => slips(free),
                Some(Grip::Sticks { free }) => sticks(free),
                Some(Grip::Slips) if slide < least => sticks(least),
                Some(Grip::Slips) => slips(slide),
            };
            // On the plane, below where it would end if it stuck.
            let target = stuck + normal * (depth + normal.dot(x - stuck));
            if let Some(pull) = pulls.get_mut(met) {
                *pull = Pull { weight, more: hard - weight, along: normal, target };
            }
            met += 1;
            now = Some(grip);
        });
        now
    }
}
