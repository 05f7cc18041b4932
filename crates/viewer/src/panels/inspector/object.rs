//! Named fields under a heading.

use egui::{CollapsingHeader, Ui};
use serde_json::Value;
use tkanina_sim::solvers::SolverKind;

use super::choice::{Entry, choose, kind_entry};
use super::editor::{Editor, name_cell};
use super::label;
use super::schema::{Kind, Node, Variant};
use super::spot::Spot;
use super::start::start_variant;
use super::tooltip::tooltip;

/// Draws a heading that opens on the field's contents.
pub(super) fn header<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    label: &str,
) {
    ui.horizontal_top(|ui| {
        if node.optional {
            editor.switch(ui, node, spot, label);
        }
        ui.vertical(|ui| {
            let title = title(editor, node, spot, label);
            let header = CollapsingHeader::new(title).id_salt(editor.searching());
            let open = header
                .default_open(editor.searching())
                .show(ui, |ui| editor.contents(ui, node, spot));
            open.header_response.on_hover_text(tooltip(editor.context, node));
        });
    });
}

/// The label with what stands there in a word or two.
fn title(editor: &Editor, node: &Node, spot: &Spot, label: &str) -> String {
    match spot.value {
        Value::Array(list) if matches!(node.kind(), Kind::List(_)) => {
            format!("{label} ({})", list.len())
        }
        Value::Object(map) if matches!(node.kind(), Kind::Map(_)) => {
            format!("{label} ({})", map.len())
        }
        _ => match node.variant_of(spot.value) {
            Some(variant) if variant.tag.is_some() => {
                let word =
                    label::in_language(label::words(variant.word), editor.context.language());
                format!("{label}: {word}")
            }
            _ => label.to_owned(),
        },
    }
}

/// Draws all fields of an object, with its kind first.
pub(super) fn object<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
) {
    if let Kind::Union(variants) = node.kind() {
        let label = editor.context.tr("Kind");
        kind(editor, ui, node, spot, (label, &variants));
    }
    for field in node.fields(editor.root, spot.value) {
        editor.field(ui, &field, &spot.field(&field));
    }
}

/// Draws the box of kinds under a name.
pub(super) fn kind<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    (shown, variants): (&str, &[Variant<'a>]),
) {
    let entry = |variant: &Variant| {
        let mut entry = kind_entry(editor, variant.word, variant.tag.is_some(), variant.schema);
        if !is_built(&spot.pointer, variant.word) {
            entry = Entry {
                enabled: false,
                tip: editor.context.tr("Not built yet").to_owned(),
                ..entry
            };
        }
        entry
    };
    let entries: Vec<Entry> = variants.iter().map(entry).collect();
    let now = node.variant_of(spot.value);
    let now = variants.iter().position(|variant| now.is_some_and(|now| now.word == variant.word));
    let label = format!("{}: {}", editor.label(node), editor.context.tr("kind"));
    let tip = tooltip(editor.context, node);
    let chosen = ui.horizontal(|ui| {
        name_cell(ui, |ui| {
            ui.add(egui::Label::new(shown).truncate()).on_hover_text(&tip);
        });
        choose(ui, (&label, &tip), now, &entries)
    });
    if let Some(i) = chosen.inner {
        let value = start_variant(editor.root, node, variants[i], (editor.names(), spot.value));
        editor.set_once(spot, value);
    }
}

/// Whether a kind can be run.
fn is_built(pointer: &str, word: &str) -> bool {
    pointer != "/solver" || word == "auto" || SolverKind::known().any(|kind| kind.name() == word)
}
