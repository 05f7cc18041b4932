//! Entries by names that people give: materials, looks.

use egui::{CollapsingHeader, TextEdit, Ui};
use serde_json::Value;

use super::editor::Editor;
use super::schema::Node;
use super::spot::{Spot, escape};
use super::start::start;
use crate::action::Action;
use crate::i18n::fill;

/// Draws the entries with buttons to copy and remove them, and a row to add one.
pub(super) fn map<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    item: &'a Value,
) {
    let item = Node::new(editor.root, node.name, item);
    let entries = spot.value.as_object();
    let taken = |name: &str| entries.is_some_and(|entries| entries.contains_key(name));
    for (name, value) in entries.into_iter().flatten() {
        let entry = spot.entry(name, value);
        if !editor.matches(&item, &entry) && !editor.matches(node, spot) {
            continue;
        }
        ui.push_id(name, |ui| {
            let header = CollapsingHeader::new(name).id_salt(editor.searching());
            let alone = entries.is_some_and(|entries| entries.len() == 1);
            header.default_open(editor.searching() || alone).show(ui, |ui| {
                ui.horizontal(|ui| {
                    let text = fill(editor.context.tr("Duplicate {name}"), &[("name", name)]);
                    if ui
                        .small_button(editor.context.tr("Duplicate"))
                        .accessible_name(text)
                        .clicked()
                    {
                        let copy = (2..).map(|i| format!("{name}-{i}")).find(|copy| !taken(copy));
                        add(editor, spot, &copy.unwrap_or_default(), value.clone());
                    }
                    let text = fill(editor.context.tr("Remove {name}"), &[("name", name)]);
                    if ui.small_button(editor.context.tr("Remove")).accessible_name(text).clicked()
                    {
                        editor
                            .actions
                            .extend([Action::Remove(entry.pointer.clone()), Action::EndEdit]);
                    }
                });
                editor.contents(ui, &item, &entry);
            });
        });
    }
    if editor.searching() {
        return;
    }
    let id = ui.make_persistent_id("new name");
    let mut typed = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let hint = editor.context.tr("New name");
        ui.add(TextEdit::singleline(&mut typed).hint_text(hint).desired_width(140.0))
            .accessible_name(hint);
        let name = typed.trim().to_owned();
        let free = !name.is_empty() && !taken(&name);
        let text = fill(editor.context.tr("Add to {list}"), &[("list", &editor.label(node))]);
        let button = ui.add_enabled(free, egui::Button::new(editor.context.tr("Add")));
        if button.accessible_name(&text).on_hover_text(text).clicked() {
            let value = start(editor.root, &item, editor.names());
            add(editor, spot, &name, value);
            typed.clear();
        }
    });
    ui.data_mut(|data| data.insert_temp(id, typed));
}

fn add<'a>(editor: &mut Editor<'a, '_>, spot: &Spot<'a>, name: &str, value: Value) {
    let pointer = format!("{}/{}", spot.pointer, escape(name));
    editor.actions.extend([Action::Set { pointer, value }, Action::EndEdit]);
}
