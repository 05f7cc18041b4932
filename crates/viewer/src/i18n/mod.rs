//! English and Croatian.
//!
//! A text is named by its English: `language.tr("Play")`. A test finds every such text in the
//! sources and demands its Croatian.

mod croatian;

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
