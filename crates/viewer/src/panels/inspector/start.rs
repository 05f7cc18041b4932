//! Values to start from when something is added.

use serde_json::{Map, Value, json};

use super::schema::{Kind, Node, Variant};

/// Names that a scene has, for fields that refer to them.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub scene: &'a Value,
}

impl<'a> Names<'a> {
    /// What the field `name` may refer to, if it refers to something.
    pub fn of(&self, name: &str) -> Option<Vec<&'a str>> {
        let list = |key: &str| {
            let entries = self.scene[key].as_array().into_iter().flatten();
            entries.filter_map(|entry| entry["name"].as_str()).collect()
        };
        let materials = self.scene["materials"].as_object().into_iter().flatten();
        match name {
            "body" => Some(list("bodies")),
            "collider" | "attach_to" | "sheltered_by" => Some(list("colliders")),
            "material" => Some(materials.map(|(name, _)| name.as_str()).collect()),
            _ => None,
        }
    }

    /// A name like `wanted` that nothing has.
    fn free(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            ["body", "collider"]
                .iter()
                .any(|kind| self.of(kind).is_some_and(|all| all.contains(&name)))
        };
        let numbered = (2..).map(|i| format!("{wanted}-{i}"));
        std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    /// An entry like `value` under a name that nothing has.
    pub fn copy(&self, value: &Value) -> Value {
        let mut copy = value.clone();
        if let Some(name) = value["name"].as_str() {
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
            copy["name"] = json!(self.free(if bare.is_empty() { name } else { bare }));
        }
        copy
    }
}

/// A valid value of a field with nothing said that need not be.
pub(super) fn start<'a>(root: &'a Value, node: &Node<'a>, names: Names) -> Value {
    let default = node.default();
    if !default.is_null() {
        return default.clone();
    }
    match node.kind() {
        Kind::Boolean => json!(true),
        Kind::Text => json!(start_text(node, names)),
        Kind::Number { integer: true } => json!(start_number(node).round() as i64),
        Kind::Number { integer: false } => json!(start_number(node)),
        Kind::Vector { length, integer } => start_vector(node, length, integer),
        Kind::Color => json!([0.7, 0.7, 0.7]),
        Kind::Choice(words) => json!(words.first().map_or("", |word| word.value)),
        Kind::Union(variants) => match variants.first() {
            Some(first) => start_object(root, node, Some(*first), names),
            None => Value::Null,
        },
        Kind::Either(branches) => match branches.first() {
            Some(first) => start(root, &Node::new(root, node.name, first), names),
            None => Value::Null,
        },
        Kind::Object => start_object(root, node, None, names),
        Kind::Map(_) => json!({}),
        Kind::Tuple { length, item } => {
            let item = start(root, &Node::new(root, node.name, item), names);
            // Entries of fixed number without a default are colours of rows.
            let item = if item.is_array() { json!([0.7, 0.7, 0.7]) } else { item };
            Value::Array(vec![item; length])
        }
        Kind::List(item) => {
            let least = node.schema["minItems"].as_u64().unwrap_or(0) as usize;
            Value::Array(vec![start(root, &Node::new(root, node.name, item), names); least])
        }
        Kind::Unknown => Value::Null,
    }
}

/// A valid object of a kind; what `kept` holds and the kind has too stays.
pub(super) fn start_variant<'a>(
    root: &'a Value,
    node: &Node<'a>,
    variant: Variant<'a>,
    (names, kept): (Names, &Value),
) -> Value {
    let mut object = start_object(root, node, Some(variant), names);
    let fields = node.fields(root, &object);
    if let (Some(kept), Some(object)) = (kept.as_object(), object.as_object_mut()) {
        for (key, value) in kept {
            if fields.iter().any(|field| field.name == key && same_form(field, value)) {
                object.insert(key.clone(), value.clone());
            }
        }
    }
    object
}

/// Whether a value can stand in a field as far as its form goes.
fn same_form(field: &Node, value: &Value) -> bool {
    match field.kind() {
        Kind::Vector { length, .. } => value.as_array().is_some_and(|a| a.len() == length),
        Kind::Color => value.as_array().is_some_and(|a| a.len() == 3),
        Kind::Number { .. } => value.is_number(),
        Kind::Text => value.is_string(),
        Kind::Boolean => value.is_boolean(),
        Kind::List(_) => value.is_array(),
        Kind::Object | Kind::Union(_) | Kind::Map(_) => value.is_object(),
        Kind::Choice(_) | Kind::Either(_) | Kind::Tuple { .. } | Kind::Unknown => false,
    }
}

fn start_object<'a>(
    root: &'a Value,
    node: &Node<'a>,
    variant: Option<Variant<'a>>,
    names: Names,
) -> Value {
    let mut object = Map::new();
    if let Some(Variant { tag: Some(tag), word, .. }) = variant {
        object.insert(tag.to_owned(), json!(word));
    } else if let Some(Variant { word, .. }) = variant {
        // Without a tag the one field that the kind has tells it; it gets its value below.
        object.insert(word.to_owned(), Value::Null);
    }
    let told = Value::Object(object.clone());
    let fields = node.fields(root, &told);
    for name in node.required(&told) {
        if let Some(field) = fields.iter().find(|field| field.name == name) {
            let value = if name == "name" {
                json!(names.free(node.name))
            } else {
                start(root, field, names)
            };
            object.insert(name.to_owned(), value);
        }
    }
    // A choice of points must choose some, and every body has this one.
    let chooses = |name| fields.iter().any(|field| field.name == name);
    if chooses("vertices") && chooses("edge") {
        object.insert("vertices".to_owned(), json!([0]));
    }
    // A mesh must come from somewhere, and a formula is always there.
    let shape = fields.iter().find(|field| field.name == "shape");
    if let Some(shape) = shape.filter(|_| chooses("file") && !object.contains_key("file")) {
        object.insert("shape".to_owned(), start(root, shape, names));
    }
    Value::Object(object)
}

fn start_text(node: &Node, names: Names) -> String {
    let name = node.name;
    match names.of(name) {
        Some(known) => known.first().copied().unwrap_or_default().to_owned(),
        None if name == "file" => "mesh.obj".to_owned(),
        None if name == "texture" => "texture.png".to_owned(),
        None if node.table() == Some("fabrics") => "cotton".to_owned(),
        None if node.table() == Some("fibres") => "straight".to_owned(),
        None if name == "start_from" => "start.tkc".to_owned(),
        None => String::new(),
    }
}

fn start_number(node: &Node) -> f64 {
    let [low, high] = node.valid();
    let wanted = match node.safe() {
        Some([low, high]) if low > 0.0 && high / low > 100.0 => (low * high).sqrt(),
        Some([low, high]) => low + 0.2 * (high - low),
        None => 1.0,
    };
    super::rounded_to(wanted.clamp(low, high), 2)
}

fn start_vector(node: &Node, length: usize, integer: bool) -> Value {
    let [low, high] = node.valid();
    let upright = matches!(node.name, "normal" | "axis" | "up" | "direction");
    let component = |i: usize| match node.name {
        "eye_m" => [0.0, 1.0, 3.0][i.min(2)],
        "direction" if i == 1 => -1.0,
        _ if upright => f64::from(u8::from(i == 1)),
        "points" if low >= 2.0 => 20.0,
        _ if low > 0.0 => 1f64.clamp(low, high),
        _ => 0f64.clamp(low, high),
    };
    let all = (0..length).map(component);
    if integer { all.map(|c| json!(c as i64)).collect() } else { all.map(|c| json!(c)).collect() }
}
