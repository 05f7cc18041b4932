//! Where a piece of a scene was written: in its file or in a `--set` argument.

use std::ops::Range;
use std::sync::Arc;

/// Names one text of [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceId(pub usize);

/// A byte range of one source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The text.
    pub source: SourceId,
    /// The bytes in it.
    pub span: Range<usize>,
}

impl Origin {
    /// The bytes `span` of `source`.
    pub fn new(source: SourceId, span: Range<usize>) -> Self {
        Self { source, span }
    }
}

/// One text that took part in a scene.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, or `--set` and its number.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// Every text that took part in a scene: the file first, then each `--set`.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
}

impl Sources {
    /// Adds a text and gives it its name.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        self.texts.push(Source { name: name.into(), text: text.into() });
        SourceId(self.texts.len() - 1)
    }

    /// The text `id`, if it is one of these.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.texts.get(id.0)
    }

    /// Line and column of `origin`, both from 1; columns count characters.
    pub fn line_column(&self, origin: &Origin) -> (usize, usize) {
        let Some(source) = self.get(origin.source) else { return (1, 1) };
        let before = source.text.get(..origin.span.start).unwrap_or(&source.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}
