//! One strand of pieces over a step.

mod energy;
mod kept;
mod left;
mod outside;
mod track;

use glam::{DMat3, DVec3, Vec3};

use super::chain::Pull;
use super::fit::Natural;
use super::layout::{Curve, Layout};
use super::newton::{Descent, Newton};
use super::touch::{Ground, Rubs, Touch};
use crate::colliders::{ColliderShape, ColliderStep};
use crate::soa::Soa3;
use crate::solvers::fibres::step::pose_between;
use crate::solvers::fibres::{RodStep, RootStep};
use crate::strands::{Fibre, Strand};
use energy::Moment;
use left::Left;
use outside::Outside;
use track::Track;

/// Part of a step after which the first of two stages ends: 1 − 1/√2, with which both together are
/// of second order and damp what is fast (SDIRK2).
pub(super) const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// A stage is solved when the last Newton step moves the strand by less than about this part of its
/// length. What is left then is smaller by far.
const NEAR: f64 = 5e-6;

/// The same where nodes stick and slip without end. What is left is a speed of ROUGHLY·L/τ, which a
/// strand at rest must not show.
const ROUGHLY: f64 = 5e-7;

/// The same as a part of the way that it goes: what moves slowly is asked for exactly.
const EXACT: f64 = 1e-3;

/// But it is never asked for more exactly than this, as a part of the length.
const NEAREST: f64 = 1e-9;

/// Changes of velocity that would carry a strand farther than this part of its length in a step are
/// blows: stages of implicit Euler take them better.
const JERK: f64 = 0.1;

/// Pieces are guessed to go on as before if they turn by less. [rad]
const FARTHEST_GUESS: f64 = 0.5;

/// One strand of pieces.
#[derive(Clone, Debug)]
pub(super) struct Helix {
    layout: Layout,
    natural: Natural,
    /// First particle, and how many.
    first: usize,
    count: usize,
    edge: f64,
    fibre: Fibre,
    /// Node before each Gauss point, and how far it is towards the next. [1]
    between: Vec<(u32, f64)>,
    /// Gauss point before each node, and how far it is towards the next. [1]
    places: Vec<(u32, f64)>,
    left: Left,
    outside: Outside,
    newton: Newton,
    touch: Touch,
    curve: Curve,
    /// Ω and velocities of Gauss points where the step began.
    began: Vec<DVec3>,
    began_v: Vec<DVec3>,
    /// Ω where a stage begins.
    from: Vec<DVec3>,
    /// dΩ/dt, to guess where pieces will be. [1/(m·s)]
    rate: Vec<DVec3>,
    samples: Track,
    nodes: Track,
    /// Newton steps taken.
    pub effort: u64,
}

/// Where Newton's method begins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guess {
    /// Where the strand would be if it went on as before.
    GoesOn,
    /// Where it is.
    Stays,
}

/// What acts on one strand over a step.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// What acts on all of them.
    pub rods: &'a RodStep<'a>,
    /// Its root.
    pub root: &'a RootStep,
    /// Where particles are at the start; those that are held, where they end. [m]
    pub x: &'a Soa3,
    /// Shapes of colliders.
    pub shapes: &'a [ColliderShape],
    /// Colliders over both stages of each short step.
    pub colliders: &'a [Vec<ColliderStep>],
    /// Which of how many short steps.
    pub inner: (usize, usize),
    /// Newton steps a stage at most.
    pub most: u32,
}

impl Scene<'_> {
    /// Length of a short step. [s]
    fn h(&self) -> f64 {
        self.rods.h / self.inner.1 as f64
    }

    /// A part of this short step as one of the whole step.
    fn part(&self, part: f64) -> f64 {
        (self.inner.0 as f64 + part) / self.inner.1 as f64
    }
}

impl Helix {
    /// A strand of a model, of so many pieces; `rest` are its points in its natural shape. [m]
    pub fn new(strand: &Strand, fibre: Fibre, pieces: usize, rest: &[Vec3]) -> Self {
        let edge = f64::from(strand.edge);
        let free = (strand.count as usize).saturating_sub(2);
        let points: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        let rough = Layout::new(free, edge, pieces, 1);
        let natural = Natural::of(&points, edge, &rough, &mut Newton::new(&rough));
        let layout = Layout::new(free, edge, pieces, natural.gauss_points(&rough));
        let gauss = layout.gauss.len();
        let arc = |i: usize| (i / gauss) as f64 * layout.length + layout.gauss[i % gauss].0;
        let arcs: Vec<f64> = (0..layout.samples()).map(arc).collect();
        let place = |node: usize| {
            let at = node as f64 * edge;
            let behind = arcs.partition_point(|&arc| arc <= at);
            let before = behind.saturating_sub(1).min(arcs.len().saturating_sub(2));
            let next = arcs.get(before + 1).copied().unwrap_or(f64::INFINITY);
            // Before the first one there is a root that bears the rest.
            (before as u32, ((at - arcs[before]) / (next - arcs[before])).max(0.0))
        };
        let places = (0..layout.nodes.len()).map(place).collect();
        let between = |i: usize| {
            let arc = arcs[i];
            let node = ((arc / edge) as usize).min(free.saturating_sub(1));
            (node as u32, arc / edge - node as f64)
        };
        let between = (0..layout.samples()).map(between).collect();
        Self {
            first: strand.first as usize,
            count: strand.count as usize,
            edge,
            fibre,
            between,
            places,
            left: Left::all(&layout),
            outside: Outside::new(layout.samples()),
            newton: Newton::new(&layout),
            touch: Touch::new(layout.nodes.len()),
            curve: Curve::new(&layout),
            began: vec![DVec3::ZERO; pieces],
            began_v: vec![DVec3::ZERO; layout.samples()],
            from: vec![DVec3::ZERO; pieces],
            rate: vec![DVec3::ZERO; pieces],
            samples: Track::new(layout.samples()),
            nodes: Track::new(layout.nodes.len()),
            natural,
            layout,
            effort: 0,
        }
    }

