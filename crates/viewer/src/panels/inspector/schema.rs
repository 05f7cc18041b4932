//! The scene's JSON Schema as fields to edit.

use serde_json::{Map, Value};

/// Stands for what is not there.
pub(super) static NULL: Value = Value::Null;

/// A field: its schema with references followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// Name of the field; that of the list for an entry.
    pub name: &'a str,
    /// What stands at the field itself: description, default.
    outer: &'a Value,
    /// What it refers to.
    pub schema: &'a Value,
    /// Description to use where neither has one.
    fallback: &'a str,
    /// Whether it may be left out to mean something of its own.
    pub optional: bool,
}

/// What is edited.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// True or false.
    Boolean,
    /// A line of text.
    Text,
    /// A number.
    Number { integer: bool },
    /// Numbers, so many.
    Vector { length: usize, integer: bool },
    /// Red, green, blue.
    Color,
    /// One of some words.
    Choice(Vec<Word<'a>>),
    /// One of some kinds of object.
    Union(Vec<Variant<'a>>),
    /// One of some unlike things.
    Either(Vec<&'a Value>),
    /// Named fields.
    Object,
    /// Entries by names that people give.
    Map(&'a Value),
    /// Entries, so many.
    Tuple { length: usize, item: &'a Value },
    /// Entries, any number of them.
    List(&'a Value),
    /// Nothing that can be edited.
    Unknown,
}

/// A word to choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    /// As it is written.
    pub value: &'a str,
    /// What it means.
    pub description: &'a str,
}

/// A kind of object to choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant<'a> {
    /// Field that tells the kinds apart, if one does.
    pub tag: Option<&'a str>,
    /// What that field says; else the one field that this kind has.
    pub word: &'a str,
    /// Its fields.
    pub schema: &'a Value,
}

impl<'a> Node<'a> {
    /// The field `name` whose schema is `outer`.
    pub fn new(root: &'a Value, name: &'a str, outer: &'a Value) -> Self {
        let mut schema = follow(root, outer);
        let mut optional = has_type(schema, "null");
        if let Some([one, other]) = schema["anyOf"].as_array().map(Vec::as_slice) {
            for (value, null) in [(one, other), (other, one)] {
                if null["type"] == "null" {
                    (schema, optional) = (follow(root, value), true);
                }
            }
        }
        Self { name, outer, schema, fallback: "", optional }
    }

    /// The same with a description to fall back on.
    pub fn or_described(self, fallback: &'a str) -> Self {
        Self { fallback, ..self }
    }

    /// The same with the description of the list that it is an entry of.
    pub fn described_as(self, list: &Self) -> Self {
        self.or_described(list.full_description())
    }

    /// What a field says of itself or by what it refers to.
    fn word(&self, key: &str) -> Option<&'a Value> {
        [self.outer, self.schema, &self.schema["items"]].into_iter().find_map(|s| s.get(key))
    }

    /// Its default; null where there is none.
    pub fn default(&self) -> &'a Value {
        self.word("default").unwrap_or(&NULL)
    }

    /// Its description, unit and all.
    fn full_description(&self) -> &'a str {
        let own = [self.outer, self.schema].into_iter().find_map(|s| s["description"].as_str());
        own.unwrap_or(self.fallback)
    }

    /// Its description in one line, without the unit.
    pub fn description(&self) -> String {
        one_line(split_unit(self.full_description()).0)
    }

    /// Its unit; empty for plain numbers.
    pub fn unit(&self) -> &'a str {
        match split_unit(self.full_description()).1 {
            "1" => "",
            unit => unit,
        }
    }

    /// The table of materials whose rows may stand in it.
    pub fn table(&self) -> Option<&'a str> {
        self.word("x-table").and_then(Value::as_str)
    }

    /// The formula it enters.
    pub fn formula(&self) -> Option<&'a str> {
        self.word("x-formula").and_then(Value::as_str)
    }

    /// Least and greatest value that a scene may have.
    pub fn valid(&self) -> [f64; 2] {
        let number = |key| self.word(key).and_then(Value::as_f64);
        let above = number("exclusiveMinimum").map(|low| low + JUST_ABOVE);
        let low = number("minimum").or(above).unwrap_or(-1e9);
        [low, number("maximum").unwrap_or(1e9)]
    }

    /// Least and greatest value that behave in ordinary scenes.
    pub fn safe(&self) -> Option<[f64; 2]> {
        let pair = self.word("x-safe")?.as_array()?;
        Some([pair.first()?.as_f64()?, pair.get(1)?.as_f64()?])
    }

    /// What is edited.
    pub fn kind(&self) -> Kind<'a> {
        let schema = self.schema;
        if let Some(branches) = schema["oneOf"].as_array() {
            let word =
                |b: &'a Value| Some(Word { value: b["const"].as_str()?, description: text(b) });
            if let Some(words) = branches.iter().map(word).collect() {
                return Kind::Choice(words);
            }
            return Kind::Union(variants(branches));
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            return Kind::Either(branches.iter().collect());
        }
        if let Some(value) = schema["const"].as_str() {
            return Kind::Choice(vec![Word { value, description: text(schema) }]);
        }
        if let Some(words) = schema["enum"].as_array() {
            let words = words.iter().filter_map(Value::as_str);
            return Kind::Choice(words.map(|value| Word { value, description: "" }).collect());
        }
        let is = |name| has_type(schema, name);
        if is("array") {
            return self.array();
        }
        match () {
            () if is("boolean") => Kind::Boolean,
            () if is("string") => Kind::Text,
            () if is("integer") => Kind::Number { integer: true },
            () if is("number") => Kind::Number { integer: false },
            () if schema["properties"].is_object() => Kind::Object,
            () if schema["additionalProperties"].is_object() => {
                Kind::Map(&schema["additionalProperties"])
            }
            () if is("object") => Kind::Object,
            () => Kind::Unknown,
        }
    }

    fn array(&self) -> Kind<'a> {
        let item = &self.schema["items"];
        let size = |key: &str| self.schema[key].as_u64();
        let length = match (size("minItems"), size("maxItems")) {
            (Some(least), Some(most)) if least == most => least as usize,
            _ => return Kind::List(item),
        };
        let integer = has_type(item, "integer");
        if !integer && !has_type(item, "number") {
            return Kind::Tuple { length, item };
        }
        if length == 3 && self.unit() == "0..1" {
            return Kind::Color;
        }
        Kind::Vector { length, integer }
    }

    /// The kind of object that `value` is, if it is one of several.
    pub fn variant_of(&self, value: &Value) -> Option<Variant<'a>> {
        let Kind::Union(variants) = self.kind() else { return None };
        variants.into_iter().find(|variant| match variant.tag {
            Some(tag) => value[tag] == variant.word,
            None => value.get(variant.word).is_some(),
        })
    }

    /// The fields of the object `value`, names and needed ones first, without the tag.
    pub fn fields(&self, root: &'a Value, value: &Value) -> Vec<Node<'a>> {
        let variant = self.variant_of(value);
        let tag = variant.and_then(|v| v.tag);
        let parts = [Some(self.schema), variant.map(|v| v.schema)];
        let mut fields = Vec::new();
        for part in parts.into_iter().flatten() {
            for (name, schema) in properties(part).into_iter().flatten() {
                if Some(name.as_str()) != tag {
                    let fallback = if tag.is_none() { text(part) } else { "" };
                    fields.push(Node::new(root, name, schema).or_described(fallback));
                }
            }
        }
        let needed = self.required(value);
        fields.sort_by_key(|field| (field.name != "name", !needed.contains(&field.name)));
        fields
    }

    /// Names of the fields that the object `value` must have.
    pub fn required(&self, value: &Value) -> Vec<&'a str> {
        let parts = [Some(self.schema), self.variant_of(value).map(|v| v.schema)];
        let names = parts.into_iter().flatten().filter_map(|part| part["required"].as_array());
        names.flatten().filter_map(Value::as_str).collect()
    }
}

