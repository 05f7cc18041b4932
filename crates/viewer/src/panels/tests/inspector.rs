//! The editor of parameters.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::json;

use super::{Bench, draw_inspector, only_set, open, small_scene, snapshot};
use crate::action::Action;

const SIZE: [f32; 2] = [420.0, 1400.0];

fn bench() -> Bench {
    Bench::new(small_scene(), draw_inspector)
}

/// A bench in which stiffness is safe from 1 to 500.
fn with_safe_stiffness() -> Bench {
    bench().with(|bench| {
        let springs = &mut bench.menu.inspector.schema["$defs"]["Springs"]["oneOf"][0];
        springs["properties"]["stiffness"]["x-safe"] = json!([1.0, 500.0]);
    })
}

#[test]
fn a_slider_sets_its_field() {
    let mut harness = bench().window(SIZE);
    harness.get_by_role_and_label(Role::Slider, "Stiffness").set_value_accesskit(75.0);
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/materials/m/springs/stiffness", json!(75.0)));
}

#[test]
fn dragging_a_slider_ends_its_edit_when_the_hand_lets_go() {
    let mut harness = with_safe_stiffness().window(SIZE);
    let rect = harness.get_by_role_and_label(Role::Slider, "Stiffness").rect();
    harness.drag_at(rect.center());
    harness.run();
    harness.hover_at(rect.right_center() - egui::vec2(1.0, 0.0));
    harness.run();
    assert!(!harness.state().actions.contains(&Action::EndEdit));
    harness.drop_at(rect.right_center() - egui::vec2(1.0, 0.0));
    harness.run();
    let actions = &harness.state().actions;
    assert_eq!(actions.last(), Some(&Action::EndEdit));
    let last =
        Action::Set { pointer: "/materials/m/springs/stiffness".into(), value: json!(500.0) };
    assert!(actions.contains(&last), "{actions:?}");
}

#[test]
fn a_typed_number_sets_its_field() {
    let mut harness = bench().window(SIZE);
    harness.get_by_role_and_label(Role::SpinButton, "Stiffness").focus();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    let field = harness.get_by_role_and_label(Role::SpinButton, "Stiffness");
    field.type_text("123.5");
    harness.run();
    assert!(harness.state().actions.is_empty(), "half a number is not set");
    harness.key_press(Key::Enter);
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/materials/m/springs/stiffness", json!(123.5)));
}

#[test]
fn the_safe_range_holds_until_it_is_left() {
    let reach = |leave: bool| {
        let bench = with_safe_stiffness().with(|bench| bench.preferences.leave_safe_range = leave);
        let mut harness = bench.window(SIZE);
        harness.get_by_role_and_label(Role::Slider, "Stiffness").set_value_accesskit(1e5);
        harness.run();
        only_set(&harness.state().actions).1
    };
    assert_eq!(reach(false), json!(500.0));
    assert_eq!(reach(true), json!(1e5));
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Leave the safe range").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::LeaveSafeRange(true)]);
}

#[test]
fn a_value_outside_the_safe_range_is_left_alone() {
    let bench = with_safe_stiffness().with(|bench| {
        bench.scene["materials"]["m"]["springs"]["stiffness"] = json!(9000);
    });
    let harness = bench.window(SIZE);
    assert!(harness.state().actions.is_empty());
    let value = harness.get_by_role_and_label(Role::SpinButton, "Stiffness").value();
    assert!(value.is_some_and(|value| value.starts_with("9000")));
}

#[test]
fn one_component_sets_the_whole_vector_even_if_it_was_a_default() {
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Gravity y").set_value_accesskit(-1.5);
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/gravity_m_s2", json!([0.0, -1.5, 0.0])));
}

#[test]
fn counts_are_whole_numbers() {
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Points x").set_value_accesskit(31.4);
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/bodies/0/shape/points", json!([31, 20])));
}

