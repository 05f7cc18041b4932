//! What stands on one line and what goes field by field.

use serde_json::{Map, Value};

use super::scalar;

/// Longest line, where a single text does not force a longer one. [characters]
const WIDTH: usize = 100;
/// A list of groups stands on one line only if it is as short as this. [characters]
const SHORT_LIST: usize = 60;
const INDENT: usize = 2;

/// The whole text of a scene.
pub fn document(scene: &Value) -> String {
    let mut out = String::new();
    match scene {
        Value::Object(fields) if !fields.is_empty() => map(&mut out, fields, 0),
        other => {
            out.push_str(&flow(other));
            out.push('\n');
        }
    }
    out
}

/// Fields, each on its own line from column `indent` on. The first line is begun.
fn map(out: &mut String, fields: &Map<String, Value>, indent: usize) {
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            margin(out, indent);
        }
        let key = scalar::text(name);
        out.push_str(&key);
        out.push(':');
        let at = indent + key.chars().count() + 2;
        field(out, value, Place { indent, column: at, top: indent == 0 });
    }
}

/// Where a value is to be written.
#[derive(Clone, Copy)]
struct Place {
    /// Indentation of what holds it.
    indent: usize,
    /// Column that it starts in, if it stays on the line.
    column: usize,
    /// Whether it is a field of the scene itself.
    top: bool,
}

/// The value of a field, after its colon.
fn field(out: &mut String, value: &Value, place: Place) {
    let line = flow(value);
    let fits = place.column + line.chars().count() <= WIDTH;
    let one_line = fits && may_flow(value, place.top);
    let inner = place.indent + INDENT;
    match value {
        Value::Object(fields) if !one_line && !fields.is_empty() => {
            out.push('\n');
            margin(out, inner);
            map(out, fields, inner);
        }
        Value::Array(items) if !one_line && has_groups(items) => {
            out.push('\n');
            list(out, items, inner);
        }
        Value::Array(items) if !fits && !items.is_empty() => {
            out.push(' ');
            packed(out, items, inner);
        }
        Value::String(text) if !fits || text.contains('\n') => {
            let block = scalar::block(text, inner, WIDTH);
            out.push_str(&format!(" {}\n", block.unwrap_or(line)));
        }
        _ => out.push_str(&format!(" {line}\n")),
    }
}

/// Entries, each behind a dash in column `indent`.
fn list(out: &mut String, items: &[Value], indent: usize) {
    for item in items {
        margin(out, indent);
        out.push_str("- ");
        let line = flow(item);
        let one_line = indent + 2 + line.chars().count() <= WIDTH && may_flow(item, false);
        match item {
            Value::Object(fields) if !one_line && !fields.is_empty() => {
                map(out, fields, indent + 2);
            }
            _ => {
                out.push_str(&line);
                out.push('\n');
            }
        }
    }
}

/// A long list of numbers, texts or lists of them, as many to a line as fit.
fn packed(out: &mut String, items: &[Value], indent: usize) {
    out.push('[');
    let mut column = WIDTH;
    for item in items {
        let item = flow(item);
        let length = item.chars().count() + 2;
        if column + length > WIDTH {
            out.push('\n');
            margin(out, indent);
            column = indent;
        } else {
            out.push(' ');
        }
        out.push_str(&item);
        out.push(',');
        column += length;
    }
    out.push('\n');
    margin(out, indent - INDENT);
    out.push_str("]\n");
}

/// Whether a value that fits on a line also reads well there.
fn may_flow(value: &Value, top: bool) -> bool {
    match value {
        Value::Object(fields) => {
            let groups = fields.values().filter(|value| value.is_object()).count();
            let texts = fields.values().filter_map(Value::as_str);
            groups <= 1
                && texts.clone().all(|text| !text.contains('\n'))
                && !(top && fields.values().all(Value::is_object))
                && fields.values().all(|value| may_flow(value, false))
        }
        Value::Array(items) if has_groups(items) => {
            !top && flow(value).chars().count() <= SHORT_LIST
                && items.iter().all(|item| may_flow(item, false))
        }
        _ => true,
    }
}

fn has_groups(items: &[Value]) -> bool {
    items.iter().any(|item| match item {
        Value::Object(_) => true,
        Value::Array(inner) => has_groups(inner),
        _ => false,
    })
}

/// A value on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(bool) => bool.to_string(),
        Value::Number(number) => scalar::number(number),
        Value::String(text) => scalar::text(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", scalar::text(name), flow(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}

fn margin(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}
