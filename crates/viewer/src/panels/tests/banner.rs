//! Errors, explosions, a lost device.

use egui_kittest::kittest::Queryable;
use serde_json::json;
use tkanina_sim::explosion::{Explosion, Sign};
use tkanina_sim::solvers::{SolverKind, Spectrum, StepAdvice};

use super::{Bench, Parts, small_scene, snapshot};
use crate::action::Action;
use crate::panels::PanelContext;

pub(super) fn draw(
    ui: &mut egui::Ui,
    context: &PanelContext,
    parts: &mut Parts,
    actions: &mut Vec<Action>,
) {
    if parts.banner.has_content(context) {
        parts.banner.show(ui, context, actions);
    }
}

/// An explosion by a step three times too long.
pub(in crate::panels) fn explosion(solver: SolverKind, limit: f64) -> Explosion {
    let spectrum = Spectrum { omega: 480.0, gamma: 1.0, gamma_max: 1.0 };
    Explosion {
        particle: 7,
        particle_name: "point [7, 0] of flag".to_owned(),
        sign: Sign::Speed(1.2e4),
        time: 0.35,
        h: 1.0 / 240.0,
        solver,
        advice: StepAdvice { limit, damped_limit: 1.0, spectrum },
    }
}

fn exploded(solver: SolverKind, limit: f64) -> Bench {
    let mut snapshot = snapshot();
    snapshot.explosion = Some(explosion(solver, limit));
    Bench::new(small_scene(), draw).with(|bench| bench.snapshot = Some(snapshot))
}

const VERLET: SolverKind = SolverKind::Verlet { loss: 0.0 };

#[test]
fn an_explosion_names_particle_and_limit_and_offers_enough_substeps() {
    let limit = 1.0 / 720.0;
    let mut harness = exploded(VERLET, limit).window([900.0, 300.0]);
    assert!(harness.query_by_label_contains("point [7, 0] of flag").is_some());
    assert!(harness.query_by_label_contains("1.389 ms").is_some());
    // 1/60 s in steps of 0.6/720 s.
    harness.get_by_label("20 substeps").click();
    harness.run();
    let set = Action::Set { pointer: "/time/substeps".into(), value: json!(20) };
    let expected = [set, Action::EndEdit, Action::Reset, Action::Play(true)];
    assert_eq!(harness.state().actions, expected);
    assert!(1.0 / 60.0 / 20.0 <= limit);
}

#[test]
fn softer_springs_divide_every_stiffness() {
    let mut harness = exploded(VERLET, 1.0 / 720.0).window([900.0, 300.0]);
    // 1.2 · 3², so that the step is below the limit and not at it.
    harness.get_by_label("Springs 10.8 times softer").click();
    harness.run();
    let set =
        Action::Set { pointer: "/materials/m/springs/stiffness".into(), value: json!(3.7037) };
    assert_eq!(harness.state().actions.first(), Some(&set));
}

#[test]
fn a_method_without_a_stable_step_is_left_for_another() {
    let mut harness = exploded(SolverKind::ExplicitEuler, 0.0).window([900.0, 300.0]);
    assert!(harness.query_by_label_contains("substeps").is_none());
    harness.get_by_label("Solver: Verlet").click();
    harness.run();
    let set = Action::Set { pointer: "/solver".into(), value: json!({ "kind": "verlet" }) };
    assert_eq!(harness.state().actions.first(), Some(&set));
}

#[test]
fn a_dismissed_explosion_stays_away_until_the_next() {
    let mut harness = exploded(VERLET, 1.0 / 720.0).window([900.0, 300.0]);
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert!(harness.query_by_label("The simulation exploded").is_none());
    harness.state_mut().snapshot.as_mut().unwrap().generation = 2;
    harness.run();
    assert!(harness.query_by_label("The simulation exploded").is_some());
}

#[test]
fn a_scene_error_is_shown_whole_and_can_be_dismissed() {
    let text = "  × `time.substeps` is -4\n   ╭─[flag.scene.yaml:3:9]\n 3 │ substeps: -4\n   ╰────";
    let bench = Bench::new(json!({}), draw).with(|bench| bench.scene_error = Some(text.to_owned()));
    let mut harness = bench.window([900.0, 300.0]);
    assert!(harness.query_by_label_contains("flag.scene.yaml:3:9").is_some());
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::Dismiss]);
}

#[test]
fn a_lost_device_leaves_a_chance_to_save() {
    let bench = Bench::new(json!({}), draw).with(|bench| bench.device_lost = true);
    let mut harness = bench.window([900.0, 300.0]);
    harness.get_by_label("Save scene as…").click();
    harness.run();
    assert_eq!(harness.state().actions, [Action::SaveAsDialog]);
}
