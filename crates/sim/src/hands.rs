//! What a user's hands do to a world. Part of the state: whoever goes back to an earlier
//! moment finds the hands as they were then.

use glam::Vec3;

use crate::model::{Hold, Model};
use crate::motion::Pose;

/// Everything that is held, pinned, undone or moved by hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    /// Forces that act until they are released.
    pub forces: Vec<HeldForce>,
    /// Points that are drawn to a cursor.
    pub grabs: Vec<Grab>,
    /// Particles that are pinned by hand, by rising number.
    pub pins: Vec<HandPin>,
    /// Particles whose holds of the scene are undone, by rising number.
    pub unpinned: Vec<u32>,
    /// Free fall in place of the scene's. [m/s²]
    pub gravity: Option<Vec3>,
    /// Obstacles that are moved from their path.
    pub colliders: Vec<ColliderShift>,
}

/// A force on some particles, shared equally.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldForce {
    /// Its name.
    pub id: u32,
    /// The particles.
    pub particles: Vec<u32>,
    /// Total. [N]
    pub force: Vec3,
}

/// A particle that is drawn to a place by a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// Its name.
    pub id: u32,
    /// The particle.
    pub particle: u32,
    /// Where it is drawn to. [m]
    pub target: Vec3,
}

/// A particle that is held in place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandPin {
    /// The particle.
    pub particle: u32,
    /// Where it is held. [m]
    pub position: Vec3,
}

/// How an obstacle is moved from its path: pose(t) = now ∘ motion(t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderShift {
    /// The collider, by index.
    pub collider: u32,
    /// The present shift.
    pub now: Pose,
    /// Where it glides to.
    pub target: Pose,
}

impl Hands {
    /// The free fall that acts. [m/s²]
    pub fn gravity(&self, model: &Model) -> Vec3 {
        self.gravity.unwrap_or(model.gravity)
    }

    /// Whether a hold of the scene holds during a step that starts at `time` [s].
    pub fn leaves(&self, hold: &Hold, time: f64) -> bool {
        hold.acts_at(time) && self.unpinned.binary_search(&hold.particle).is_err()
    }

    /// The pose of a collider at a time [s], moved by what its shift is now.
    pub fn collider_pose(&self, model: &Model, collider: usize, time: f64) -> Option<Pose> {
        let motion = model.colliders.get(collider)?.pose_at(time);
        let shift = self.colliders.iter().find(|s| s.collider as usize == collider);
        Some(shift.map_or(motion, |shift| shift.now.compose(motion)))
    }

    /// Moves all shifts on by a step of `h` from `time` [s].
    pub fn glide(&mut self, model: &Model, time: f64, h: f64) {
        for shift in &mut self.colliders {
            if let Some(collider) = model.colliders.get(shift.collider as usize) {
                shift.now = shift.glided(collider.pose_at(time).position, h);
            }
        }
        self.colliders.retain(|s| s.now != Pose::IDENTITY || s.target != Pose::IDENTITY);
    }

    /// Overwrites these hands; takes no memory if the other's are the same or smaller.
    pub fn copy_from(&mut self, other: &Hands) {
        if self.forces != other.forces {
            self.forces.clone_from(&other.forces);
        }
        self.grabs.clone_from(&other.grabs);
        self.pins.clone_from(&other.pins);
        self.unpinned.clone_from(&other.unpinned);
        self.gravity = other.gravity;
        self.colliders.clone_from(&other.colliders);
    }

    /// Forgets what speaks of particles and colliders that `model` does not have.
    pub fn keep_valid(&mut self, model: &Model) {
        let there = |p: u32| (p as usize) < model.particle_count();
        for held in &mut self.forces {
            held.particles.retain(|&p| there(p));
        }
        self.forces.retain(|held| !held.particles.is_empty() && held.force.is_finite());
        self.grabs.retain(|grab| there(grab.particle) && grab.target.is_finite());
        self.pins.retain(|pin| there(pin.particle) && pin.position.is_finite());
        self.pins.sort_by_key(|pin| pin.particle);
        self.unpinned.retain(|&p| there(p));
        self.unpinned.sort_unstable();
        self.gravity = self.gravity.filter(|g| g.is_finite());
        let sound = |pose: &Pose| pose.position.is_finite() && pose.rotation.is_normalized();
        self.colliders.retain(|shift| {
            let there = (shift.collider as usize) < model.colliders.len();
            there && sound(&shift.now) && sound(&shift.target)
        });
    }
}

/// Time in which a shift comes 63 % nearer to its target: in 50 ms it is there but for 5 %. [s]
const GLIDE_S: f64 = 0.017;

/// Bounds of a gliding collider's speed. The upper one is that of a quick hand: cloth is
/// pushed, not shot. The lower one makes it arrive. [m/s]
const GLIDE_SPEED: [f64; 2] = [0.01, 5.0];

/// The same for turning. [rad/s]
const GLIDE_TURN: [f64; 2] = [0.02, 15.0];

impl ColliderShift {
    /// The shift after `h` seconds. The collider's own origin, now at `centre` [m] but for
    /// the shift, goes straight to its target while the collider turns about it.
    pub fn glided(&self, centre: Vec3, h: f64) -> Pose {
        let Self { now, target, .. } = *self;
        if now == target || h <= 0.0 {
            return now;
        }
        let nearer = 1.0 - libm::exp(-h / GLIDE_S);
        let part = |whole: f64, [slow, fast]: [f64; 2]| {
            if whole > 0.0 { (nearer * whole).clamp(slow * h, fast * h) / whole } else { 1.0 }
        };
        let from = now.point(centre).as_dvec3();
        let way = target.point(centre).as_dvec3() - from;
        let (start, end) = (now.rotation.as_dquat(), target.rotation.as_dquat());
        let turn = start.conjugate() * end;
        let angle = 2.0 * libm::atan2(turn.xyz().length(), turn.w.abs());
        let (moved, turned) = (part(way.length(), GLIDE_SPEED), part(angle, GLIDE_TURN));
        if moved >= 1.0 && turned >= 1.0 {
            return target;
        }
        let rotation = start.slerp(end, turned.min(1.0)).normalize();
        let position = from + way * moved.min(1.0) - rotation * centre.as_dvec3();
        let next = Pose { position: position.as_vec3(), rotation: rotation.as_quat() };
        // Closer than numbers of this size can tell.
        if next == now { target } else { next }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn a_shift_arrives_and_turns_on_the_spot() {
        let centre = Vec3::new(4.0, 1.0, 0.0);
        let rotation = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        let target = Pose { position: centre - rotation * centre, rotation };
        let mut shift = ColliderShift { collider: 0, now: Pose::IDENTITY, target };
        for step in 0.. {
            shift.now = shift.glided(centre, 1e-3);
            assert!((shift.now.point(centre) - centre).length() < 3e-6, "{step}");
            if shift.now == target {
                break;
            }
            assert!(step < 500, "it never arrives: {:?}", shift.now);
        }
    }

    #[test]
    fn a_shift_is_as_fast_as_a_hand_and_covers_a_small_way_in_50_ms() {
        let target = Pose::at(Vec3::X * 3.0);
        let shift = ColliderShift { collider: 0, now: Pose::IDENTITY, target };
        assert!((shift.glided(Vec3::Y, 1e-2).position.x - 0.05).abs() < 1e-6);
        let mut small = ColliderShift { target: Pose::at(Vec3::X * 0.01), ..shift };
        (0..50).for_each(|_| small.now = small.glided(Vec3::Y, 1e-3));
        let left = 0.01 - small.now.position.x;
        assert!(left > 0.0 && left < 0.01 * 0.06, "{left}");
    }
}
