//! One number: a slider and a value to drag or type.

use egui::{DragValue, Slider, SliderClamping, Ui};
use serde_json::{Value, json};

use super::editor::Editor;
use super::rounded;
use super::schema::Node;
use super::spot::Spot;
use super::tooltip::{short, tooltip};

/// Room for the value beside the slider. [points]
const VALUE_WIDTH: f32 = 104.0;

/// Draws a slider and a value.
pub(super) fn number<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    (label, integer): (&str, bool),
) {
    let before = spot.value.as_f64().unwrap_or(0.0);
    let mut value = before;
    let [low, high] = limits(node, editor.context.preferences.leave_safe_range);
    let tip = tooltip(editor.context, node);
    let written = |value: f64| (value != before).then(|| as_json(value, integer));

    ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH - 8.0).max(40.0);
    let mut slider =
        Slider::new(&mut value, low..=high).show_value(false).clamping(SliderClamping::Edits);
    if let Some(smallest) = logarithmic(low, high) {
        slider = slider.logarithmic(true).smallest_positive(smallest);
    }
    if integer {
        slider = slider.integer();
    }
    let response = ui.add(slider).accessible_name(label).on_hover_text(&tip);
    let moved = if response.changed() { written(value) } else { None };
    editor.set_moving(spot, moved, &response);

    let mut value = before;
    let outside = !(low..=high).contains(&before);
    ui.scope(|ui| {
        if outside {
            let warning = crate::panels::style::warning(ui.visuals().dark_mode);
            ui.visuals_mut().override_text_color = Some(warning);
        }
        let drag = drag(&mut value, [low, high], integer).suffix(suffix(node));
        let drag = drag.min_size(egui::Vec2::new(VALUE_WIDTH, 0.0));
        let response = ui.add(drag).accessible_name(label).on_hover_text(&tip);
        let moved = if response.changed() { written(value) } else { None };
        editor.set_moving(spot, moved, &response);
    });
}

/// A value to drag or type.
pub(super) fn drag<'v>(value: &'v mut f64, [low, high]: [f64; 2], integer: bool) -> DragValue<'v> {
    let speed = if integer { 0.1 } else { (0.01 * value.abs()).max(2e-4 * (high - low).min(10.0)) };
    let drag = DragValue::new(value)
        .range(low..=high)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .speed(speed);
    if integer {
        drag.fixed_decimals(0)
    } else {
        drag.custom_formatter(|value, _| short(rounded(value)))
    }
}

/// The unit as it stands after a value.
pub(super) fn suffix(node: &Node) -> String {
    match node.unit() {
        "" | "0..1" => String::new(),
        unit => format!(" {unit}"),
    }
}

/// Least and greatest value to reach.
pub(super) fn limits(node: &Node, leave_safe_range: bool) -> [f64; 2] {
    let valid = node.valid();
    match node.safe() {
        Some(safe) if !leave_safe_range => safe,
        _ => valid,
    }
}

/// For ranges that span more than two decades: the smallest size that the slider tells from zero.
fn logarithmic(low: f64, high: f64) -> Option<f64> {
    if low > 0.0 {
        return (high / low > 100.0).then_some(low);
    }
    let reach = high.max(-low);
    (reach >= 1e3).then_some(if reach >= 1e6 { 1e-3 } else { 1e-2 })
}

/// A number as it is written in a scene.
pub(super) fn as_json(value: f64, integer: bool) -> Value {
    if integer { json!(value.round() as i64) } else { json!(rounded(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_ranges_are_logarithmic() {
        assert_eq!(logarithmic(0.1, 4.0), None);
        assert_eq!(logarithmic(0.0, 1.0), None);
        assert_eq!(logarithmic(0.01, 100.0), Some(0.01));
        assert_eq!(logarithmic(0.0, 1e9), Some(1e-3));
        assert_eq!(logarithmic(-1e4, 1e4), Some(1e-2));
    }

    #[test]
    fn the_safe_range_holds_until_it_is_left() {
        let root = json!({});
        let schema = json!({ "type": "number", "minimum": 0, "maximum": 1e9, "x-safe": [1, 500] });
        let node = Node::new(&root, "stiffness", &schema);
        assert_eq!(limits(&node, false), [1.0, 500.0]);
        assert_eq!(limits(&node, true), [0.0, 1e9]);
    }
}
