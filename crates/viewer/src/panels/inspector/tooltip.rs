//! What is said of a field when the pointer rests on it.

use super::label::readable;
use super::number::suffix;
use super::schema::{Kind, Node};
use crate::panels::PanelContext;

/// Description, formula, ranges, default.
pub(super) fn tooltip(context: &PanelContext, node: &Node) -> String {
    let english = node.description();
    let mut lines = vec![context.tr(&english).to_owned()];
    if let Some(formula) = node.formula() {
        lines.push(format!("{} {formula}", context.tr("Formula:")));
    }
    let unit = suffix(node);
    if matches!(node.kind(), Kind::Number { .. } | Kind::Vector { .. }) {
        let range = |[low, high]: [f64; 2]| format!("{} … {}{unit}", short(low), short(high));
        lines.push(format!("{} {}", context.tr("Range:"), range(node.valid())));
        if let Some(safe) = node.safe() {
            lines.push(format!("{} {}", context.tr("Safe range:"), range(safe)));
        }
    }
    let default = node.default();
    if default.is_number()
        || default.is_string()
        || default.is_boolean()
        || node.unit() != "" && default.is_array()
    {
        lines.push(format!("{} {default}{unit}", context.tr("Default:")));
    }
    readable(&lines.join("\n"))
}

/// A number in few letters.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}
