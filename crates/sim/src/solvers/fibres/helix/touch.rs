//! Nodes of a strand against colliders, within Newton's method.
//!
//! Friction is a potential for as long as a minimum is looked for: what presses is known from the
//! last minimum, or from the last stage, and is asked for again at the new one. Were it to follow
//! every Newton step, nodes that friction lifts off would come and go for ever.

mod friction;
mod ground;

use glam::{DVec3, Vec3};

use super::chain::Pull;
use super::layout::Curve;
use super::newton::Meets;
use crate::model::Model;
use crate::strands::TouchParts;
use friction::Friction;
pub(super) use ground::Ground;
use ground::Plane;

/// Stiffness of what a node must not enter, in terms of its own inertia m/τ²: thirty nodes that
/// one of them stops from 5 m/s within 5 ms enter by a tenth of a millimetre.
const HARD: f64 = 1e4;

/// Sliding slower than this is sticking. [m/s]
const STICKS: f64 = 1e-5;

/// Places of colliders are rounded by less than this. [m]
const ROUNDING: f64 = 1e-6;

/// Friction is asked for again where what presses is other than thought by more than this part.
const ALIKE: f64 = 0.1;

/// How often it is asked for in a stage.
const ASKED: u32 = 3;

/// What nodes touch.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// Where each node has met something in this stage.
    planes: Vec<[Option<Plane>; 2]>,
    /// Colliders that it met in the last one, and what pressed there. [N]
    last: Vec<[Option<(usize, f64)>; 2]>,
    /// Places of nodes that are held by hand. [m]
    held: Vec<Option<DVec3>>,
    /// How many nodes there are that may touch anything.
    left: usize,
    /// What nodes of the curve that was looked at last have entered.
    seen: Vec<(usize, Plane)>,
}

impl Touch {
    /// For so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            planes: vec![[None; 2]; nodes],
            last: vec![[None; 2]; nodes],
            held: vec![None; nodes],
            left: nodes,
            seen: Vec::with_capacity(2 * nodes),
        }
    }

    /// Whether anything is touched.
    pub fn any(&self) -> bool {
        self.planes.iter().flatten().flatten().any(|plane| plane.holds)
    }

    /// Forgets what was touched: a step knows no more than what is kept between steps.
    pub fn forget(&mut self) {
        self.planes.fill([None; 2]);
        self.last.fill([None; 2]);
    }

    /// Notes which of the first `left` nodes, all that there are, hands hold, and where; `first` is the
    /// particle of the first one.
    pub fn hold(&mut self, model: &Model, [first, left]: [usize; 2], x: impl Fn(usize) -> Vec3) {
        self.left = left;
        for (node, held) in self.held.iter_mut().enumerate().skip(1) {
            let fixed = node < left && model.inverse_mass[first + node] == 0.0;
            *held = fixed.then(|| x(first + node).as_dvec3());
        }
    }

    /// The nodes in a stage.
    pub fn on<'a>(&'a mut self, ground: &'a Ground<'a>, rubs: Rubs) -> Touching<'a> {
        let pressed = |plane: Plane| plane.press.map(|press| (plane.collider, press));
        for (last, planes) in self.last.iter_mut().zip(&mut self.planes) {
            *last = planes.map(|plane| plane.and_then(pressed));
            *planes = [None; 2];
        }
        let hard = HARD * ground.mass / (ground.tau * ground.tau);
        let meets = ground.parts != TouchParts::Nothing && !ground.colliders.is_empty();
        Touching { touch: self, ground, hard, meets, rubs, asked: 0, beyond: 0.0 }
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
    /// How often friction has been asked for.
    asked: u32,
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
    pub fn is_deep(&mut self, curve: &Curve) -> bool {
        self.look(curve);
        let depth = |(node, plane): &(usize, Plane)| plane.depth(curve.nodes[*node]);
        self.touch.seen.iter().map(depth).fold(0.0, f64::max) > DEEP
    }

    /// Sees what nodes have entered.
    fn look(&mut self, curve: &Curve) {
        let Touch { held, seen, left, .. } = &mut *self.touch;
        seen.clear();
        if !self.meets {
            return;
        }
        for (node, &x) in curve.nodes[..*left].iter().enumerate().skip(1) {
            if held[node].is_none() {
                self.ground.hits(node, x, |plane| seen.push((node, plane)));
            }
        }
    }

    /// ½ k Σ depth² of what is seen and no plane stands for. [J]
    fn unknown(&self, curve: &Curve) -> f64 {
        let mut sum = 0.0;
        for (node, plane) in &self.touch.seen {
            let known = self.touch.planes[*node].iter().flatten();
            if known.into_iter().all(|known| known.collider != plane.collider) {
                let depth = plane.depth(curve.nodes[*node]).max(0.0);
                sum += 0.5 * self.hard * depth * depth;
            }
        }
        sum
    }

    /// The energy of holds, friction, and planes that are known.
    fn known(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let mut sum = 0.0;
        for (node, pulls) in pulls.iter().enumerate().skip(1) {
            let x = curve.nodes[node];
            if self.touch.held[node].is_some() {
                sum += pulls[0].energy(x);
                continue;
            }
            for (plane, pull) in self.touch.planes[node].iter().zip(pulls) {
                let Some(plane) = plane else { continue };
                let depth = plane.depth(x).max(0.0);
                sum += 0.5 * self.hard * depth * depth;
                if pull.weight > 0.0 {
                    let apart = x - pull.target;
                    let slide = (apart - pull.along * pull.along.dot(apart)).length();
                    sum += self.friction(plane).energy(slide);
                }
            }
        }
        sum
    }

    fn friction(&self, plane: &Plane) -> Friction {
        let of = f64::from(self.ground.rubs[plane.collider]);
        let of = if self.rubs == Rubs::Nowhere { 0.0 } else { of };
        let most = of * plane.press.unwrap_or(0.0);
        Friction { most, least: (most / self.hard).max(STICKS * self.ground.tau) }
    }

    /// What a plane draws a node at `x` with.
    fn pull(&self, (node, x): (usize, DVec3), plane: &Plane) -> Pull {
        let (ground, normal, depth) = (self.ground, plane.normal, plane.depth(x));
        let step = &ground.colliders[plane.collider];
        // Where it would end if it stuck.
        let carried = step.displacement(step.end.local_point(x.as_vec3())).as_dvec3();
        let stuck = ground.rest[node] + carried * (ground.tau / ground.lasts);
        let apart = x - stuck;
        let slide = (apart - normal * apart.dot(normal)).length();
        let weight = self.friction(plane).weight(slide);
        // On the plane, below where it would end if it stuck.
        let target = stuck + normal * (depth + normal.dot(apart));
        let across = if plane.holds { self.hard } else { 0.0 };
        Pull { weight, more: across - weight, along: normal, target }
    }
}

