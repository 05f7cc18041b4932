//! Settings (Escape).

use egui::{Align2, Context, Grid, Slider, Ui, Window};

use super::{Actions, PanelContext};
use crate::action::{Action, Window as Opened};
use crate::i18n::Language;
use crate::preferences::{CameraProfile, Preferences, Theme};

/// Draws the settings. What is not an action of its own comes back as changed preferences.
pub fn settings_window(
    ctx: &Context,
    context: &PanelContext,
    actions: &mut Actions,
) -> Option<Preferences> {
    let mut open = true;
    let mut changed = context.preferences.clone();
    Window::new(context.tr("Settings"))
        .id(egui::Id::unique("settings"))
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            Grid::new("settings").num_columns(2).spacing([20.0, 9.0]).show(ui, |ui| {
                choices(ui, context, actions);
                timeline(ui, context, &mut changed);
            });
            ui.separator();
            let mut leave = context.preferences.leave_safe_range;
            let tip = context.tr("Sliders then reach all values that a scene may have; some make the simulation explode");
            if ui.checkbox(&mut leave, context.tr("Leave the safe range")).on_hover_text(tip).changed() {
                actions.push(Action::LeaveSafeRange(leave));
            }
            ui.separator();
            ui.horizontal(|ui| {
                if ui.button(context.tr("Close")).clicked() {
                    actions.push(Action::Toggle(Opened::Settings));
                }
                if ui.button(context.tr("Quit")).clicked() {
                    actions.push(Action::Quit);
                }
            });
        });
    if !open {
        actions.push(Action::Toggle(Opened::Settings));
    }
    (changed != *context.preferences).then_some(changed)
}

fn choices(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let now = context.preferences;
    ui.label(context.tr("Language"));
    ui.horizontal(|ui| {
        for (language, name) in [(Language::English, "English"), (Language::Croatian, "Hrvatski")] {
            if ui.selectable_label(now.language == language, name).clicked() {
                actions.push(Action::Language(language));
            }
        }
    });
    ui.end_row();
    ui.label(context.tr("Theme"));
    ui.horizontal(|ui| {
        for (theme, name) in [
            (Theme::Dark, context.tr("Dark")),
            (Theme::Light, context.tr("Light")),
            (Theme::System, context.tr("As the desktop")),
        ] {
            if ui.selectable_label(now.theme == theme, name).clicked() {
                actions.push(Action::Theme(theme));
            }
        }
    });
    ui.end_row();
    ui.label(context.tr("Camera"));
    ui.horizontal(|ui| {
        for (profile, name, tip) in [
            (
                CameraProfile::Modern,
                context.tr("Modern"),
                context.tr("Orbit, pan and zoom with the mouse"),
            ),
            (
                CameraProfile::Classic,
                context.tr("Classic"),
                context.tr("Free flight with W A S D, Space, C and the mouse"),
            ),
        ] {
            if ui.selectable_label(now.profile == profile, name).on_hover_text(tip).clicked() {
                actions.push(Action::Profile(profile));
            }
        }
    });
    ui.end_row();
    let label = ui.label(context.tr("Size of the interface"));
    let mut zoom = now.zoom;
    let slider = Slider::new(&mut zoom, 0.5..=3.0).step_by(0.05).fixed_decimals(2).prefix("× ");
    // The size changes when the drag ends, or the slider would move under the hand.
    let slider = ui.add(slider.update_while_editing(false)).labelled_by(label.id);
    let id = egui::Id::unique("zoom while dragged");
    if slider.dragged() {
        ui.data_mut(|data| data.insert_temp(id, zoom));
    } else if let Some(zoom) = ui.data_mut(|data| data.remove_temp::<f32>(id)) {
        actions.push(Action::Zoom(zoom));
    } else if slider.changed() {
        actions.push(Action::Zoom(zoom));
    }
    ui.end_row();
}

fn timeline(ui: &mut Ui, context: &PanelContext, changed: &mut Preferences) {
    let label = ui.label(context.tr("Timeline keeps at most"));
    let slider = Slider::new(&mut changed.timeline_s, 1.0..=600.0).logarithmic(true).suffix(" s");
    ui.add(slider.max_decimals(0)).labelled_by(label.id);
    ui.end_row();
    let label = ui.label(context.tr("Memory of the timeline at most"));
    let slider = Slider::new(&mut changed.timeline_mb, 16..=8192).logarithmic(true).suffix(" MB");
    ui.add(slider).labelled_by(label.id);
    ui.end_row();
}
