//! Display, plots, scenes and the menu round them.

use egui_kittest::kittest::Queryable;
use serde_json::json;
use tkanina_scene::schema::{HeatMap, HeatQuantity, Show};

use super::{Bench, draw_menu, on_tab, snapshot};
use crate::action::Action;
use crate::panels::Tab;

fn page(tab: Tab) -> Bench {
    Bench::of_builtin("flag-windy", draw_menu)
        .with(on_tab(tab))
        .with(|bench| bench.snapshot = Some(snapshot()))
}

const SIZE: [f32; 2] = [520.0, 900.0];

#[test]
fn a_toggle_shows_one_thing_more() {
    let mut harness = page(Tab::Display).window(SIZE);
    harness.get_by_label("Wireframe").click();
    harness.run();
    let show = Show { wireframe: true, ..Show::default() };
    assert_eq!(harness.state().actions, [Action::Show(show)]);
}

#[test]
fn what_the_scene_shows_already_stays() {
    let bench =
        page(Tab::Display).with(|bench| bench.scene["look"] = json!({ "show": { "pins": true } }));
    let mut harness = bench.window(SIZE);
    harness.get_by_label("Shadows").click();
    harness.run();
    let show = Show { pins: true, shadows: false, ..Show::default() };
    assert_eq!(harness.state().actions, [Action::Show(show)]);
}

#[test]
fn a_heat_map_is_chosen() {
    let mut harness = page(Tab::Display).window(SIZE);
    harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Quantity").click();
    harness.run();
    harness.get_by_label("Stretch").click();
    harness.run();
    let heat_map =
        Some(HeatMap { of: HeatQuantity::Stretch, colors: Default::default(), range: None });
    assert_eq!(harness.state().actions, [Action::Show(Show { heat_map, ..Show::default() })]);
}

#[test]
fn strands_are_drawn_in_another_way() {
    let bodies = json!([{ "kind": "cloth", "name": "a" }, { "kind": "strands", "name": "fur" }]);
    let bench = page(Tab::Display).with(|bench| bench.scene["bodies"] = bodies);
    let mut harness = bench.window(SIZE);
    harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Drawn as").click();
    harness.run();
    harness.get_by_label("Shells with fins").click();
    harness.run();
    let pointer = "/look/bodies/fur/strands/display".to_owned();
    let value = json!("shells");
    assert_eq!(harness.state().actions, [Action::Set { pointer, value }, Action::EndEdit]);
    // A scene without strands does not ask.
    let harness = page(Tab::Display).window(SIZE);
    assert!(harness.query_by_label("Drawn as").is_none());
}

#[test]
fn scenes_are_filtered_and_opened() {
    let mut harness = page(Tab::Scenes).window(SIZE);
    harness.get_by_label("Filter scenes").focus();
    harness.run();
    harness.get_by_label("Filter scenes").type_text("tablecloth four");
    harness.run();
    let flag =
        harness.query_by_role_and_label(egui::accesskit::Role::Button, "Flag in steady wind");
    assert!(flag.is_none());
    harness.get_by_label("Tablecloth").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::OpenBuiltin("cloth-over-table".into())]);
}

#[test]
fn a_recent_file_is_opened_again() {
    let bench = page(Tab::Scenes)
        .with(|bench| bench.preferences.recent = vec!["some/flag.scene.yaml".into()]);
    let mut harness = bench.window(SIZE);
    harness.get_by_label("Recent files").click();
    harness.run();
    harness.get_by_label("flag.scene.yaml").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::OpenFile("some/flag.scene.yaml".into())]);
}

#[test]
fn plots_are_chosen() {
    let mut harness = page(Tab::Plots).window(SIZE);
    assert!(harness.query_by_label("Energies [J]").is_some());
    harness.get_by_label("Energies").click();
    harness.run();
    assert!(harness.query_by_label("Energies [J]").is_none());
    assert!(harness.query_by_label("Stretch [%]").is_some());
}

#[test]
fn undo_is_asked_for_when_there_is_something_to_undo() {
    let mut harness = page(Tab::Display).with(|bench| bench.can_undo = true).window(SIZE);
    harness.get_by_label("Undo").click();
    harness.run();
    harness.get_by_label("Redo").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::Undo]);
}

#[test]
fn tabs_lead_to_pages() {
    let mut harness = page(Tab::Scene).window(SIZE);
    harness.get_by_label("Scenes").click();
    harness.run();
    assert!(harness.query_by_label("Filter scenes").is_some());
}
