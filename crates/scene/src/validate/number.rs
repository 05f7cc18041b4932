//! Numbers: finite, whole where asked, within range.

use serde_json::Value as Json;

use super::describe::{self, number_text};
use crate::node::Value;

/// What is wrong with a number, and a remedy.
pub fn check(
    value: &Value,
    kind: &str,
    schema: &Json,
    unit: &str,
) -> Option<(String, Option<String>)> {
    let number = match value {
        Value::Int(int) => *int as f64,
        Value::Float(float) => *float,
        _ => return None,
    };
    let range = describe::range(schema, unit);
    if !number.is_finite() {
        let such = if kind == "integer" { "7" } else { "0.5 or 1.5e-3" };
        let help = format!("write a number, such as {such}; `.nan` and `.inf` are none");
        return Some((format!("must be a finite number, {range}"), Some(help)));
    }
    if kind == "integer" && !matches!(value, Value::Int(_)) {
        let message = format!("must be a whole number, {range}, but is {}", number_text(number));
        return Some((message, None));
    }
    let bounds = describe::Bounds::of(schema);
    if bounds.hold(number) {
        return None;
    }
    let help = bounds.nearest(number).map(|near| format!("the nearest allowed value is {near}"));
    Some((format!("must be {range}, but is {}", number_text(number)), help))
}
