//! What strands are drawn as: the methods of document 004 side by side on the same fur.

use egui::Ui;
use serde_json::{Value, json};
use tkanina_scene::schema::StrandDisplay;

use super::super::{Actions, PanelContext};
use super::combo;
use crate::action::Action;
use crate::document::escape;

/// Draws a choice for all strands of the scene, if it has any.
pub(super) fn strands(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let names = names(context.scene);
    let Some(first) = names.first() else { return };
    ui.add_space(8.0);
    ui.heading(context.tr("Strands"));
    let place = |name: &str| format!("/look/bodies/{}/strands/display", escape(name));
    let written = context.scene.pointer(&place(first)).cloned();
    let before: StrandDisplay =
        written.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let all = [
        StrandDisplay::Ribbons,
        StrandDisplay::Billboards,
        StrandDisplay::Cards,
        StrandDisplay::Shells,
    ];
    let name = |display| match display {
        StrandDisplay::Ribbons => context.tr("Ribbons"),
        StrandDisplay::Billboards => context.tr("Billboards"),
        StrandDisplay::Cards => context.tr("Cards"),
        StrandDisplay::Shells => context.tr("Shells with fins"),
    };
    let mut chosen = before;
    combo(ui, context.tr("Drawn as"), &mut chosen, &all, name);
    if chosen != before {
        for name in names {
            actions.push(Action::Set { pointer: place(name), value: json!(chosen) });
        }
        actions.push(Action::EndEdit);
    }
}

/// Names of the scene's bodies of strands.
fn names(scene: &Value) -> Vec<&str> {
    let bodies = scene.get("bodies").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_strands = |body: &&Value| body.get("kind").and_then(Value::as_str) == Some("strands");
    bodies.iter().filter(of_strands).filter_map(|body| body.get("name")?.as_str()).collect()
}
