//! Text to [`Node`] through parser events, within budgets.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, Span, Tag};

use super::scalar::resolve_plain;
use super::{Key, Node, Value};
use crate::problem::{MAX_PROBLEMS, Problem};
use crate::source::{Origin, SourceId};

/// Longest scene text that is read. [bytes]
pub const MAX_BYTES: usize = 16 << 20;
/// Most values in one scene, each alias counted with all it stands for. It
/// bounds memory (about 100 bytes a value) against alias bombs.
pub const MAX_NODES: usize = 500_000;
/// Deepest nesting; real scenes need about ten. It bounds recursion.
pub const MAX_DEPTH: usize = 64;

/// Reads one YAML document. A syntax error or a burst budget stops at the
/// first problem; repeated keys are all collected.
pub fn parse(text: &str, source: SourceId) -> Result<Node, Vec<Problem>> {
    if text.len() > MAX_BYTES {
        let message =
            format!("{} bytes are more than the {MAX_BYTES} that a scene may have", text.len());
        return Err(vec![Problem::new(Origin::new(source, 0..0), message)]);
    }
    let mut options = Options::default();
    // A little more than ours, so that ours speaks first and more clearly.
    options.flow_nesting_limit = MAX_DEPTH + 8;
    options.block_nesting_limit = MAX_DEPTH + 8;
    let mut builder = Builder::new(text, source);
    let mut documents = 0;
    for event in Parser::new_from_str_with_options(text, options) {
        let result = match event {
            Ok((Event::DocumentStart(..), span)) => {
                documents += 1;
                if documents > 1 { Err(builder.second_document(&span)) } else { Ok(()) }
            }
            Ok((event, span)) => builder.take(event, &span),
            Err(error) => Err(builder.syntax(&error)),
        };
        if let Err(problem) = result {
            builder.problems.push(problem);
            return Err(builder.problems);
        }
    }
    match builder.root {
        _ if !builder.problems.is_empty() => Err(builder.problems),
        Some(root) => Ok(root),
        None => {
            let problem = Problem::new(Origin::new(source, 0..0), "the scene is empty");
            Err(vec![problem.help("the least a scene has is `format: 1` and a body")])
        }
    }
}

/// A list or map that is still open.
enum Open {
    Seq(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, key: Option<Key>, names: BTreeSet<String> },
}

struct Frame {
    open: Open,
    start: usize,
    anchor: usize,
    nodes_before: usize,
}

struct Builder<'a> {
    text: &'a str,
    source: SourceId,
    stack: Vec<Frame>,
    root: Option<Node>,
    anchors: BTreeMap<usize, (Node, usize)>,
    nodes: usize,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str, source: SourceId) -> Self {
        let (stack, problems) = (Vec::new(), Vec::new());
        Self { text, source, stack, root: None, anchors: BTreeMap::new(), nodes: 0, problems }
    }

    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Problem> {
        let range = self.range(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = self.check_tag(tag.as_deref(), &range)?;
                let plain = style == ScalarStyle::Plain && !is_text;
                let value =
                    if plain { resolve_plain(&text) } else { Value::String(text.into_owned()) };
                let node = Node { value, origin: Origin::new(self.source, range) };
                self.count(1, &node.origin)?;
                self.remember(anchor, &node, 1)?;
                self.place(node)
            }
            Event::Alias(id) => match self.anchors.get(&id) {
                Some((node, size)) => {
                    let (size, origin) = (*size, Origin::new(self.source, range));
                    // Counted before it is copied: the budget must hold first.
                    self.nodes += size;
                    self.within_budget(&origin)?;
                    let node = Node { value: node.value.clone(), origin };
                    self.place(node)
                }
                None => Err(self.problem(range, "this alias stands inside what it refers to")),
            },
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &range)?;
                self.open(Open::Seq(Vec::new()), range, anchor)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &range)?;
                let open = Open::Map { entries: Vec::new(), key: None, names: BTreeSet::new() };
                self.open(open, range, anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range.end),
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open, range: Range<usize>, anchor: usize) -> Result<(), Problem> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.problem(range, too_deep()));
        }
        let origin = Origin::new(self.source, range.clone());
        let nodes_before = self.nodes;
        self.count(1, &origin)?;
        self.stack.push(Frame { open, start: range.start, anchor, nodes_before });
        Ok(())
    }

    fn close(&mut self, end: usize) -> Result<(), Problem> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let value = match frame.open {
            Open::Seq(items) => Value::Seq(items),
            Open::Map { entries, .. } => Value::Map(entries),
        };
        // A block collection ends where the next thing starts: leave out the gap.
        let written = self.text.get(frame.start..end).unwrap_or("").trim_end().len();
        let span = frame.start..frame.start + written;
        let node = Node { value, origin: Origin::new(self.source, span) };
        self.remember(frame.anchor, &node, self.nodes - frame.nodes_before)?;
        self.place(node)
    }

    fn place(&mut self, node: Node) -> Result<(), Problem> {
        match self.stack.last_mut().map(|frame| &mut frame.open) {
            None => self.root = Some(node),
            Some(Open::Seq(items)) => items.push(node),
            Some(Open::Map { entries, key, names }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let name = key_name(&node).ok_or_else(|| {
                        Problem::new(node.pointer(), "a field's name must be text")
                    })?;
                    if !names.insert(name.clone()) && self.problems.len() < MAX_PROBLEMS {
                        let message = format!("`{name}` is given twice here");
                        let problem = Problem::new(node.origin.clone(), message);
                        self.problems.push(problem.help("keep one of the two"));
                    }
                    *key = Some(Key { name, origin: node.origin });
                }
            },
        }
        Ok(())
    }

    /// Keeps a copy for the aliases to come; the copy counts, since anchors nest.
    fn remember(&mut self, anchor: usize, node: &Node, size: usize) -> Result<(), Problem> {
        if anchor != 0 {
            self.count(size, &node.origin)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(())
    }

    fn count(&mut self, more: usize, at: &Origin) -> Result<(), Problem> {
        self.nodes += more;
        self.within_budget(at)
    }

    fn within_budget(&self, at: &Origin) -> Result<(), Problem> {
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        let message = format!("more than {MAX_NODES} values, counting what aliases stand for");
        Err(Problem::new(at.clone(), message).help("keep large data in a mesh file"))
    }

    /// Whether the tag asks for text. Only the core tags mean something here.
    fn check_tag(&self, tag: Option<&Tag>, range: &Range<usize>) -> Result<bool, Problem> {
        match tag {
            None => Ok(false),
            Some(tag) => match tag.core_suffix() {
                Some(suffix) => Ok(suffix == "str"),
                None => Err(self.problem(range.clone(), "tags have no meaning in a scene")),
            },
        }
    }

    fn range(&self, span: &Span) -> Range<usize> {
        let range = span.byte_range().unwrap_or(0..0);
        let end = range.end.min(self.text.len());
        range.start.min(end)..end
    }

    fn problem(&self, range: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::new(Origin::new(self.source, range), message)
    }

    fn second_document(&self, span: &Span) -> Problem {
        self.problem(self.range(span), "a second document starts here")
            .help("a scene file holds one document: remove this `---` and what follows")
    }

    fn syntax(&self, error: &granit_parser::ScanError) -> Problem {
        let at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        let end = self.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
            return self.problem(at..end, too_deep());
        }
        self.problem(at..end, format!("this is not YAML: {}", error.info()))
            .help("look at the indentation, brackets and quotes just before this place")
    }
}

fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} levels")
}

/// Numbers and words may name a material; lists and maps may not.
fn key_name(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.clone()),
        Value::Int(int) => Some(int.to_string()),
        Value::Float(float) => Some(float.to_string()),
        Value::Bool(bool) => Some(bool.to_string()),
        Value::Null | Value::Seq(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, Vec<Problem>> {
        parse(text, SourceId(0))
    }

    fn first_problem(text: &str) -> Problem {
        read(text).expect_err("should be refused").remove(0)
    }

    #[test]
    fn every_value_and_key_knows_its_bytes() {
        let text = "név: ß\nbodies:\n  - { size: [1, 2.5] }\nlast: 'x'\n";
        let root = read(text).unwrap();
        let (key, value) = root.entry("név").unwrap();
        assert_eq!(&text[key.origin.span.clone()], "név");
        assert_eq!(&text[value.origin.span.clone()], "ß");
        let bodies = root.field("bodies").unwrap();
        assert_eq!(&text[bodies.origin.span.clone()], "- { size: [1, 2.5] }");
        let Value::Seq(items) = &bodies.value else { panic!() };
        let size = items[0].field("size").unwrap();
        assert_eq!(&text[size.origin.span.clone()], "[1, 2.5]");
        assert_eq!(&text[root.field("last").unwrap().origin.span.clone()], "'x'");
    }

    #[test]
    fn aliases_stand_for_what_they_name() {
        let root = read("a: &k { x: 1 }\nb: *k\n").unwrap();
        assert_eq!(root.field("b").unwrap().to_json(), serde_json::json!({"x": 1}));
        assert!(first_problem("a: &k [*k]\n").message.contains("inside"));
        assert!(first_problem("a: *nothing\n").message.contains("not YAML"));
    }

    #[test]
    fn alias_bomb_is_refused_before_it_grows() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..40 {
            let alias = format!("*a{}", level - 1);
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![alias; 10].join(", "));
        }
        assert!(first_problem(&bomb).message.contains("500000 values"));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let flow = "[".repeat(100_000);
        assert!(first_problem(&flow).message.contains("deeper than 64"));
        let block: String = (0..2000).map(|n| " ".repeat(n) + "a:\n").collect();
        assert!(first_problem(&block).message.contains("deeper than 64"));
        assert!(first_problem(&"- ".repeat(50_000)).message.contains("deeper than 64"));
    }

    #[test]
    fn empty_and_double_documents_and_keys() {
        assert!(first_problem("").message.contains("empty"));
        assert!(first_problem("# only a comment\n").message.contains("empty"));
        assert!(first_problem("a: 1\n---\nb: 2\n").message.contains("second document"));
        let twice = read("a: 1\nb: 2\na: 3\nb: 4\n").unwrap_err();
        assert_eq!(twice.len(), 2);
        assert_eq!(twice[0].origin.span, 10..11);
    }

    #[test]
    fn tags_are_refused_but_core_ones() {
        assert_eq!(read("!!str 12").unwrap().value, Value::String("12".into()));
        assert!(first_problem("a: !evil 1").message.contains("tags"));
    }
}
