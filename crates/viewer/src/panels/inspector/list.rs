//! Entries one below the other.

use egui::{CollapsingHeader, Ui};
use serde_json::Value;

use super::editor::{Editor, is_wide};
use super::label;
use super::schema::Node;
use super::spot::Spot;
use super::start::start;
use crate::action::Action;
use crate::i18n::fill;

/// Entries that are drawn at most: nobody edits thousands by hand.
pub(super) const MOST_SHOWN: usize = 100;

/// Draws the entries of a list with buttons to add, copy and remove them.
pub(super) fn list<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    item: &'a Value,
) {
    let item = Node::new(editor.root, node.name, item);
    let entries = spot.value.as_array().map_or(&[][..], Vec::as_slice);
    let wide = is_wide(&item.kind());
    for (i, value) in entries.iter().enumerate().take(MOST_SHOWN) {
        let entry = spot.entry(&i.to_string(), value);
        if !editor.matches(&item, &entry) && !editor.matches(node, spot) {
            continue;
        }
        ui.push_id(i, |ui| {
            if wide {
                let title = entry_title(editor, &item, i, value);
                let header = CollapsingHeader::new(&title).id_salt(editor.searching());
                header.default_open(editor.searching() || entries.len() == 1).show(ui, |ui| {
                    ui.horizontal(|ui| buttons(editor, ui, spot, (i, value), &title));
                    editor.contents(ui, &item, &entry);
                });
            } else {
                let name = format!("{} {}", editor.label(node), i + 1);
                ui.horizontal(|ui| buttons(editor, ui, spot, (i, value), &name));
                editor.field_named(ui, &item, &entry, &name);
            }
        });
    }
    if entries.len() > MOST_SHOWN {
        let more = (entries.len() - MOST_SHOWN).to_string();
        ui.weak(fill(editor.context.tr("and {count} more"), &[("count", &more)]));
    }
    if editor.searching() {
        return;
    }
    let add = fill(editor.context.tr("Add to {list}"), &[("list", &editor.label(node))]);
    if ui.button(editor.context.tr("Add")).accessible_name(&add).on_hover_text(add).clicked() {
        let value = start(editor.root, &item, editor.names());
        let action = if spot.written {
            Action::Insert { pointer: format!("{}/{}", spot.pointer, entries.len()), value }
        } else {
            spot.set(Value::Array(vec![value]))
        };
        editor.actions.extend([action, Action::EndEdit]);
    }
}

/// Draws the entries of a list of fixed length.
pub(super) fn tuple<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    item: &'a Value,
) {
    let item = Node::new(editor.root, node.name, item).described_as(node);
    for (i, value) in spot.value.as_array().into_iter().flatten().enumerate() {
        let name = format!("{} {}", editor.label(node), i + 1);
        editor.field_named(ui, &item, &spot.entry(&i.to_string(), value), &name);
    }
}

/// What an entry is called: its name, else its kind, else its number.
fn entry_title(editor: &Editor, item: &Node, index: usize, value: &Value) -> String {
    let words = |word: &str| label::in_language(label::words(word), editor.context.language());
    let kind =
        item.variant_of(value).filter(|variant| variant.tag.is_some()).map(|v| words(v.word));
    match (value["name"].as_str(), kind) {
        (Some(name), Some(kind)) => format!("{name} ({kind})"),
        (Some(name), None) => name.to_owned(),
        (None, Some(kind)) => format!("{} {kind}", index + 1),
        (None, None) => format!("{} {}", editor.label(item), index + 1),
    }
}

fn buttons<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    spot: &Spot<'a>,
    (index, value): (usize, &Value),
    name: &str,
) {
    let duplicate = fill(editor.context.tr("Duplicate {name}"), &[("name", name)]);
    if ui.small_button(editor.context.tr("Duplicate")).accessible_name(duplicate).clicked() {
        let value = editor.names().copy(value);
        let pointer = format!("{}/{}", spot.pointer, index + 1);
        editor.actions.extend([Action::Insert { pointer, value }, Action::EndEdit]);
    }
    let remove = fill(editor.context.tr("Remove {name}"), &[("name", name)]);
    if ui.small_button(editor.context.tr("Remove")).accessible_name(remove).clicked() {
        let pointer = format!("{}/{index}", spot.pointer);
        editor.actions.extend([Action::Remove(pointer), Action::EndEdit]);
    }
}
