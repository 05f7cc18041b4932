//! Newton's method for a strand: an energy of its pieces is brought down, never up.

use glam::{DMat3, DVec3};

use super::chain::{Chain, Pull, Pulls};
use super::layout::{Curve, Layout};

/// Halvings of a step that would raise the energy.
const HALVINGS: u32 = 16;

/// A step brings the energy down by this part of what its slope says at least.
const LEAST: f64 = 1e-4;

/// A piece turns by so much in one Newton step at most. [rad]
const FARTHEST: f64 = 1.0;

/// Steps after which little is asked for, such as nodes that come and go would go on for ever about.
const PATIENCE: u32 = 8;

/// How often a step that would enter something is solved again with that touched.
const FORESIGHT: u32 = 4;

/// What draws nodes, if it depends on where they are.
pub(super) trait Meets {
    /// What draws them where the curve is now; whether others are touched than before. `judged`:
    /// whether it is the curve whose energy was asked for last.
    fn renew(&mut self, curve: &Curve, pulls: &mut [[Pull; 2]], judged: bool) -> bool;
    /// Its energy for a curve nearby. [J]
    fn energy(&mut self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64;
    /// The same for the curve that it was renewed for. [J]
    fn energy_here(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64;
    /// Lets that draw at `curve` which `trial` touches, whose energy was asked for last; whether
    /// that is another.
    fn foresee(&mut self, curve: &Curve, trial: &Curve, pulls: &mut [[Pull; 2]]) -> bool;
    /// Where the energy is least: whether it is another one there.
    fn adapt(&mut self, curve: &Curve) -> bool;
}

/// Nodes that are drawn to places that stay.
pub(super) struct Alone;

impl Meets for Alone {
    fn renew(&mut self, _: &Curve, _: &mut [[Pull; 2]], _: bool) -> bool {
        false
    }

    fn energy(&mut self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        self.energy_here(curve, pulls)
    }

    fn energy_here(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let drawn = |(&x, [pull, _]): (&DVec3, &[Pull; 2])| pull.energy(x);
        curve.nodes.iter().zip(pulls).map(drawn).sum()
    }

    fn foresee(&mut self, _: &Curve, _: &Curve, _: &mut [[Pull; 2]]) -> bool {
        false
    }

    fn adapt(&mut self, _: &Curve) -> bool {
        false
    }
}

/// What the descent needs to know besides the pulls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    /// Where the first piece begins, and its frame there.
    pub root: (DVec3, DMat3),
    /// Newton steps at most.
    pub most: u32,
    /// A step that gains less energy is the last one. [J]
    pub enough: f64,
    /// The same after many steps. [J]
    pub roughly: f64,
    /// Stiffness of κ₁, κ₂ and τ of a piece. [N·m³]
    pub stiffness: DVec3,
}

/// Buffers of a strand's descent.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    chain: Chain,
    step: Vec<DVec3>,
    trial: Curve,
    /// Of each Gauss point.
    pub samples: Vec<Pull>,
    /// Two of each node.
    pub nodes: Vec<[Pull; 2]>,
    /// Where κ₁, κ₂ and τ of each piece are drawn. [1/m]
    pub darboux: Vec<DVec3>,
    /// Stiffness of each piece as a part of a whole one's. [1]
    pub parts: Vec<f64>,
}

impl Newton {
    /// For a strand.
    pub fn new(layout: &Layout) -> Self {
        Self {
            chain: Chain::new(layout.pieces),
            step: vec![DVec3::ZERO; layout.pieces],
            trial: Curve::new(layout),
            samples: vec![Pull::NONE; layout.samples()],
            nodes: vec![[Pull::NONE; 2]; layout.nodes.len()],
            darboux: vec![DVec3::ZERO; layout.pieces],
            parts: vec![1.0; layout.pieces],
        }
    }

    /// Brings the pieces of `curve` to where everything that is drawn is nearest; returns how many
    /// steps that took.
    pub fn descend(
        &mut self,
        layout: &Layout,
        curve: &mut Curve,
        descent: &Descent,
        meets: &mut impl Meets,
    ) -> u32 {
        curve.follow(layout, descent.root);
        // Energy without nodes, whose own may be another in every step.
        let mut known = None;
        let mut patience = PATIENCE;
        for done in 0..descent.most {
            let changed = meets.renew(curve, &mut self.nodes, known.is_some());
            self.sum(layout, curve, descent);
            let gain = self.solve(layout, curve, descent);
            // Also where something is not a number.
            if !(gain > 0.0) {
                return done;
            }
            let patient = done < patience;
            let enough = if patient { descent.enough } else { descent.roughly };
            let settled = gain < enough && !(patient && changed);
            if settled && farthest(&self.step, layout) == 1.0 {
                self.go(layout, curve, descent, 1.0);
                std::mem::swap(curve, &mut self.trial);
                if !meets.adapt(curve) {
                    return done + 1;
                }
                (known, patience) = (None, done + 1 + PATIENCE);
                continue;
            }
            let of_samples = known.unwrap_or_else(|| self.energy(curve, descent));
            let now = of_samples + meets.energy_here(curve, &self.nodes);
            known = self.search(layout, curve, descent, (gain, now), meets);
            if known.is_none() {
                return done;
            }
            std::mem::swap(curve, &mut self.trial);
        }
        descent.most
    }

