//! The parameters that are changed most, of the first body and its material, and of the first strands
//! (002, 003, 004).

use egui::Ui;
use serde_json::Value;

use super::editor::Editor;
use super::schema::{Kind, Node};
use super::spot::{Spot, escape};

/// Draws the parameters that the scene has.
pub(super) fn quick(editor: &mut Editor, ui: &mut Ui) {
    for pointer in pointers(editor.context.scene) {
        if let Some((node, spot)) = find(editor, &pointer) {
            let label = match above(&pointer) {
                // Three springs have a stiffness each, and much has a radius: say whose it is.
                Some(law @ ("structural" | "shear" | "bend" | "centre_springs" | "curl")) => {
                    let law = Node::new(editor.root, law, editor.root);
                    format!("{}: {}", editor.label(&law), editor.label(&node).to_lowercase())
                }
                _ => editor.label(&node),
            };
            ui.push_id("quick", |ui| {
                if let Kind::Union(variants) = node.kind() {
                    super::object::kind(editor, ui, &node, &spot, (&label, &variants));
                } else {
                    editor.field_named(ui, &node, &spot, &label);
                }
            });
        }
    }
}

/// Where the parameters are, in the order in which they are shown.
fn pointers(scene: &Value) -> Vec<String> {
    let mut all: Vec<String> =
        ["/gravity_m_s2", "/time/substeps", "/time/frame_rate_hz", "/solver"]
            .map(str::to_owned)
            .into();
    let body = &scene["bodies"][0];
    if body.is_object() {
        all.extend(
            ["/bodies/0/shape/points", "/bodies/0/shape/size_m", "/bodies/0/shape/scale"]
                .map(str::to_owned),
        );
    }
    if body["kind"] == "soft-body" {
        let fields = [
            "mass/per_point_kg",
            "mass/density_kg_m3",
            "mass/total_kg",
            "springs/stiffness",
            "springs/damping",
            "centre_springs/stiffness",
            "centre_springs/damping",
            "gas/amount_mol",
            "gas/overpressure_Pa",
            "inside/young_Pa",
            "inside/poisson",
            "inside/damping_s",
            "inside/region_width",
            "inside/frequency_Hz",
            "inside/damping_per_second",
            "inside/breaks_at_stretch",
            "damping_kg_s",
        ];
        all.extend(fields.map(|field| format!("/bodies/0/{field}")));
    }
    all.extend(strands(scene));
    if let Some(name) = body["material"].as_str() {
        let material = format!("/materials/{}", escape(name));
        let fields = [
            "preset",
            "mass/per_point_kg",
            "mass/area_density_kg_m2",
            "springs/stiffness",
            "springs/damping",
            "springs/structural/stiffness",
            "springs/structural/damping",
            "springs/shear/stiffness",
            "springs/shear/damping",
            "springs/bend/stiffness",
            "springs/bend/damping",
            "bending/stiffness",
            "damping_ratio",
            "damping_kg_s",
            "air_damping_per_step",
            "drag",
            "drag_coefficient",
            "max_stretch",
        ];
        all.extend(fields.map(|field| format!("{material}/{field}")));
    }
    let winds = scene["air"]["wind"].as_array().map_or(0, Vec::len).min(2);
    for i in 0..winds {
        all.extend(
            ["velocity_m_s", "mean_m_s", "rms_m_s", "force_N"]
                .map(|f| format!("/air/wind/{i}/{f}")),
        );
    }
    all
}

/// Those of the first strands and of what pushes them.
fn strands(scene: &Value) -> Vec<String> {
    let bodies = scene["bodies"].as_array().into_iter().flatten();
    let Some((index, body)) = bodies.enumerate().find(|(_, body)| body["kind"] == "strands") else {
        return Vec::new();
    };
    // Of two ways to say how many, the one that the scene has.
    let by_area = body["shape"]["per_m2"].is_number();
    let mut fields = vec![
        "model",
        "model/stiffness",
        "model/damping",
        "model/per_point_kg",
        "model/sweeps",
        "model/pieces",
        if by_area { "shape/per_m2" } else { "shape/count" },
        "nodes",
        "shape/length_m",
        "fibre/preset",
        "fibre/diameter_mm",
        "fibre/young_Pa",
        "fibre/wetness",
        "fibre/friction",
        "fibre/drag",
        "fibre/inner_friction_s",
        "damping_kg_s",
    ];
    // Half a helix or half a law would be no scene: what is absent is switched on as a whole.
    for (object, inner) in [
        ("model/bend", ["model/bend/stiffness", "model/bend/damping"]),
        ("fibre/curl", ["fibre/curl/radius_m", "fibre/curl/pitch_m"]),
    ] {
        let (outer, name) = object.split_once('/').unwrap_or_default();
        if body[outer][name].is_object() {
            fields.extend(inner);
        } else {
            fields.push(object);
        }
    }
    if body["followers"].is_object() {
        fields.push("followers/per_strand");
    }
    let forces = scene["forces"].as_array().map_or(0, Vec::len).min(2);
    let forces = (0..forces)
        .flat_map(|i| ["force_N", "impulse_N_s"].map(|field| format!("/forces/{i}/{field}")));
    let of_body = fields.iter().map(|field| format!("/bodies/{index}/{field}"));
    of_body.chain(forces).collect()
}

/// The last name but one of a pointer.
fn above(pointer: &str) -> Option<&str> {
    pointer.rsplit('/').nth(1)
}

/// The field at `pointer`, if the scene as it is has it.
fn find<'a>(editor: &Editor<'a, '_>, pointer: &str) -> Option<(Node<'a>, Spot<'a>)> {
    let mut node = Node::new(editor.root, "", editor.root);
    let mut spot = Spot::whole(editor.context.scene);
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        match node.kind() {
            Kind::List(item) | Kind::Map(item) => {
                let value = match spot.value {
                    Value::Array(list) => list.get(key.parse::<usize>().ok()?)?,
                    other => other.get(&key)?,
                };
                spot = spot.entry(&key, value);
                node = Node::new(editor.root, node.name, item);
            }
            _ => {
                node = node
                    .fields(editor.root, spot.value)
                    .into_iter()
                    .find(|field| field.name == key)?;
                spot = spot.field(&node);
            }
        }
    }
    Some((node, spot))
}
