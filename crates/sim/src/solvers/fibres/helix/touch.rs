//! Nodes of a strand against colliders, within Newton's method.

use std::mem::discriminant;

use glam::{DVec3, Vec3};

use super::chain::Pull;
use super::layout::Curve;
use super::newton::{Change, Meets};
use crate::aabb::Aabb;
use crate::colliders::{ColliderShape, ColliderStep, Shape};
use crate::model::Model;
use crate::strands::TouchParts;

/// Stiffness of what a node must not enter, in terms of its own inertia m/τ²: thirty nodes that
/// one of them stops from 5 m/s within 5 ms enter by a tenth of a millimetre.
const HARD: f64 = 1e4;

/// Sliding slower than this is sticking. [m/s]
const STICKS: f64 = 1e-5;

/// Places of colliders are rounded by less than this. [m]
const ROUNDING: f64 = 1e-6;

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

/// A collider where a node has met it in a stage: rounding must not make it come and go.
#[derive(Clone, Copy, Debug)]
struct Plane {
    collider: usize,
    normal: DVec3,
    /// normal · x on it. [m]
    height: f64,
}

impl Plane {
    fn depth(&self, x: DVec3) -> f64 {
        self.height - self.normal.dot(x)
    }
}

/// What nodes touch.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// How each node touches something, if it does.
    grips: Vec<Option<Grip>>,
    /// Where it has.
    planes: Vec<[Option<Plane>; 2]>,
    /// Places of nodes that are held by hand. [m]
    held: Vec<Option<DVec3>>,
}

impl Touch {
    /// For so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { grips: vec![None; nodes], planes: vec![[None; 2]; nodes], held: vec![None; nodes] }
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
    pub fn on<'a>(&'a mut self, ground: &'a Ground<'a>, rubs: Rubs) -> Touching<'a> {
        self.grips.fill(None);
        self.planes.fill([None; 2]);
        let hard = HARD * ground.mass / (ground.tau * ground.tau);
        let meets = ground.parts != TouchParts::Nothing && !ground.colliders.is_empty();
        Touching { touch: self, ground, hard, meets, rubs, beyond: 0.0 }
    }
}

/// The nodes of a strand in a stage.
pub(super) struct Touching<'a> {
    touch: &'a mut Touch,
    ground: &'a Ground<'a>,
    /// Stiffness of what must not be entered. [N/m]
    hard: f64,
    /// Whether there is anything to meet.
    meets: bool,
    rubs: Rubs,
    /// Energy where the curve was when contact was last renewed, of colliders that no plane stands
    /// for. [J]
    beyond: f64,
}

/// Where there is friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rubs {
    Everywhere,
    Nowhere,
}

/// Deeper than this nothing may stay in a collider. [m]
const DEEP: f64 = 2e-4;

impl Touching<'_> {
    /// Whether any node is too deep in a collider.
    pub fn is_deep(&self, curve: &Curve) -> bool {
        let mut deepest = 0.0_f64;
        for node in 1..if self.meets { curve.nodes.len() } else { 0 } {
            if self.touch.held[node].is_none() {
                let x = curve.nodes[node];
                self.ground.hits(node, x, |plane| deepest = deepest.max(plane.depth(x)));
            }
        }
        deepest > DEEP
    }
}

impl Meets for Touching<'_> {
    fn renew(&mut self, curve: &Curve, pulls: &mut [[Pull; 2]]) -> Change {
        let mut change = Change::Nothing;
        self.beyond = 0.0;
        for (node, pulls) in pulls.iter_mut().enumerate().skip(1) {
            *pulls = [Pull::NONE; 2];
            if let Some(target) = self.touch.held[node] {
                pulls[0] = Pull::to(target, self.hard);
            } else if self.meets {
                let x = curve.nodes[node];
                let (before, planes) = (self.touch.grips[node], &mut self.touch.planes[node]);
                self.ground.find(node, x, planes);
                if planes.iter().all(Option::is_some) {
                    // A third collider is felt only when a step is judged.
                    self.beyond += self.hard * self.ground.others(node, x, planes);
                }
                let law = (self.hard, self.rubs, before);
                let now = self.ground.meet((node, x), planes, law, pulls);
                if now.is_some() != before.is_some() {
                    change = Change::Touch;
                } else if now.map(|g| discriminant(&g)) != before.map(|g| discriminant(&g))
                    && change == Change::Nothing
                {
                    change = Change::Grip;
                }
                self.touch.grips[node] = now;
            }
        }
        change
    }

    /// Of contact as it is for that curve, and friction as it is now.
    fn energy(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let mut sum = self.known(curve, pulls);
        for (node, planes) in self.touch.planes.iter().enumerate().skip(1) {
            if self.meets && self.touch.held[node].is_none() {
                sum += self.hard * self.ground.others(node, curve.nodes[node], planes);
            }
        }
        sum
    }

    fn energy_here(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        self.known(curve, pulls) + self.beyond
    }
}

