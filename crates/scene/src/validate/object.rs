//! Objects: which fields there may be, which must be, and which are there.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Walk, describe, list};
use crate::node::{Key, Node, Step, Value};
use crate::problem::{did_you_mean, list_names};

/// The fields that an object may have, once its tag is known.
#[derive(Default)]
struct Fields<'s> {
    known: BTreeMap<&'s str, &'s Json>,
    required: Vec<&'s str>,
    /// Schema of fields with free names, where they are allowed.
    others: Option<&'s Json>,
    open: bool,
}

/// How the alternatives of an object are told apart.
enum Choice<'s> {
    /// By the word in this field.
    Tag(&'s str),
    /// By which one field is there.
    Field,
}

impl<'s> Walk<'s> {
    /// Checks a map against an object schema.
    pub(super) fn object(&mut self, node: &Node, schema: &'s Json) {
        let Value::Map(entries) = &node.value else {
            let wanted = match list(schema, "oneOf").map(choice) {
                Some(Some(Choice::Tag(tag))) => format!("a group of fields with a `{tag}`"),
                _ => "a group of fields".to_owned(),
            };
            return self.expected(node, &wanted);
        };
        let mut fields = Fields { open: true, ..Fields::default() };
        if !self.gather(node, schema, &mut fields) {
            return;
        }
        for (key, value) in entries {
            let known = fields.known.get(key.name.as_str()).copied().or(fields.others);
            self.path.push(Step::Field(key.name.clone()));
            match known {
                Some(schema) => self.node(value, schema, ""),
                None if fields.open => {}
                None => {
                    let message = format!("`{}` is not a field here", super::short(&key.name));
                    let help = unknown_field_help(key, &fields, entries);
                    self.report(key.origin.clone(), message, Some(help));
                }
            }
            self.path.pop();
        }
        for name in &fields.required {
            if node.field(name).is_none() {
                let help = fields.known.get(name).map(|schema| self.field_help(name, schema));
                self.report(node.pointer(), format!("`{name}` is missing here"), help);
            }
        }
    }

    /// Adds the fields of `schema` and of the alternative that `node` chose.
    /// False if it chose none, which has then been reported.
    fn gather(&mut self, node: &Node, schema: &'s Json, fields: &mut Fields<'s>) -> bool {
        let schema = self.resolve(schema);
        for (name, field) in
            schema.get("properties").and_then(Json::as_object).into_iter().flatten()
        {
            fields.known.insert(name, field);
        }
        for name in list(schema, "required").unwrap_or(&[]).iter().filter_map(Json::as_str) {
            if !fields.required.contains(&name) {
                fields.required.push(name);
            }
        }
        match schema.get("additionalProperties") {
            Some(Json::Bool(false)) => fields.open = false,
            Some(free @ Json::Object(_)) => fields.others = Some(free),
            _ => {}
        }
        if schema.get("unevaluatedProperties") == Some(&Json::Bool(false)) {
            fields.open = false;
        }
        let Some(branches) = list(schema, "oneOf") else { return true };
        let planned = list(schema, "x-planned").unwrap_or(&[]);
        let chosen = match choice(branches) {
            Some(Choice::Tag(tag)) => self.by_tag(node, tag, branches, planned),
            Some(Choice::Field) => self.by_field(node, branches),
            None => return true,
        };
        chosen.is_some_and(|branch| self.gather(node, branch, fields))
    }

    fn by_tag(
        &mut self,
        node: &Node,
        tag: &'s str,
        branches: &'s [Json],
        planned: &[Json],
    ) -> Option<&'s Json> {
        let known: Vec<&str> = branches.iter().filter_map(|branch| constant(branch, tag)).collect();
        let list = list_names(known.iter().copied());
        let Some(value) = node.field(tag) else {
            let help = format!("write `{tag}:` with {list}");
            self.report(node.pointer(), format!("`{tag}` is missing here"), Some(help));
            return None;
        };
        let word = value.as_str().unwrap_or("");
        if let Some(branch) = branches.iter().find(|branch| constant(branch, tag) == Some(word)) {
            return Some(branch);
        }
        self.path.push(Step::Field(tag.to_owned()));
        if planned.iter().any(|name| name.as_str() == Some(word)) {
            let message =
                format!("`{word}` is a known {tag}, but this version cannot simulate it yet");
            self.report(value.pointer(), message, Some(format!("for now use {list}")));
        } else {
            let meant = did_you_mean(word, known.iter().copied());
            let help = meant.map(|name| format!("did you mean `{name}`?"));
            let is = super::shown(value);
            let message = format!("unknown {tag}: must be {list}, but is {is}");
            self.report(value.pointer(), message, help);
        }
        self.path.pop();
        None
    }

    fn by_field(&mut self, node: &Node, branches: &'s [Json]) -> Option<&'s Json> {
        let present = branches
            .iter()
            .find(|branch| only_field(branch).is_some_and(|name| node.field(name).is_some()));
        if present.is_none() {
            let names = list_names(branches.iter().filter_map(only_field));
            let message = format!("must have one of the fields {names}");
            let help = match &node.value {
                Value::Map(entries) => entries.iter().find_map(|(key, _)| {
                    let meant = did_you_mean(&key.name, branches.iter().filter_map(only_field))?;
                    Some(format!("did you mean `{meant}` by `{}`?", key.name))
                }),
                _ => None,
            };
            self.report(node.pointer(), message, help);
        }
        present
    }

    fn field_help(&self, name: &str, schema: &Json) -> String {
        let unit = describe::unit(schema).unwrap_or("");
        let expected = describe::expected(self.root, schema, unit);
        format!("add `{name}:`, {expected}")
    }
}

fn choice(branches: &[Json]) -> Option<Choice<'_>> {
    let first = branches.first()?.get("properties")?.as_object()?;
    let tag = first
        .iter()
        .find(|(name, _)| branches.iter().all(|branch| constant(branch, name).is_some()));
    match tag {
        Some((name, _)) => Some(Choice::Tag(name)),
        None => branches.iter().all(|b| only_field(b).is_some()).then_some(Choice::Field),
    }
}

fn constant<'s>(branch: &'s Json, tag: &str) -> Option<&'s str> {
    branch.get("properties")?.get(tag)?.get("const")?.as_str()
}

fn only_field(branch: &Json) -> Option<&str> {
    match branch.get("required")?.as_array()?.as_slice() {
        [one] => one.as_str(),
        _ => None,
    }
}

fn unknown_field_help(unknown: &Key, fields: &Fields<'_>, entries: &[(Key, Node)]) -> String {
    // A field that is there already was not meant again, unless the unknown one
    // comes from elsewhere (`--set`) and was to replace it.
    let free = |field: &&str| {
        let same = entries.iter().find(|(key, _)| key.name == **field);
        same.is_none_or(|(key, _)| key.origin.source != unknown.origin.source)
    };
    match did_you_mean(&unknown.name, fields.known.keys().copied().filter(free)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("fields here: {}", list_names(fields.known.keys().copied())),
    }
}