    /// A step: the first stage ends after γh, the second with the step. Where something is touched,
    /// and after a blow, both are stages of implicit Euler, which no impact makes bounce.
    pub fn step(&mut self, scene: &Scene<'_>) {
        self.curve.follow(&self.layout, self.root(scene.root, scene.part(0.0)));
        self.samples.start.copy_from_slice(&self.curve.samples);
        self.nodes.start.copy_from_slice(&self.curve.nodes);
        let before = self.energy(scene.rods.gravity.as_dvec3(), Moment::Start);
        let nodes = [self.first + 1, self.left.nodes];
        self.touch.hold(scene.rods.model, nodes, |particle| scene.x.get(particle));
        self.began.copy_from_slice(&self.curve.darboux);
        self.began_v.copy_from_slice(&self.samples.v);
        if self.stages(scene, Guess::GoesOn) && self.gains_energy(scene, before) {
            // What goes on at the speed of a moment ago may lead a limp strand over a ridge into another
            // hollow, however high that is. From where it is, every Newton step goes down.
            self.curve.darboux.copy_from_slice(&self.began);
            self.samples.v.copy_from_slice(&self.began_v);
            self.stages(scene, Guess::Stays);
        }
    }

    /// Both stages; whether the strand was free of all that it might touch.
    fn stages(&mut self, scene: &Scene<'_>, guess: Guess) -> bool {
        let h = scene.h();
        self.samples.begin();
        self.nodes.begin();
        self.from.copy_from_slice(&self.curve.darboux);
        let (quick, far) = (GAMMA * h, self.layout.length);
        let goes_on = guess == Guess::GoesOn;
        if goes_on && self.rate.iter().all(|r| r.length() * quick * far < FARTHEST_GUESS) {
            for (darboux, rate) in self.curve.darboux.iter_mut().zip(&self.rate) {
                *darboux += *rate * quick;
            }
        }
        let solved = self.stage(scene, 0, quick);
        let touched = self.touch.any();
        let blow =
            !goes_on || !solved || self.samples.jerk(self.left.samples) * h > JERK * self.length();
        let (tau, lean) = if touched || blow {
            self.samples.go_on();
            self.nodes.go_on();
            ((1.0 - GAMMA) * h, 1.0)
        } else {
            self.samples.lean(h);
            self.nodes.lean(h);
            (GAMMA * h, (1.0 - GAMMA) / GAMMA)
        };
        for (k, darboux) in self.curve.darboux.iter_mut().enumerate() {
            let change = *darboux - self.began[k];
            self.from[k] = self.began[k] + change * lean;
            if goes_on && change.length() * far < FARTHEST_GUESS {
                *darboux = self.began[k] + change * (1.0 / GAMMA);
            }
        }
        self.stage(scene, 1, tau);
        for (k, rate) in self.rate.iter_mut().enumerate() {
            *rate = (self.curve.darboux[k] - self.from[k]) / tau;
        }
        !touched && !self.touch.any()
    }

