//! Names of fields and words as people read them.

use crate::i18n::Language;

/// Endings that say a unit.
const UNITS: [&str; 23] = [
    "_N_s_m", "_kg_m3", "_kg_m2", "_m_s2", "_N_s", "_N_m", "_m_s", "_kg_s", "_deg_s", "_deg",
    "_mol", "_hz", "_Hz", "_kg", "_mm", "_m3", "_m2", "_N", "_Pa", "_m", "_s", "_W", "_K",
];

/// Names that do not say what they are.
const SPECIAL: [(&str, &str); 16] = [
    ("a", "Side a"),
    ("a_m", "End a"),
    ("all", "All points"),
    ("b", "Side b"),
    ("b_m", "End b"),
    ("deg_s", "Rate"),
    ("of", "Quantity"),
    ("per_m2", "Strands by area"),
    ("per_point_kg", "Mass of a point"),
    ("area_density_kg_m2", "Mass by area"),
    ("t_s", "Time"),
    ("fov_deg", "Field of view"),
    ("rms_m_s", "Speed of eddies"),
    ("rate_hz", "Frame rate"),
    ("expect", "Expectations"),
    ("sew", "Seams"),
];

/// Words that are the first letters of others.
const ACRONYMS: [&str; 5] = ["bdf2", "rk4", "sdirk2", "uv", "xpbd"];

/// The English label of a field.
pub(crate) fn label(name: &str) -> String {
    if let Some((_, label)) = SPECIAL.iter().find(|(special, _)| *special == name) {
        return (*label).to_owned();
    }
    let bare =
        UNITS.iter().find_map(|unit| name.strip_suffix(unit)).filter(|bare| !bare.is_empty());
    words(bare.unwrap_or(name))
}

/// The English label of a word such as `semi-implicit-euler`.
pub(crate) fn words(word: &str) -> String {
    if ACRONYMS.contains(&word) {
        return word.to_uppercase();
    }
    let spaced = word.replace(['_', '-'], " ").replace(" euler", " Euler");
    let mut letters = spaced.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A label in a language.
pub(super) fn in_language(english: String, language: Language) -> String {
    let known = language.tr(&english);
    known.to_owned()
}

/// Text without the few signs that the fonts lack.
pub(crate) fn readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\u{302}' => out.push('ˆ'),
            '\u{307}' => out.push('\''),
            'ẋ' => out.push_str("x'"),
            'ẍ' => out.push_str("x''"),
            'ḋ' => out.push_str("d'"),
            'ˢ' => out.push_str("^s"),
            '⊥' => out.push_str("_n"),
            'ᵢ' => out.push_str("_i"),
            'ⱼ' => out.push_str("_j"),
            'ₙ' => out.push_str("_n"),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_leave_labels() {
        assert_eq!(label("gravity_m_s2"), "Gravity");
        assert_eq!(label("damping_N_s_m"), "Damping");
        assert_eq!(label("max_stretch"), "Max stretch");
        assert_eq!(label("self_contact"), "Self contact");
        assert_eq!(label("t_s"), "Time");
        assert_eq!(words("semi-implicit-euler"), "Semi implicit Euler");
    }
}
