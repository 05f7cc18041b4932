//! What tests look at.

use serde_json::Value;

use super::schema::{Kind, Node};
use super::start::{Names, start_variant};

/// Every field of the format by a path, and whether it can be edited.
pub(crate) fn every_field(root: &Value) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    walk(root, &Node::new(root, "", root), "", &mut out);
    out
}

fn walk(root: &Value, node: &Node, path: &str, out: &mut Vec<(String, bool)>) {
    let kind = node.kind();
    out.push((path.to_owned(), !matches!(kind, Kind::Unknown)));
    let mut fields = |schema: &Value, below: &str| {
        for (name, property) in super::schema::properties(schema).into_iter().flatten() {
            walk(root, &Node::new(root, name, property), &format!("{below}/{name}"), out);
        }
    };
    match kind {
        Kind::Object => fields(node.schema, path),
        Kind::Union(variants) => {
            fields(node.schema, path);
            variants.iter().for_each(|v| fields(v.schema, &format!("{path}({})", v.word)));
        }
        Kind::List(item) | Kind::Map(item) | Kind::Tuple { item, .. } => {
            walk(root, &Node::new(root, node.name, item), &format!("{path}/*"), out);
        }
        _ => (),
    }
}

/// For each list of the scene, entries of every kind as they are added.
pub(crate) fn starts_of(root: &Value, scene: &Value) -> Vec<(String, Vec<Value>)> {
    let names = Names { scene };
    let top = Node::new(root, "", root);
    let mut all = Vec::new();
    for field in top.fields(root, scene) {
        let Kind::List(item) = field.kind() else { continue };
        let item = Node::new(root, field.name, item);
        let values = match item.kind() {
            Kind::Union(variants) => {
                let of = |v| start_variant(root, &item, v, (names, &Value::Null));
                variants.into_iter().map(of).collect()
            }
            _ => vec![super::start::start(root, &item, names)],
        };
        all.push((field.name.to_owned(), values));
    }
    all
}
