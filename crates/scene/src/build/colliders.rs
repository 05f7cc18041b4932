//! Obstacles and how they move.

use glam::{Quat, Vec3};
use tkanina_sim::colliders::distance_field::{FieldError, FieldReport};
use tkanina_sim::colliders::forms::{FIGURE_RATE, Triangles};
use tkanina_sim::colliders::{
    Collider, ColliderBox, ColliderCapsule, ColliderPlane, ColliderShape, ColliderSphere,
    DistanceField, MeshCollider, MeshPath,
};
use tkanina_sim::motion::{Motion, Pose, Track};

use super::mesh_source::MeshSource;
use super::{Build, BuildError, Note, NoteLevel, check_turns, rotation, vec3};
use crate::check::steps;
use crate::mesh_io::Animated;
use crate::node::{self, Step};
use crate::schema;
use crate::source::SourceId;

impl Build<'_> {
    pub(super) fn colliders(&mut self) -> Result<(), BuildError> {
        let scene = &self.loaded.scene;
        for (index, described) in scene.colliders.iter().enumerate() {
            let here = steps!["colliders", index];
            let Some((form, rest)) = self.form(&here, described)? else { continue };
            let motion = match self.motion(&described.motion, rest) {
                Ok(motion) => motion,
                Err(message) => {
                    let here = steps!["colliders", index, "motion"];
                    self.problem(&here, message, "give keyframes with increasing times");
                    continue;
                }
            };
            let name = described.name.clone();
            let friction = described.friction as f32;
            let restitution = described.restitution as f32;
            match form {
                Form::Shape(shape) => {
                    let collider = Collider::new(name, shape, rest);
                    self.builder.add_collider(Collider {
                        motion,
                        friction,
                        restitution,
                        ..collider
                    });
                }
                Form::Mesh(mesh, frames) => {
                    let mut mesh = mesh_collider(mesh, frames, motion);
                    (mesh.name, mesh.pose) = (name, rest);
                    (mesh.friction, mesh.restitution) = (friction, restitution);
                    self.builder.add_mesh_collider(mesh);
                }
            }
        }
        Ok(())
    }

    /// What a collider is made of in its own frame, and where that frame is; none if that is
    /// impossible, which is noted.
    fn form(
        &mut self,
        here: &[Step],
        described: &schema::Collider,
    ) -> Result<Option<(Form, Pose)>, BuildError> {
        use schema::ColliderShape as Kind;
        if let Some((shape, rest)) = shape(&described.shape) {
            return Ok(Some((Form::Shape(shape), rest)));
        }
        let (mesh, rest, frames, field) = match &described.shape {
            Kind::Mesh { file, shape, frames, position_m, rotation_deg, scale } => {
                let (file, shape, frames) = (file.as_deref(), shape.as_ref(), frames.as_ref());
                let source = MeshSource { file, shape, frames, scale: *scale, moves: true };
                let mesh = self.mesh_of(here, &source)?;
                let pace = frames.map(|frames| (frames.rate_hz, frames.repeat));
                let pace = pace.or(shape.map(|_| (FIGURE_RATE, false)));
                (mesh, place(*position_m, *rotation_deg), pace, None)
            }
            Kind::DistanceField { file, shape, cell_m, position_m, rotation_deg, scale } => {
                let (file, shape) = (file.as_deref(), shape.as_ref());
                let scale = *scale;
                let source = MeshSource { file, shape, frames: None, scale, moves: false };
                let mesh = self.mesh_of(here, &source)?;
                (mesh, place(*position_m, *rotation_deg), None, Some(*cell_m))
            }
            Kind::Terrain { size_m, heights, position_m, rotation_deg } => {
                let mesh = self.terrain(here, *size_m, heights);
                (mesh, place(*position_m, *rotation_deg), None, None)
            }
            _ => return Ok(None),
        };
        let mut mesh = match mesh {
            Ok(mesh) => mesh,
            Err((place, message, help)) => {
                self.problem(&place, message, help);
                return Ok(None);
            }
        };
        if let Some(cell) = field {
            let field = self.distance_field(here, &described.name, mesh, cell);
            let shape = field.map(ColliderShape::DistanceField);
            return Ok(shape.map(|shape| (Form::Shape(shape), rest)));
        }
        let left = mesh.clean();
        if mesh.triangles.is_empty() {
            self.problem(here, "has no triangle with an area", "export the mesh anew");
            return Ok(None);
        }
        if let Some(sentence) = left.sentence() {
            self.warn(format!("mesh of `{}`: {sentence}", described.name));
        }
        Ok(Some((Form::Mesh(mesh, frames), rest)))
    }

    fn distance_field(
        &mut self,
        here: &[Step],
        name: &str,
        mut mesh: Animated,
        cell: Option<f64>,
    ) -> Option<DistanceField> {
        mesh.drop_unused();
        let offset = self.loaded.scene.contact.thickness_m;
        let Animated { triangles, mut frames } = mesh;
        let mesh = Triangles { points: frames.swap_remove(0), triangles };
        match DistanceField::new(&mesh, cell, offset) {
            Ok(field) => {
                let FieldReport { cell, nodes: [x, y, z], bytes, bound, off } = field.report();
                let mib = bytes as f64 / f64::from(1 << 20);
                let (cell, off, bound) = (1e3 * cell, 1e3 * off, 1e3 * bound);
                self.notes.push(Note {
                    level: NoteLevel::Info,
                    text: format!(
                        "distance field of `{name}`: {x} × {y} × {z} nodes {cell:.2} mm apart \
                         ({mib:.1} MiB), its surface off by {off:.2} mm at most where it was \
                         measured, by {bound:.2} mm anywhere"
                    ),
                });
                Some(field)
            }
            Err(error) => {
                let (field, help) = match &error {
                    FieldError::Open { .. } => {
                        (None, "close its holes, or use `kind: mesh`, which may be open".to_owned())
                    }
                    FieldError::Flat => (None, "use `kind: mesh`, which may be flat".to_owned()),
                    FieldError::TooLarge { cell, .. } => {
                        (Some("cell_m"), format!("give `cell_m: {cell:.2e}` or more"))
                    }
                };
                let path = [here, field.map(Step::from).as_slice()].concat();
                self.problem(&path, format!("the mesh {error}"), help);
                None
            }
        }
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

/// What a collider is made of.
enum Form {
    Shape(ColliderShape),
    /// With frames a second and whether they repeat.
    Mesh(Animated, Option<(f64, bool)>),
}

fn place(position: schema::Vec3, degrees: schema::Vec3) -> Pose {
    Pose { position: vec3(position), rotation: rotation(degrees) }
}

/// A mesh that moves as a whole, and if it has frames in itself too.
fn mesh_collider(mesh: Animated, pace: Option<(f64, bool)>, motion: Motion) -> MeshCollider {
    let Animated { triangles, frames: mut places } = mesh;
    let rest = places.first().cloned().unwrap_or_default();
    let path = match pace {
        Some((rate_hz, repeat)) if places.len() > 1 => {
            MeshPath::Frames { rate_hz, frames: std::mem::take(&mut places), repeat, motion }
        }
        _ => MeshPath::Rigid(motion),
    };
    MeshCollider { triangles, rest, path, ..MeshCollider::default() }
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
        schema::ColliderShape::Mesh { .. }
        | schema::ColliderShape::DistanceField { .. }
        | schema::ColliderShape::Terrain { .. } => return None,
    })
}

/// Turns y to `direction`; nothing for a zero vector.
fn upright_to(direction: Vec3) -> Quat {
    match direction.try_normalize() {
        Some(direction) => Quat::from_rotation_arc(Vec3::Y, direction),
        None => Quat::IDENTITY,
    }
}
