//! The order of fields, and which of them say no more than the default.

use serde_json::{Map, Value};

use crate::schema::Selection;
use crate::validate::describe::{resolve, types};

/// Fields that people look for first, before the order of the schema counts: who it
/// is, what kind it is, and which points it is about.
const FIRST: &[&str] = &["format", "name", "kind", "body", "stencil"];

/// The same value with its fields in order and without those that equal their
/// default. `schema` describes it; `root` holds the definitions.
pub fn tidy(root: &Value, schema: &Value, value: &Value) -> Value {
    let schema = content(root, schema);
    match value {
        Value::Object(object) => {
            let fields = Fields::of(root, schema, object);
            let mut out = Map::new();
            for name in fields.in_order(object) {
                let field = fields.schema(&name);
                let inner = tidy(root, field, &object[&name]);
                if !says_nothing(root, field, &inner) {
                    out.insert(name, inner);
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => {
            let item = schema.get("items").unwrap_or(&Value::Null);
            Value::Array(items.iter().map(|value| tidy(root, item, value)).collect())
        }
        other => other.clone(),
    }
}

/// Whether leaving the field out means the same.
fn says_nothing(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(default) = schema.get("default") else {
        return value.is_null() && (types(schema).contains(&"null") || nullable(schema));
    };
    // A default is written out in full, a value may be short: compare both short.
    same(&tidy(root, schema, default), value)
}

fn nullable(schema: &Value) -> bool {
    let branches = schema.get("anyOf").and_then(Value::as_array);
    branches.is_some_and(|all| all.iter().any(|branch| types(branch) == ["null"]))
}

/// Equal as a scene reads it: 1 and 1.0 are one number, 0 and −0 are two.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// What a reference or a field that may be absent stands for.
fn content<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let schema = resolve(root, schema);
    let branches = schema.get("anyOf").and_then(Value::as_array);
    let real = branches.into_iter().flatten().find(|branch| types(branch) != ["null"]);
    match real {
        Some(real) => resolve(root, real),
        None => schema,
    }
}

/// The fields that an object may have, in the order of writing.
struct Fields<'s> {
    fields: Vec<(&'s str, &'s Value)>,
    /// Schema of fields with free names.
    others: &'s Value,
}

impl<'s> Fields<'s> {
    /// Fields of `schema` and of the alternative that `object` has chosen.
    fn of(root: &'s Value, schema: &'s Value, object: &Map<String, Value>) -> Self {
        let mut fields = Self { fields: Vec::new(), others: &Value::Null };
        fields.gather(root, schema, object);
        fields.fields.sort_by_key(|(name, _)| {
            let first = FIRST.iter().chain(Selection::FIELDS).position(|early| early == name);
            first.unwrap_or(usize::MAX)
        });
        fields
    }

    /// The names of an object's fields in the order of writing, unknown ones last.
    fn in_order(&self, object: &Map<String, Value>) -> Vec<String> {
        let known = |name: &str| self.fields.iter().any(|(known, _)| *known == name);
        let first = self.fields.iter().map(|(name, _)| *name);
        let first = first.filter(|name| object.contains_key(*name));
        let rest = object.keys().map(String::as_str).filter(|name| !known(name));
        first.chain(rest).map(str::to_owned).collect()
    }

    /// What describes the field `name`; null if nothing does.
    fn schema(&self, name: &str) -> &'s Value {
        let known = self.fields.iter().find(|(known, _)| *known == name);
        known.map_or(self.others, |(_, schema)| schema)
    }

    fn gather(&mut self, root: &'s Value, schema: &'s Value, object: &Map<String, Value>) {
        let schema = resolve(root, schema);
        let branches = schema.get("oneOf").and_then(Value::as_array);
        if let Some(chosen) = branches.into_iter().flatten().find(|branch| fits(branch, object)) {
            self.gather(root, chosen, object);
        }
        if let Some(other @ Value::Object(_)) = schema.get("additionalProperties") {
            self.others = other;
        }
        for (name, field) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            if !self.fields.iter().any(|(known, _)| known == name) {
                self.fields.push((name, field));
            }
        }
    }
}

/// Whether every constant of the branch stands in the object, and its only field if
/// it is told apart by that.
fn fits(branch: &Value, object: &Map<String, Value>) -> bool {
    let properties = branch.get("properties").and_then(Value::as_object);
    let mut constants = properties.into_iter().flatten().filter_map(|(name, field)| {
        field.get("const").map(|constant| object.get(name) == Some(constant))
    });
    match constants.next() {
        Some(first) => first && constants.all(|fits| fits),
        None => properties.into_iter().flatten().any(|(name, _)| object.contains_key(name)),
    }
}
