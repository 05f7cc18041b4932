//! The bar below.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use super::{Bench, Parts, snapshot};
use crate::action::Action;
use crate::panels::PanelContext;

fn draw(ui: &mut egui::Ui, context: &PanelContext, parts: &mut Parts, actions: &mut Vec<Action>) {
    parts.transport.show(ui, context, actions);
}

fn bar() -> Bench {
    Bench::new(serde_json::json!({}), draw).with(|bench| bench.snapshot = Some(snapshot()))
}

#[test]
fn buttons_ask_for_what_they_say() {
    let mut harness = bar().window([900.0, 100.0]);
    for (name, action) in [
        ("Play", Action::PlayPause),
        ("Single step", Action::StepOnce),
        ("Reset", Action::Reset),
        ("Default", Action::Default),
        ("Screenshot", Action::ScreenshotDialog),
    ] {
        harness.get_by_label(name).click();
        harness.run();
        assert_eq!(std::mem::take(&mut harness.state_mut().actions), [action], "{name}");
    }
}

#[test]
fn without_a_scene_nothing_plays() {
    let mut harness = bar().with(|bench| bench.snapshot = None).window([900.0, 100.0]);
    harness.get_by_label("Play").click();
    harness.run();
    assert!(harness.state().actions.is_empty());
}

#[test]
fn tab_moves_the_focus_and_space_presses() {
    let mut harness = bar().window([900.0, 100.0]);
    harness.key_press(Key::Tab);
    harness.run();
    assert!(harness.get_by_label("Play").is_focused());
    harness.key_press(Key::Tab);
    harness.run();
    assert!(harness.get_by_label("Single step").is_focused());
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state().actions, [Action::StepOnce]);
}

#[test]
fn the_timeline_seeks_where_it_is_clicked() {
    let mut harness = bar().window([900.0, 100.0]);
    let rect = harness.get_by_label("Timeline").rect();
    harness.drag_at(rect.left_center() + egui::vec2(2.0, 0.0));
    harness.run();
    harness.drop_at(rect.left_center() + egui::vec2(2.0, 0.0));
    harness.run();
    assert_eq!(harness.state().actions.first(), Some(&Action::Seek(60)));
}

#[test]
fn speed_is_asked_for_within_its_range() {
    let mut harness = bar().window([900.0, 100.0]);
    harness.get_by_role_and_label(Role::Slider, "Speed").set_value_accesskit(0.5);
    harness.run();
    assert_eq!(harness.state().actions, [Action::Speed(0.5)]);
    harness.state_mut().actions.clear();
    harness.get_by_role_and_label(Role::Slider, "Speed").set_value_accesskit(50.0);
    harness.run();
    assert_eq!(harness.state().actions, [Action::Speed(4.0)]);
    harness.state_mut().actions.clear();
    harness.get_by_label("Presets").click();
    harness.run();
    harness.get_by_label("× 0.25").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::Speed(0.25)]);
}

#[test]
fn films_are_chosen_by_kind_and_stopped() {
    let mut harness = bar().window([900.0, 200.0]);
    harness.get_by_label("Record").click();
    harness.run();
    harness.get_by_label("GIF…").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::RecordDialog("gif")]);
    let mut harness = bar().with(|bench| bench.recording = true).window([900.0, 100.0]);
    harness.get_by_label("Stop recording").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::StopRecording]);
}
