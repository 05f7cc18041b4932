//! What went wrong, said in the window: errors of the scene, explosions with remedies, a lost device.

mod contact;
mod explosion;

use egui::{Color32, Frame, RichText, ScrollArea, Ui};

use super::icons::{Icon, icon_button};
use super::{Actions, PanelContext};
use crate::action::Action;

/// Banners above the picture.
#[derive(Clone, Debug, Default)]
pub struct Banner {
    /// Generation whose explosion was put out of sight.
    explosion_dismissed: Option<u64>,
    /// Generation whose notes were put out of sight.
    notes_dismissed: Option<u64>,
    /// Generation whose contact was put out of sight.
    contact_dismissed: Option<u64>,
}

/// How grave a banner is.
#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
    Info,
}

impl Banner {
    /// Whether there is anything to say.
    pub fn has_content(&self, context: &PanelContext) -> bool {
        let of_snapshot = context.snapshot.is_some_and(|s| {
            (s.explosion.is_some() && self.explosion_dismissed != Some(s.generation))
                || s.error.is_some()
                || (contact::has_content(s) && self.contact_dismissed != Some(s.generation))
                || (!s.notes.is_empty() && self.notes_dismissed != Some(s.generation))
        });
        context.device_lost
            || context.scene_error.is_some()
            || context.message.is_some()
            || of_snapshot
    }

    /// Draws what there is to say.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        if context.device_lost {
            device_lost(ui, context, actions);
        }
        if let Some(text) = context.scene_error {
            let title = context.tr("The scene has an error; the one before stays");
            if banner(ui, context, Level::Error, title, |ui| error_text(ui, text)) {
                actions.push(Action::Dismiss);
            }
        }
        let failed = context.snapshot.and_then(|s| s.error.as_deref());
        for text in context.message.into_iter().chain(failed) {
            if banner(ui, context, Level::Warning, context.tr("That did not work"), |ui| {
                error_text(ui, text)
            }) {
                actions.push(Action::Dismiss);
            }
        }
        let Some(snapshot) = context.snapshot else { return };
        if let Some(explosion) = &snapshot.explosion
            && self.explosion_dismissed != Some(snapshot.generation)
        {
            let title = context.tr("The simulation exploded");
            let close = banner(ui, context, Level::Error, title, |ui| {
                explosion::explain(ui, context, snapshot, explosion, actions);
            });
            if close {
                self.explosion_dismissed = Some(snapshot.generation);
            }
        }
        if contact::has_content(snapshot) && self.contact_dismissed != Some(snapshot.generation) {
            let title = context.tr("Contact");
            if banner(ui, context, Level::Warning, title, |ui| {
                contact::explain(ui, context, snapshot)
            }) {
                self.contact_dismissed = Some(snapshot.generation);
            }
        }
        if !snapshot.notes.is_empty() && self.notes_dismissed != Some(snapshot.generation) {
            let close = banner(ui, context, Level::Info, context.tr("Notes"), |ui| {
                snapshot.notes.iter().for_each(|note| {
                    ui.label(note);
                });
            });
            if close {
                self.notes_dismissed = Some(snapshot.generation);
            }
        }
    }
}

fn device_lost(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let title = context.tr("The graphics device was lost");
    frame(ui, Level::Error).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.label(RichText::new(title).strong().color(ink(ui, Level::Error)));
        // Only a window on another device can show this.
        let text = context
            .tr("Nothing is lost with it: another device draws this window. Saving the scene now is wise.");
        ui.label(text);
        ui.horizontal(|ui| {
            if ui.button(context.tr("Save scene as…")).clicked() {
                actions.push(Action::SaveAsDialog);
            }
            if ui.button(context.tr("Close")).clicked() {
                actions.push(Action::Dismiss);
            }
        });
    });
}

/// Text with aligned columns and carets, as errors of scenes are written.
fn error_text(ui: &mut Ui, text: &str) {
    let area = ScrollArea::both().id_salt(text).max_height(220.0).min_scrolled_height(180.0);
    let area = area.auto_shrink([false, true]);
    area.show(ui, |ui| {
        let label = egui::Label::new(RichText::new(text).monospace().size(12.5));
        ui.add(label.wrap_mode(egui::TextWrapMode::Extend).selectable(true));
    });
}

/// Draws a banner; returns whether it was dismissed.
fn banner(
    ui: &mut Ui,
    context: &PanelContext,
    level: Level,
    title: &str,
    body: impl FnOnce(&mut Ui),
) -> bool {
    let mut close = false;
    ui.push_id(title, |ui| {
        frame(ui, level).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.label(RichText::new(title).strong().color(ink(ui, level)));
                let right = egui::Layout::right_to_left(egui::Align::Center);
                ui.with_layout(right, |ui| {
                    close = icon_button(ui, Icon::Close, context.tr("Dismiss"), true).clicked();
                });
            });
            body(ui);
        });
    });
    close
}

fn frame(ui: &Ui, level: Level) -> Frame {
    let ink = ink(ui, level);
    let fill = ui.visuals().panel_fill.lerp_to_gamma(ink, 0.10);
    Frame::new()
        .fill(fill)
        .stroke((1.0, ink.gamma_multiply(0.6)))
        .corner_radius(5.0)
        .inner_margin(8.0)
}

fn ink(ui: &Ui, level: Level) -> Color32 {
    let dark = ui.visuals().dark_mode;
    match level {
        Level::Error if dark => Color32::from_rgb(255, 125, 115),
        Level::Error => Color32::from_rgb(170, 25, 25),
        Level::Warning => super::style::warning(dark),
        Level::Info => super::style::accent(dark),
    }
}
