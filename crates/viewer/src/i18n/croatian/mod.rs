//! Croatian.

mod bodies;
mod garments;
mod interface;
mod keys;
mod labels;
mod lattices;
mod look;
mod meshes;
mod running;
mod soft_bodies;
mod strands;
mod surroundings;

/// The Croatian of an English text.
pub(super) fn find(english: &str) -> Option<&'static str> {
    TABLES.iter().find_map(|table| {
        let at = table.binary_search_by_key(&english, |&(text, _)| text).ok()?;
        Some(table[at].1)
    })
}

/// English and Croatian, each table sorted by the English.
pub(super) const TABLES: [&[(&str, &str)]; 12] = [
    interface::TEXTS,
    keys::TEXTS,
    labels::TEXTS,
    bodies::TEXTS,
    garments::TEXTS,
    surroundings::TEXTS,
    look::TEXTS,
    meshes::TEXTS,
    running::TEXTS,
    soft_bodies::TEXTS,
    lattices::TEXTS,
    strands::TEXTS,
];
