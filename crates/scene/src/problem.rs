//! One thing that is wrong with a scene.

use crate::source::Origin;

/// Problems collected at most; a reader mends a few at a time.
pub const MAX_PROBLEMS: usize = 100;

/// One thing that is wrong, with its place and a way to mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The field, as `bodies[0].pins[1].points`; empty for the whole scene.
    pub path: String,
    /// Where it was written.
    pub origin: Origin,
    /// What is wrong, in one sentence.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place that no field path names.
    pub fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self { path: String::new(), origin, message: message.into(), help: None }
    }

    /// The same with a field path.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The same with a remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with a remedy, if there is one.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

/// The known name that `word` was probably meant to be.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Names as a sentence has them: `` `a`, `b` or `c` ``.
pub fn list_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
