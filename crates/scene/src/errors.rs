//! What can go wrong when a scene is opened, as people read it.

use std::path::PathBuf;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::problem::{MAX_PROBLEMS, Problem};
use crate::source::Sources;

/// Longest line that is shown with a problem. [bytes]
const MAX_LINE_SHOWN: usize = 1000;

/// Why a scene could not be opened. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SceneError {
    /// There is no such file and no built-in scene of that name.
    #[error("there is no scene `{name}`: no file of that path and no built-in scene of that name")]
    Missing {
        /// What was asked for.
        name: String,
        /// What was probably meant.
        #[help]
        help: String,
    },
    /// A folder was named.
    #[error("`{}` is a folder, not a scene file", path.display())]
    #[diagnostic(help("name a `.scene.yaml` file in it"))]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("`{}` cannot be read: {error}", path.display())]
    #[diagnostic(help("look at the file's permissions"))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// The file is too large to be a scene.
    #[error("`{}` has {bytes} bytes; a scene file may have {limit}", path.display())]
    #[diagnostic(help("keep large data in mesh files"))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The budget.
        limit: u64,
    },
    /// The file is not text.
    #[error("`{}` is not text: byte {at} is not valid UTF-8", path.display())]
    #[diagnostic(help("a scene is a YAML text file; save it as UTF-8"))]
    NotText {
        /// The file.
        path: PathBuf,
        /// Number of the first wrong byte.
        at: usize,
    },
    /// The scene was read and is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(Box<ProblemReport>),
}

impl SceneError {
    /// Reports `problems`, in the order of their places.
    pub fn from_problems(mut problems: Vec<Problem>, sources: &Sources) -> Self {
        problems.sort_by_key(|p| (p.origin.source.0, p.origin.span.start));
        let name = sources.get(crate::source::SourceId(0)).map_or("scene", |s| &s.name).to_owned();
        let shown = problems.iter().map(|p| ShownProblem::new(p, sources)).collect();
        Self::Wrong(Box::new(ProblemReport { name, problems, shown }))
    }

    /// The problems found in the scene; none if it could not be read at all.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Wrong(report) => &report.problems,
            _ => &[],
        }
    }

    /// The whole message without colours: places, carets and remedies.
    pub fn render(&self) -> String {
        let theme = miette::GraphicalTheme::unicode_nocolor();
        let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(100);
        let mut text = String::new();
        match handler.render_report(&mut text, self) {
            Ok(()) => text,
            Err(_) => self.to_string(),
        }
    }
}

/// Everything found wrong with one scene.
#[derive(Debug)]
pub struct ProblemReport {
    name: String,
    problems: Vec<Problem>,
    shown: Vec<ShownProblem>,
}

impl std::fmt::Display for ProblemReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.problems.len() {
            1 => write!(f, "{} has 1 problem", self.name),
            count if count >= MAX_PROBLEMS => {
                write!(f, "{} has {count} problems or more; here are the first", self.name)
            }
            count => write!(f, "{} has {count} problems", self.name),
        }
    }
}

impl std::error::Error for ProblemReport {}

impl Diagnostic for ProblemReport {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.shown.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

/// A problem together with the text it points into.
#[derive(Debug)]
struct ShownProblem {
    message: String,
    label: LabeledSpan,
    help: Option<String>,
    /// None where a line is so long that showing it would bury the message.
    source: Option<NamedSource<Arc<str>>>,
}

impl ShownProblem {
    fn new(problem: &Problem, sources: &Sources) -> Self {
        let (line, column) = sources.line_column(&problem.origin);
        let (name, text) = sources
            .get(problem.origin.source)
            .map_or_else(|| ("scene".to_owned(), "".into()), |s| (s.name.clone(), s.text.clone()));
        let field =
            if problem.path.is_empty() { String::new() } else { format!("{}: ", problem.path) };
        let message = format!("{name}:{line}:{column}: {field}{}", problem.message);
        let span = clip(&text, &problem.origin.span);
        let label = if problem.path.is_empty() { "here".to_owned() } else { problem.path.clone() };
        let label = LabeledSpan::new_primary_with_span(Some(printable(&label)), span);
        let source = longest_line_near(&text, span.0) <= MAX_LINE_SHOWN;
        let source = source.then(|| NamedSource::new(name, text));
        let help = problem.help.as_deref().map(printable);
        Self { message: printable(&message), label, help, source }
    }
}

/// Without control characters: a name in a scene must not steer a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Length of the longest of the lines before, at and after byte `at`.
fn longest_line_near(text: &str, at: usize) -> usize {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let back = before.rsplit('\n').take(2).map(str::len);
    let start = before.len() - before.rfind('\n').map_or(0, |line| line + 1);
    let ahead = after.split('\n').take(2).map(|line| line.len() + start);
    back.chain(ahead).max().unwrap_or(0)
}

/// The first line of a span: a caret under half a file says nothing.
fn clip(text: &str, span: &std::ops::Range<usize>) -> (usize, usize) {
    let part = text.get(span.clone()).unwrap_or("");
    let line = part.lines().next().unwrap_or("");
    (span.start.min(text.len()), line.len())
}

impl std::fmt::Display for ShownProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ShownProblem {}

impl Diagnostic for ShownProblem {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = self.source.as_ref().map(|_| self.label.clone());
        Some(Box::new(label.into_iter()))
    }
}
