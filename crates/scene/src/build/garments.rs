//! Garments: sewn, and put on what they are worn by.

use glam::Vec3;
use tkanina_sim::colliders::forms::Triangles;
use tkanina_sim::colliders::{Collider, ColliderShape, DistanceField, Shape as _};
use tkanina_sim::measure::crossings;
use tkanina_sim::motion::Pose;
use tkanina_sim::topology::SewnMesh;
use tkanina_sim::world::World;

use super::{Build, Note, NoteLevel};
use crate::check::steps;
use crate::garment::{Fault, Pattern, drape, sew, t_shirt};
use crate::node::Step;
use crate::schema::{Body, Cloth, ContactMode, Scene, Shape};

/// Cells along the longest side of the field that keeps a garment off a mesh.
const CELLS: f32 = 120.0;

/// Points start this part of their distance off what wears them: edges between them dip in by
/// less where it is round.
const MARGIN: f64 = 0.3;

impl Build<'_> {
    /// The garment of a body at its place, round what wears it; `None` if something is wrong,
    /// which is noted.
    pub(super) fn garment(&mut self, index: usize, body: &Cloth, place: Pose) -> Option<SewnMesh> {
        let here = steps!["bodies", index, "shape"];
        let (pattern, around) = match &body.shape {
            Shape::Garment { panels, seams, spacing_m, around } => {
                let (panels, seams) = (panels.clone(), seams.clone());
                (Ok(Pattern { panels, seams, spacing: *spacing_m }), around)
            }
            Shape::TShirt { size, spacing_m, around } => (t_shirt(size, *spacing_m), around),
            _ => return None,
        };
        let spacing = pattern.as_ref().map_or(0.0, |pattern| pattern.spacing);
        let mut mesh = match pattern.and_then(|pattern| sew(&pattern)) {
            Ok(mesh) => mesh,
            Err(Fault { at, message, help }) => {
                self.problem(&[&here[..], &at].concat(), message, help);
                return None;
            }
        };
        mesh.start.iter_mut().for_each(|p| *p = place.point(*p));
        let Some(around) = around else {
            return Some(mesh);
        };
        if !self.problems.is_empty() {
            return None;
        }
        let at: Vec<Step> = [&here[..], &steps!["around"]].concat();
        let margin = (MARGIN * spacing).max(2.0 * self.loaded.scene.contact.thickness_m) as f32;
        let worn = self.collider_index(around).and_then(|index| self.builder.collider(index));
        match worn.map(solid) {
            Some(Ok((shape, pose))) => {
                let back = pose.inverse();
                let outside = |p: Vec3| {
                    let found = shape.closest(back.point(p));
                    Some((pose.rotation * found.normal, found.distance))
                };
                drape(&mut mesh, Some(&outside), margin);
                Some(mesh)
            }
            Some(Err(why)) => {
                let help = "put it on a closed mesh, or leave `around` out";
                self.problem(&at, format!("`{around}` cannot wear it: its mesh {why}"), help);
                None
            }
            None => None,
        }
    }
}

/// A garment that starts crossing itself or what wears it cannot be set right later.
pub(super) fn doubt(scene: &Scene, world: &World, notes: &mut Vec<Note>) {
    let is_garment = |body: &Body| {
        let shape = body.as_cloth().map(|cloth| &cloth.shape);
        matches!(shape, Some(Shape::Garment { .. } | Shape::TShirt { .. }))
    };
    if scene.contact.mode == ContactMode::Off || !scene.bodies.iter().any(is_garment) {
        return;
    }
    let count = crossings(world.model(), world.state()).len();
    if count > 0 {
        let text = format!(
            "the start has {count} crossings: move panels so that they close round what wears them"
        );
        notes.push(Note { level: NoteLevel::Warning, text });
    }
}

/// A collider as it stands at the start, with an inside.
fn solid(collider: &Collider) -> Result<(ColliderShape, Pose), String> {
    let pose = collider.pose_at(0.0);
    let ColliderShape::Mesh(mesh) = &collider.shape else {
        return Ok((collider.shape.clone(), pose));
    };
    let (points, triangles) = (mesh.points().to_vec(), mesh.triangles().to_vec());
    let low = points.iter().fold(Vec3::INFINITY, |a, &p| a.min(p));
    let high = points.iter().fold(Vec3::NEG_INFINITY, |a, &p| a.max(p));
    let cell = f64::from((high - low).max_element() / CELLS);
    // Unused points would not count as open.
    let field = DistanceField::new(&Triangles { points, triangles }, Some(cell), 0.0);
    field.map(|field| (ColliderShape::DistanceField(field), pose)).map_err(|e| e.to_string())
}
