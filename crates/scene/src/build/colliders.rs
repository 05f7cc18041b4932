//! Obstacles and how they move.

use glam::{Quat, Vec3};
use tkanina_sim::colliders::{
    Collider, ColliderBox, ColliderCapsule, ColliderPlane, ColliderShape, ColliderSphere,
};
use tkanina_sim::motion::{Motion, Pose, Track};

use super::{Build, BuildError, check_turns, rotation, vec3};
use crate::check::steps;
use crate::node;
use crate::schema;
use crate::source::SourceId;

impl Build<'_> {
    pub(super) fn colliders(&mut self) -> Result<(), BuildError> {
        let scene = &self.loaded.scene;
        for (index, described) in scene.colliders.iter().enumerate() {
            let Some((shape, rest)) = shape(&described.shape) else {
                self.problem(
                    &steps!["colliders", index, "kind"],
                    "mesh colliders are not built yet",
                    "use sphere, box, plane or capsule",
                );
                continue;
            };
            let motion = match self.motion(&described.motion, rest) {
                Ok(motion) => motion,
                Err(message) => {
                    let here = steps!["colliders", index, "motion"];
                    self.problem(&here, message, "give keyframes with increasing times");
                    continue;
                }
            };
            let mut collider = Collider::new(described.name.clone(), shape, rest);
            collider.motion = motion;
            collider.friction = described.friction as f32;
            collider.restitution = described.restitution as f32;
            self.builder.add_collider(collider);
        }
        Ok(())
    }

    fn motion(&self, described: &schema::Motion, rest: Pose) -> Result<Motion, String> {
        Ok(match described {
            schema::Motion::Static => Motion::Static,
            schema::Motion::Linear { velocity_m_s } => {
                Motion::Linear { velocity: vec3(*velocity_m_s) }
            }
            schema::Motion::Rotate { axis, deg_s, pivot_m } => Motion::Rotate {
                axis: vec3(*axis).normalize_or_zero(),
                rad_s: deg_s.to_radians(),
                pivot: pivot_m.map(vec3),
            },
            schema::Motion::Oscillate { amplitude_m, frequency_hz, phase_deg } => {
                Motion::Oscillate {
                    amplitude: vec3(*amplitude_m),
                    frequency_hz: *frequency_hz,
                    phase_rad: phase_deg.to_radians(),
                }
            }
            schema::Motion::Keyframes { keys, file: None } => keyframes(keys, rest)?,
            schema::Motion::Keyframes { file: Some(file), .. } => {
                keyframes(&self.keyframe_file(file)?, rest)?
            }
        })
    }

    /// A YAML list of `{ t_s, position_m, rotation_deg }`.
    fn keyframe_file(&self, file: &str) -> Result<Vec<schema::MotionKey>, String> {
        let path = self.loaded.resolve(file)?;
        let text = std::fs::read_to_string(path).map_err(|e| format!("`{file}`: {e}"))?;
        let wrong = |what: String| format!("`{file}` is not a list of keyframes: {what}");
        let tree = node::parse(&text, SourceId(0)).map_err(|problems| {
            wrong(problems.first().map_or(String::new(), |p| p.message.clone()))
        })?;
        serde_json::from_value(tree.to_json()).map_err(|e| wrong(e.to_string()))
    }
}

fn keyframes(keys: &[schema::MotionKey], rest: Pose) -> Result<Motion, String> {
    let mut keys = keys.to_vec();
    if keys.first().is_some_and(|key| key.t_s > 0.0) {
        // A path starts where the collider is.
        let start = schema::MotionKey { t_s: 0.0, position_m: [0.0; 3], rotation_deg: [0.0; 3] };
        keys.insert(0, start);
    }
    check_turns(keys.iter().map(|k| (k.t_s, k.rotation_deg)))?;
    let track = Track::new(
        keys.iter().map(|k| k.t_s).collect(),
        keys.iter().map(|k| rest.position + vec3(k.position_m)).collect(),
        Some(keys.iter().map(|k| rotation(k.rotation_deg) * rest.rotation).collect()),
    );
    track.map(Motion::Keyframes).map_err(|e| e.to_string())
}

/// The shape in its own frame, and where that frame is.
fn shape(described: &schema::ColliderShape) -> Option<(ColliderShape, Pose)> {
    Some(match described {
        schema::ColliderShape::Sphere { center_m, radius_m } => (
            ColliderShape::Sphere(ColliderSphere { radius: *radius_m as f32 }),
            Pose::at(vec3(*center_m)),
        ),
        schema::ColliderShape::Box { center_m, size_m, rotation_deg } => (
            ColliderShape::Box(ColliderBox { half_size: vec3(*size_m) * 0.5 }),
            Pose { position: vec3(*center_m), rotation: rotation(*rotation_deg) },
        ),
        schema::ColliderShape::Plane { point_m, normal } => (
            ColliderShape::Plane(ColliderPlane),
            Pose { position: vec3(*point_m), rotation: upright_to(vec3(*normal)) },
        ),
        schema::ColliderShape::Capsule { a_m, b_m, radius_m } => {
            let (a, b) = (vec3(*a_m), vec3(*b_m));
            let half_length = 0.5 * (b - a).length();
            (
                ColliderShape::Capsule(ColliderCapsule { half_length, radius: *radius_m as f32 }),
                Pose { position: 0.5 * (a + b), rotation: upright_to(b - a) },
            )
        }
        schema::ColliderShape::Mesh { .. } => return None,
    })
}

/// Turns y to `direction`; nothing for a zero vector.
fn upright_to(direction: Vec3) -> Quat {
    match direction.try_normalize() {
        Some(direction) => Quat::from_rotation_arc(Vec3::Y, direction),
        None => Quat::IDENTITY,
    }
}
