//! Every number that a user may edit says which formula it enters and where it is safe.

use serde_json::Value;
use tkanina_scene::builtin::builtin;
use tkanina_scene::schema::{Scene, json_schema};

/// Scenes that leave the safe range on purpose.
const BREAKS_ON_PURPOSE: &[&str] = &["explosion"];

/// Numbers that name or count something, and demands on the outcome.
const NOT_PARAMETERS: &[&str] =
    &["format", "points", "vertices", "row", "column", "seed", "expect"];

/// What holds of one number of the schema.
struct Leaf<'s> {
    path: String,
    schema: &'s Value,
    bounds: Value,
}

fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(name) => resolve(root, root.pointer(&name[1..]).unwrap()),
        None => schema,
    }
}

fn is_number(schema: &Value) -> bool {
    let number = |kind: &Value| matches!(kind.as_str(), Some("number" | "integer"));
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(number),
        kind => number(kind),
    }
}

fn children(schema: &Value) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten()
}

/// Walks all numbers. `field` is the property that holds them, where formula and safe
/// range stand.
fn walk<'s>(
    root: &'s Value,
    schema: &'s Value,
    path: &str,
    field: &'s Value,
    out: &mut Vec<Leaf<'s>>,
) {
    let inner = resolve(root, schema);
    if is_number(inner) {
        out.push(Leaf { path: path.to_owned(), schema: field, bounds: inner.clone() });
    }
    for (name, property) in inner.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        if !NOT_PARAMETERS.contains(&name.as_str()) && property.get("const").is_none() {
            walk(root, property, &format!("{path}.{name}"), property, out);
        }
    }
    for branch in children(inner) {
        // A choice between numbers and words has them in the branch.
        let field = if branch.get("x-formula").is_some() { branch } else { field };
        walk(root, branch, path, field, out);
    }
    if let Some(items) = inner.get("items") {
        walk(root, items, &format!("{path}[]"), field, out);
    }
    if let Some(others @ Value::Object(_)) = inner.get("additionalProperties") {
        walk(root, others, &format!("{path}.*"), others, out);
    }
}

fn leaves(root: &Value) -> Vec<Leaf<'_>> {
    let mut out = Vec::new();
    walk(root, root, "", root, &mut out);
    out
}

fn safe(schema: &Value) -> Option<[f64; 2]> {
    let range = schema.get("x-safe")?.as_array()?;
    Some([range.first()?.as_f64()?, range.get(1)?.as_f64()?])
}

#[test]
fn every_number_has_a_formula_and_a_safe_range_within_the_valid_one() {
    let root = json_schema();
    let leaves = leaves(&root);
    assert!(leaves.len() > 140, "{}", leaves.len());
    let mut wrong = Vec::new();
    for Leaf { path, schema, bounds } in leaves {
        let formula = schema.get("x-formula").and_then(Value::as_str).unwrap_or("");
        if formula.len() < 4 {
            wrong.push(format!("{path} has no formula"));
        }
        let Some([low, high]) = safe(schema) else {
            wrong.push(format!("{path} has no safe range"));
            continue;
        };
        let bound = |key: &str, none: f64| bounds.get(key).and_then(Value::as_f64).unwrap_or(none);
        let above = bound("exclusiveMinimum", f64::NEG_INFINITY);
        let (min, max) = (bound("minimum", f64::NEG_INFINITY), bound("maximum", f64::INFINITY));
        if !(low < high && low >= min && low > above && high <= max) {
            wrong.push(format!("{path}: safe {low} to {high} of {min} (above {above}) to {max}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers of a scene with the safe ranges of their fields.
fn outside<'s>(
    root: &'s Value,
    schema: &'s Value,
    value: &Value,
    range: Option<[f64; 2]>,
    path: &str,
    out: &mut Vec<String>,
) {
    let range = safe(schema).or(range);
    let inner = resolve(root, schema);
    match value {
        Value::Number(number) => {
            let range = children(inner).find_map(safe).or(range);
            let (number, Some([low, high])) = (number.as_f64().unwrap(), range) else { return };
            if !(low..=high).contains(&number) {
                out.push(format!("{path} is {number}, safe is {low} to {high}"));
            }
        }
        Value::Array(items) => {
            let inner = children(inner)
                .map(|b| resolve(root, b))
                .find(|b| b.get("items").is_some())
                .unwrap_or(inner);
            let item = inner.get("items").unwrap_or(&Value::Null);
            items.iter().enumerate().for_each(|(i, value)| {
                outside(root, item, value, range, &format!("{path}[{i}]"), out)
            });
        }
        Value::Object(fields) => {
            for (name, value) in
                fields.iter().filter(|(name, _)| !NOT_PARAMETERS.contains(&name.as_str()))
            {
                if let Some(schema) = property(root, inner, name, fields) {
                    outside(root, schema, value, None, &format!("{path}.{name}"), out);
                }
            }
        }
        _ => {}
    }
}

fn property<'s>(
    root: &'s Value,
    schema: &'s Value,
    name: &str,
    object: &serde_json::Map<String, Value>,
) -> Option<&'s Value> {
    let schema = resolve(root, schema);
    let fits = |branch: &&Value| {
        let fields = resolve(root, branch).get("properties").and_then(Value::as_object);
        fields
            .into_iter()
            .flatten()
            .all(|(name, field)| field.get("const").is_none_or(|c| object.get(name) == Some(c)))
    };
    schema
        .get("properties")
        .and_then(|fields| fields.get(name))
        .or_else(|| {
            children(schema).filter(fits).find_map(|branch| property(root, branch, name, object))
        })
        .or_else(|| schema.get("additionalProperties").filter(|other| other.is_object()))
}

#[test]
fn builtin_scenes_stay_in_the_safe_range() {
    let root = json_schema();
    let mut wrong = Vec::new();
    for (name, text) in builtin().iter().filter(|(name, _)| !BREAKS_ON_PURPOSE.contains(name)) {
        let value = Scene::load_text(name, text, None, &[]).unwrap().value();
        outside(&root, &root, &value, None, name, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The walk sees what is wrong.
    let value = serde_json::json!({ "time": { "substeps": 9999 }, "materials": { "m": { "mass": { "per_point_kg": 100 },
        "springs": { "stencil": "neighbours-20", "stiffness": 1e8 } } }, "look": { "bodies": { "b": { "row_colors": [[0, 0, 0], [0, 2, 0]] } } } });
    outside(&root, &root, &value, None, "", &mut wrong);
    assert_eq!(wrong.len(), 4, "{wrong:?}");
}