/// How far above a limit that is itself not allowed. A thousandth of a millimetre, gram or newton.
const JUST_ABOVE: f64 = 1e-6;

fn variants(branches: &[Value]) -> Vec<Variant<'_>> {
    let variant = |schema| {
        let tag = properties(schema)?.iter().find(|(_, property)| property["const"].is_string());
        Some(match tag {
            Some((tag, word)) => Variant { tag: Some(tag), word: word["const"].as_str()?, schema },
            None => Variant { tag: None, word: schema["required"][0].as_str()?, schema },
        })
    };
    branches.iter().filter_map(variant).collect()
}

/// What `$ref` leads to.
fn follow<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str().and_then(|to| root.pointer(to.strip_prefix('#')?));
    target.unwrap_or(schema)
}

pub(super) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

fn has_type(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::String(one) => one == name,
        Value::Array(several) => several.iter().any(|one| one == name),
        _ => false,
    }
}

pub(super) fn text(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

/// A description and the unit in brackets at its end.
pub(crate) fn split_unit(description: &str) -> (&str, &str) {
    let cut = || {
        let inner = description.trim_end().strip_suffix(']')?;
        let start = inner.rfind('[')?;
        Some((description[..start].trim_end(), &inner[start + 1..]))
    };
    cut().unwrap_or((description.trim_end(), ""))
}

/// Lines joined.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
