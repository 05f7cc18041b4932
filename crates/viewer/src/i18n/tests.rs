//! Nothing is left in English.

use std::collections::BTreeSet;
use std::path::Path;

use egui_kittest::Harness;
use serde_json::Value;
use tkanina_scene::schema::json_schema;

use super::croatian::{TABLES, find};
use super::{Language, fill};
use crate::panels::apply_style;
use crate::panels::inspector::{label, one_line, readable, split_unit, words};

#[test]
fn tables_are_sorted_and_say_each_text_once() {
    let mut seen = BTreeSet::new();
    for table in TABLES {
        for pair in table.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{:?} before {:?}", pair[0].0, pair[1].0);
        }
        for (english, croatian) in table {
            assert!(seen.insert(english), "twice: {english}");
            assert!(!croatian.trim().is_empty(), "{english}");
        }
    }
}

#[test]
fn values_have_their_places_in_both_languages() {
    for (english, croatian) in TABLES.into_iter().flatten() {
        let places = |text: &str| -> BTreeSet<String> {
            let open = text.match_indices('{').map(|(at, _)| &text[at..]);
            open.filter_map(|rest| Some(rest[..rest.find('}')?].to_owned())).collect()
        };
        assert_eq!(places(english), places(croatian), "{english}");
    }
    assert_eq!(fill("{a} of {b}", &[("a", "1"), ("b", "2")]), "1 of 2");
}

#[test]
fn every_text_of_the_interface_is_translated() {
    let mut texts = BTreeSet::new();
    let sources = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    collect(sources, &mut texts);
    assert!(texts.len() > 150, "only {} texts found", texts.len());
    demand(texts);
}

#[test]
fn every_field_of_a_scene_is_translated() {
    let mut texts = BTreeSet::new();
    fields(&json_schema(), &mut texts);
    assert!(texts.len() > 400, "only {} texts found", texts.len());
    demand(texts);
}

#[test]
fn the_fonts_have_every_sign() {
    let mut texts: BTreeSet<String> =
        TABLES.iter().copied().flatten().flat_map(|(a, b)| [readable(a), readable(b)]).collect();
    let mut formulas = BTreeSet::new();
    formulas_of(&json_schema(), &mut formulas);
    texts.extend(formulas.iter().map(|formula| readable(formula)));
    // The harness fails at the first sign that no font has.
    let harness = Harness::builder().with_context_setup(apply_style);
    let _ = harness.build_ui(|ui| {
        for text in &texts {
            ui.label(text);
        }
    });
}

#[test]
fn unknown_texts_stay_english() {
    assert_eq!(Language::Croatian.tr("no such text"), "no such text");
    assert_eq!(Language::English.tr("Play"), "Play");
    assert_eq!(Language::Croatian.tr("Play"), "Pokreni");
}

#[track_caller]
fn demand(texts: BTreeSet<String>) {
    let missing: Vec<String> = texts.into_iter().filter(|text| find(text).is_none()).collect();
    assert!(missing.is_empty(), "no Croatian for:\n{}", missing.join("\n"));
}

/// Every text in the sources that is marked for translation.
fn collect(folder: &Path, texts: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "i18n"].contains(&name.as_str()) {
            collect(&path, texts);
        } else if name.ends_with(".rs") && !name.contains("tests") {
            let source = std::fs::read_to_string(&path).unwrap();
            for mark in [".tr(", "to_translate("] {
                let after = source.match_indices(mark).map(|(at, _)| &source[at + mark.len()..]);
                texts.extend(after.filter_map(literal));
            }
        }
    }
}

/// The string literal that `source` starts with.
fn literal(source: &str) -> Option<String> {
    let mut text = String::new();
    let mut signs = source.trim_start().strip_prefix('"')?.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => return Some(text),
            '\\' => match signs.next()? {
                '\n' => while signs.next_if(|sign| sign.is_whitespace()).is_some() {},
                'n' => text.push('\n'),
                other => text.push(other),
            },
            sign => text.push(sign),
        }
    }
    None
}

/// Labels, words and descriptions of every field.
fn fields(schema: &Value, texts: &mut BTreeSet<String>) {
    let description = schema["description"].as_str().map(|text| one_line(split_unit(text).0));
    texts.extend(description);
    texts.extend(schema["const"].as_str().map(words));
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    texts.insert(label(name));
                    fields(property, texts);
                }
            }
            ("$defs", Value::Object(all)) => all.values().for_each(|one| fields(one, texts)),
            ("oneOf" | "anyOf", Value::Array(all)) => all.iter().for_each(|one| fields(one, texts)),
            ("items" | "additionalProperties", value) => fields(value, texts),
            _ => (),
        }
    }
}

fn formulas_of(schema: &Value, formulas: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            formulas.extend(object.get("x-formula").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| formulas_of(value, formulas));
        }
        Value::Array(all) => all.iter().for_each(|value| formulas_of(value, formulas)),
        _ => (),
    }
}
