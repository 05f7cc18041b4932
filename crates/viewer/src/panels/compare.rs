//! Which solvers run side by side.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Checkbox, PopupCloseBehavior, Ui};
use tkanina_sim::solvers::SolverKind;

use super::inspector::{solver_about, solver_name};
use super::{Actions, PanelContext};
use crate::action::Action;
use crate::player::MOST_BESIDE;

/// A button that opens the list of solvers; it stays open while they are chosen.
pub fn compare_button(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(context.tr("Compare")).config(stays);
    let (response, _) = button.ui(ui, |ui| list(ui, context, actions));
    response.on_hover_text(context.tr("Run other solvers side by side with this one (F8)"));
}

/// Every solver, to be run beside the scene's own.
pub fn list(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let language = context.language();
    ui.label(context.tr("Side by side with the scene's solver"));
    let full = context.compared_with.len() >= MOST_BESIDE;
    for solver in SolverKind::known() {
        let was = context.compared_with.iter().any(|one| one.name() == solver.name());
        let mut on = was;
        let name = solver_name(solver.name(), language);
        let checkbox = ui.add_enabled(was || !full, Checkbox::new(&mut on, name));
        let checkbox = checkbox.on_disabled_hover_text(context.tr("Four pictures at most"));
        checkbox.on_hover_text(solver_about(solver.name(), language));
        if on != was {
            actions.push(Action::Compare { solver, on });
        }
    }
    ui.separator();
    let stop = egui::Button::new(context.tr("Stop comparing")).shortcut_text("F8");
    if ui.add_enabled(!context.compared_with.is_empty(), stop).clicked() {
        actions.push(Action::StopComparing);
        ui.close();
    }
}
