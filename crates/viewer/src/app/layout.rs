//! Where everything is in the window.

use eframe::egui_wgpu::RenderState;

use super::App;
use crate::action::{Action, Tool};
use crate::keys::{self, Group, MOUSE, MouseHelp};
use crate::panels::{PanelContext, compare, details, help, settings};
use crate::request::Request;

impl App {
    pub(super) fn lay_out(
        &mut self,
        ui: &mut egui::Ui,
        state: Option<&RenderState>,
        actions: &mut Vec<Action>,
    ) {
        self.thumbnails.load(ui.ctx());
        if !self.open.picture_only {
            self.surround(ui, actions);
        }
        let central = egui::CentralPanel::default().frame(egui::Frame::NONE);
        central.show(ui, |ui| {
            let picture = self.show_pictures(ui, state, actions);
            if !self.open.picture_only {
                self.cover(ui, picture, actions);
            }
        });
        let ctx = ui.ctx().clone();
        self.float(&ctx, actions);
    }

    /// Panels round the picture.
    fn surround(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        // Panels need themselves mutable and the rest to read.
        let (mut menu, mut banner) = (std::mem::take(&mut self.menu), self.banner.clone());
        let mut transport = self.transport.clone();
        let thumbnails = std::mem::take(&mut self.thumbnails);
        let thumbnail = |name: &str| thumbnails.find(name);
        let context = PanelContext { thumbnail: &thumbnail, ..self.panel_context() };
        egui::Panel::bottom("transport").show(ui, |ui| {
            // The time that goes on, whatever exploded.
            let context = PanelContext { snapshot: Some(self.published.furthest()), ..context };
            transport.show(ui, &context, actions);
        });
        if self.open.menu {
            let side = egui::Panel::left("menu").resizable(true).default_size(340.0);
            side.size_range(240.0..=640.0).show(ui, |ui| {
                // What is too wide is cut off: it must not push the panel.
                let rect = ui.available_rect_before_wrap();
                let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                inside.shrink_clip_rect(rect);
                menu.show(&mut inside, &context, actions);
                ui.allocate_rect(rect, egui::Sense::hover());
            });
        }
        // Remedies change the scene: they are for its own solver.
        let context = PanelContext { snapshot: Some(&self.published.own), ..context };
        if banner.has_content(&context) {
            egui::Panel::top("banner").show(ui, |ui| banner.show(ui, &context, actions));
        }
        (self.menu, self.banner, self.transport) = (menu, banner, transport);
        self.thumbnails = thumbnails;
    }

    /// Details and tools over the picture.
    fn cover(&mut self, ui: &egui::Ui, picture: egui::Rect, actions: &mut Vec<Action>) {
        let context = self.panel_context();
        let corner = picture.left_top() + egui::vec2(10.0, 10.0);
        egui::Area::new(egui::Id::unique("tools")).fixed_pos(corner).show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.horizontal(|ui| tool_buttons(ui, &context, actions));
            });
        });
        if self.open.details {
            let below = corner + egui::vec2(0.0, 44.0);
            details::details_overlay(ui.ctx(), &context, below);
        }
    }

    /// Windows that float over everything.
    fn float(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        self.ask_about_edits(ctx, actions);
        let context = self.panel_context();
        if self.open.help {
            let lines = help_lines(&context);
            let lines: Vec<(&str, &str)> = lines.iter().map(|(k, d)| (k.as_str(), *d)).collect();
            help::help_window(ctx, &context, &lines, actions);
        }
        if self.open.settings
            && let Some(changed) = settings::settings_window(ctx, &context, actions)
        {
            let (seconds, megabytes) = (changed.timeline_s, changed.timeline_mb);
            self.send(Request::Timeline { seconds, megabytes });
            self.set_preferences(ctx, |preferences| *preferences = changed);
        }
    }

    /// Asks what to do with edits that would be lost.
    fn ask_about_edits(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        if self.pending.is_none() {
            return;
        }
        let language = self.preferences.language;
        let mut answered = false;
        let modal = egui::Modal::new(egui::Id::unique("unsaved")).show(ctx, |ui| {
            ui.heading(language.tr("The scene has edits that are not saved"));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                if ui.button(language.tr("Save scene as…")).clicked() {
                    actions.push(Action::SaveAsDialog);
                    answered = true;
                }
                if ui.button(language.tr("Give the edits up")).clicked() {
                    self.gives_up_edits = true;
                    actions.extend(self.pending.clone());
                    answered = true;
                }
                answered |= ui.button(language.tr("Cancel")).clicked();
            });
        });
        if answered || modal.should_close() {
            self.pending = None;
        }
    }

    pub(super) fn panel_context(&self) -> PanelContext<'_> {
        PanelContext {
            snapshot: Some(&self.snapshot),
            published: Some(&self.published),
            main_picture: self.comparison.main,
            compared_with: &self.comparison.beside,
            fps: self.fps,
            can_undo: self.document.can_undo(),
            can_redo: self.document.can_redo(),
            recording: self.pictures.is_recording(),
            dirty: self.document.is_dirty(),
            scene_error: self.scene_error.as_deref(),
            message: self.message.as_deref(),
            device_lost: self.was_lost,
            tool: self.tools.tool(),
            force: self.force_settings(),
            ..PanelContext::new(self.document.value(), &self.preferences)
        }
    }
}

