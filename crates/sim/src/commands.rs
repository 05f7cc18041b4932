//! What a user does to a running world.

use glam::Vec3;

use crate::elements::TieEnd;
use crate::hands::{ColliderShift, Grab, HandPin, HeldForce};
use crate::model::Model;
use crate::motion::Pose;
use crate::state::State;
use crate::strands::groom;
use crate::tearing::Cut;

/// A change from outside, applied at the start of the next step. Particles and colliders
/// that are not there are passed over, and so are numbers that are not finite.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// One push, shared equally by the particles.
    Impulse {
        /// The particles.
        particles: Vec<u32>,
        /// Total. [N·s]
        impulse: Vec3,
    },
    /// A force that acts until it is released or replaced, shared equally.
    Hold {
        /// Names the force.
        id: u32,
        /// The particles.
        particles: Vec<u32>,
        /// Total. [N]
        force: Vec3,
    },
    /// Draws a particle to a place by a critically damped spring, until it is released.
    /// The same name again moves the place.
    Grab {
        /// Names the grab.
        id: u32,
        /// The particle.
        particle: u32,
        /// Where it is drawn to. [m]
        target: Vec3,
    },
    /// Ends a held force or a grab.
    Release {
        /// Its name.
        id: u32,
    },
    /// Holds particles where they are.
    Pin {
        /// The particles.
        particles: Vec<u32>,
    },
    /// Frees particles from pins, by hand or of the scene. Seams stay.
    Unpin {
        /// The particles.
        particles: Vec<u32>,
    },
    /// Moves an obstacle from its path: pose(t) = shift ∘ motion(t). It glides there.
    MoveCollider {
        /// The collider, by index.
        collider: u32,
        /// The whole shift, not what is added to it.
        shift: Pose,
    },
    /// Cuts all cloth and all strands between two rays.
    Cut(Cut),
    /// Draws a comb through strands: points near it take its velocity, the nearer the more.
    Comb {
        /// Where it is. [m]
        at: Vec3,
        /// How far it reaches. [m]
        radius: f32,
        /// How fast it goes. [m/s]
        velocity: Vec3,
    },
    /// Changes free fall.
    Gravity {
        /// The new value. [m/s²]
        gravity: Vec3,
    },
}

/// A command and the step before which it was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandRecord {
    /// Steps taken before it.
    pub step: u64,
    /// What was done.
    pub command: Command,
}

impl Command {
    /// Does it to a state of `model`, whose held particles are those of the state. A cut changes
    /// the model too: that is the world's to do.
    pub(crate) fn apply(&self, model: &Model, state: &mut State) {
        match self {
            Self::Impulse { particles, impulse } if impulse.is_finite() => {
                push(model, state, &known(model, particles), *impulse);
            }
            Self::Hold { id, particles, force } if force.is_finite() => {
                release(state, *id);
                let particles = known(model, particles);
                if !particles.is_empty() {
                    state.hands.forces.push(HeldForce { id: *id, particles, force: *force });
                }
            }
            &Self::Grab { id, particle, target } if target.is_finite() => {
                grab(model, state, Grab { id, particle, target });
            }
            Self::Release { id } => release(state, *id),
            Self::Pin { particles } => pin(state, &known(model, particles)),
            Self::Unpin { particles } => unpin(model, state, &known(model, particles)),
            Self::MoveCollider { collider, shift } => {
                move_collider(model, state, *collider, *shift);
            }
            Self::Cut(by) => groom::cut(model, state, by),
            &Self::Comb { at, radius, velocity } => {
                groom::comb(model, state, (at, radius), velocity)
            }
            Self::Gravity { gravity } if gravity.is_finite() => {
                state.hands.gravity = Some(*gravity);
            }
            _ => {}
        }
    }
}

/// v += J w/n for each particle.
pub(crate) fn push(model: &Model, state: &mut State, particles: &[u32], impulse: Vec3) {
    let share = impulse / particles.len().max(1) as f32;
    for &p in particles {
        state.v.add(p as usize, share * model.inverse_mass[p as usize]);
    }
}

fn known(model: &Model, particles: &[u32]) -> Vec<u32> {
    let count = model.particle_count();
    particles.iter().copied().filter(|&p| (p as usize) < count).collect()
}

fn release(state: &mut State, id: u32) {
    state.hands.forces.retain(|held| held.id != id);
    state.hands.grabs.retain(|grab| grab.id != id);
}

fn grab(model: &Model, state: &mut State, new: Grab) {
    if new.particle as usize >= model.particle_count() {
        return;
    }
    state.hands.forces.retain(|held| held.id != new.id);
    match state.hands.grabs.iter_mut().find(|grab| grab.id == new.id) {
        Some(grab) => *grab = new,
        None => state.hands.grabs.push(new),
    }
}

fn pin(state: &mut State, particles: &[u32]) {
    for &particle in particles {
        let position = state.x.get(particle as usize);
        let pins = &mut state.hands.pins;
        let found = pins.binary_search_by_key(&particle, |pin| pin.particle);
        if let Err(at) = found
            && position.is_finite()
        {
            pins.insert(at, HandPin { particle, position });
            state.v.set(particle as usize, Vec3::ZERO);
        }
    }
}

fn unpin(model: &Model, state: &mut State, particles: &[u32]) {
    let mut chosen = particles.to_vec();
    chosen.sort_unstable();
    let chosen = |particle: u32| chosen.binary_search(&particle).is_ok();
    let State { hands, broken, .. } = state;
    hands.pins.retain(|pin| !chosen(pin.particle));
    let held = model.holds.iter().map(|hold| hold.particle).filter(|&p| chosen(p));
    hands.unpinned.extend(held);
    hands.unpinned.sort_unstable();
    hands.unpinned.dedup();
    for (tie, broken) in model.ties.iter().zip(broken) {
        *broken |= matches!(tie.end, TieEnd::Anchor(_)) && chosen(tie.particle);
    }
}

fn move_collider(model: &Model, state: &mut State, collider: u32, shift: Pose) {
    let turns = shift.rotation.length();
    let sound = shift.position.is_finite() && turns.is_finite() && turns > 1e-6;
    if collider as usize >= model.colliders.len() || !sound {
        return;
    }
    let target = Pose { rotation: shift.rotation.normalize(), ..shift };
    match state.hands.colliders.iter_mut().find(|s| s.collider == collider) {
        Some(known) => known.target = target,
        None => {
            let now = Pose::IDENTITY;
            state.hands.colliders.push(ColliderShift { collider, now, target });
        }
    }
}