    /// Finds a step that brings the energy down from `now`, the whole one of which `gain` was said if
    /// it does; returns the energy of the trial without nodes, unless nothing is left to gain.
    ///
    /// A step that enters something is solved again with that touched, and without what it leaves.
    fn search(
        &mut self,
        layout: &Layout,
        curve: &Curve,
        descent: &Descent,
        (mut gain, now): (f64, f64),
        meets: &mut impl Meets,
    ) -> Option<f64> {
        let mut part = farthest(&self.step, layout);
        let mut of_samples = None;
        let mut falls_to = |newton: &mut Self, meets: &mut _, part: f64, most: f64| {
            newton.go(layout, curve, descent, part);
            let of = newton.energy(&newton.trial, descent);
            of_samples = Some(of);
            of + Meets::energy(meets, &newton.trial, &newton.nodes) <= most
        };
        if falls_to(self, meets, part, now - LEAST * part * gain) {
            return of_samples;
        }
        let mut foreseen = 0;
        while foreseen < FORESIGHT && meets.foresee(curve, &self.trial, &mut self.nodes) {
            foreseen += 1;
            self.solve(layout, curve, descent);
            part = farthest(&self.step, layout);
            if falls_to(self, meets, part, now) {
                return of_samples;
            }
        }
        if foreseen > 0 {
            // What would be touched does not settle: with what is, some part of the step leads down.
            meets.renew(curve, &mut self.nodes, false);
            gain = self.solve(layout, curve, descent);
            part = farthest(&self.step, layout);
        }
        for _ in 0..HALVINGS {
            part *= 0.5;
            if gain * part < 1e-15 * now {
                return None;
            }
            if falls_to(self, meets, part, now - LEAST * part * gain) {
                break;
            }
        }
        of_samples
    }

    /// Sums what everything but nodes asks of a curve.
    fn sum(&mut self, layout: &Layout, curve: &Curve, descent: &Descent) {
        let Self { chain, samples, nodes, darboux, parts, .. } = self;
        let pulls = Pulls { samples, nodes, stiffness: descent.stiffness, parts, darboux };
        chain.sum(layout, curve, &pulls);
    }

    /// Newton's step from a curve that was summed; returns what it would gain twice if all were
    /// linear. [J]
    fn solve(&mut self, layout: &Layout, curve: &Curve, descent: &Descent) -> f64 {
        let Self { chain, step, samples, nodes, darboux, parts, .. } = self;
        let pulls = Pulls { samples, nodes, stiffness: descent.stiffness, parts, darboux };
        chain.solve(layout, curve, &pulls, step)
    }

    /// Brings the trial to a part of the step from a curve.
    fn go(&mut self, layout: &Layout, curve: &Curve, descent: &Descent, part: f64) {
        for (k, trial) in self.trial.darboux.iter_mut().enumerate() {
            *trial = curve.darboux[k] + self.step[k] * part;
        }
        self.trial.follow(layout, descent.root);
    }

    /// ½Σ|x − y|²_W + ½Σ|Ω − Ω*|²_K, without nodes. [J]
    fn energy(&self, curve: &Curve, descent: &Descent) -> f64 {
        let mut sum = 0.0;
        for (x, pull) in curve.samples.iter().zip(&self.samples) {
            sum += pull.energy(*x);
        }
        for ((darboux, drawn), part) in curve.darboux.iter().zip(&self.darboux).zip(&self.parts) {
            let apart = *darboux - *drawn;
            sum += 0.5 * part * (apart * apart).dot(descent.stiffness);
        }
        sum
    }
}

/// The part of a step in which no piece turns too far.
fn farthest(step: &[DVec3], layout: &Layout) -> f64 {
    let longest = step.iter().map(|d| d.length()).fold(0.0, f64::max);
    (FARTHEST / (longest * layout.length)).min(1.0)
}
