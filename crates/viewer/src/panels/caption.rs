//! What is said of a solver's picture: its name, its cost, how well it does.

use egui::{Color32, Frame, RichText, ScrollArea, Ui, UiBuilder};

use super::icons::{Icon, icon_button};
use super::inspector::solver_name;
use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::fill;
use crate::snapshot::{Published, Snapshot};

/// Frames over which the time of a frame is averaged: single ones flicker too much to be read.
const MEAN_OF: usize = 20;

/// Red that reads on a dark ground.
const EXPLODED: Color32 = Color32::from_rgb(255, 125, 115);

/// Draws the caption of a picture into the lower left corner of `cell`, and why there is no picture
/// if its solver refuses the scene.
pub fn caption(
    ui: &mut Ui,
    context: &PanelContext,
    (published, picture): (&Published, usize),
    cell: egui::Rect,
    actions: &mut Actions,
) {
    if let Some(why) = published.refusal(picture) {
        refusal(ui, context, why, cell);
    }
    egui::Area::new(egui::Id::unique(("caption", picture)))
        .fixed_pos(cell.left_bottom() + egui::vec2(8.0, -8.0))
        .pivot(egui::Align2::LEFT_BOTTOM)
        .constrain_to(cell)
        .show(ui.ctx(), |ui| {
            ui.set_max_width(cell.width() - 28.0);
            let back = Color32::from_black_alpha(165);
            Frame::new().fill(back).corner_radius(6.0).inner_margin(6.0).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                title(ui, context, (published, picture), actions);
                if let Some(snapshot) = published.get(picture) {
                    numbers(ui, context, published, snapshot);
                }
            });
        });
}

/// The caption in one line, to be written into films and screenshots.
pub fn line(context: &PanelContext, published: &Published, picture: usize) -> String {
    let name = solver_name(published.solver(picture), context.language());
    let Some(snapshot) = published.get(picture) else { return name };
    let state = standstill(context, published, snapshot);
    let state = state.map_or_else(String::new, |state| format!(" · {state}"));
    format!("{name} · {}{state}", cost(context, snapshot))
}

fn title(
    ui: &mut Ui,
    context: &PanelContext,
    (published, picture): (&Published, usize),
    actions: &mut Actions,
) {
    ui.horizontal(|ui| {
        // As high with the cross as without.
        ui.set_min_height(28.0);
        let name = solver_name(published.solver(picture), context.language());
        let main = context.main_picture == picture;
        let text = RichText::new(name).strong().color(Color32::WHITE);
        let tip = if picture == 0 {
            context.tr("The scene's own solver. Click: details speak of this picture")
        } else {
            context.tr("Click: details speak of this picture")
        };
        if ui.selectable_label(main, text).on_hover_text(tip).clicked() {
            actions.push(Action::MainPicture(picture));
        }
        let beside = picture.checked_sub(1).and_then(|beside| published.beside.get(beside));
        if let Some(beside) = beside {
            let close = fill(
                context.tr("Compare no longer with {solver}"),
                &[("solver", &solver_name(beside.solver.name(), context.language()))],
            );
            if icon_button(ui, Icon::Close, &close, true).clicked() {
                actions.push(Action::Compare { solver: beside.solver, on: false });
            }
        }
    });
}

fn numbers(ui: &mut Ui, context: &PanelContext, published: &Published, snapshot: &Snapshot) {
    let text = RichText::new(cost(context, snapshot)).color(Color32::WHITE).size(12.5);
    let tip = context.tr(
        "Time to simulate a frame (mean of the last 20), steps in it, worst stretch of an edge",
    );
    ui.label(text).on_hover_text(tip);
    if let Some(state) = standstill(context, published, snapshot) {
        ui.label(RichText::new(state).color(EXPLODED).strong().size(12.5));
    }
}

/// Time of a frame, steps in it, worst stretch.
fn cost(context: &PanelContext, snapshot: &Snapshot) -> String {
    let recent = snapshot.measures.iter().rev();
    let upto = recent.filter(|m| m.frame_number <= snapshot.frame_number && m.step_ms > 0.0);
    let (mut sum, mut count) = (0.0, 0);
    upto.take(MEAN_OF).for_each(|m| (sum, count) = (sum + m.step_ms, count + 1));
    let ms = format!("{:.2}", sum / f64::from(count.max(1)));
    let now = snapshot.measures.iter().rfind(|m| m.frame_number <= snapshot.frame_number);
    let stretch = format!("{:.1}", 100.0 * now.map_or(0.0, |m| m.stretch_max));
    let steps = snapshot.substeps.to_string();
    let text = context.tr("{ms} ms · steps: {steps} · stretch: {stretch} %");
    fill(text, &[("ms", &ms), ("steps", &steps), ("stretch", &stretch)])
}

/// Why a picture stands still while others go on.
fn standstill(
    context: &PanelContext,
    published: &Published,
    snapshot: &Snapshot,
) -> Option<String> {
    if let Some(explosion) = &snapshot.explosion {
        let time = format!("{:.3}", explosion.time);
        return Some(fill(context.tr("exploded at t = {time} s"), &[("time", &time)]));
    }
    let behind = snapshot.frame_number < published.furthest().frame_number;
    let time = format!("{:.3}", snapshot.time);
    behind.then(|| fill(context.tr("stands at t = {time} s"), &[("time", &time)]))
}

/// Why there is no picture.
fn refusal(ui: &mut Ui, context: &PanelContext, why: &str, cell: egui::Rect) {
    ui.painter().rect_filled(cell, 0.0, ui.visuals().panel_fill);
    let mut place = cell.shrink(16.0);
    // Below the tools, above the caption.
    place.min.y += 44.0;
    place.max.y -= 44.0;
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        ui.shrink_clip_rect(place);
        ui.strong(context.tr("This solver refuses the scene"));
        ScrollArea::both().id_salt(("refusal", cell.min.x as i32, cell.min.y as i32)).show(
            ui,
            |ui| {
                let text = egui::Label::new(RichText::new(why).monospace().size(12.5));
                ui.add(text.wrap_mode(egui::TextWrapMode::Extend).selectable(true));
            },
        );
    });
}
