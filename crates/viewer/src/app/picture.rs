//! The picture, and the hand in it.

use std::hash::{DefaultHasher, Hash, Hasher};

use eframe::egui_wgpu::RenderState;
use glam::Vec2;
use tkanina_render::Frame;
use tkanina_render::frame::{Lines, Points};
use tkanina_stage::frame_all;

use super::App;
use crate::action::Action;
use crate::camera_control::CameraKeys;
use crate::keys::{self, KeyState};
use crate::panels::{ForceSettings, legend};
use crate::preferences::CameraProfile;
use crate::tools::force::ForceKind;
use crate::tools::{Button, ToolContext, ToolInput};

impl App {
    /// Draws the picture over what is left of `ui` and lets tools and camera act in it.
    pub(super) fn show_picture(
        &mut self,
        ui: &mut egui::Ui,
        state: Option<&RenderState>,
        actions: &mut Vec<Action>,
    ) -> egui::Rect {
        let rect = ui.available_rect_before_wrap();
        self.picture_height = rect.height();
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        self.hand_in_picture(ui.ctx(), &response, actions);
        let snapshot = self.snapshot.clone();
        let show = &self.document.loaded().scene.look.show;
        let context = ToolContext { snapshot: &snapshot, camera: &self.camera, show };
        let (lines, points) = self.tools.overlay(&context);
        if let Some(state) = state {
            let pixels = ui.ctx().pixels_per_point();
            let size = [rect.width() * pixels, rect.height() * pixels];
            let key = key_of(snapshot.serial, &lines, &points);
            let frame = || with_overlay(snapshot.frame.clone(), lines, points);
            let size = size.map(|length| length.round() as u32);
            let texture = self.view.draw(state, frame, key, &self.camera, size);
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
        } else {
            ui.painter().rect_filled(rect, 0.0, egui::Color32::DARK_GRAY);
        }
        if let Some(shown) = &snapshot.legend {
            let language = self.preferences.language;
            legend::draw_legend(ui.painter(), rect, shown, language, |t| shown.map.color(t));
        }
        rect
    }

    fn hand_in_picture(
        &mut self,
        ctx: &egui::Context,
        response: &egui::Response,
        actions: &mut Vec<Action>,
    ) {
        let classic = self.preferences.profile == CameraProfile::Classic;
        let bound = classic && !self.cursor_free && response.hovered();
        self.bind_cursor(ctx, bound, response.rect.center());
        let input = tool_input(ctx, response, bound);
        let snapshot = self.snapshot.clone();
        let show = &self.document.loaded().scene.look.show;
        let context = ToolContext { snapshot: &snapshot, camera: &self.camera, show };
        let used = if self.control.is_dragging() {
            Default::default()
        } else {
            self.tools.update(&input, &context, actions)
        };
        let movement = keys::movement(ctx, self.preferences.profile);
        let held = CameraKeys { movement, profile: self.preferences.profile, bound, used };
        self.control.update(&input, &context, &held, actions);
        let moving = held.movement != Default::default() || input.motion != Vec2::ZERO;
        if moving && (bound || self.control.is_dragging() || held.movement != Default::default()) {
            ctx.request_repaint();
        }
    }

    /// Hides the cursor and holds it in the window while the mouse looks round.
    fn bind_cursor(&mut self, ctx: &egui::Context, bound: bool, middle: egui::Pos2) {
        if bound {
            // X11 cannot lock a cursor; put back in every frame it does not leave.
            ctx.send_viewport_cmd(egui::ViewportCommand::CursorPosition(middle));
        }
        if bound == self.cursor_bound {
            return;
        }
        self.cursor_bound = bound;
        let grab = if bound { egui::CursorGrab::Locked } else { egui::CursorGrab::None };
        ctx.send_viewport_cmd(egui::ViewportCommand::CursorGrab(grab));
        ctx.send_viewport_cmd(egui::ViewportCommand::CursorVisible(!bound));
    }

    pub(super) fn take_keys(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        let state = KeyState {
            profile: self.preferences.profile,
            cursor_free: self.cursor_free,
            show: &self.document.loaded().scene.look.show,
            frame_number: self.snapshot.frame_number,
            kept: self.snapshot.kept,
            speed: self.snapshot.speed,
        };
        actions.extend(keys::actions(ctx, &state));
    }

    pub(super) fn use_tool(&mut self, action: &Action) {
        self.tools.apply(action);
    }

    pub(super) fn frame_all(&mut self) {
        self.camera = frame_all(self.camera, self.snapshot.bounds, 1.6);
    }

    pub(super) fn force_settings(&self) -> ForceSettings {
        let force = self.tools.force();
        ForceSettings {
            rectangle: [force.size * self.picture_height; 2],
            wind: force.kind == ForceKind::Wind,
            strength: force.effect(),
            frozen: force.is_frozen(),
        }
    }
}

fn glam_size(size: egui::Vec2) -> Vec2 {
    Vec2::new(size.x.max(1.0), size.y.max(1.0))
}

fn with_overlay(mut frame: Frame, lines: Vec<Lines>, points: Vec<Points>) -> Frame {
    frame.lines.extend(lines);
    frame.points.extend(points);
    frame
}

/// Changes with the snapshot and with what tools draw over it.
fn key_of(serial: u64, lines: &[Lines], points: &[Points]) -> u64 {
    let mut hasher = DefaultHasher::new();
    serial.hash(&mut hasher);
    for lines in lines {
        for end in lines.segments.iter().flatten() {
            end.to_array().map(f32::to_bits).hash(&mut hasher);
        }
        lines.colors.hash(&mut hasher);
    }
    for points in points {
        for place in points.positions.iter() {
            place.to_array().map(f32::to_bits).hash(&mut hasher);
        }
        points.colors.hash(&mut hasher);
    }
    hasher.finish()
}

/// What the mouse does in the picture. Places are in points from its top left corner.
fn tool_input(ctx: &egui::Context, response: &egui::Response, bound: bool) -> ToolInput {
    let rect = response.rect;
    let over = response.hovered();
    ctx.input(|input| {
        let pointer = &input.pointer;
        let button = |which| Button {
            down: pointer.button_down(which),
            pressed: over && pointer.button_pressed(which),
            released: pointer.button_released(which),
        };
        // A cursor that is held does not move, but the mouse does.
        let moved = pointer.motion().filter(|_| bound).unwrap_or(pointer.delta());
        let motion = Vec2::new(moved.x, moved.y);
        let any_down = pointer.any_down();
        let place = pointer.latest_pos().filter(|_| over || any_down || pointer.any_released());
        let place = if bound { Some(rect.center()) } else { place };
        ToolInput {
            pointer: place.map(|p| Vec2::new(p.x - rect.min.x, p.y - rect.min.y)),
            size: glam_size(rect.size()),
            motion,
            primary: button(egui::PointerButton::Primary),
            secondary: button(egui::PointerButton::Secondary),
            middle: button(egui::PointerButton::Middle),
            double_click: over && pointer.button_double_clicked(egui::PointerButton::Primary),
            scroll: if over { input.smooth_scroll_delta.y / 50.0 } else { 0.0 },
            modifiers: input.modifiers,
            dt: input.stable_dt.min(0.1),
        }
    })
}