    /// One stage of length τ: min ½|x − y|²/τ² m + air + ½|Ω − Ωⁿ|²K + inner friction, and contact.
    /// Whether it could be solved.
    fn stage(&mut self, scene: &Scene<'_>, number: usize, tau: f64) -> bool {
        let h = scene.h();
        let stiffness = self.pull(scene, tau);
        let density = f64::from(self.fibre.density);
        let length = self.length();
        let near = (EXACT * tau * self.samples.speed(self.left.samples))
            .clamp(NEAREST * length, NEAR * length);
        let worth = |way: f64| density * length * (way / tau) * (way / tau);
        let (part, lasts) = [(GAMMA, GAMMA), (1.0, 1.0 - GAMMA)][number];
        let descent = Descent {
            root: self.root(scene.root, scene.part(part)),
            most: scene.most,
            enough: worth(near),
            roughly: worth(ROUGHLY * length),
            stiffness,
        };
        let Self { touch, newton, layout, curve, nodes, .. } = self;
        let ground = Ground {
            off: scene.rods.keeps_off(),
            parts: scene.rods.set.touch.parts,
            rubs: scene.rods.rubs,
            shapes: scene.shapes,
            colliders: &scene.colliders[2 * scene.inner.0 + number],
            tau,
            lasts: lasts * h,
            mass: density * self.edge,
            was: if number == 0 { &nodes.start } else { &nodes.x },
            rest: &nodes.from,
        };
        let mut touching = touch.on(&ground, Rubs::Everywhere);
        let mut done = newton.descend(layout, curve, &descent, &mut touching);
        // What rubs may go on for ever; nothing may be entered for that.
        for again in [false, true] {
            if !touching.is_deep(curve) {
                break;
            }
            if again {
                curve.darboux.copy_from_slice(&self.began);
            }
            touching = touch.on(&ground, Rubs::Nowhere);
            done = newton.descend(layout, curve, &descent, &mut touching);
        }
        self.effort += u64::from(done);
        self.samples.x.copy_from_slice(&self.curve.samples);
        self.nodes.x.copy_from_slice(&self.curve.nodes);
        self.samples.end(tau);
        self.nodes.end(tau);
        done < scene.most
    }

    /// Length of all pieces. [m]
    fn length(&self) -> f64 {
        self.layout.length * self.layout.pieces as f64
    }

    /// What draws Gauss points and pieces in a stage; returns the stiffness of a piece.
    fn pull(&mut self, scene: &Scene<'_>, tau: f64) -> DVec3 {
        let RodStep { gravity, air, model, .. } = *scene.rods;
        let drag = self.fibre.drag;
        let density = f64::from(self.fibre.density);
        let damping = f64::from(model.damping[self.first]) / self.edge.max(1e-12);
        let gauss = self.layout.gauss.len();
        for i in 0..self.samples.x.len() {
            let length = self.layout.gauss[i % gauss].1 * self.left.of_sample(i);
            if length == 0.0 {
                self.newton.samples[i] = Pull::NONE;
                continue;
            }
            let (v, wind) = (self.samples.from_v[i], self.between(i, air));
            let speed = (v - wind).length();
            let across = length * (f64::from(drag.viscous) + f64::from(drag.inertial) * speed);
            let mass = density * length;
            let resists = damping * length + self.outside.resists[i];
            let inertia = mass / (tau * tau) + resists / tau;
            let whole = inertia + across / tau;
            // W = whole I − less t tᵀ.
            let less = across * (1.0 - f64::from(drag.along)) / tau;
            let tangent = if less == 0.0 { DVec3::ZERO } else { self.tangent(i) };
            let against = less * tangent.dot(wind) * tau;
            let push = gravity.as_dvec3() * mass + self.outside.push[i];
            let force = v * (mass / tau) + push + wind * across - tangent * against;
            let more = less / (whole - less) * tangent.dot(force);
            let target = self.samples.from[i] + (force + tangent * more) / whole;
            let pull = Pull { weight: whole, more: -less, along: tangent, target };
            self.newton.samples[i] = pull;
        }
        let friction = f64::from(self.fibre.inner_friction) / tau;
        for (k, target) in self.newton.darboux.iter_mut().enumerate() {
            let natural = self.natural.darboux[k];
            *target = natural + (self.from[k] - natural) * (friction / (1.0 + friction));
        }
        self.stiffness() * (1.0 + friction)
    }

    /// A quantity of particles at a Gauss point.
    fn between(&self, sample: usize, of: &Soa3) -> DVec3 {
        let (node, part) = self.between[sample];
        let particle = |k: usize| of.get((self.first + k).min(self.first + self.count - 1));
        let (a, b) = (particle(node as usize + 1), particle(node as usize + 2));
        a.as_dvec3().lerp(b.as_dvec3(), part)
    }

    /// Tangent where a Gauss point is, from the points beside it.
    fn tangent(&self, sample: usize) -> DVec3 {
        let points = &self.samples.start;
        let (a, b) = (sample.saturating_sub(1), (sample + 1).min(points.len() - 1));
        (points[b] - points[a]).normalize_or_zero()
    }

    /// E I ℓ, E I ℓ, G J ℓ. [N·m³]
    fn stiffness(&self) -> DVec3 {
        let Fibre { bending, twisting, .. } = self.fibre;
        let [bending, twisting] = [bending, twisting].map(|k| f64::from(k) * self.layout.length);
        DVec3::new(bending, bending, twisting)
    }

    /// Where the first piece begins, a part of the step after its start, and its frame.
    fn root(&self, root: &RootStep, part: f64) -> (DVec3, DMat3) {
        let (place, turn) = pose_between(&root.start, &root.end, part);
        let frame = DMat3::from_quat(turn);
        (place + frame.z_axis * self.edge, frame * self.natural.kink)
    }

    #[cfg(test)]
    pub fn set_drag(&mut self, drag: crate::strands::FibreDrag) -> crate::strands::FibreDrag {
        std::mem::replace(&mut self.fibre.drag, drag)
    }
}
