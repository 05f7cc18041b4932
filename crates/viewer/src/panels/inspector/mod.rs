//! The editor of every parameter of a scene, made from the scene's JSON Schema.

mod choice;
mod color;
mod editor;
mod label;
mod list;
mod map;
mod number;
mod object;
mod quick;
mod schema;
mod solver;
mod spot;
mod start;
mod text;
mod tooltip;
mod vector;

#[cfg(test)]
pub(crate) mod testing;

use egui::{CollapsingHeader, RichText, ScrollArea, TextEdit, Ui};
use serde_json::Value;
use tkanina_scene::schema::json_schema;

use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::to_translate;
use editor::Editor;
use schema::Node;
use spot::Spot;

#[cfg(test)]
pub(crate) use label::{label, readable, words};
#[cfg(test)]
pub(crate) use schema::{one_line, split_unit};
pub(crate) use solver::{solver_about, solver_name};
use spot::rounded_to;
pub(crate) use spot::{escape, rounded};

/// The editor of a scene's parameters.
#[derive(Clone, Debug)]
pub struct Inspector {
    pub(super) schema: Value,
    search: String,
}

impl Default for Inspector {
    fn default() -> Self {
        Self { schema: json_schema(), search: String::new() }
    }
}

/// Groups of the scene's fields, in the order in which they are shown.
const GROUPS: [(&str, &[&str]); 14] = [
    (to_translate("Gravity and time"), &["gravity_m_s2", "gravity_keyframes", "time"]),
    (to_translate("Solver"), &["solver"]),
    (to_translate("Materials"), &["materials"]),
    (to_translate("Bodies"), &["bodies"]),
    (to_translate("Seams and glue"), &["sew", "glue"]),
    (to_translate("Colliders"), &["colliders"]),
    (to_translate("Air and wind"), &["air"]),
    (to_translate("Forces"), &["forces"]),
    (to_translate("Contact"), &["contact"]),
    (to_translate("Cameras"), &["cameras"]),
    (to_translate("Lights"), &["lights"]),
    (to_translate("Look"), &["look"]),
    (to_translate("Scenery"), &["scenery"]),
    (to_translate("Scene file"), &["name", "about", "reproduces", "start_from", "expect"]),
];

/// Fields that say what the file is and are never edited.
const FIXED: [&str; 1] = ["format"];

impl Inspector {
    /// Draws search box and groups.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        ui.horizontal(|ui| {
            let hint = context.tr("Search parameters");
            let clear = ui.available_width() - 30.0;
            let search =
                TextEdit::singleline(&mut self.search).hint_text(hint).desired_width(clear);
            ui.add(search).accessible_name(hint);
            if super::icons::icon_button(ui, super::icons::Icon::Close, context.tr("Clear"), true)
                .clicked()
            {
                self.search.clear();
            }
        });
        let mut leave = context.preferences.leave_safe_range;
        let tip = context.tr(
            "Sliders then reach all values that a scene may have; some make the simulation explode",
        );
        if ui.checkbox(&mut leave, context.tr("Leave the safe range")).on_hover_text(tip).changed()
        {
            actions.push(Action::LeaveSafeRange(leave));
        }
        ui.add_space(2.0);
        let search = self.search.to_lowercase();
        let area = ScrollArea::vertical().id_salt("parameters").auto_shrink([false, false]);
        area.show(ui, |ui| {
            let mut editor = Editor::new(context, &self.schema, &search, actions);
            if search.trim().is_empty() {
                let title = RichText::new(context.tr("Quick")).strong();
                let header = CollapsingHeader::new(title).id_salt("quick").default_open(true);
                header.show(ui, |ui| quick::quick(&mut editor, ui));
            }
            groups(&mut editor, ui);
        });
    }
}

fn groups(editor: &mut Editor, ui: &mut Ui) {
    let top = Node::new(editor.root, "", editor.root);
    let fields = top.fields(editor.root, editor.context.scene);
    let whole = Spot::whole(editor.context.scene);
    let grouped =
        |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name)) || FIXED.contains(&name);
    let others: Vec<&str> = fields.iter().map(|f| f.name).filter(|name| !grouped(name)).collect();
    let all = GROUPS.into_iter().chain([(to_translate("Other"), others.as_slice())]);
    let mut found = false;
    for (title, names) in all {
        let nodes: Vec<&Node> =
            names.iter().filter_map(|name| fields.iter().find(|f| f.name == *name)).collect();
        let spots: Vec<(&Node, Spot)> =
            nodes.into_iter().map(|node| (node, whole.field(node))).collect();
        if !spots.iter().any(|(node, spot)| editor.matches(node, spot)) {
            continue;
        }
        found = true;
        let text = RichText::new(editor.context.tr(title)).strong();
        let header = CollapsingHeader::new(text).id_salt((title, editor.searching()));
        header.default_open(editor.searching()).show(ui, |ui| {
            // A group of one field is that field.
            if let [(node, spot)] = spots.as_slice() {
                editor.contents(ui, node, spot);
            } else {
                spots.iter().for_each(|(node, spot)| editor.field(ui, node, spot));
            }
        });
    }
    if !found {
        ui.weak(editor.context.tr("No parameter has these words"));
    }
}
