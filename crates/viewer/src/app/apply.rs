//! The one place where what a person asks for is done.

use super::App;
use crate::action::{Action, Window};
use crate::document::Edited;
use crate::panels::Tab;
use crate::preferences::{CameraProfile, Preferences};
use crate::request::Request;

impl App {
    /// Does one thing.
    pub fn apply(&mut self, action: Action, ctx: &egui::Context) {
        if replaces_scene(&action) && self.would_lose_edits() {
            self.pending = Some(action);
            return;
        }
        match action {
            Action::OpenDialog => self.ask_open(ctx),
            Action::OpenFile(path) => self.open_file(&path),
            Action::OpenBuiltin(name) => self.open_builtin(&name),
            Action::Reload => self.reload(),
            Action::SaveAsDialog => self.ask_save(ctx),
            Action::SaveAs { path, state } => self.save_as(&path, state),
            Action::ScreenshotDialog => self.ask_screenshot(ctx),
            Action::Screenshot(path) => self.pictures.want_screenshot(path),
            Action::RecordDialog(kind) => self.ask_record(ctx, kind),
            Action::Record(path) => self.record(&path),
            Action::StopRecording => self.pictures.stop(),
            Action::RemoveAllBodies => {
                let edited = self.document.remove_all_bodies();
                self.pass_on(edited);
            }
            Action::PlayPause => self.send(Request::Play(!self.snapshot.playing)),
            Action::Play(play) => self.send(Request::Play(play)),
            Action::StepOnce => self.send(Request::StepOnce),
            Action::Reset => self.send(Request::Reset),
            Action::Default => {
                let edited = self.document.restore_original();
                self.pass_on(edited);
                self.send(Request::Reset);
            }
            Action::Speed(speed) => self.send(Request::Speed(speed.clamp(0.1, 4.0))),
            Action::Seek(frame) => self.send(Request::Seek(frame)),
            Action::Set { pointer, value } => {
                let edited = self.document.set(&pointer, value);
                self.pass_on(edited);
            }
            Action::Remove(pointer) => {
                let edited = self.document.remove(&pointer);
                self.pass_on(edited);
            }
            Action::Insert { pointer, value } => {
                let edited = self.document.insert(&pointer, value);
                self.pass_on(edited);
            }
            Action::EndEdit => self.document.end_edit(),
            Action::Undo => {
                if let Some(edited) = self.document.undo() {
                    self.pass_on(edited);
                }
            }
            Action::Redo => {
                if let Some(edited) = self.document.redo() {
                    self.pass_on(edited);
                }
            }
            Action::Show(show) => match self.document.set_show(&show) {
                Ok(_) => self.send(Request::Show(show)),
                Err(error) => self.scene_error = Some(error.to_string()),
            },
            Action::Touch(command) => self.send(Request::Touch(command)),
            action @ (Action::Compare { .. }
            | Action::CompareOrNot
            | Action::StopComparing
            | Action::MainPicture(_)) => self.change_comparison(&action),
            action @ (Action::Tool(_)
            | Action::SwapForce
            | Action::ForceStrength(_)
            | Action::ForceSize(_)
            | Action::FreezeForce) => self.use_tool(&action),
            Action::Look(camera) => self.camera = camera,
            Action::NamedCamera(index) => {
                if let Some(named) = self.snapshot.cameras.get(index) {
                    self.camera = named.camera;
                }
            }
            Action::FrameAll => self.frame_all(),
            Action::Profile(profile) => {
                self.cursor_free = profile == CameraProfile::Modern;
                self.set_preferences(ctx, |preferences| preferences.profile = profile);
            }
            Action::FreeCursor(free) => self.cursor_free = free,
            Action::Toggle(window) => self.toggle(window),
            Action::Escape => self.escape(),
            Action::Language(language) => {
                self.set_preferences(ctx, |preferences| preferences.language = language);
            }
            Action::Theme(theme) => {
                self.set_preferences(ctx, |preferences| preferences.theme = theme);
            }
            Action::Zoom(zoom) => {
                self.set_preferences(ctx, |preferences| preferences.zoom = zoom.clamp(0.5, 3.0));
            }
            Action::LeaveSafeRange(leave) => {
                self.set_preferences(ctx, |preferences| preferences.leave_safe_range = leave);
            }
            Action::Dismiss => {
                (self.scene_error, self.message, self.was_lost) = (None, None, false);
                self.send(Request::Dismiss);
            }
            Action::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    pub(super) fn send(&mut self, request: Request) {
        self.session.send(request);
    }

    /// Hands an edited scene to the player, or says why it is not one.
    pub(super) fn pass_on(&mut self, edited: Edited) {
        match edited {
            Ok(loaded) => {
                self.scene_error = None;
                self.send(Request::Edit(loaded));
            }
            Err(error) => self.scene_error = Some(error.to_string()),
        }
    }

    /// Changes settings, and keeps them for the next time.
    pub(super) fn set_preferences(
        &mut self,
        ctx: &egui::Context,
        change: impl FnOnce(&mut Preferences),
    ) {
        change(&mut self.preferences);
        self.dress(ctx);
        self.keep_preferences();
    }

    pub(super) fn keep_preferences(&mut self) {
        if self.keeps_preferences
            && let Err(why) = self.preferences.store()
        {
            self.message = Some(why);
        }
    }

    fn toggle(&mut self, window: Window) {
        let open = !self.is_open(window);
        match window {
            Window::Menu => self.open.menu = open,
            Window::Help => self.open.help = open,
            Window::Details => self.open.details = open,
            Window::PictureOnly => self.open.picture_only = open,
            Window::Settings => self.open.settings = open,
            Window::Browser => self.turn_to(Tab::Scenes),
            Window::Plots => self.turn_to(Tab::Plots),
        }
    }

    /// Opens the menu at a page, or closes it if it is there.
    fn turn_to(&mut self, tab: Tab) {
        self.open.menu = !(self.open.menu && self.menu.tab == tab);
        self.menu.tab = tab;
    }

    fn escape(&mut self) {
        if self.open.picture_only {
            self.open.picture_only = false;
        } else if self.open.help {
            self.open.help = false;
        } else {
            self.open.settings = !self.open.settings;
        }
    }
}

/// Whether an action puts another scene, or none, in the place of the present one.
fn replaces_scene(action: &Action) -> bool {
    match action {
        Action::OpenBuiltin(_) | Action::Reload | Action::Quit => true,
        // A mesh joins the scene.
        Action::OpenFile(path) => {
            !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj"))
        }
        _ => false,
    }
}
