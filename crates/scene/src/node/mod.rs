//! A YAML document as a tree in which every value knows where it was written.

mod parse;
mod scalar;

pub(crate) use scalar::resolve_plain;

pub use parse::{MAX_BYTES, MAX_DEPTH, MAX_NODES, parse};

use crate::source::Origin;

/// A value and the place it was written at.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What is there.
    pub value: Value,
    /// Where it is.
    pub origin: Origin,
}

/// The value of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number, also infinite or not a number.
    Float(f64),
    /// Text.
    String(String),
    /// A list.
    Seq(Vec<Node>),
    /// Fields in the order written; names are unique.
    Map(Vec<(Key, Node)>),
}

/// The name of a field and the place it was written at.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The field's name.
    pub name: String,
    /// Where it is.
    pub origin: Origin,
}

/// One step from a node to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the field of this name.
    Field(String),
    /// Into the list entry of this number, from 0.
    Index(usize),
}

impl Node {
    /// The field `name`, if this is a map that has it.
    pub fn field(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(_, node)| node)
    }

    /// The field `name` with its key.
    pub fn entry(&self, name: &str) -> Option<&(Key, Node)> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(key, _)| key.name == name),
            _ => None,
        }
    }

    /// The text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The deepest node on the way along `path` that exists.
    pub fn nearest(&self, path: &[Step]) -> &Node {
        let mut node = self;
        for step in path {
            let next = match (step, &node.value) {
                (Step::Field(name), Value::Map(_)) => node.field(name),
                (Step::Index(index), Value::Seq(items)) => items.get(*index),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// Where to put the caret: the whole of a scalar or list, the first key of
    /// a map, since a map may be most of a file.
    pub fn pointer(&self) -> Origin {
        match &self.value {
            Value::Map(entries) => entries.first().map_or(&self.origin, |(key, _)| &key.origin),
            _ => &self.origin,
        }
        .clone()
    }

    /// What kind of value this is, in words: "a list".
    pub fn kind_in_words(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::String(_) => "text",
            Value::Seq(_) => "a list",
            Value::Map(_) => "a group of fields",
        }
    }

    /// The same value without places. Numbers that are not finite become null:
    /// validation refuses them before anything is read from here.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(b) => Json::Bool(*b),
            Value::Int(i) => Json::from(*i),
            Value::Float(f) => Json::from(*f),
            Value::String(s) => Json::String(s.clone()),
            Value::Seq(items) => Json::Array(items.iter().map(Node::to_json).collect()),
            Value::Map(entries) => Json::Object(
                entries.iter().map(|(key, node)| (key.name.clone(), node.to_json())).collect(),
            ),
        }
    }
}

/// Writes steps as people write them: `bodies[0].pins[1].points`.
pub fn path_text(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Field(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
