//! Croatian.

/// The Croatian of an English text.
pub fn find(english: &str) -> Option<&'static str> {
    let at = TEXTS.binary_search_by_key(&english, |&(text, _)| text).ok()?;
    Some(TEXTS[at].1)
}

/// English and Croatian, sorted by the English.
const TEXTS: &[(&str, &str)] = &[("Pause", "Zaustavi"), ("Play", "Pokreni")];
