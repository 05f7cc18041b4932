//! Newton's method for a strand: an energy of its pieces is brought down, never up.

use glam::{DMat3, DVec3};

use super::chain::{Chain, Pull, Pulls};
use super::layout::{Curve, Layout};

/// Halvings of a step that would raise the energy.
const HALVINGS: u32 = 16;

/// A piece turns by so much in one Newton step at most. [rad]
const FARTHEST: f64 = 1.0;

/// Steps after which little is asked for, such as nodes that both stick and slip would go on for
/// ever about.
const PATIENCE: u32 = 8;

/// What draws nodes, if it depends on where they are.
pub(super) trait Meets {
    /// What draws them where the curve is now.
    fn renew(&mut self, curve: &Curve, pulls: &mut [[Pull; 2]]) -> Change;
    /// Its energy for a curve nearby. [J]
    fn energy(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64;
    /// The same for the curve that it was renewed for. [J]
    fn energy_here(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        self.energy(curve, pulls)
    }
}

/// What is other than before.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Change {
    Nothing,
    /// Something slips that stuck, or sticks.
    Grip,
    /// Something is touched, or no more.
    Touch,
}

/// Nodes that are drawn to places that stay.
pub(super) struct Alone;

impl Meets for Alone {
    fn renew(&mut self, _: &Curve, _: &mut [[Pull; 2]]) -> Change {
        Change::Nothing
    }

    fn energy(&self, curve: &Curve, pulls: &[[Pull; 2]]) -> f64 {
        let drawn = |(&x, [pull, _]): (&DVec3, &[Pull; 2])| pull.energy(x);
        curve.nodes.iter().zip(pulls).map(drawn).sum()
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
        for done in 0..descent.most {
            let change = meets.renew(curve, &mut self.nodes);
            let pulls = Pulls {
                samples: &self.samples,
                nodes: &self.nodes,
                stiffness: descent.stiffness,
                darboux: &self.darboux,
            };
            let gain = self.chain.solve(layout, curve, &pulls, &mut self.step);
            // Also where something is not a number.
            if !(gain > 0.0) {
                return done;
            }
            let longest = self.step.iter().map(|d| d.length()).fold(0.0, f64::max);
            let mut part = (FARTHEST / (longest * layout.length)).min(1.0);
            let patient = done < PATIENCE;
            let enough = if patient { descent.enough } else { descent.roughly };
            let settled = change <= if patient { Change::Nothing } else { Change::Grip };
            let last = part == 1.0 && gain < enough && settled;
            let now = if last {
                0.0
            } else {
                let of_samples = known.unwrap_or_else(|| energy(curve, &pulls));
                of_samples + meets.energy_here(curve, &self.nodes)
            };
            for _ in 0..HALVINGS {
                for (k, trial) in self.trial.darboux.iter_mut().enumerate() {
                    *trial = curve.darboux[k] + self.step[k] * part;
                }
                self.trial.follow(layout, descent.root);
                if last {
                    break;
                }
                let then = energy(&self.trial, &pulls);
                known = Some(then);
                if then + meets.energy(&self.trial, &self.nodes) <= now - 1e-4 * part * gain {
                    break;
                }
                part *= 0.5;
                if gain * part < 1e-15 * now {
                    return done;
                }
            }
            std::mem::swap(curve, &mut self.trial);
            if last {
                return done + 1;
            }
        }
        descent.most
    }
}

/// ½Σ|x − y|²_W + ½Σ|Ω − Ω*|²_K, without nodes. [J]
fn energy(curve: &Curve, pulls: &Pulls<'_>) -> f64 {
    let mut sum = 0.0;
    for (x, pull) in curve.samples.iter().zip(pulls.samples) {
        sum += pull.energy(*x);
    }
    for (darboux, drawn) in curve.darboux.iter().zip(pulls.darboux) {
        let apart = *darboux - *drawn;
        sum += 0.5 * (apart * apart).dot(pulls.stiffness);
    }
    sum
}
