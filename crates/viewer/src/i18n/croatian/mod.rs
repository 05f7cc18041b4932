//! Croatian.

/// The Croatian of an English text.
pub(super) fn find(english: &str) -> Option<&'static str> {
    TABLES.iter().find_map(|table| {
        let at = table.binary_search_by_key(&english, |&(text, _)| text).ok()?;
        Some(table[at].1)
    })
}

/// English and Croatian, each table sorted by the English.
pub(super) const TABLES: [&[(&str, &str)]; 1] = [&[("Pause", "Zaustavi"), ("Play", "Pokreni")]];
