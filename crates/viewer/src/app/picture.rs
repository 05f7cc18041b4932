//! The pictures, and the hand in them.

use std::hash::{DefaultHasher, Hash, Hasher};

use eframe::egui_wgpu::RenderState;
use glam::Vec2;
use tkanina_render::Frame;
use tkanina_render::frame::{Lines, Points};
use tkanina_stage::frame_all;

use super::App;
use super::copies::Shown;
use super::split::{self, Pixels};
use crate::action::Action;
use crate::camera_control::CameraKeys;
use crate::keys::{self, KeyState};
use crate::panels::{ForceSettings, accent, caption, legend};
use crate::preferences::CameraProfile;
use crate::snapshot::Snapshot;
use crate::tools::force::ForceKind;
use crate::tools::{Button, ToolContext, ToolInput};
use crate::view3d::View3d;

impl App {
    /// Draws the pictures over what is left of `ui` and lets tools and camera act in them.
    pub(super) fn show_pictures(
        &mut self,
        ui: &mut egui::Ui,
        state: Option<&RenderState>,
        actions: &mut Vec<Action>,
    ) -> egui::Rect {
        let whole = ui.available_rect_before_wrap();
        let published = self.published.clone();
        let cells = split::cells(whole, published.count());
        self.picture_size = cells[0].size();
        ui.allocate_rect(whole, egui::Sense::hover());
        let response = self.hand_over(ui, &cells);
        self.hand_in_picture(ui.ctx(), &response, actions);
        self.fit_views(cells.len(), state);
        self.shown.clear();
        for (picture, &cell) in cells.iter().enumerate() {
            let place = Pixels::of(cell, whole, ui.ctx().pixels_per_point());
            let snapshot = published.get(picture);
            if let Some(snapshot) = snapshot {
                self.show_picture(ui, state, (picture, snapshot), (cell, place.size));
            }
            let mut text = String::new();
            if published.count() > 1 {
                let context = self.panel_context();
                caption::caption(ui, &context, (&published, picture), cell, actions);
                text = caption::line(&context, &published, picture);
            }
            self.shown.push(Shown { place, caption: text, drawn: snapshot.is_some() });
        }
        if let Some(main) = cells.get(self.comparison.main).filter(|_| cells.len() > 1) {
            let accent = egui::Stroke::new(2.0, accent(ui.visuals().dark_mode));
            ui.painter().rect_stroke(*main, 0.0, accent, egui::StrokeKind::Inside);
        }
        whole
    }

    /// Draws one picture.
    fn show_picture(
        &mut self,
        ui: &egui::Ui,
        state: Option<&RenderState>,
        (picture, snapshot): (usize, &Snapshot),
        (cell, size): (egui::Rect, [u32; 2]),
    ) {
        let show = &self.document.loaded().scene.look.show;
        let context = ToolContext { snapshot, camera: &self.camera, show };
        let (lines, points) = self.tools.overlay(&context);
        if let (Some(state), Some(view)) = (state, self.views.get_mut(picture)) {
            let key = key_of(snapshot.serial, &lines, &points);
            let frame = || with_overlay(snapshot.frame.clone(), lines, points);
            let texture = view.draw(state, frame, key, &self.camera, size);
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, cell, whole, egui::Color32::WHITE);
        } else {
            ui.painter().rect_filled(cell, 0.0, egui::Color32::DARK_GRAY);
        }
        if let Some(shown) = &snapshot.legend {
            let language = self.preferences.language;
            legend::draw_legend(ui.painter(), cell, shown, language, |t| shown.map.color(t));
        }
    }

    /// The picture that the hand is in: the one under the pointer, and while a button is down the
    /// one where it went down.
    fn hand_over(&mut self, ui: &egui::Ui, cells: &[egui::Rect]) -> egui::Response {
        let sense = |picture: usize| {
            let id = ui.scope_id().with(("picture", picture));
            ui.interact(cells[picture], id, egui::Sense::click_and_drag())
        };
        let mut responses: Vec<egui::Response> = (0..cells.len()).map(sense).collect();
        let held = ui.input(|input| input.pointer.any_down() && !input.pointer.any_pressed());
        let drawn = |picture: &usize| self.published.get(*picture).is_some();
        let under = (0..cells.len()).filter(drawn).find(|&i| responses[i].contains_pointer());
        let active = &mut self.comparison.active;
        *active = if held { *active } else { under.unwrap_or(*active) };
        *active = if self.published.get(*active).is_some() { *active } else { 0 };
        responses.swap_remove(*active)
    }

    /// Has a view for each picture. One that waits for a copy stays until it is there.
    fn fit_views(&mut self, count: usize, state: Option<&RenderState>) {
        let Some(state) = state else { return };
        while self.views.len() > count
            && let Some(last) = self.views.pop_if(|view| !view.is_copying())
        {
            last.release(state);
        }
        self.views.resize_with(self.views.len().max(count), View3d::default);
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
        let active = self.published.get(self.comparison.active);
        let snapshot = active.unwrap_or(&self.published.own).clone();
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
            frame_number: self.published.furthest().frame_number,
            kept: self.published.furthest().kept,
            speed: self.snapshot.speed,
        };
        actions.extend(keys::actions(ctx, &state));
    }

    pub(super) fn use_tool(&mut self, action: &Action) {
        self.tools.apply(action);
    }

    pub(super) fn frame_all(&mut self) {
        // Pictures side by side are narrow.
        let aspect = (self.picture_size.x / self.picture_size.y.max(1.0)).clamp(0.2, 1.6);
        self.camera = frame_all(self.camera, self.snapshot.bounds, aspect);
    }

    pub(super) fn force_settings(&self) -> ForceSettings {
        let force = self.tools.force();
        ForceSettings {
            rectangle: [force.size * self.picture_size.y; 2],
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
