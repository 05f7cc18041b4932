//! The bar below: playing, speed, time, timeline, pictures and films.

use egui::{Slider, Ui};

use super::icons::{Icon, icon_button};
use super::{Actions, PanelContext};
use crate::action::Action;
use crate::snapshot::Snapshot;

/// Slowest and fastest play. [1]
const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=4.0;

/// Speeds with a button of their own. [1]
const PRESETS: [f64; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];

/// The bar below.
#[derive(Clone, Debug, Default)]
pub struct Transport;

impl Transport {
    /// Draws the bar into `ui`, the full width of it.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        ui.horizontal_wrapped(|ui| {
            buttons(ui, context, actions);
            ui.separator();
            speed(ui, context, actions);
            ui.separator();
            clock(ui, context);
            ui.separator();
            recorder(ui, context, actions);
        });
        if let Some(snapshot) = context.snapshot {
            timeline(ui, context, snapshot, actions);
        }
    }
}

fn buttons(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let ready = context.snapshot.is_some();
    let playing = context.snapshot.is_some_and(|s| s.playing);
    let (icon, name) =
        if playing { (Icon::Pause, context.tr("Pause")) } else { (Icon::Play, context.tr("Play")) };
    if icon_button(ui, icon, name, ready).clicked() {
        actions.push(Action::PlayPause);
    }
    if icon_button(ui, Icon::Step, context.tr("Single step"), ready).clicked() {
        actions.push(Action::StepOnce);
    }
    let reset = icon_button(ui, Icon::Reset, context.tr("Reset"), ready);
    if reset.on_hover_text(context.tr("Back to the start with these values")).clicked() {
        actions.push(Action::Reset);
    }
    let default = icon_button(ui, Icon::Default, context.tr("Default"), ready);
    if default.on_hover_text(context.tr("Back to the start with the initial values")).clicked() {
        actions.push(Action::Default);
    }
}

fn speed(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let now = context.snapshot.map_or(1.0, |s| s.speed);
    let mut speed = now;
    let label = ui.label(context.tr("Speed"));
    let slider = Slider::new(&mut speed, SPEEDS).logarithmic(true).max_decimals(2).prefix("× ");
    let slider = ui.add(slider.smart_aim(true)).labelled_by(label.id);
    if slider.changed() && speed != now {
        actions.push(Action::Speed(speed));
    }
    ui.menu_button(context.tr("Presets"), |ui| {
        for preset in PRESETS.into_iter().chain([4.0]) {
            if ui.selectable_label((now - preset).abs() < 1e-9, format!("× {preset}")).clicked() {
                actions.push(Action::Speed(preset));
                ui.close();
            }
        }
    });
}

fn clock(ui: &mut Ui, context: &PanelContext) {
    let Some(snapshot) = context.snapshot else {
        ui.weak(context.tr("No scene"));
        return;
    };
    ui.monospace(format!("t = {:8.3} s", snapshot.time))
        .on_hover_text(context.tr("Simulated time"));
    let reached = format!("× {:.2}", snapshot.real_speed);
    let text = egui::RichText::new(reached).monospace();
    let slow = snapshot.playing && snapshot.real_speed < 0.9 * snapshot.speed;
    let text = if slow { text.color(super::style::warning(ui.visuals().dark_mode)) } else { text };
    ui.label(text).on_hover_text(context.tr("Simulated seconds a second that are reached"));
}

fn recorder(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    if context.recording {
        if icon_button(ui, Icon::Stop, context.tr("Stop recording"), true).clicked() {
            actions.push(Action::StopRecording);
        }
        let red = egui::Color32::from_rgb(215, 70, 65);
        ui.label(egui::RichText::new(context.tr("Recording")).color(red));
    } else {
        let record = ui.menu_button(context.tr("Record"), |ui| {
            for (name, kind) in [
                (context.tr("PNG sequence…"), "png"),
                (context.tr("GIF…"), "gif"),
                (context.tr("MP4…"), "mp4"),
            ] {
                if ui.button(name).clicked() {
                    actions.push(Action::RecordDialog(kind));
                    ui.close();
                }
            }
        });
        record.response.on_hover_text(context.tr("Records what is shown from now on"));
    }
    if icon_button(ui, Icon::Screenshot, context.tr("Screenshot"), true).clicked() {
        actions.push(Action::ScreenshotDialog);
    }
}

/// A slider over the kept frames.
fn timeline(ui: &mut Ui, context: &PanelContext, snapshot: &Snapshot, actions: &mut Actions) {
    let [first, last] = snapshot.kept;
    let mut frame = snapshot.frame_number;
    let seconds = |frame: u64| frame as f64 * snapshot.frame_s;
    ui.horizontal(|ui| {
        ui.monospace(format!("{:.2} s", seconds(first)));
        let right = format!("{:.2} s", seconds(last));
        let room = ui.available_width() - 9.0 * right.len() as f32 - 20.0;
        ui.spacing_mut().slider_width = room.max(60.0);
        let slider = Slider::new(&mut frame, first..=last.max(first)).show_value(false);
        let response = ui.add_enabled(last > first, slider);
        let response = response.accessible_name(context.tr("Timeline"));
        let response =
            response.on_hover_text(context.tr("Drag to go back; Play goes on from there"));
        if response.changed() && frame != snapshot.frame_number {
            actions.push(Action::Seek(frame));
        }
        ui.monospace(right);
    });
}
