//! A solver as it is named on the command line: `verlet`, `verlet@40`, `xpbd{iterations=4}@8`,
//! `line-projection:iterations=2`, or `scene` for the scene's own.

use std::fmt;

use crate::load::Override;
use crate::problem::{did_you_mean, list_names};
use crate::schema::Solver;

/// One way to run a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As it was written; the second of two alike has a number.
    pub label: String,
    /// Kind of solver; none for the scene's own, options and all.
    pub kind: Option<String>,
    /// Options by name.
    pub options: Vec<(String, String)>,
    /// Steps a frame, if it has its own.
    pub substeps: Option<Count>,
}

/// Steps a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// What the solver recommends.
    Auto,
    /// This many.
    Steps(u32),
}

/// A solver that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("{message}")]
pub struct EntryError {
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    #[help]
    pub help: String,
}

/// Word for the scene's own solver.
const OWN: &str = "scene";
/// Most steps a frame, as in a scene.
const MOST_SUBSTEPS: u32 = 10_000;
const FORMS: &str =
    "write a kind, then its options, then steps a frame: verlet, verlet@40, xpbd{iterations=4}@8";

impl Entry {
    /// Reads a list with commas between its entries; commas inside braces do not count.
    pub fn list(text: &str) -> Result<Vec<Self>, EntryError> {
        let mut entries = Vec::new();
        for part in split(text) {
            let mut entry = Self::parse(part)?;
            let alike = entries.iter().filter(|e: &&Self| e.same_way_as(&entry)).count();
            if alike > 0 {
                entry.label = format!("{} ({})", entry.label, alike + 1);
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// Reads one entry.
    pub fn parse(text: &str) -> Result<Self, EntryError> {
        let text = text.trim();
        let (rest, substeps) = match text.rsplit_once('@') {
            Some((rest, count)) => (rest, Some(count.parse()?)),
            None => (text, None),
        };
        let (kind, options) = split_options(rest, text)?;
        if kind != OWN && !Solver::KINDS.contains(&kind) {
            return Err(unknown(kind));
        }
        if kind == OWN && !options.is_empty() {
            return Err(EntryError {
                message: format!("`{text}`: `{OWN}` stands for the scene's solver as it is"),
                help: "name the kind to give it options, or change the scene by `--set`".into(),
            });
        }
        let mut read = Vec::new();
        for option in options.into_iter().map(str::trim).filter(|option| !option.is_empty()) {
            read.push(read_option(option, text)?);
        }
        let kind = (kind != OWN).then(|| kind.to_owned());
        Ok(Self { label: text.to_owned(), kind, options: read, substeps })
    }

    /// A kind without options, at the steps that it recommends unless told.
    pub fn of_kind(kind: &str, substeps: Option<Count>) -> Self {
        let label = substeps.map_or_else(|| kind.to_owned(), |count| format!("{kind}@{count}"));
        Self { label, kind: Some(kind.to_owned()), options: Vec::new(), substeps }
    }

    /// What is replaced in the scene. Without steps of its own it takes those `of_all`.
    pub fn overrides(&self, flag: &str, of_all: Option<Count>) -> Vec<Override> {
        let label = format!("{flag} {}", self.label);
        let mut overrides = Vec::new();
        if let Some(kind) = &self.kind {
            let options: String =
                self.options.iter().map(|(name, value)| format!(", {name}: {value}")).collect();
            let argument = format!("solver={{ kind: {kind}{options} }}");
            overrides.push(Override { label: label.clone(), argument });
        }
        if let Some(count) = self.substeps.or(of_all) {
            overrides.push(Override { label, argument: format!("time.substeps={count}") });
        }
        overrides
    }

    fn same_way_as(&self, other: &Self) -> bool {
        (&self.kind, &self.options, self.substeps) == (&other.kind, &other.options, other.substeps)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Steps(count) => count.fmt(f),
        }
    }
}

impl std::str::FromStr for Count {
    type Err = EntryError;

    fn from_str(text: &str) -> Result<Self, EntryError> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            text => match text.parse() {
                Ok(count) if (1..=MOST_SUBSTEPS).contains(&count) => Ok(Self::Steps(count)),
                _ => Err(EntryError {
                    message: format!("`{text}` is no number of steps a frame"),
                    help: format!("give a whole number from 1 to {MOST_SUBSTEPS}, or auto"),
                }),
            },
        }
    }
}

/// Parts between commas that are not inside braces.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(move |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .collect()
}

/// The kind, and the options behind it in either form.
fn split_options<'t>(rest: &'t str, whole: &str) -> Result<(&'t str, Vec<&'t str>), EntryError> {
    let rest = rest.trim();
    if let Some((kind, inside)) = rest.split_once('{') {
        let inside = inside.strip_suffix('}').filter(|inside| !inside.contains(['{', '}']));
        let inside = inside.ok_or_else(|| EntryError {
            message: format!("`{whole}`: the braces do not close"),
            help: FORMS.to_owned(),
        })?;
        return Ok((kind.trim(), inside.split(',').collect()));
    }
    let mut parts = rest.split(':');
    Ok((parts.next().unwrap_or_default().trim(), parts.collect()))
}

/// A name and a number; more is not taken, so that nothing else of a scene changes here.
fn read_option(option: &str, whole: &str) -> Result<(String, String), EntryError> {
    let wrong = |message: String| EntryError { message, help: FORMS.to_owned() };
    let Some((name, value)) = option.split_once('=') else {
        return Err(wrong(format!("`{whole}`: option `{option}` has no `=`")));
    };
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(wrong(format!("`{whole}`: `{name}` cannot be the name of an option")));
    }
    if !value.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(wrong(format!("`{whole}`: `{value}` is not a number")));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn unknown(kind: &str) -> EntryError {
    let kinds = || Solver::KINDS.iter().copied().chain([OWN]);
    let known = format!("known kinds are {}", list_names(kinds()));
    let help = match did_you_mean(kind, kinds()) {
        Some(meant) => format!("did you mean `{meant}`? {known}"),
        None => known,
    };
    EntryError { message: format!("there is no solver `{kind}`"), help }
}
