//! Solvers side by side: the list of them, and captions.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::Value;
use tkanina_sim::solvers::SolverKind;

use super::super::{PanelContext, caption, compare};
use super::banner::explosion;
use super::snapshot;
use crate::action::Action;
use crate::i18n::Language;
use crate::preferences::Preferences;
use crate::snapshot::{Beside, Published, Snapshot};

fn solver(name: &str) -> SolverKind {
    SolverKind::all().find(|solver| solver.name() == name).unwrap()
}

/// Verlet at frame 120, explicit Euler exploded at frame 20, and RK4 that refuses.
fn published() -> Published {
    let exploded = Snapshot {
        solver: "explicit-euler".to_owned(),
        frame_number: 20,
        explosion: Some(explosion(SolverKind::ExplicitEuler, 1.0)),
        ..snapshot()
    };
    let refusal = "it needs strands".to_owned();
    Published {
        own: Arc::new(snapshot()),
        beside: vec![
            Beside { solver: solver("explicit-euler"), outcome: Ok(Arc::new(exploded)) },
            Beside { solver: solver("rk4"), outcome: Err(refusal) },
        ],
    }
}

/// A window with the captions of three pictures in a row.
fn captions(language: Language) -> Harness<'static, Vec<Action>> {
    let preferences = Preferences { language, ..Preferences::default() };
    let published = published();
    let draw = move |ui: &mut egui::Ui, actions: &mut Vec<Action>| {
        let context = PanelContext {
            published: Some(&published),
            ..PanelContext::new(&Value::Null, &preferences)
        };
        for picture in 0..3 {
            let corner = egui::pos2(320.0 * picture as f32, 0.0);
            let cell = egui::Rect::from_min_size(corner, egui::vec2(318.0, 400.0));
            caption::caption(ui, &context, (&published, picture), cell, actions);
        }
    };
    let builder = Harness::builder().with_size([960.0, 400.0]);
    let builder = builder.with_context_setup(super::super::apply_style);
    let mut harness = builder.build_ui_state(draw, Vec::new());
    harness.run();
    harness
}

#[test]
fn captions_say_cost_explosion_and_refusal() {
    let mut harness = captions(Language::English);
    // Stretch of frame 120 by the formula of the test's snapshot: 10 % + 5 % sin 2.
    harness.get_by_label("6.00 ms · steps: 4 · stretch: 14.5 %");
    harness.get_by_label("exploded at t = 0.350 s");
    harness.get_by_label("This solver refuses the scene");
    harness.get_by_label("it needs strands");
    harness.get_by_label("Explicit Euler").click();
    harness.run();
    harness.get_by_label("Compare no longer with RK4").click();
    harness.run();
    let off = Action::Compare { solver: solver("rk4"), on: false };
    assert_eq!(harness.state(), &[Action::MainPicture(1), off]);
}

#[test]
fn captions_speak_croatian_and_stay_in_their_pictures() {
    let harness = captions(Language::Croatian);
    let said = harness.get_by_label("6.00 ms · koraka: 4 · rastezanje: 14.5 %").rect();
    assert!(said.max.x < 318.0 && said.max.y < 400.0 && said.min.y > 300.0, "{said:?}");
    let exploded = harness.get_by_label("eksplodirao u t = 0.350 s").rect();
    assert!(exploded.min.x > 320.0 && exploded.max.x < 638.0, "{exploded:?}");
}

#[test]
fn a_fourth_companion_cannot_be_chosen() {
    let preferences = Preferences::default();
    let chosen = ["rk4", "xpbd", "bdf2"].map(solver);
    let draw = move |ui: &mut egui::Ui, actions: &mut Vec<Action>| {
        let context = PanelContext {
            compared_with: &chosen,
            ..PanelContext::new(&Value::Null, &preferences)
        };
        compare::list(ui, &context, actions);
    };
    let builder = Harness::builder().with_size([300.0, 600.0]);
    let mut harness = builder.build_ui_state(draw, Vec::new());
    harness.run();
    assert!(harness.get_by_label("Implicit Euler").accesskit_node().is_disabled());
    harness.get_by_label("RK4").click();
    harness.run();
    harness.get_by_label_contains("Stop comparing").click();
    harness.run();
    let off = Action::Compare { solver: solver("rk4"), on: false };
    assert_eq!(harness.state(), &[off, Action::StopComparing]);
}
