//! `--set PATH=VALUE`: one field of a scene replaced from outside.

use std::ops::Range;

use crate::node::{self, Key, Node, Step, Value, path_text};
use crate::problem::Problem;
use crate::source::{Origin, SourceId};

/// Applies `bodies[0].shape.points=[64,64]` to a scene. The value is YAML.
/// Fields that are missing on the way are made; list entries are not.
/// Everything put in points at the argument, so that problems in it do too.
pub fn apply(tree: &mut Node, argument: &str, source: SourceId) -> Result<(), Problem> {
    let Some(equals) = argument.find('=') else {
        let problem =
            Problem::new(Origin::new(source, 0..argument.len()), "there is no `=` in this");
        return Err(problem.help("write it as `--set time.duration_s=2`"));
    };
    let steps = parse_path(&argument[..equals], source)?;
    let value = parse_value(&argument[equals + 1..], equals + 1, source)?;
    let mut node = tree;
    for (done, (step, span)) in steps.iter().enumerate() {
        let origin = Origin::new(source, span.clone());
        let parent = path_text(&steps[..done].iter().map(|(s, _)| s.clone()).collect::<Vec<_>>());
        node = enter(node, step, origin, &parent)?;
    }
    *node = value;
    Ok(())
}

/// Goes one step down, making the field if it is missing.
fn enter<'n>(
    node: &'n mut Node,
    step: &Step,
    origin: Origin,
    parent: &str,
) -> Result<&'n mut Node, Problem> {
    let parent = if parent.is_empty() { "the scene" } else { parent };
    let words = node.kind_in_words();
    if matches!(node.value, Value::Null) && matches!(step, Step::Field(_)) {
        *node = Node { value: Value::Map(Vec::new()), origin: origin.clone() };
    }
    match (step, &mut node.value) {
        (Step::Field(name), Value::Map(entries)) => {
            let at = entries.iter().position(|(key, _)| key.name == *name).unwrap_or_else(|| {
                let key = Key { name: name.clone(), origin: origin.clone() };
                entries.push((key, Node { value: Value::Null, origin }));
                entries.len() - 1
            });
            Ok(&mut entries[at].1)
        }
        (Step::Index(index), Value::Seq(items)) => {
            let count = items.len();
            items.get_mut(*index).ok_or_else(|| {
                let message = format!("`{parent}` has no entry {index}: it has {count}");
                Problem::new(origin, message).help(match count {
                    0 => format!("set the whole list: `--set {parent}=[…]`"),
                    1 => "entries count from 0: use 0".to_owned(),
                    _ => format!("entries count from 0: use 0 to {}", count - 1),
                })
            })
        }
        (Step::Field(name), _) => {
            Err(Problem::new(origin, format!("`{parent}` is {words} and has no field `{name}`")))
        }
        (Step::Index(_), _) => {
            Err(Problem::new(origin, format!("`{parent}` is {words}, not a list")))
        }
    }
}

fn parse_path(text: &str, source: SourceId) -> Result<Vec<(Step, Range<usize>)>, Problem> {
    let wrong = |span: Range<usize>, what: &str| {
        Problem::new(Origin::new(source, span), format!("{what} in the path of this `--set`"))
            .help("paths look like `bodies[0].shape.points`")
    };
    let mut steps = Vec::new();
    let mut at = 0;
    while at < text.len() || steps.is_empty() {
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix('[') {
            let Some(close) = inner.find(']') else {
                return Err(wrong(at..text.len(), "a `[` is not closed"));
            };
            let span = at..at + close + 2;
            let Ok(index) = inner[..close].trim().parse::<usize>() else {
                return Err(wrong(span, "the number of a list entry is not a whole number"));
            };
            at = span.end;
            steps.push((Step::Index(index), span));
            continue;
        }
        // A dot joins a field to what stands before it.
        let dot = usize::from(!steps.is_empty());
        if dot == 1 && !rest.starts_with('.') {
            return Err(wrong(at..text.len(), "a `.` or `[` is missing"));
        }
        let name = &rest[dot..];
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let span = at + dot..at + dot + end;
        let trimmed = name[..end].trim();
        if trimmed.is_empty() {
            return Err(wrong(at..at + dot, "the name of a field is missing"));
        }
        at = span.end;
        steps.push((Step::Field(trimmed.to_owned()), span));
    }
    Ok(steps)
}

/// Reads the value and moves its places behind the path.
fn parse_value(text: &str, offset: usize, source: SourceId) -> Result<Node, Problem> {
    if text.trim().is_empty() {
        let origin = Origin::new(source, offset..offset + text.len());
        return Ok(Node { value: Value::Null, origin });
    }
    match node::parse(text, source) {
        Ok(mut node) => {
            shift(&mut node, offset);
            Ok(node)
        }
        Err(mut problems) => {
            let mut problem = problems.swap_remove(0);
            problem.origin.span =
                problem.origin.span.start + offset..problem.origin.span.end + offset;
            Err(problem)
        }
    }
}

fn shift(node: &mut Node, offset: usize) {
    let moved = |origin: &mut Origin| {
        origin.span = origin.span.start + offset..origin.span.end + offset;
    };
    moved(&mut node.origin);
    match &mut node.value {
        Value::Seq(items) => items.iter_mut().for_each(|item| shift(item, offset)),
        Value::Map(entries) => entries.iter_mut().for_each(|(key, item)| {
            moved(&mut key.origin);
            shift(item, offset);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn set(argument: &str) -> Result<serde_json::Value, Problem> {
        let text = "bodies: [{ shape: { points: [2, 2] } }]\nair:\nname: x\n";
        let mut tree = node::parse(text, SourceId(0)).unwrap();
        apply(&mut tree, argument, SourceId(1))?;
        Ok(tree.to_json())
    }

    #[test]
    fn replaces_and_makes_fields() {
        assert_eq!(
            set("bodies[0].shape.points=[64,64]").unwrap()["bodies"][0]["shape"]["points"],
            json!([64, 64])
        );
        assert_eq!(
            set("bodies[0].shape.points[1]=7").unwrap()["bodies"][0]["shape"]["points"],
            json!([2, 7])
        );
        assert_eq!(set("air.density_kg_m3=0").unwrap()["air"], json!({"density_kg_m3": 0}));
        assert_eq!(set("solver.kind=verlet").unwrap()["solver"], json!({"kind": "verlet"}));
        assert_eq!(set("name=a=b").unwrap()["name"], json!("a=b"));
        assert_eq!(set("name=").unwrap()["name"], json!(null));
    }

    #[test]
    fn wrong_paths_point_at_the_argument() {
        let refused = |argument: &str| set(argument).expect_err(argument);
        let range = refused("bodies[3].shape=1");
        assert!(range.message.contains("no entry 3: it has 1"), "{}", range.message);
        assert_eq!((range.origin.source, range.origin.span), (SourceId(1), 6..9));
        assert!(refused("name.x=1").message.contains("is text and has no field `x`"));
        assert!(refused("name[0]=1").message.contains("not a list"));
        assert!(refused("nothing").message.contains("no `=`"));
        for argument in ["=1", ".a=1", "a..b=1", "a[=1", "a[x]=1", "a]b[0]c=1", "a.=1", "a[0]b=1"] {
            refused(argument);
        }
        let value = refused("name=[1");
        assert!(value.message.contains("not YAML") && value.origin.span.start >= 5);
    }
}
