//! What acts on fibres over a step.

use glam::{DQuat, DVec3, Vec3};

use crate::colliders::ColliderStep;
use crate::contact::Contacts;
use crate::forces::Conditions;
use crate::model::Model;
use crate::motion::Pose;
use crate::soa::Soa3;
use crate::strands::StrandSet;

/// What acts on fibres over a step.
pub struct FibreStep<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// What acts from outside.
    pub conditions: &'a mut Conditions,
    /// Contact of triangles and segments, where there is any.
    pub contacts: Option<&'a mut Contacts>,
    /// Free fall. [m/s²]
    pub gravity: Vec3,
    /// Length of the step. [s]
    pub h: f64,
}

/// A root over a step: the pose of the frame (director, tangent × director, tangent) of a strand's
/// first edge at its first point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootStep {
    /// At the start.
    pub start: Pose,
    /// At the end.
    pub end: Pose,
}

/// What draws particles: v̇ = carried − rate·v.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// [m/s²]
    pub carried: &'a Soa3,
    /// [1/s]
    pub rates: &'a [f32],
}

/// What acts on the strands of one body over a step.
#[derive(Clone, Copy, Debug)]
pub struct RodStep<'a> {
    /// The constant part of the world.
    pub model: &'a Model,
    /// The strands.
    pub set: &'a StrandSet,
    /// Length of the step. [s]
    pub h: f64,
    /// Free fall. [m/s²]
    pub gravity: Vec3,
    /// Root of each strand; of one that is free it is where it was.
    pub roots: &'a [RootStep],
    /// Where particles of the world are at the start: contact may have moved them. [m]
    pub x: &'a Soa3,
    /// How fast they are: hands may have changed that. [m/s]
    pub v: &'a Soa3,
    /// Particles after which strands are cut, rising.
    pub cut: &'a [u32],
    /// What pushes of scene and hands give to each particle of the world. [m/s²]
    pub push: &'a Soa3,
    /// Velocity of the air at each particle of the world. [m/s]
    pub air: &'a Soa3,
    /// What draws each particle of the world to other strands and to hands, if anything does.
    pub drawn: Option<Drawn<'a>>,
    /// Colliders over the step.
    pub colliders: &'a [ColliderStep],
    /// μ of the strands on each of them. [1]
    pub rubs: &'a [f32],
}

impl RodStep<'_> {
    /// How far the middle of strands stays off colliders. [m]
    pub fn keeps_off(&self) -> f32 {
        self.model.contact_offset + self.set.fibre.radius
    }
}

/// A pose on the way between two.
pub(super) fn pose_between(start: &Pose, end: &Pose, part: f64) -> (DVec3, DQuat) {
    let quat = |q: glam::Quat| DQuat::from_array(q.to_array().map(f64::from)).normalize();
    if part == 0.0 || start == end {
        return (start.position.as_dvec3(), quat(start.rotation));
    }
    if part == 1.0 {
        return (end.position.as_dvec3(), quat(end.rotation));
    }
    let place = start.position.as_dvec3().lerp(end.position.as_dvec3(), part);
    (place, quat(start.rotation).slerp(quat(end.rotation), part))
}
