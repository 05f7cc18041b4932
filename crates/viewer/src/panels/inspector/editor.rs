//! Draws the fields of a scene and collects what is changed in them.

use egui::{Align, Label, Layout, RichText, Sense, Ui, Vec2};
use serde_json::Value;

use super::schema::{Kind, Node};
use super::spot::Spot;
use super::start::{Names, start};
use super::{choice, color, label, list, map, number, object, text, tooltip, vector};
use crate::action::Action;
use crate::i18n::fill;
use crate::panels::{Actions, PanelContext};

/// Width of the names beside the fields, as a share of the panel. [1]
const NAMES: f32 = 0.37;

/// Draws fields.
pub(super) struct Editor<'a, 'b> {
    /// What is read.
    pub context: &'b PanelContext<'a>,
    /// The whole schema.
    pub root: &'a Value,
    /// Words that fields must have to be shown, in lower case.
    search: &'b str,
    /// What is asked for.
    pub actions: &'b mut Actions,
}

impl<'a, 'b> Editor<'a, 'b> {
    pub fn new<'c: 'a>(
        context: &'b PanelContext<'a>,
        root: &'c Value,
        search: &'b str,
        actions: &'b mut Actions,
    ) -> Self {
        Self { context, root, search: search.trim(), actions }
    }

    /// Whether fields are searched for.
    pub fn searching(&self) -> bool {
        !self.search.is_empty()
    }

