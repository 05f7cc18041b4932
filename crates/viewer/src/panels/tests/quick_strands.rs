//! The quick parameters of strands.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use serde_json::{Value, json};

use super::{Bench, draw_inspector, only_set};
use crate::action::Action;

const SIZE: [f32; 2] = [460.0, 1800.0];

fn strands(model: Value, fibre: Value) -> Bench {
    let shape = json!({ "kind": "field", "size_m": [0.1, 0.1], "count": 30, "length_m": 0.25 });
    let scene = json!({
        "format": 1,
        "bodies": [{
            "name": "hair",
            "kind": "strands",
            "shape": shape,
            "model": model,
            "fibre": fibre,
        }],
        "forces": [{ "kind": "hold", "body": "hair", "all": true, "force_N": [0.0, 0.0, 0.0] }],
    });
    Bench::new(scene, draw_inspector)
}

#[track_caller]
fn slide(bench: fn() -> Bench, label: &str, value: f64) -> (String, Value) {
    let mut harness = bench().window(SIZE);
    // Both the springs' and the medium's damping are called so; the springs' comes first.
    let sliders: Vec<_> = harness.get_all_by_role_and_label(Role::Slider, label).collect();
    sliders[0].set_value_accesskit(value);
    drop(sliders);
    harness.run();
    only_set(&harness.state().actions)
}

#[test]
fn springs_of_004_have_a_slider_each() {
    let springs = || {
        let model = json!({ "kind": "springs", "stiffness": 20.0, "per_point_kg": 0.001 });
        strands(model, json!({}))
    };
    for (label, value, pointer) in [
        ("Stiffness", json!(75.0), "/bodies/0/model/stiffness"),
        ("Damping", json!(0.5), "/bodies/0/model/damping"),
        ("Mass of a point", json!(0.002), "/bodies/0/model/per_point_kg"),
        ("Count", json!(40), "/bodies/0/shape/count"),
        ("Nodes", json!(12), "/bodies/0/nodes"),
        ("Length", json!(0.5), "/bodies/0/shape/length_m"),
    ] {
        let set = slide(springs, label, value.as_f64().unwrap_or_default());
        assert_eq!(set, (pointer.to_owned(), value), "{label}");
    }
    let mut harness = springs().window(SIZE);
    harness.get_by_label("Force x").set_value_accesskit(0.5);
    harness.run();
    let set = only_set(&harness.state().actions);
    assert_eq!(set, ("/forces/0/force_N".to_owned(), json!([0.5, 0.0, 0.0])));
}

#[test]
fn rods_have_what_their_fibre_is() {
    let rod = || {
        let curl = json!({ "radius_m": 0.01, "pitch_m": 0.05 });
        let fibre = json!({
            "diameter_mm": 0.08, "young_Pa": 4e9, "friction": 0.3, "drag": 1.0, "curl": curl
        });
        strands(json!({ "kind": "rod" }), fibre)
    };
    for (label, value, pointer) in [
        ("Diameter", 0.1, "/bodies/0/fibre/diameter_mm"),
        ("Young", 5e9, "/bodies/0/fibre/young_Pa"),
        ("Wetness", 0.5, "/bodies/0/fibre/wetness"),
        ("Friction", 0.5, "/bodies/0/fibre/friction"),
        ("Drag", 2.0, "/bodies/0/fibre/drag"),
        ("Curl: radius", 0.02, "/bodies/0/fibre/curl/radius_m"),
        ("Curl: pitch", 0.1, "/bodies/0/fibre/curl/pitch_m"),
    ] {
        assert_eq!(slide(rod, label, value), (pointer.to_owned(), json!(value)), "{label}");
    }
    assert!(rod().window(SIZE).query_by_role_and_label(Role::Slider, "Stiffness").is_none());
}

#[test]
fn a_curl_that_is_switched_on_is_whole() {
    let mut harness = strands(json!({ "kind": "rod" }), json!({})).window(SIZE);
    harness.get_by_role_and_label(Role::CheckBox, "Set Curl").click();
    harness.run();
    let sets = harness.state().actions.iter().filter_map(|action| match action {
        Action::Set { pointer, value } => Some((pointer.as_str(), value)),
        _ => None,
    });
    let sets: Vec<_> = sets.collect();
    let [("/bodies/0/fibre/curl", curl)] = sets[..] else { panic!("{sets:?}") };
    assert!(curl["radius_m"].is_number() && curl["pitch_m"].is_number(), "{curl}");
}

#[test]
fn a_fibre_is_chosen_among_fibres() {
    let rod = || strands(json!({ "kind": "rod" }), json!({ "preset": "curly" }));
    let mut harness = rod().window(SIZE);
    let presets = harness.get_all_by_role_and_label(Role::ComboBox, "Preset");
    presets.into_iter().next().expect("a box of presets").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "wavy").click();
    harness.run();
    let set = only_set(&harness.state().actions);
    assert_eq!(set, ("/bodies/0/fibre/preset".to_owned(), json!("wavy")));
    assert!(harness.query_by_role_and_label(Role::Button, "cotton").is_none());
}
