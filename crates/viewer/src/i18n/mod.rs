//! English and Croatian.
//!
//! A text is named by its English: `language.tr("Play")`. A test finds every such text in the
//! sources and demands its Croatian.

mod croatian;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

/// Language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Croatian.
    Croatian,
}

impl Language {
    /// A text in this language; English where there is no other.
    pub fn tr(self, english: &str) -> &str {
        match self {
            Self::English => english,
            Self::Croatian => croatian::find(english).unwrap_or(english),
        }
    }
}

/// Marks an English text that is translated where it is shown, so that the test finds it.
pub const fn to_translate(english: &'static str) -> &'static str {
    english
}

/// Puts values into a text: `{name}` becomes the value of that name.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let put =
        |text: String, (name, value): &(&str, &str)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(text.to_owned(), put)
}