    /// Names that the scene has.
    pub fn names(&self) -> Names<'a> {
        Names { scene: self.context.scene }
    }

    /// The name of a field for people.
    pub fn label(&self, node: &Node) -> String {
        label::in_language(label::label(node.name), self.context.language())
    }

    /// Whether a field or anything in it has the words that are searched for.
    pub fn matches(&self, node: &Node<'a>, spot: &Spot<'a>) -> bool {
        if self.has_words(node) {
            return true;
        }
        self.children(node, spot).iter().any(|(node, spot)| self.matches(node, spot))
    }

    /// What is in a field, as far as it is drawn.
    fn children(&self, node: &Node<'a>, spot: &Spot<'a>) -> Vec<(Node<'a>, Spot<'a>)> {
        let entry = |key: &str, value: &'a Value, schema: &'a Value| {
            (Node::new(self.root, node.name, schema), spot.entry(key, value))
        };
        match node.kind() {
            Kind::Object | Kind::Union(_) if spot.value.is_object() => {
                let fields = node.fields(self.root, spot.value).into_iter();
                fields.map(|field| (field, spot.field(&field))).collect()
            }
            Kind::Map(item) => {
                let entries = spot.value.as_object().into_iter().flatten();
                entries.map(|(key, value)| entry(key, value, item)).collect()
            }
            Kind::List(item) => {
                let entries = spot.value.as_array().into_iter().flatten().take(list::MOST_SHOWN);
                entries.enumerate().map(|(i, value)| entry(&i.to_string(), value, item)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn has_words(&self, node: &Node) -> bool {
        if self.search.is_empty() {
            return true;
        }
        let english = node.description();
        let description = self.context.tr(&english);
        let all =
            format!("{} {} {english} {description}", node.name, self.label(node)).to_lowercase();
        self.search.split_whitespace().all(|word| all.contains(word))
    }

    /// Draws a field with its name.
    pub fn field(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>) {
        let label = self.label(node);
        self.field_named(ui, node, spot, &label);
    }

    /// Draws a field under a name of one's own.
    pub fn field_named(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>, label: &str) {
        if !self.matches(node, spot) {
            return;
        }
        ui.push_id(&spot.pointer, |ui| {
            if node.optional && !spot.written {
                self.row(ui, node, spot, label, |_, _| ());
            } else if is_wide(&node.kind()) {
                object::header(self, ui, node, spot, label);
            } else {
                self.row(ui, node, spot, label, |editor, ui| {
                    editor.simple(ui, node, spot, label);
                });
            }
        });
    }

    /// Draws what is in a field, without its name.
    pub fn contents(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>) {
        // Whoever searches for an object by name wants to see all of it.
        let search = if self.has_words(node) { "" } else { self.search };
        let before = std::mem::replace(&mut self.search, search);
        match node.kind() {
            Kind::Object | Kind::Union(_) => object::object(self, ui, node, spot),
            Kind::Map(item) => map::map(self, ui, node, spot, item),
            Kind::List(item) => list::list(self, ui, node, spot, item),
            Kind::Tuple { item, .. } => list::tuple(self, ui, node, spot, item),
            _ => {
                let label = self.label(node);
                self.row(ui, node, spot, &label, |editor, ui| {
                    editor.simple(ui, node, spot, &label)
                });
            }
        }
        self.search = before;
    }

    /// Draws a field that fits beside its name.
    fn simple(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>, label: &str) {
        match node.kind() {
            Kind::Boolean => self.boolean(ui, node, spot, label),
            Kind::Text => text::text(self, ui, node, spot, label),
            Kind::Number { integer } => number::number(self, ui, node, spot, (label, integer)),
            Kind::Vector { length, integer } => {
                vector::vector(self, ui, node, spot, (label, length, integer));
            }
            Kind::Color => color::color(self, ui, node, spot, label),
            Kind::Choice(words) => choice::words(self, ui, node, spot, (label, &words)),
            Kind::Either(branches) => choice::either(self, ui, node, spot, (label, &branches)),
            _ => {
                ui.weak(spot.value.to_string());
            }
        }
    }

    fn boolean(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>, label: &str) {
        let mut on = spot.value.as_bool().unwrap_or(false);
        let response = ui.checkbox(&mut on, "").accessible_name(label);
        if response.on_hover_text(tooltip::tooltip(self.context, node)).changed() {
            self.set_once(spot, Value::Bool(on));
        }
    }

    /// Draws a name and, beside it, what `add` draws. Optional fields get a switch.
    fn row(
        &mut self,
        ui: &mut Ui,
        node: &Node<'a>,
        spot: &Spot<'a>,
        label: &str,
        add: impl FnOnce(&mut Self, &mut Ui),
    ) {
        let shown = match node.kind() {
            // Three values leave no room for units.
            Kind::Vector { length: 3.., .. } if !node.unit().is_empty() => {
                format!("{label} [{}]", node.unit())
            }
            _ => label.to_owned(),
        };
        ui.horizontal(|ui| {
            name_cell(ui, |ui| {
                if node.optional {
                    self.switch(ui, node, spot, label);
                }
                let text = RichText::new(shown);
                let text = if node.optional && !spot.written { text.weak() } else { text };
                let name = ui.add(Label::new(text).truncate().sense(Sense::hover()));
                name.on_hover_text(tooltip::tooltip(self.context, node));
            });
            add(self, ui);
        });
    }

    /// A switch that sets an optional field or takes it out.
    pub fn switch(&mut self, ui: &mut Ui, node: &Node<'a>, spot: &Spot<'a>, label: &str) {
        let mut on = spot.written;
        let name = fill(self.context.tr("Set {name}"), &[("name", label)]);
        if ui.checkbox(&mut on, "").accessible_name(&name).on_hover_text(name).changed() {
            if on {
                let value = self.start(node, spot);
                self.set_once(spot, value);
            } else {
                self.actions.extend([Action::Remove(spot.pointer.clone()), Action::EndEdit]);
            }
        }
    }

    /// A value to start from.
    pub fn start(&self, node: &Node<'a>, spot: &Spot<'a>) -> Value {
        match self.context.snapshot {
            // The steps that the solver takes now are the best first guess.
            Some(snapshot) if spot.pointer == "/time/substeps" => snapshot.substeps.into(),
            _ => start(self.root, node, self.names()),
        }
    }

    /// Sets a field by a choice that is an edit of its own.
    pub fn set_once(&mut self, spot: &Spot<'a>, value: Value) {
        self.actions.extend([spot.set(value), Action::EndEdit]);
    }

    /// Sets a field as a hand moves; the edit ends when the hand lets go.
    pub fn set_moving(&mut self, spot: &Spot<'a>, value: Option<Value>, response: &egui::Response) {
        let changed = value.is_some();
        self.actions.extend(value.map(|value| spot.set(value)));
        let typed = changed && !response.dragged();
        if response.drag_stopped() || response.lost_focus() || typed {
            self.actions.push(Action::EndEdit);
        }
    }
}

/// Draws into the column of names.
pub(super) fn name_cell(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let size = Vec2::new(NAMES * ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        add(ui);
    });
}

/// Whether a field needs lines of its own.
pub(super) fn is_wide(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Object | Kind::Union(_) | Kind::Map(_) | Kind::List(_) | Kind::Tuple { .. }
    )
}
