//! A few numbers in a row.

use egui::Ui;
use serde_json::Value;

use super::editor::Editor;
use super::number::{as_json, drag, limits, suffix};
use super::schema::Node;
use super::spot::Spot;
use super::tooltip::tooltip;

/// Draws values to drag. Any change sets the whole vector, so that an absent one is whole too.
pub(super) fn vector<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    (label, length, integer): (&str, usize, bool),
) {
    let limits = limits(node, editor.context.preferences.leave_safe_range);
    let tip = tooltip(editor.context, node);
    let width = (ui.available_width() - 4.0 * (length as f32 - 1.0)) / length as f32;
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding.x = 2.0;
    for i in 0..length {
        let before = spot.value.get(i).and_then(Value::as_f64).unwrap_or(0.0);
        let mut value = before;
        let mut drag = drag(&mut value, limits, integer).min_size(egui::Vec2::new(width, 0.0));
        drag = if length <= 2 {
            drag.suffix(suffix(node))
        } else {
            drag.prefix(format!("{} ", AXES[i % 3]))
        };
        let name = format!("{label} {}", AXES[i % 3]);
        let response = ui.add(drag).accessible_name(name).on_hover_text(&tip);
        let moved = (response.changed() && value != before).then(|| {
            let component =
                |j: usize| spot.value.get(j).cloned().unwrap_or_else(|| as_json(0.0, integer));
            let mut all: Vec<Value> = (0..length).map(component).collect();
            all[i] = as_json(value, integer);
            Value::Array(all)
        });
        editor.set_moving(spot, moved, &response);
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
