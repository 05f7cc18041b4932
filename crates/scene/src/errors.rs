//! What can go wrong when a scene is opened, as people read it.

use std::path::PathBuf;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::problem::{MAX_PROBLEMS, Problem};
use crate::source::Sources;

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
    source: NamedSource<std::sync::Arc<str>>,
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
        let label = LabeledSpan::new_primary_with_span(Some(label), span);
        Self { message, label, help: problem.help.clone(), source: NamedSource::new(name, text) }
    }
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
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.label.clone())))
    }
}
