//! A [`Node`] tree against the JSON Schema of the format; every problem found.
//!
//! Understands what schemars emits for [`crate::schema`]: types, ranges,
//! lengths, constants, references, nullable fields, choices of words, and
//! objects told apart by a tag (`kind`) or by their only field.

pub(crate) mod describe;
mod number;
mod object;

use serde_json::Value as Json;

use crate::node::{Node, Step, Value, path_text};
use crate::problem::{MAX_PROBLEMS, Problem, did_you_mean, list_names};
use crate::source::Origin;

/// Every way in which `node` is not what `schema` describes, at most
/// [`MAX_PROBLEMS`] of them.
pub fn validate(node: &Node, schema: &Json) -> Vec<Problem> {
    let mut walk = Walk { root: schema, path: Vec::new(), problems: Vec::new() };
    walk.node(node, schema, "");
    walk.problems
}

struct Walk<'s> {
    root: &'s Json,
    path: Vec<Step>,
    problems: Vec<Problem>,
}

impl<'s> Walk<'s> {
    /// Checks one value. `unit` is the unit of the field that holds it, for
    /// list entries, which have no description of their own.
    fn node(&mut self, node: &Node, schema: &'s Json, unit: &str) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let own_unit = describe::unit(schema).unwrap_or(unit);
        let schema = self.resolve(schema);
        let unit =
            if own_unit.is_empty() { describe::unit(schema).unwrap_or("") } else { own_unit };
        if let Some(branches) = list(schema, "anyOf") {
            return self.any_of(node, branches, unit);
        }
        if let Some(words) = self.words(schema) {
            return self.word(node, &words);
        }
        if list(schema, "oneOf").is_some() || schema.get("properties").is_some() {
            return self.object(node, schema);
        }
        let types = describe::types(schema);
        if matches!(node.value, Value::Null) && (types.contains(&"null") || types.is_empty()) {
            return;
        }
        match (&node.value, types.iter().find(|t| **t != "null").copied()) {
            (_, None) => {}
            (Value::Int(_) | Value::Float(_), Some(kind @ ("number" | "integer"))) => {
                if let Some((message, help)) = number::check(&node.value, kind, schema, unit) {
                    self.report(node.origin.clone(), message, help);
                }
            }
            (Value::String(text), Some("string")) => self.text(node, text, schema),
            (Value::Bool(_), Some("boolean")) => {}
            (Value::Seq(items), Some("array")) => self.items(node, items, schema, unit),
            (Value::Map(_), Some("object")) => self.object(node, schema),
            _ => self.wrong_type(node, schema, unit),
        }
    }

    fn any_of(&mut self, node: &Node, branches: &'s [Json], unit: &str) {
        let nullable = branches.iter().any(|branch| describe::types(branch) == ["null"]);
        if nullable && matches!(node.value, Value::Null) {
            return;
        }
        let real: Vec<&'s Json> =
            branches.iter().filter(|branch| describe::types(branch) != ["null"]).collect();
        if let [only] = real.as_slice() {
            return self.node(node, only, unit);
        }
        let before = self.problems.len();
        for branch in &real {
            self.node(node, branch, unit);
            if self.problems.len() == before {
                return;
            }
            self.problems.truncate(before);
        }
        let choices: Vec<String> =
            real.iter().map(|branch| describe::expected(self.root, branch, unit)).collect();
        self.expected(node, &choices.join(" or "));
    }