impl Meets for Touching<'_> {
    fn renew(&mut self, curve: &Curve, pulls: &mut [[Pull; 2]], judged: bool) -> bool {
        if !judged {
            self.look(curve);
        }
        self.touch.note(|known, node, plane| {
            // What differs by rounding alone stays as it is.
            let x = curve.nodes[node];
            if (known.depth(x) - plane.depth(x)).abs() > ROUNDING {
                *known = Plane { press: known.press, holds: known.holds, ..plane };
            }
        });
        self.beyond = self.unknown(curve);
        let mut changed = false;
        for (node, pulls) in pulls.iter_mut().enumerate().skip(1) {
            *pulls = [Pull::NONE; 2];
            let x = curve.nodes[node];
            if let Some(target) = self.touch.held[node] {
                pulls[0] = Pull::to(target, self.hard);
                continue;
            }
            for (k, pull) in pulls.iter_mut().enumerate() {
                let Some(plane) = &mut self.touch.planes[node][k] else { continue };
                let holds = plane.depth(x) > 0.0;
                changed |= holds != plane.holds;
                plane.holds = holds;
                if plane.press.is_none() {
                    let mut last = self.touch.last[node].iter().flatten();
                    let last = last.find(|(collider, _)| *collider == plane.collider);
                    plane.press = Some(last.map_or(0.0, |(_, press)| *press));
                }
                let plane = *plane;
                if holds || plane.press > Some(0.0) {
                    *pull = self.pull((node, x), &plane);
                }
            }
        }
        changed
    }

    /// Of contact as it is for that curve, and friction as it is now.
    fn energy(&mut self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        self.look(curve);
        self.known(curve, pulls) + self.unknown(curve)
    }

    fn energy_here(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        self.known(curve, pulls) + self.beyond
    }

    fn foresee(&mut self, curve: &Curve, trial: &Curve, pulls: &mut [[Pull; 2]]) -> bool {
        self.touch.note(|_, _, _| {});
        let mut other = false;
        for (node, pulls) in pulls.iter_mut().enumerate().skip(1) {
            for (k, pull) in pulls.iter_mut().enumerate() {
                let Some(plane) = &mut self.touch.planes[node][k] else { continue };
                let holds = plane.depth(trial.nodes[node]) > 0.0;
                if plane.holds != holds {
                    plane.holds = holds;
                    other = true;
                    let plane = *plane;
                    *pull = self.pull((node, curve.nodes[node]), &plane);
                }
            }
        }
        other
    }

    fn adapt(&mut self, curve: &Curve) -> bool {
        if self.rubs == Rubs::Nowhere {
            return false;
        }
        let mut other = false;
        for (node, planes) in self.touch.planes.iter_mut().enumerate() {
            for plane in planes.iter_mut().flatten() {
                // A node that came in with the last Newton step was not held back by it: it is as deep
                // as that step is rough, and says nothing of what presses.
                let depth = if plane.holds { plane.depth(curve.nodes[node]) } else { 0.0 };
                let (thought, now) = (plane.press.unwrap_or(0.0), self.hard * depth.max(0.0));
                if self.ground.rubs[plane.collider] > 0.0 {
                    other |= (now - thought).abs() > ALIKE * now.max(thought);
                }
                plane.press = Some(if self.asked == 0 { now } else { 0.5 * (thought + now) });
            }
        }
        self.asked += 1;
        other && self.asked < ASKED
    }
}

impl Touch {
    /// Takes note of what was seen, two colliders at most for each node; calls `again` what is known
    /// already, its node, and how it was seen now.
    fn note(&mut self, again: impl Fn(&mut Plane, usize, Plane)) {
        for &(node, plane) in &self.seen {
            let same = |known: &Option<Plane>| known.is_none_or(|k| k.collider == plane.collider);
            match self.planes[node].iter_mut().find(|known| same(known)) {
                Some(Some(known)) => again(known, node, plane),
                Some(free) => *free = Some(plane),
                None => {}
            }
        }
    }
}
