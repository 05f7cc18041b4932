//! Help, details and settings.

use egui_kittest::kittest::Queryable;
use serde_json::json;

use super::{Bench, Parts, snapshot};
use crate::action::{Action, Window};
use crate::i18n::Language;
use crate::panels::PanelContext;
use crate::panels::details::details_overlay;
use crate::panels::help::help_window;
use crate::panels::settings::settings_window;
use crate::preferences::{CameraProfile, Theme};
use crate::snapshot::Snapshot;
use crate::tools::testing::curtain;

pub(super) fn draw_settings(
    ui: &mut egui::Ui,
    context: &PanelContext,
    _: &mut Parts,
    actions: &mut Vec<Action>,
) {
    let changed = settings_window(ui.ctx(), context, actions);
    assert!(changed.is_none(), "nothing was changed");
}

fn draw_details(ui: &mut egui::Ui, context: &PanelContext, _: &mut Parts, _: &mut Vec<Action>) {
    details_overlay(ui.ctx(), context, egui::pos2(10.0, 10.0));
}

fn draw_help(ui: &mut egui::Ui, context: &PanelContext, _: &mut Parts, actions: &mut Vec<Action>) {
    let keys = [("", "Keys and mouse"), ("Space", "Play"), ("F1", "Scene")];
    help_window(ui.ctx(), context, &keys, actions);
}

#[test]
fn settings_ask_for_what_is_chosen() {
    let mut harness = Bench::new(json!({}), draw_settings).window([800.0, 600.0]);
    for (name, action) in [
        ("Hrvatski", Action::Language(Language::Croatian)),
        ("Light", Action::Theme(Theme::Light)),
        ("Classic", Action::Profile(CameraProfile::Classic)),
        ("Leave the safe range", Action::LeaveSafeRange(true)),
        ("Close", Action::Toggle(Window::Settings)),
    ] {
        harness.get_by_label(name).click();
        harness.run();
        assert_eq!(std::mem::take(&mut harness.state_mut().actions), [action], "{name}");
    }
}

#[test]
fn the_language_changes_the_labels() {
    let mut harness = Bench::new(json!({}), draw_settings).window([800.0, 600.0]);
    assert!(harness.query_by_label("Settings").is_some());
    harness.state_mut().preferences.language = Language::Croatian;
    harness.run();
    assert!(harness.query_by_label("Postavke").is_some());
    assert!(harness.query_by_label("Settings").is_none());
}

#[test]
fn details_say_what_is_going_on() {
    let bench = Bench::new(json!({}), draw_details).with(|bench| bench.snapshot = Some(snapshot()));
    let harness = bench.window([800.0, 600.0]);
    for text in ["60", "80 × 60", "2.500 m/s²", "6.00 ms", "400", "4 × 4.167 ms", "verlet"] {
        assert!(harness.query_by_label(text).is_some(), "{text}");
    }
}

#[test]
fn details_count_strands_as_they_are_cut() {
    let rows = |cut: &[u32]| {
        let world = Snapshot { cut: cut.into(), ..curtain(7, 13) };
        let bench = Bench::new(json!({}), draw_details).with(|bench| bench.snapshot = Some(world));
        bench.window([800.0, 600.0])
    };
    let whole = rows(&[]);
    // Strands, nodes (twice: they are all particles), followers.
    assert!(whole.query_by_label("7").is_some() && whole.query_by_label("14").is_some());
    assert_eq!(whole.query_all_by_label("91").count(), 2);
    assert!(whole.query_by_label("Pieces cut off").is_none());
    // The first strand loses its last three nodes, the second its last two, in two pieces.
    let cut = rows(&[9, 23, 24]);
    assert!(cut.query_by_label("86 / 91").is_some());
    assert!(cut.query_by_label("Pieces cut off").is_some() && cut.query_by_label("3").is_some());
    let cloth = Bench::new(json!({}), draw_details).with(|bench| bench.snapshot = Some(snapshot()));
    assert!(cloth.window([800.0, 600.0]).query_by_label("Strands").is_none());
}

#[test]
fn help_lists_every_key_and_closes() {
    let harness = Bench::new(json!({}), draw_help).croatian().window([800.0, 600.0]);
    assert!(harness.query_by_label("Space").is_some());
    assert!(harness.query_by_label("Pokreni").is_some());
}
