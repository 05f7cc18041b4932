//! Keys and mouse (F2).

use egui::{Align2, Context, Grid, RichText, ScrollArea, Window};

use super::{Actions, PanelContext};
use crate::action::{Action, Window as Opened};

/// Draws the window with every key: `keys` holds pairs of keys and English descriptions. An empty
/// key makes its description a heading.
pub fn help_window(
    ctx: &Context,
    context: &PanelContext,
    keys: &[(&str, &str)],
    actions: &mut Actions,
) {
    let mut open = true;
    Window::new(context.tr("Keys and mouse"))
        .id(egui::Id::unique("help"))
        .open(&mut open)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(ctx.content_rect().center())
        .default_width(460.0)
        .vscroll(false)
        .show(ctx, |ui| {
            ScrollArea::vertical().max_height(0.75 * ctx.content_rect().height()).show(ui, |ui| {
                Grid::new("keys").num_columns(2).striped(true).spacing([24.0, 5.0]).show(
                    ui,
                    |ui| {
                        for (key, description) in keys {
                            if key.is_empty() {
                                ui.label(RichText::new(context.tr(description)).strong());
                            } else {
                                ui.label(RichText::new(*key).monospace());
                                ui.label(context.tr(description));
                            }
                            ui.end_row();
                        }
                    },
                );
            });
        });
    if !open {
        actions.push(Action::Toggle(Opened::Help));
    }
}
