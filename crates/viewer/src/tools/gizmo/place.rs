//! An obstacle's new place as edits of the scene, so that saving keeps it.

use glam::{EulerRot, Quat, Vec3};
use serde_json::{Value, json};
use tkanina_sim::colliders::ColliderShape;
use tkanina_sim::model::{AnchorPath, Model};
use tkanina_sim::motion::{Motion, Pose};

use crate::action::Action;

/// Places are written to a hundredth of a millimetre, angles to a ten-thousandth of a degree: finer
/// digits are rounding noise.
const DIGITS: [f64; 2] = [1e5, 1e4];

/// Edits that put an obstacle where its shift has it. None for one that moves by itself, whose path
/// the scene tells, and for one that carries points, since the scene would begin anew with them.
pub fn edits(model: &Model, index: usize, shift: Pose) -> Vec<Action> {
    let Some(collider) = model.colliders.get(index) else { return Vec::new() };
    let carries = |path: &AnchorPath| matches!(path, AnchorPath::Collider(i) if *i == index);
    if collider.motion != Motion::Static || model.anchors.iter().any(|a| carries(&a.path)) {
        return Vec::new();
    }
    let pose = shift.compose(collider.rest);
    let turned = shift.rotation.angle_between(Quat::IDENTITY) > 1e-5;
    let up = pose.rotation * Vec3::Y;
    let fields = match &collider.shape {
        ColliderShape::Sphere(_) => vec![("center_m", metres(pose.position))],
        ColliderShape::Box(_) => {
            let center = ("center_m", metres(pose.position));
            let rotation = turned.then(|| ("rotation_deg", degrees(pose.rotation)));
            [center].into_iter().chain(rotation).collect()
        }
        ColliderShape::Plane(_) => {
            let normal = turned.then(|| ("normal", metres(up)));
            [("point_m", metres(pose.position))].into_iter().chain(normal).collect()
        }
        ColliderShape::Mesh(_) | ColliderShape::DistanceField(_) => {
            let place = ("position_m", metres(pose.position));
            let rotation = turned.then(|| ("rotation_deg", degrees(pose.rotation)));
            [place].into_iter().chain(rotation).collect()
        }
        ColliderShape::Capsule(capsule) => {
            let half = up * capsule.half_length;
            vec![("a_m", metres(pose.position - half)), ("b_m", metres(pose.position + half))]
        }
    };
    let set =
        |(field, value)| Action::Set { pointer: format!("/colliders/{index}/{field}"), value };
    fields.into_iter().map(set).chain([Action::EndEdit]).collect()
}

fn metres(v: Vec3) -> Value {
    json!(v.to_array().map(|c| rounded(f64::from(c), DIGITS[0])))
}

/// Angles of turns about x, then y, then z, each an axis of the world. [°]
fn degrees(rotation: Quat) -> Value {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZEx);
    json!([x, y, z].map(|a| rounded(f64::from(a).to_degrees(), DIGITS[1])))
}

/// Never −0, which reads oddly.
fn rounded(value: f64, digits: f64) -> f64 {
    (value * digits).round() / digits + 0.0
}
