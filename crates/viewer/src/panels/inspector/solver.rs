//! What solvers are called, and what is said of them, as in the editor of a scene.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;
use tkanina_scene::schema::json_schema;

use super::label::{in_language, readable, words};
use super::schema::{one_line, split_unit, text};
use crate::i18n::Language;

/// A solver's name as people read it; `name` as scenes have it.
pub(crate) fn solver_name(name: &str, language: Language) -> String {
    in_language(words(name), language)
}

/// What a solver is, in a sentence; nothing for one that is not known.
pub(crate) fn solver_about(name: &str, language: Language) -> String {
    let english = abouts().get(name).map_or("", String::as_str);
    readable(language.tr(english))
}

/// The sentences by name, from the schema.
fn abouts() -> &'static BTreeMap<String, String> {
    static ABOUTS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    ABOUTS.get_or_init(|| {
        let schema = json_schema();
        let kinds = schema["$defs"]["Solver"]["oneOf"].as_array().into_iter().flatten();
        let about = |kind: &Value| {
            let name = kind["properties"]["kind"]["const"].as_str()?.to_owned();
            Some((name, one_line(split_unit(text(kind)).0)))
        };
        kinds.filter_map(about).collect()
    })
}

#[cfg(test)]
mod tests {
    use tkanina_sim::solvers::SolverKind;

    use super::*;

    #[test]
    fn every_solver_is_named_and_described_in_both_languages() {
        for kind in SolverKind::known() {
            let english = solver_about(kind.name(), Language::English);
            assert!(!english.is_empty(), "{}", kind.name());
            assert!(!solver_about(kind.name(), Language::Croatian).is_empty());
        }
        assert_eq!(solver_name("xpbd", Language::English), "XPBD");
        assert_eq!(solver_name("vertex-descent", Language::Croatian), "Spust po vrhovima");
        assert_ne!(
            solver_about("projective", Language::English),
            solver_about("projective", Language::Croatian)
        );
    }
}
