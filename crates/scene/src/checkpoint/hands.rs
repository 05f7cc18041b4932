//! What a user's hands do, as JSON in a checkpoint's header.
//!
//! Numbers are single precision and finite: written as decimals of double precision they
//! come back to the same bits.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use tkanina_sim::hands::{ColliderShift, Grab, HandPin, Hands, HeldForce};
use tkanina_sim::motion::Pose;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct HandsJson {
    forces: Vec<ForceJson>,
    grabs: Vec<GrabJson>,
    pins: Vec<PinJson>,
    unpinned: Vec<u32>,
    gravity: Option<[f32; 3]>,
    colliders: Vec<ShiftJson>,
}

#[derive(Serialize, Deserialize)]
struct ForceJson {
    id: u32,
    particles: Vec<u32>,
    force: [f32; 3],
}

#[derive(Serialize, Deserialize)]
struct GrabJson {
    id: u32,
    particle: u32,
    target: [f32; 3],
}

#[derive(Serialize, Deserialize)]
struct PinJson {
    particle: u32,
    position: [f32; 3],
}

#[derive(Serialize, Deserialize)]
struct ShiftJson {
    collider: u32,
    now: PoseJson,
    target: PoseJson,
}

#[derive(Serialize, Deserialize)]
struct PoseJson {
    position: [f32; 3],
    rotation: [f32; 4],
}

/// Hands as they are written.
pub(crate) fn to_json(hands: &Hands) -> serde_json::Value {
    let force = |held: &HeldForce| ForceJson {
        id: held.id,
        particles: held.particles.clone(),
        force: held.force.to_array(),
    };
    let json = HandsJson {
        forces: hands.forces.iter().map(force).collect(),
        grabs: hands
            .grabs
            .iter()
            .map(|&Grab { id, particle, target }| GrabJson {
                id,
                particle,
                target: target.to_array(),
            })
            .collect(),
        pins: hands
            .pins
            .iter()
            .map(|&HandPin { particle, position }| PinJson {
                particle,
                position: position.to_array(),
            })
            .collect(),
        unpinned: hands.unpinned.clone(),
        gravity: hands.gravity.map(|g| g.to_array()),
        colliders: hands
            .colliders
            .iter()
            .map(|&ColliderShift { collider, now, target }| ShiftJson {
                collider,
                now: now.into(),
                target: target.into(),
            })
            .collect(),
    };
    serde_json::to_value(json).unwrap_or_default()
}

/// Hands as they were written. Whether the numbers fit a world is the world's to say.
pub(crate) fn from_json(json: &serde_json::Value) -> Result<Hands, serde_json::Error> {
    let HandsJson { forces, grabs, pins, unpinned, gravity, colliders } =
        HandsJson::deserialize(json)?;
    let force = |f: ForceJson| HeldForce {
        id: f.id,
        particles: f.particles,
        force: Vec3::from_array(f.force),
    };
    let grab =
        |g: GrabJson| Grab { id: g.id, particle: g.particle, target: Vec3::from_array(g.target) };
    let pin = |p: PinJson| HandPin { particle: p.particle, position: Vec3::from_array(p.position) };
    let shift = |s: ShiftJson| ColliderShift {
        collider: s.collider,
        now: s.now.into(),
        target: s.target.into(),
    };
    Ok(Hands {
        forces: forces.into_iter().map(force).collect(),
        grabs: grabs.into_iter().map(grab).collect(),
        pins: pins.into_iter().map(pin).collect(),
        unpinned,
        gravity: gravity.map(Vec3::from_array),
        colliders: colliders.into_iter().map(shift).collect(),
    })
}

impl From<Pose> for PoseJson {
    fn from(pose: Pose) -> Self {
        Self { position: pose.position.to_array(), rotation: pose.rotation.to_array() }
    }
}

impl From<PoseJson> for Pose {
    fn from(json: PoseJson) -> Self {
        Self {
            position: Vec3::from_array(json.position),
            rotation: Quat::from_array(json.rotation),
        }
    }
}
