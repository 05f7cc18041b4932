//! The constraints and how each is solved. With K = kh² and B = ch in place of 1/α̃ and γ/α̃
//! nothing is divided by a stiffness, and what has none needs no exception:
//! Δλ = (−K C − λ − B ∇C·(x − x₀))/((K + B)∇C W ∇Cᵀ + 1).

use glam::DVec3;

use crate::elastic::{ElasticHinge, ElasticSpring, HingeShape};

/// Particles during one step.
#[derive(Debug, Default)]
pub(in crate::solvers) struct Step {
    /// Length. [s]
    pub h: f64,
    /// Where they are. [m]
    pub x: Vec<DVec3>,
    /// Where they were at the start. [m]
    pub start: Vec<DVec3>,
    /// Inverse masses with the inertia of hands and medium; 0 where held. [1/kg]
    pub weight: Vec<f64>,
}

impl Step {
    /// Room for `particles` particles.
    pub fn new(particles: usize) -> Self {
        let zeros = || vec![DVec3::ZERO; particles];
        Self { h: 0.0, x: zeros(), start: zeros(), weight: vec![0.0; particles] }
    }

    #[inline]
    pub fn way(&self, i: usize) -> DVec3 {
        self.x[i] - self.start[i]
    }
}

/// Something between `C` particles.
pub(in crate::solvers) trait Constraint<const C: usize>:
    Copy + Send + Sync
{
    /// λ, one number or one an axis. [kg·m]
    type Multiplier: Copy + Default + Send + Sync;
    /// Its particles.
    fn corners(&self) -> [u32; C];
    /// The multiplier after one solve, and by how much each particle moves.
    fn solve(&self, step: &Step, multiplier: Self::Multiplier) -> (Self::Multiplier, [DVec3; C]);
}

/// Below this length the direction of a spring is rounding noise. [m]
const SHORTEST: f64 = 1e-12;

/// A hinge turns by no more than this in one solve: beyond it its gradient says nothing.
pub(super) const LARGEST_TURN: f64 = 0.5;

/// C = |d| − L.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Spring(pub ElasticSpring);

impl Constraint<2> for Spring {
    type Multiplier = f64;

    fn corners(&self) -> [u32; 2] {
        self.0.ends
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: f64) -> (f64, [DVec3; 2]) {
        let ElasticSpring { ends, rest, stiffness, damping, .. } = self.0;
        let [a, b] = ends.map(|end| end as usize);
        let (wa, wb) = (step.weight[a], step.weight[b]);
        let d = step.x[b] - step.x[a];
        let length = d.length();
        if !(length > SHORTEST && wa + wb > 0.0) {
            return (multiplier, [DVec3::ZERO; 2]);
        }
        let n = d / length;
        let (k, c) = (stiffness * step.h * step.h, damping * step.h);
        let widened = if c > 0.0 { n.dot(step.way(b) - step.way(a)) } else { 0.0 };
        let change =
            -(k * (length - rest) + multiplier + c * widened) / ((k + c) * (wa + wb) + 1.0);
        (multiplier + change, [n * (-wa * change), n * (wb * change)])
    }
}

/// C = θ with the force law of the hinge: λ = −h²E′(θ). Its slope is taken as ½K, the most
/// that E″ can be.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Hinge(pub ElasticHinge);

impl Constraint<4> for Hinge {
    type Multiplier = f64;

    fn corners(&self) -> [u32; 4] {
        self.0.corners
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: f64) -> (f64, [DVec3; 4]) {
        let nothing = (multiplier, [DVec3::ZERO; 4]);
        let corners = self.0.corners.map(|c| c as usize);
        let Some(HingeShape { angle, gradient: u }) = HingeShape::new(corners.map(|c| step.x[c]))
        else {
            return nothing;
        };
        let mut weight = 0.0;
        let mut turned = 0.0;
        for (&corner, u) in corners.iter().zip(&u) {
            weight += step.weight[corner] * u.length_squared();
            turned += u.dot(step.way(corner));
        }
        if !(weight > 0.0) {
            return nothing;
        }
        let (k, c) = (0.5 * self.0.stiffness * step.h * step.h, self.0.damping * step.h);
        let pull = step.h * step.h * self.0.torque(angle) + multiplier + c * turned;
        let most = LARGEST_TURN / weight;
        let change = (-pull / ((k + c) * weight + 1.0)).clamp(-most, most);
        let moves = std::array::from_fn(|i| u[i] * (step.weight[corners[i]] * change));
        (multiplier + change, moves)
    }
}

/// C = d, all three axes at once.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solvers) struct Seam {
    /// The particles.
    pub ends: [u32; 2],
    /// Stiffness, 0 while it does not act. [N/m]
    pub stiffness: f64,
    /// Damping. [N·s/m]
    pub damping: f64,
}

impl Constraint<2> for Seam {
    type Multiplier = DVec3;

    fn corners(&self) -> [u32; 2] {
        self.ends
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: DVec3) -> (DVec3, [DVec3; 2]) {
        let [a, b] = self.ends.map(|end| end as usize);
        let (wa, wb) = (step.weight[a], step.weight[b]);
        let (k, c) = (self.stiffness * step.h * step.h, self.damping * step.h);
        let (d, widened) = (step.x[b] - step.x[a], step.way(b) - step.way(a));
        let change = -(d * k + multiplier + widened * c) / ((k + c) * (wa + wb) + 1.0);
        (multiplier + change, [change * -wa, change * wb])
    }
}

/// C = x − anchor.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solvers) struct Pin {
    /// The particle.
    pub particle: u32,
    /// Stiffness, 0 while it does not act. [N/m]
    pub stiffness: f64,
    /// Damping. [N·s/m]
    pub damping: f64,
    /// The anchor at the end of the step. [m]
    pub anchor: DVec3,
    /// The way of the anchor over the step. [m]
    pub way: DVec3,
}

impl Constraint<1> for Pin {
    type Multiplier = DVec3;

    fn corners(&self) -> [u32; 1] {
        [self.particle]
    }

    #[inline]
    fn solve(&self, step: &Step, multiplier: DVec3) -> (DVec3, [DVec3; 1]) {
        let i = self.particle as usize;
        let (k, c) = (self.stiffness * step.h * step.h, self.damping * step.h);
        let (d, widened) = (step.x[i] - self.anchor, step.way(i) - self.way);
        let change = -(d * k + multiplier + widened * c) / ((k + c) * step.weight[i] + 1.0);
        (multiplier + change, [change * step.weight[i]])
    }
}
