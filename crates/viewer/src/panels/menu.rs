//! The menu (F1): the scene, what is shown, plots, scenes.

use egui::{Button, ScrollArea, Ui};

use super::display::display;
use super::{Actions, Browser, Inspector, PanelContext, Plots};
use crate::action::{Action, Window};
use crate::i18n::to_translate;

/// Pages of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Every parameter of the scene.
    #[default]
    Scene,
    /// What is shown.
    Display,
    /// Plots over time.
    Plots,
    /// The scenes to choose from.
    Scenes,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Scene, Self::Display, Self::Plots, Self::Scenes];

    /// Its name in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scene => to_translate("Scene"),
            Self::Display => to_translate("Display"),
            Self::Plots => to_translate("Plots"),
            Self::Scenes => to_translate("Scenes"),
        }
    }
}

/// The menu with its pages.
#[derive(Default)]
pub struct Menu {
    /// The page that is open.
    pub tab: Tab,
    /// The parameters.
    pub inspector: Inspector,
    /// The scenes.
    pub browser: Browser,
    /// The plots.
    pub plots: Plots,
}

impl Menu {
    /// Draws the menu, as high and wide as `ui`.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        file_row(ui, context, actions);
        ui.separator();
        ui.horizontal(|ui| {
            for tab in Tab::ALL {
                ui.selectable_value(&mut self.tab, tab, context.tr(tab.name()));
            }
        });
        ui.separator();
        match self.tab {
            Tab::Scene => self.inspector.show(ui, context, actions),
            Tab::Display => {
                let area = ScrollArea::vertical().id_salt("display").auto_shrink([false, false]);
                area.show(ui, |ui| display(ui, context, actions));
            }
            Tab::Plots => self.plots.show(ui, context, actions),
            Tab::Scenes => self.browser.show(ui, context, actions),
        }
    }
}

fn file_row(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    ui.horizontal_wrapped(|ui| {
        ui.menu_button(context.tr("File"), |ui| {
            for (name, keys, action) in [
                (context.tr("Open…"), "O", Action::OpenDialog),
                (context.tr("Reload"), "", Action::Reload),
                (context.tr("Save scene as…"), "Ctrl+S", Action::SaveAsDialog),
                (context.tr("Remove all bodies"), "", Action::RemoveAllBodies),
                (context.tr("Settings"), "Esc", Action::Toggle(Window::Settings)),
                (context.tr("Keys and mouse"), "F2", Action::Toggle(Window::Help)),
                (context.tr("Quit"), "", Action::Quit),
            ] {
                if ui.add(Button::new(name).shortcut_text(keys)).clicked() {
                    actions.push(action);
                    ui.close();
                }
            }
        });
        let undo = ui.add_enabled(context.can_undo, Button::new(context.tr("Undo")));
        if undo.on_hover_text("Ctrl+Z").clicked() {
            actions.push(Action::Undo);
        }
        let redo = ui.add_enabled(context.can_redo, Button::new(context.tr("Redo")));
        if redo.on_hover_text("Ctrl+Shift+Z").clicked() {
            actions.push(Action::Redo);
        }
        let name = context.scene["name"].as_str().unwrap_or_default();
        let changed = if context.dirty { " •" } else { "" };
        let title = ui.strong(format!("{name}{changed}"));
        if context.dirty {
            title.on_hover_text(context.tr("Changed and not saved"));
        }
    });
}
