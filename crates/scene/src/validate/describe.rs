//! Parts of a schema in words: types, units, ranges.

use serde_json::Value as Json;

/// The schema that a reference stands for.
pub fn resolve<'s>(root: &'s Json, mut schema: &'s Json) -> &'s Json {
    // The bound only matters if a schema referred to itself in a circle.
    for _ in 0..32 {
        let Some(name) = schema.get("$ref").and_then(Json::as_str) else { break };
        let Some(target) = name.strip_prefix('#').and_then(|pointer| root.pointer(pointer)) else {
            break;
        };
        schema = target;
    }
    schema
}

/// The types a schema allows.
pub fn types(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(one)) => vec![one],
        Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The unit in brackets at the end of a description; `[1]` means none.
pub fn unit(schema: &Json) -> Option<&str> {
    let text = schema.get("description")?.as_str()?.trim_end().strip_suffix(']')?;
    let unit = &text[text.rfind('[')? + 1..];
    Some(if unit == "1" || unit.contains("..") { "" } else { unit })
}

/// What a value must be, in words: "a number from 0 to 1 m".
pub fn expected(root: &Json, schema: &Json, unit: &str) -> String {
    let schema = resolve(root, schema);
    if let Some(branches) = schema.get("oneOf").and_then(Json::as_array) {
        let words: Option<Vec<&str>> =
            branches.iter().map(|branch| branch.get("const")?.as_str()).collect();
        if let Some(words) = words {
            return crate::problem::list_names(words);
        }
    }
    match types(schema).into_iter().find(|kind| *kind != "null") {
        Some("number") => format!("a number {}", range(schema, unit)),
        Some("integer") => format!("a whole number {}", range(schema, unit)),
        Some("string") => "text".to_owned(),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("array") => array(root, schema, unit),
        _ => "a group of fields".to_owned(),
    }
}

fn array(root: &Json, schema: &Json, unit: &str) -> String {
    let count = |key: &str| schema.get(key).and_then(Json::as_u64);
    let item = schema.get("items").map(|item| types(resolve(root, item)));
    let things = match item.as_deref() {
        Some(["number"]) => "numbers",
        Some(["integer"]) => "whole numbers",
        Some(["string"]) => "names",
        _ => "entries",
    };
    let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
    match (count("minItems"), count("maxItems")) {
        (Some(min), Some(max)) if min == max => format!("a list of {min} {things}{unit}"),
        _ => format!("a list of {things}{unit}"),
    }
}

/// A range in words: "from 0 to 1 m".
pub fn range(schema: &Json, unit: &str) -> String {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let bounds = Bounds::of(schema);
    match (bounds.above, bounds.min, bounds.max) {
        (_, Some(min), Some(max)) if min == max => format!("{}{unit}", number_text(min)),
        (Some(above), _, Some(max)) => {
            format!("above {} and up to {}{unit}", number_text(above), number_text(max))
        }
        (_, Some(min), Some(max)) => {
            format!("from {} to {}{unit}", number_text(min), number_text(max))
        }
        (Some(above), _, None) => format!("above {}{unit}", number_text(above)),
        (_, Some(min), None) => format!("{}{unit} or more", number_text(min)),
        (None, None, Some(max)) => format!("{}{unit} or less", number_text(max)),
        (None, None, None) => format!("of any size{unit}"),
    }
}

/// The range of a number.
pub struct Bounds {
    /// Strictly above this.
    pub above: Option<f64>,
    /// At least this.
    pub min: Option<f64>,
    /// At most this.
    pub max: Option<f64>,
}

impl Bounds {
    /// The range that a schema states, or that its integer type implies.
    pub fn of(schema: &Json) -> Self {
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let is_u32 = schema.get("format").and_then(Json::as_str) == Some("uint32");
        let implied = is_u32.then_some(f64::from(u32::MAX));
        Self {
            above: bound("exclusiveMinimum"),
            min: bound("minimum"),
            max: bound("maximum").or(implied),
        }
    }

    /// Whether `number` lies within.
    pub fn hold(&self, number: f64) -> bool {
        self.above.is_none_or(|above| number > above)
            && self.min.is_none_or(|min| number >= min)
            && self.max.is_none_or(|max| number <= max)
    }

    /// The nearest number within, if there is a nearest.
    pub fn nearest(&self, number: f64) -> Option<String> {
        let bound = if self.min.is_some_and(|min| number < min) {
            self.min
        } else {
            self.max.filter(|max| number > *max)
        };
        bound.map(number_text)
    }
}

/// A number as people write it: 1e9 rather than 1000000000.
pub fn number_text(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) && number != f64::from(u32::MAX) {
        format!("{number:e}")
    } else {
        format!("{number}")
    }
}
