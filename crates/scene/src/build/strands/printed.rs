//! What the file of a surface says of its parts: groups and texture coordinates.

use glam::Vec3;
use tkanina_sim::aabb::Aabb;
use tkanina_sim::contact::AabbTree;
use tkanina_sim::motion::Pose;

use super::surface::closest_weights;
use crate::build::{Build, BuildError, rotation, vec3};
use crate::check::meshes::is_gltf;
use crate::mesh_io::ObjParts;
use crate::schema::{Body, ColliderShape, Shape, SoftShape};

/// How near the first look for a place is, as a part of the whole: places lie on the surface but for rounding.
const NEAR: f32 = 1e-5;

/// The faces of an OBJ file where they are at the start. A surface may have been cleaned, cut into
/// other triangles or filled since: places are found again by where they are.
pub(super) struct Printed {
    parts: ObjParts,
    tree: AabbTree,
    size: f32,
    /// Of each set of names, whether it is grown on.
    chosen: Vec<bool>,
}

impl Printed {
    fn new(mut parts: ObjParts, pose: Pose, scale: f32, groups: &[String]) -> Self {
        parts.points.iter_mut().for_each(|p| *p = pose.rotation * (*p * scale) + pose.position);
        let corners = |t: &[u32; 3]| t.map(|v| parts.points[v as usize]);
        let boxes: Vec<Aabb> = parts.triangles.iter().map(|t| Aabb::around(corners(t))).collect();
        let whole = Aabb::around(parts.points.iter().copied());
        let chosen =
            |names: &Vec<String>| groups.is_empty() || names.iter().any(|n| groups.contains(n));
        Self {
            tree: AabbTree::of(&boxes, 0.0),
            size: (whole.max - whole.min).length(),
            chosen: parts.sets.iter().map(chosen).collect(),
            parts,
        }
    }

    /// Whether any face has texture coordinates.
    pub fn has_uvs(&self) -> bool {
        self.parts.uvs.iter().any(Option::is_some)
    }

    /// Whether a place is on a part that is grown on.
    pub fn is_chosen(&self, place: Vec3) -> bool {
        let (triangle, _) = self.nearest(place);
        self.chosen[self.parts.set_of[triangle] as usize]
    }

    /// Texture coordinates at a place, if it has any.
    pub fn uv(&self, place: Vec3) -> Option<[f32; 2]> {
        let (triangle, weights) = self.nearest(place);
        let corners = self.parts.uvs[triangle]?;
        let sum = |k: usize| (0..3).map(|c| corners[c][k] * weights[c]).sum();
        Some([sum(0), sum(1)])
    }

    /// The triangle that is nearest to a place, with the weights of its corners there.
    fn nearest(&self, place: Vec3) -> (usize, [f32; 3]) {
        let mut reach = (NEAR * self.size).max(f32::MIN_POSITIVE);
        loop {
            let mut best = (f32::INFINITY, 0, [1.0, 0.0, 0.0]);
            self.tree.meeting(&Aabb::around([place]).grown(reach), |item| {
                let triangle = item as usize;
                let corners = self.parts.triangles[triangle].map(|v| self.parts.points[v as usize]);
                let weights = closest_weights(corners, place);
                let point: Vec3 = (0..3).map(|c| corners[c] * weights[c]).sum();
                let far = point.distance(place);
                // Of faces at the same place the first counts, whatever the order of the tree.
                if (far, triangle) < (best.0, best.1) || best.0 == f32::INFINITY {
                    best = (far, triangle, weights);
                }
            });
            if best.0 <= reach || !(reach < f32::MAX / 4.0) {
                return (best.1, best.2);
            }
            reach *= 4.0;
        }
    }
}

impl Build<'_> {
    /// What the OBJ file of `on` says of its parts. The inner result says why there is nothing, and a remedy.
    pub(super) fn printed(
        &self,
        on: &str,
        groups: &[String],
    ) -> Result<Result<Printed, (String, String)>, BuildError> {
        let Some((file, scale, pose)) = self.file_of(on) else {
            let help = "only meshes of OBJ files have groups and texture coordinates".to_owned();
            return Ok(Err((format!("`{on}` is not of an OBJ file"), help)));
        };
        let path = match self.loaded.resolve(file) {
            Ok(path) => path,
            Err(message) => return Ok(Err((message, "put the mesh beside the scene file".into()))),
        };
        let parts = ObjParts::load_file(&path)?;
        let names = parts.names();
        if let Some(unknown) = groups.iter().find(|group| !names.contains(&group.as_str())) {
            let known: Vec<String> = names.iter().take(12).map(|n| format!("`{n}`")).collect();
            let help = match known.is_empty() {
                true => format!("`{file}` names no groups"),
                false => format!("`{file}` has {}", known.join(", ")),
            };
            return Ok(Err((format!("there is no group `{unknown}`"), help)));
        }
        Ok(Ok(Printed::new(parts, pose, scale as f32, groups)))
    }

    /// The OBJ file that a collider or body is made of, its scale, and where it is at the start.
    fn file_of(&self, name: &str) -> Option<(&str, f64, Pose)> {
        let scene = &self.loaded.scene;
        let (file, scale, pose) = if let Some(index) = self.collider_index(name) {
            let pose = self.builder.collider(index)?.pose_at(0.0);
            match &scene.colliders[index].shape {
                ColliderShape::Mesh { file: Some(file), scale, .. }
                | ColliderShape::DistanceField { file: Some(file), scale, .. } => {
                    (file, *scale, pose)
                }
                _ => return None,
            }
        } else {
            let (file, scale, place) = match scene.bodies.iter().find(|b| b.name() == name)? {
                Body::Cloth(body) => match &body.shape {
                    Shape::Mesh { file, scale } => (file, *scale, &body.place),
                    _ => return None,
                },
                Body::SoftBody(body) => match &body.shape {
                    SoftShape::Mesh { file, scale, .. } => (file, *scale, &body.place),
                    _ => return None,
                },
                Body::Strands(_) => return None,
            };
            let position = vec3(place.position_m);
            (file, scale, Pose { position, rotation: rotation(place.rotation_deg) })
        };
        let is_obj = file.to_lowercase().ends_with(".obj") && !is_gltf(file);
        is_obj.then_some((file, scale, pose))
    }
}
