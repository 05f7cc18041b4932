//! A colour.

use egui::Ui;
use serde_json::{Value, json};

use super::editor::Editor;
use super::schema::Node;
use super::spot::Spot;
use super::tooltip::tooltip;
use super::vector;

/// Draws a colour button; numbers too where a light may be brighter than white.
pub(super) fn color<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    label: &str,
) {
    let part = |i: usize| spot.value.get(i).and_then(Value::as_f64).unwrap_or(0.0);
    let byte = |i: usize| (255.0 * part(i)).round().clamp(0.0, 255.0) as u8;
    let before = [byte(0), byte(1), byte(2)];
    let mut rgb = before;
    let response = ui.color_edit_button_srgb(&mut rgb).accessible_name(label);
    let response = response.on_hover_text(tooltip(editor.context, node));
    let moved = (response.changed() && rgb != before)
        .then(|| json!(rgb.map(|byte| (1e3 * f64::from(byte) / 255.0).round() / 1e3)));
    editor.set_moving(spot, moved, &response);
    if node.valid()[1] > 1.0 {
        vector::vector(editor, ui, node, spot, (label, 3, false));
    }
}
