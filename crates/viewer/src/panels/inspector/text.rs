//! A line of text, or a name of something that the scene has.

use egui::{TextEdit, Ui};
use serde_json::json;
use tkanina_sim::materials::{FABRICS, STRAND_PRESETS};

use super::choice::{Entry, choose};
use super::editor::Editor;
use super::schema::Node;
use super::spot::Spot;
use super::tooltip::tooltip;

/// Texts longer than this get several lines.
const LONG: u64 = 1500;

/// Draws a text field, or a box of the names that may stand here.
pub(super) fn text<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    label: &str,
) {
    let now = spot.value.as_str().unwrap_or_default();
    let tip = tooltip(editor.context, node);
    let known = rows(node).or_else(|| {
        let names = editor.names().of(node.name);
        names.map(|names| names.into_iter().map(|name| (name, String::new())).collect())
    });
    if let Some(known) = known {
        let entry = |(name, tip): &(&str, String)| Entry {
            name: (*name).to_owned(),
            tip: tip.clone(),
            enabled: true,
        };
        let entries: Vec<Entry> = known.iter().map(entry).collect();
        let chosen = known.iter().position(|(name, _)| *name == now);
        if let Some(i) = choose(ui, (label, &tip), chosen, &entries) {
            editor.set_once(spot, json!(known[i].0));
        }
        return;
    }
    // What is typed is kept aside until it is whole: half a name is no name.
    let id = ui.make_persistent_id("text");
    let mut typed = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| now.to_owned());
    let long = node.schema["maxLength"].as_u64().is_some_and(|most| most > LONG);
    let field = if long {
        TextEdit::multiline(&mut typed).desired_rows(3)
    } else {
        TextEdit::singleline(&mut typed)
    };
    let field = ui.add(field.desired_width(ui.available_width()));
    let field = field.accessible_name(label).on_hover_text(tip);
    if field.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        if typed != now {
            editor.set_once(spot, json!(typed));
        }
    } else if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, typed));
    }
}

/// Names of the table of materials that a field is of, with what each is.
pub(super) fn rows(node: &Node) -> Option<Vec<(&'static str, String)>> {
    let row = |name, title, source| (name, format!("{title}. {source}"));
    match node.table()? {
        "fabrics" => Some(FABRICS.iter().map(|f| row(f.name, f.title, f.source)).collect()),
        "fibres" => Some(STRAND_PRESETS.iter().map(|s| row(s.name, s.title, s.source)).collect()),
        _ => None,
    }
}
