//! Every field of the format can be edited, and what is added is valid.

use serde_json::{Value, json};
use tkanina_scene::schema::{Scene, json_schema};

use super::{Bench, draw_inspector, small_scene};
use crate::panels::inspector::testing::{every_field, starts_of};

#[test]
fn every_field_of_the_format_has_an_editor() {
    let schema = json_schema();
    let fields = every_field(&schema);
    assert!(fields.len() > 200, "{}", fields.len());
    for (path, editable) in fields {
        assert!(editable, "{path}");
    }
}

/// Whether the scene is right.
fn problem_of(scene: &Value) -> Option<String> {
    let text = scene.to_string();
    Scene::load_text("test", &text, None, &[]).err().map(|error| error.render())
}

#[test]
fn what_is_added_is_valid() {
    let mut scene = small_scene();
    scene["colliders"] =
        json!([{ "name": "ball", "kind": "sphere", "center_m": [0, 0, 0], "radius_m": 1 }]);
    assert_eq!(problem_of(&scene), None);
    let schema = json_schema();
    let mut tried = 0;
    for (list, values) in starts_of(&schema, &scene) {
        for value in values {
            // A file that is not there is the person's to name.
            let file = value.to_string().contains("\"file\"") || value["shape"]["kind"] == "mesh";
            if file {
                continue;
            }
            let mut with = scene.clone();
            match with[&list].as_array_mut() {
                Some(entries) => entries.push(value.clone()),
                None => with[&list] = json!([value]),
            }
            // The n-th point of one body cannot be sewn to itself.
            if list != "sew" {
                assert_eq!(problem_of(&with), None, "{list}: {value}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn every_built_in_scene_can_be_shown() {
    for (name, _) in tkanina_scene::builtin::builtin() {
        Bench::of_builtin(name, draw_inspector).window([420.0, 900.0]);
    }
}