/// Keys and gestures with what they do; a title has no key.
fn help_lines(context: &PanelContext<'_>) -> Vec<(String, &'static str)> {
    let profile = context.preferences.profile;
    let mut lines = Vec::new();
    for group in Group::ALL {
        lines.push((String::new(), group.title()));
        let keys = keys::bindings(profile).filter(|binding| binding.group == group);
        lines.extend(keys.map(|binding| (binding.label(), binding.description)));
        let of_group = |mouse: &&MouseHelp| match group {
            Group::Tools => mouse.tool.is_some(),
            Group::Camera => mouse.tool.is_none(),
            _ => false,
        };
        let fits = |mouse: &&MouseHelp| mouse.profile.is_none_or(|only| only == profile);
        let mouse = MOUSE.iter().filter(of_group).filter(fits);
        lines.extend(mouse.map(|m| (context.tr(m.gesture).to_owned(), m.description)));
    }
    lines
}

fn tool_buttons(ui: &mut egui::Ui, context: &PanelContext<'_>, actions: &mut Vec<Action>) {
    for (tool, name, tip) in [
        (Tool::Grab, context.tr("Grab"), context.tr("Pull at points (G)")),
        (Tool::Pin, context.tr("Pin"), context.tr("Pin points and free them (I)")),
        (
            Tool::Force,
            context.tr("Force"),
            context.tr("Push and pull all visible points in a rectangle (X)"),
        ),
        (Tool::Move, context.tr("Move"), context.tr("Move and turn obstacles (M)")),
        (
            Tool::Cut,
            context.tr("Cut"),
            context.tr("Cut cloth, and strands of the model rod, along a line (Shift+X)"),
        ),
        (Tool::Comb, context.tr("Comb"), context.tr("Draw a comb through strands (Shift+G)")),
    ] {
        let button = ui.selectable_label(context.tool == tool, name);
        if button.on_hover_text(tip).clicked() {
            actions.push(Action::Tool(tool));
        }
    }
    ui.separator();
    ui.menu_button(context.tr("Camera"), |ui| {
        let cameras = context.snapshot.map_or(&[][..], |snapshot| &snapshot.cameras);
        for (index, named) in cameras.iter().enumerate() {
            if ui.button(&named.name).clicked() {
                actions.push(Action::NamedCamera(index));
                ui.close();
            }
        }
        ui.separator();
        if ui.button(context.tr("Show everything")).clicked() {
            actions.push(Action::FrameAll);
            ui.close();
        }
    });
    compare::compare_button(ui, context, actions);
}
