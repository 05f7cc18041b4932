//! One of some words, or one of some unlike things.

use egui::{ComboBox, Ui};
use serde_json::{Value, json};

use super::editor::Editor;
use super::label;
use super::schema::{Kind, Node, Word, one_line, text};
use super::spot::Spot;
use super::tooltip::tooltip;

/// An entry of a box to choose from.
pub(super) struct Entry {
    /// What it says.
    pub name: String,
    /// What is said of it.
    pub tip: String,
    /// Whether it can be chosen.
    pub enabled: bool,
}

/// Draws a box of words.
pub(super) fn words<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    (label, words): (&str, &[Word<'a>]),
) {
    let entries: Vec<Entry> =
        words.iter().map(|word| entry(editor, word.value, word.description)).collect();
    let now = words.iter().position(|word| spot.value == word.value);
    let tip = tooltip(editor.context, node);
    if let Some(i) = choose(ui, (label, &tip), now, &entries) {
        editor.set_once(spot, json!(words[i].value));
    }
}

/// Draws a box of alternatives, and the chosen one if it has anything to edit.
pub(super) fn either<'a>(
    editor: &mut Editor<'a, '_>,
    ui: &mut Ui,
    node: &Node<'a>,
    spot: &Spot<'a>,
    (label, branches): (&str, &[&'a Value]),
) {
    let nodes: Vec<Node> =
        branches.iter().map(|branch| Node::new(editor.root, node.name, branch)).collect();
    let entries: Vec<Entry> = nodes
        .iter()
        .map(|node| match node.kind() {
            Kind::Choice(words) if words.len() == 1 => {
                entry(editor, words[0].value, words[0].description)
            }
            _ => {
                let english = node.description();
                let name = editor.context.tr(english.trim_end_matches('.')).to_owned();
                Entry { name, tip: String::new(), enabled: true }
            }
        })
        .collect();
    let fits = |node: &Node| match node.kind() {
        Kind::Choice(words) => words.iter().any(|word| spot.value == word.value),
        Kind::Number { .. } => spot.value.is_number(),
        _ => false,
    };
    let now = nodes.iter().position(fits);
    let tip = tooltip(editor.context, node);
    let kind = format!("{label}: {}", editor.context.tr("kind"));
    ui.vertical(|ui| {
        if let Some(i) = choose(ui, (&kind, &tip), now, &entries) {
            let value = match nodes[i].kind() {
                Kind::Choice(words) if !words.is_empty() => json!(words[0].value),
                _ => editor.start(&nodes[i], spot),
            };
            editor.set_once(spot, value);
        }
        if let Some(chosen) = now.map(|i| &nodes[i])
            && let Kind::Number { integer } = chosen.kind()
        {
            ui.horizontal(|ui| super::number::number(editor, ui, chosen, spot, (label, integer)));
        }
    });
}

/// Draws a box; returns the number of what was newly chosen.
pub(super) fn choose(
    ui: &mut Ui,
    (label, tip): (&str, &str),
    now: Option<usize>,
    entries: &[Entry],
) -> Option<usize> {
    let mut chosen = None;
    let shown = now.map_or("–", |i| entries[i].name.as_str());
    let width = ui.available_width() - 12.0;
    let inner = ComboBox::from_id_salt(label).selected_text(shown).width(width).truncate().show_ui(
        ui,
        |ui| {
            for (i, entry) in entries.iter().enumerate() {
                let button = egui::Button::selectable(now == Some(i), entry.name.as_str());
                let mut response = ui.add_enabled(entry.enabled, button);
                if !entry.tip.is_empty() {
                    response =
                        response.on_hover_text(&entry.tip).on_disabled_hover_text(&entry.tip);
                }
                if response.clicked() && now != Some(i) {
                    chosen = Some(i);
                }
            }
        },
    );
    inner.response.accessible_name(label).on_hover_text(tip);
    chosen
}

/// A word with its meaning.
pub(super) fn entry(editor: &Editor, word: &str, description: &str) -> Entry {
    let language = editor.context.language();
    let english = one_line(super::schema::split_unit(description).0);
    let tip = label::readable(language.tr(&english));
    Entry { name: label::in_language(label::words(word), language), tip, enabled: true }
}

/// A kind of object with its meaning.
pub(super) fn kind_entry(editor: &Editor, word: &str, tagged: bool, schema: &Value) -> Entry {
    let mut entry = entry(editor, word, text(schema));
    if !tagged {
        entry.name = label::in_language(label::label(word), editor.context.language());
    }
    entry
}
