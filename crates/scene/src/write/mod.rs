//! A scene as text that people like to read.
//!
//! Fields stand in the order of the schema, short groups on one line, long ones
//! field by field; what says no more than the default says is left out.

mod layout;
mod order;
mod scalar;

use serde_json::Value;

use crate::schema::json_schema;

/// A scene as YAML. Reading it gives the same scene: numbers keep their bits and
/// texts their characters; only fields that equal their default are missing.
/// What the schema does not know is written after what it knows, so that a
/// mistake is reported when the text is read and not lost here.
pub fn to_yaml(scene: &Value) -> String {
    let root = json_schema();
    let tidy = order::tidy(&root, &root, scene);
    layout::document(&tidy)
}

#[cfg(test)]
mod tests;