#[test]
fn optional_fields_are_unset_and_set() {
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Set Drag").click();
    harness.run();
    let removed = [Action::Remove("/materials/m/drag".into()), Action::EndEdit];
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), removed);
    harness.get_by_label("Set Max stretch").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!(pointer, "/materials/m/max_stretch");
    assert!(value.as_f64().is_some_and(|value| (0.0..=100.0).contains(&value)));
}

#[test]
fn substeps_go_from_auto_to_what_is_taken_now() {
    let bench = bench().with(|bench| bench.snapshot = Some(snapshot()));
    let mut harness = bench.window(SIZE);
    harness.get_by_label("Substeps: kind").click();
    harness.run();
    harness.get_by_label("This many").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/time/substeps", json!(4)));
}

#[test]
fn a_solver_is_chosen() {
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Solver: kind").click();
    harness.run();
    assert!(!harness.get_by_label("Super helix").accesskit_node().is_disabled());
    harness.get_by_label("RK4").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/solver", json!({ "kind": "rk4" })));
}

#[test]
fn lists_grow_by_valid_entries() {
    let mut harness = bench().window(SIZE);
    open(&mut harness, "Lights");
    harness.get_by_label("Add to Lights").click();
    harness.run();
    let light = json!({ "kind": "sun", "direction": [0.0, -1.0, 0.0] });
    let insert = Action::Insert { pointer: "/lights/1".into(), value: light };
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), [insert, Action::EndEdit]);
    harness.get_by_label("Remove 1 Sun").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::Remove("/lights/0".into()), Action::EndEdit]);
}

#[test]
fn a_list_that_is_not_written_is_written_with_its_first_entry() {
    let mut harness = bench().window(SIZE);
    open(&mut harness, "Colliders");
    harness.get_by_label("Add to Colliders").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!(pointer, "/colliders");
    assert_eq!(value[0]["kind"], "sphere");
    assert!(value[0]["radius_m"].as_f64().is_some_and(|radius| radius > 0.0));
}

#[test]
fn another_kind_keeps_what_both_have() {
    let mut harness = bench().window(SIZE);
    open(&mut harness, "Lights");
    harness.get_by_label("Lights: kind").click();
    harness.run();
    harness.get_by_label("Point").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!(pointer, "/lights/0");
    assert_eq!(value["kind"], "point");
    assert!(value["position_m"].is_array() && value.get("direction").is_none(), "{value}");
}

#[test]
fn names_are_chosen_from_those_that_are_there() {
    let bench =
        bench().with(|bench| bench.scene["materials"]["other"] = json!({ "preset": "cotton" }));
    let mut harness = bench.window(SIZE);
    open(&mut harness, "Bodies");
    harness.get_by_role_and_label(Role::ComboBox, "Material").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "other").click();
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/bodies/0/material", json!("other")));
}

#[test]
fn the_search_finds_fields_by_name_and_meaning() {
    let mut harness = bench().window(SIZE);
    harness.get_by_label("Search parameters").focus();
    harness.run();
    harness.get_by_label("Search parameters").type_text("coulomb");
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Slider, "Friction").is_some());
    assert!(harness.query_by_label("Materials").is_none());
    assert!(harness.query_by_role_and_label(Role::Slider, "Stiffness").is_none());
}

#[test]
fn text_is_set_when_it_is_whole() {
    let mut harness = bench().window(SIZE);
    open(&mut harness, "Scene file");
    harness.get_by_role_and_label(Role::TextInput, "Name").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Name").type_text(" flag");
    harness.run();
    assert!(harness.state().actions.is_empty());
    harness.key_press(Key::Enter);
    harness.run();
    let (pointer, value) = only_set(&harness.state().actions);
    assert_eq!((pointer.as_str(), value), ("/name", json!("Small flag")));
}

#[test]
fn labels_follow_the_language() {
    let harness = bench().croatian().window(SIZE);
    assert!(harness.query_by_role_and_label(Role::Slider, "Krutost").is_some());
    assert!(harness.query_by_role_and_label(Role::Slider, "Stiffness").is_none());
}
