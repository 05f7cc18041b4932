//! Springs of no length: a particle tied to a moving point or to another particle.

use glam::Vec3;

use crate::soa::Soa3;

/// F = k d + c w on the particle, d and w the other end's position and velocity
/// relative to it. It breaks for good when |k d| passes a limit (001 §3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The particle held.
    pub particle: u32,
    /// What holds it.
    pub end: TieEnd,
    /// Stiffness. [N/m]
    pub stiffness: f32,
    /// Damping. [N·s/m]
    pub damping: f32,
    /// Elastic force at which it breaks. [N]
    pub breaks_at: Option<f32>,
    /// When it is let go, possibly never. [s]
    pub until: f64,
}

/// The other end of a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieEnd {
    /// Another particle: a seam.
    Particle(u32),
    /// An anchor of the model, by index: a pin that gives way.
    Anchor(u32),
}

impl Tie {
    /// From the particle to the far end, of positions or of velocities.
    #[inline]
    fn difference(&self, particles: &Soa3, anchors: &Soa3) -> Vec3 {
        let far = match self.end {
            TieEnd::Particle(p) => particles.get(p as usize),
            TieEnd::Anchor(a) => anchors.get(a as usize),
        };
        far - particles.get(self.particle as usize)
    }

    /// Adds the tie's force to its particle and, for a seam, the opposite to the other.
    pub fn add_force(&self, x: &Soa3, v: &Soa3, anchors: (&Soa3, &Soa3), f: &mut Soa3) {
        let d = self.difference(x, anchors.0);
        let w = self.difference(v, anchors.1);
        let pull = d * self.stiffness + w * self.damping;
        f.add(self.particle as usize, pull);
        if let TieEnd::Particle(p) = self.end {
            f.add(p as usize, -pull);
        }
    }

    /// ½k|d|². [J]
    pub fn energy(&self, x: &Soa3, anchors: &Soa3) -> f64 {
        let d = self.difference(x, anchors);
        0.5 * f64::from(self.stiffness) * d.as_dvec3().length_squared()
    }

    /// Whether it still holds at `time`, if it has not broken. [s]
    pub fn acts_at(&self, time: f64) -> bool {
        time < self.until
    }

    /// Whether the elastic force has reached the breaking limit while it holds.
    pub fn breaks(&self, x: &Soa3, anchors: &Soa3, time: f64) -> bool {
        let d = self.difference(x, anchors);
        let reached = |limit: f32| d.length() * self.stiffness >= limit;
        self.acts_at(time) && self.breaks_at.is_some_and(reached)
    }
}