impl Touching<'_> {
    /// The energy of holds, friction, and planes that are known.
    fn known(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let mut sum = 0.0;
        for (node, pulls) in pulls.iter().enumerate().skip(1) {
            let x = curve.nodes[node];
            if self.touch.held[node].is_some() {
                sum += pulls[0].energy(x);
            } else if self.meets {
                for pull in pulls.iter().filter(|pull| pull.weight > 0.0) {
                    let apart = x - pull.target;
                    let along = apart - pull.along * pull.along.dot(apart);
                    sum += 0.5 * pull.weight * along.length_squared();
                }
                for plane in self.touch.planes[node].iter().flatten() {
                    let depth = plane.depth(x).max(0.0);
                    sum += 0.5 * self.hard * depth * depth;
                }
            }
        }
        sum
    }
}

impl Ground<'_> {
    /// Calls `with` each collider that a node at `x` has entered, or passed through on its way.
    #[inline]
    fn hits(&self, node: usize, x: DVec3, mut with: impl FnMut(Plane)) {
        let (from, to) = (self.was[node].as_vec3(), x.as_vec3());
        let path = Aabb { min: from.min(to), max: from.max(to) };
        for (collider, step) in self.colliders.iter().enumerate() {
            if !step.may_touch(&path) {
                continue;
            }
            let [start, end] = step.local_path(from, to);
            if let Some(hit) = self.shapes[collider].hit(start, end, self.model.contact_offset) {
                let normal = step.end_vector(hit.normal).as_dvec3();
                let height = step.end.point(hit.point).as_dvec3().dot(normal);
                with(Plane { collider, normal, height });
            }
        }
    }

    /// ½ Σ depth² in colliders that a node at `x` meets and `planes` do not know. [m²]
    #[inline]
    fn others(&self, node: usize, x: DVec3, planes: &[Option<Plane>; 2]) -> f64 {
        let mut sum = 0.0;
        self.hits(node, x, |plane| {
            if planes.iter().flatten().all(|known| known.collider != plane.collider) {
                let depth = plane.depth(x).max(0.0);
                sum += 0.5 * depth * depth;
            }
        });
        sum
    }

    /// Takes note of what a node at `x` meets: two colliders at most.
    fn find(&self, node: usize, x: DVec3, planes: &mut [Option<Plane>; 2]) {
        self.hits(node, x, |plane| {
            let same = |known: &Option<Plane>| known.is_none_or(|k| k.collider == plane.collider);
            let Some(known) = planes.iter_mut().find(|known| same(known)) else { return };
            // What differs by rounding alone stays as it is.
            let other = |known: Plane| (known.depth(x) - plane.depth(x)).abs() > ROUNDING;
            if known.is_none_or(other) {
                *known = Some(plane);
            }
        });
    }

    /// What draws a node at `x`. `before` is how it touched when that was last asked in this stage.
    fn meet(
        &self,
        (node, x): (usize, DVec3),
        planes: &[Option<Plane>; 2],
        (hard, rubs, before): (f64, Rubs, Option<Grip>),
        pulls: &mut [Pull; 2],
    ) -> Option<Grip> {
        let mut now = None;
        for (plane, pull) in planes.iter().zip(pulls) {
            let Some(plane) = plane.filter(|plane| plane.depth(x) > 0.0) else { continue };
            let (step, normal, depth) =
                (&self.colliders[plane.collider], plane.normal, plane.depth(x));
            let friction = f64::from(self.model.colliders[plane.collider].friction);
            // Where it would end if it stuck.
            let carried = step.displacement(step.end.local_point(x.as_vec3())).as_dvec3();
            let stuck = self.rest[node] + carried * (self.tau / self.lasts);
            let slide = ((x - stuck) - normal * (x - stuck).dot(normal)).length();
            let (most, least) = (friction * hard * depth, STICKS * self.tau);
            let sticks = |free: f64| (hard, Grip::Sticks { free });
            let slips = |slide: f64| (most / slide.max(least), Grip::Slips);
            let (weight, grip) = match before {
                _ if friction == 0.0 || rubs == Rubs::Nowhere => (0.0, Grip::Fresh),
                None => (0.0, Grip::Fresh),
                Some(Grip::Fresh) => sticks(slide),
                Some(Grip::Sticks { free }) if hard * slide > most => slips(free),
                Some(Grip::Sticks { free }) => sticks(free),
                Some(Grip::Slips) if slide < least => sticks(least),
                Some(Grip::Slips) => slips(slide),
            };
            // On the plane, below where it would end if it stuck.
            let target = stuck + normal * (depth + normal.dot(x - stuck));
            *pull = Pull { weight, more: hard - weight, along: normal, target };
            now = Some(grip);
        }
        now
    }
}
