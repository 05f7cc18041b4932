//! An explosion explained: which particle, which limit, which remedy.

use egui::Ui;
use serde_json::{Value, json};
use tkanina_sim::explosion::{Explosion, Sign};
use tkanina_sim::solvers::SolverKind;

use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::fill;
use crate::snapshot::Snapshot;

/// Substeps that a scene may have at most.
const MOST_SUBSTEPS: f64 = 10_000.0;

/// A way out: what its button says, and the fields it sets.
struct Remedy {
    name: String,
    edits: Vec<(String, Value)>,
}

/// Draws the sentence and the remedies as buttons.
pub(super) fn explain(
    ui: &mut Ui,
    context: &PanelContext,
    snapshot: &Snapshot,
    explosion: &Explosion,
    actions: &mut Actions,
) {
    ui.label(seen(context, explosion));
    ui.label(cause(context, explosion));
    ui.horizontal_wrapped(|ui| {
        ui.label(context.tr("Remedies:"));
        for remedy in remedies(context, snapshot, explosion) {
            let tip = context.tr("Changes the scene and starts again; Undo takes it back");
            if ui.button(&remedy.name).on_hover_text(tip).clicked() {
                let set = |(pointer, value)| Action::Set { pointer, value };
                actions.extend(remedy.edits.into_iter().map(set));
                actions.extend([Action::EndEdit, Action::Reset, Action::Play(true)]);
            }
        }
    });
}

/// Which particle, when and how.
fn seen(context: &PanelContext, explosion: &Explosion) -> String {
    let time = format!("{:.4}", explosion.time);
    let (text, value) = match explosion.sign {
        Sign::Speed(speed) => {
            (context.tr("At t = {time} s {particle} reached {value} m/s."), format!("{speed:.3e}"))
        }
        Sign::Distance(far) => {
            (context.tr("At t = {time} s {particle} is {value} m away."), format!("{far:.3e}"))
        }
        Sign::NotFinite => (
            context.tr("At t = {time} s {particle} has a value that is not finite."),
            String::new(),
        ),
    };
    fill(text, &[("time", &time), ("particle", &explosion.particle_name), ("value", &value)])
}

/// Which limit was passed.
fn cause(context: &PanelContext, explosion: &Explosion) -> String {
    let advice = &explosion.advice;
    let text = if !advice.has_stable_step() {
        context.tr("{solver} gains energy at any step when springs have no damping (stiffest mode {omega} rad/s).")
    } else if explosion.h > advice.limit {
        context.tr("The step of {step} ms is above the {limit} ms that are stable for these springs under {solver}.")
    } else {
        context.tr("The step of {step} ms is below the {limit} ms that the springs allow at their present shape: large deformation, contact or wind made it stiffer.")
    };
    let step = format!("{:.3}", 1e3 * explosion.h);
    let limit = format!("{:.3}", 1e3 * advice.limit);
    let omega = format!("{:.0}", advice.spectrum.omega);
    let solver = explosion.solver.name();
    fill(text, &[("step", &step), ("limit", &limit), ("omega", &omega), ("solver", solver)])
}

fn remedies(context: &PanelContext, snapshot: &Snapshot, explosion: &Explosion) -> Vec<Remedy> {
    let Explosion { advice, h, .. } = explosion;
    let mut remedies = Vec::new();
    let too_long = *h > advice.limit;
    let wanted = advice.substeps_for(snapshot.frame_s);
    let substeps = if too_long { wanted } else { wanted.max(2.0 * f64::from(snapshot.substeps)) };
    if advice.has_stable_step() && substeps <= MOST_SUBSTEPS {
        let count = substeps as u64;
        let name = fill(context.tr("{count} substeps"), &[("count", &count.to_string())]);
        remedies.push(Remedy { name, edits: vec![("/time/substeps".to_owned(), json!(count))] });
    }
    if !matches!(explosion.solver, SolverKind::Verlet { .. } | SolverKind::SemiImplicitEuler) {
        // Another method has another stable step.
        let change = |kind: &str| {
            let solver = ("/solver".to_owned(), json!({ "kind": kind }));
            vec![solver, ("/time/substeps".to_owned(), json!("auto"))]
        };
        let name = context.tr("Solver: Verlet").to_owned();
        remedies.push(Remedy { name, edits: change("verlet") });
        let name = context.tr("Solver: semi-implicit Euler").to_owned();
        remedies.push(Remedy { name, edits: change("semi-implicit-euler") });
    }
    if advice.has_stable_step() {
        let ratio = h / advice.limit;
        let softer = if too_long { 1.2 * ratio * ratio } else { 2.0 };
        let edits = softened(context.scene, softer);
        if !edits.is_empty() {
            let name = fill(
                context.tr("Springs {times} times softer"),
                &[("times", &format!("{softer:.1}"))],
            );
            remedies.push(Remedy { name, edits });
        }
    }
    remedies
}

/// Every stiffness of every material divided by `softer`.
fn softened(scene: &Value, softer: f64) -> Vec<(String, Value)> {
    let mut edits = Vec::new();
    let materials = scene["materials"].as_object();
    for (name, material) in materials.into_iter().flatten() {
        let pointer = format!("/materials/{}", super::super::inspector::escape(name));
        soften(material, &pointer, softer, &mut edits);
    }
    edits
}

fn soften(value: &Value, pointer: &str, softer: f64, edits: &mut Vec<(String, Value)>) {
    const STIFF: [&str; 5] = ["stiffness", "warp_N_m", "weft_N_m", "shear_N_m", "bending_N_m"];
    for (key, field) in value.as_object().into_iter().flatten() {
        let pointer = format!("{pointer}/{key}");
        match field.as_f64() {
            Some(stiffness) if STIFF.contains(&key.as_str()) && stiffness > 0.0 => {
                edits.push((pointer, json!(super::super::inspector::rounded(stiffness / softer))));
            }
            _ => soften(field, &pointer, softer, edits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stiffness_is_softened_and_nothing_else() {
        let scene = json!({ "materials": { "a/b": {
            "mass": { "per_point_kg": 1 },
            "springs": { "stencil": "neighbours-20", "stiffness": 40, "damping": 2 },
            "membrane": { "warp_N_m": 10, "weft_N_m": 0, "shear_N_m": 3 },
        } } });
        let edits = softened(&scene, 4.0);
        let expected = [
            ("/materials/a~1b/membrane/shear_N_m".to_owned(), json!(0.75)),
            ("/materials/a~1b/membrane/warp_N_m".to_owned(), json!(2.5)),
            ("/materials/a~1b/springs/stiffness".to_owned(), json!(10.0)),
        ];
        let mut sorted = edits.clone();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(sorted, expected);
    }
}