    /// The words of a choice of words, if that is what `schema` is.
    fn words(&self, schema: &'s Json) -> Option<Vec<&'s str>> {
        if let Some(values) = list(schema, "enum") {
            return values.iter().map(Json::as_str).collect();
        }
        list(schema, "oneOf")?.iter().map(|branch| branch.get("const")?.as_str()).collect()
    }

    fn word(&mut self, node: &Node, words: &[&str]) {
        let list = list_names(words.iter().copied());
        match node.as_str() {
            Some(text) if words.contains(&text) => {}
            Some(text) => {
                let meant = did_you_mean(text, words.iter().copied());
                let help = meant.map(|word| format!("did you mean `{word}`?"));
                let message = format!("must be {list}, but is `{}`", short(text));
                self.report(node.origin.clone(), message, help);
            }
            None => self.expected(node, &list),
        }
    }

    fn text(&mut self, node: &Node, text: &str, schema: &Json) {
        let length = text.chars().count() as u64;
        let bound = |key: &str| schema.get(key).and_then(Json::as_u64);
        if bound("minLength").is_some_and(|min| length < min) {
            self.report(node.origin.clone(), "must not be empty".into(), None);
        } else if let Some(max) = bound("maxLength").filter(|max| length > *max) {
            let message = format!("must have at most {max} characters, but has {length}");
            self.report(node.origin.clone(), message, None);
        }
    }

    fn items(&mut self, node: &Node, items: &[Node], schema: &'s Json, unit: &str) {
        let bound = |key: &str| schema.get(key).and_then(Json::as_u64);
        let (min, max) = (bound("minItems"), bound("maxItems"));
        let count = items.len() as u64;
        let wanted = match (min, max) {
            (Some(min), Some(max)) if min == max => Some(format!("{min}")),
            (Some(min), _) if count < min => Some(format!("at least {min}")),
            (_, Some(max)) if count > max => Some(format!("at most {max}")),
            _ => None,
        };
        if min.is_some_and(|min| count < min) || max.is_some_and(|max| count > max) {
            let entries = if wanted.as_deref().is_some_and(|w| w.ends_with(" 1") || w == "1") {
                "entry"
            } else {
                "entries"
            };
            let wanted = wanted.unwrap_or_default();
            let message = format!("must have {wanted} {entries}, but has {count}");
            return self.report(node.pointer(), message, Some(count_help(count, min, max)));
        }
        let Some(item) = schema.get("items") else { return };
        for (index, node) in items.iter().enumerate() {
            self.path.push(Step::Index(index));
            self.node(node, item, unit);
            self.path.pop();
        }
    }

    fn wrong_type(&mut self, node: &Node, schema: &Json, unit: &str) {
        let expected = describe::expected(self.root, schema, unit);
        self.expected(node, &expected);
    }

    fn expected(&mut self, node: &Node, expected: &str) {
        let message = format!("must be {expected}, but is {}", shown(node));
        let help = match &node.value {
            Value::String(text) if expected.contains("number") && text.contains(',') => {
                Some("write the decimal point as `.`".to_owned())
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) if expected == "text" => {
                Some("put it in quotes to make it text".to_owned())
            }
            _ => None,
        };
        self.report(node.pointer(), message, help);
    }

    fn report(&mut self, origin: Origin, message: String, help: Option<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let problem = Problem::new(origin, message).at(path_text(&self.path));
            self.problems.push(problem.help_if(help));
        }
    }

    fn resolve(&self, schema: &'s Json) -> &'s Json {
        describe::resolve(self.root, schema)
    }
}

fn list<'s>(schema: &'s Json, key: &str) -> Option<&'s [Json]> {
    schema.get(key)?.as_array().map(Vec::as_slice)
}

/// How to come to as many entries as there may be.
fn count_help(count: u64, min: Option<u64>, max: Option<u64>) -> String {
    let (verb, by) = match (min, max) {
        (Some(min), _) if count < min => ("add", min - count),
        (_, Some(max)) => ("leave out", count.saturating_sub(max)),
        _ => return "give as many as asked for".to_owned(),
    };
    format!("{verb} {by} {}", if by == 1 { "entry" } else { "entries" })
}

/// A value as a message shows it.
fn shown(node: &Node) -> String {
    match &node.value {
        Value::Int(int) => format!("the number {int}"),
        Value::Float(float) => format!("the number {float}"),
        Value::Bool(bool) => format!("`{bool}`"),
        Value::String(text) => format!("the text `{}`", short(text)),
        Value::Null => "empty".to_owned(),
        _ => node.kind_in_words().to_owned(),
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(39).chain(['…']).collect()
}
