//! The application: panels, picture, tools and keys around one document and one session.

mod apply;
mod compare;
mod copies;
mod files;
mod layout;
mod picture;
mod recording;
mod split;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui_wgpu::RenderState;
use tkanina_render::{Camera, DeviceWatch};
use tkanina_scene::load::LoadedScene;

use crate::action::{Action, Window};
use crate::camera_control::CameraControl;
use crate::document::Document;
use crate::panels::{self, Banner, Menu, Transport};
use crate::player::PlayerSettings;
use crate::preferences::{Preferences, Theme};
use crate::request::Request;
use crate::session::{Session, SessionError};
use crate::snapshot::{Published, Snapshot};
use crate::thumbnails::Thumbnails;
use crate::tools::Tools;
use crate::view3d::View3d;
use compare::Comparison;
use copies::Shown;
use files::Dialogs;
use recording::Pictures;

/// The whole viewer.
pub struct App {
    preferences: Preferences,
    document: Document,
    session: Session,
    published: Arc<Published>,
    /// That of the picture that panels speak of.
    snapshot: Arc<Snapshot>,
    comparison: Comparison,
    camera: Camera,
    /// Scene whose first camera is to be taken as soon as it is there.
    camera_of: Option<u64>,
    control: CameraControl,
    tools: Tools,
    cursor_free: bool,
    /// Whether the cursor is held in the window.
    cursor_bound: bool,
    /// Width and height of a picture. [points]
    picture_size: egui::Vec2,
    menu: Menu,
    banner: Banner,
    transport: Transport,
    open: Open,
    scene_error: Option<String>,
    message: Option<String>,
    dialogs: Dialogs,
    pictures: Pictures,
    /// What is drawn, picture by picture.
    views: Vec<View3d>,
    /// Where it is drawn.
    shown: Vec<Shown>,
    thumbnails: Thumbnails,
    watch: Option<DeviceWatch>,
    lost: Option<String>,
    /// What the window looked like when it was lost, to be told in the next.
    was_lost: bool,
    fps: f64,
    /// What waits for an answer, as it would lose edits.
    pending: Option<Action>,
    /// Whether the person gave edits up.
    gives_up_edits: bool,
    /// Whether settings are written for the next time.
    keeps_preferences: bool,
    ctx: WakeSlot,
}

/// Which windows are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The menu at the side.
    pub menu: bool,
    /// Keys and mouse.
    pub help: bool,
    /// Details over the picture.
    pub details: bool,
    /// Nothing but the picture.
    pub picture_only: bool,
    /// Settings.
    pub settings: bool,
}

impl Default for Open {
    fn default() -> Self {
        Self { menu: true, help: false, details: false, picture_only: false, settings: false }
    }
}

/// The window to wake when there is news; none while there is no window.
type WakeSlot = Arc<std::sync::Mutex<Option<egui::Context>>>;

impl App {
    /// Opens on a scene, from `path` if it is a file. It plays at once.
    pub fn new(
        name: &str,
        path: Option<PathBuf>,
        loaded: LoadedScene,
        preferences: Preferences,
    ) -> Result<Self, SessionError> {
        let document = Document::new(name, path.as_deref(), loaded);
        let ctx = WakeSlot::default();
        let wake = Arc::clone(&ctx);
        let session = Session::start(
            Arc::clone(document.loaded()),
            PlayerSettings::new(&preferences),
            Box::new(move || {
                if let Ok(Some(ctx)) = wake.lock().as_deref() {
                    ctx.request_repaint();
                }
            }),
        )?;
        session.send(Request::Play(true));
        let published = session.published();
        let snapshot = published.own.clone();
        let camera = Camera {
            eye: glam::Vec3::new(1.5, 1.5, 3.0),
            target: glam::Vec3::Y,
            up: glam::Vec3::Y,
            fov_y: 0.75,
        };
        let mut app = Self {
            camera_of: Some(snapshot.generation),
            published,
            snapshot,
            comparison: Comparison::default(),
            preferences,
            document,
            session,
            camera,
            control: CameraControl::default(),
            tools: Tools::default(),
            cursor_free: false,
            cursor_bound: false,
            picture_size: egui::Vec2::splat(1.0),
            menu: Menu::default(),
            banner: Banner::default(),
            transport: Transport,
            open: Open::default(),
            scene_error: None,
            message: None,
            dialogs: Dialogs::default(),
            pictures: Pictures::default(),
            views: Vec::new(),
            shown: Vec::new(),
            thumbnails: Thumbnails::default(),
            watch: None,
            lost: None,
            was_lost: false,
            fps: 0.0,
            pending: None,
            gives_up_edits: false,
            keeps_preferences: false,
            ctx,
        };
        if let Some(path) = path {
            app.remember(&path);
        }
        Ok(app)
    }

    /// Writes settings whenever they change, for the next time.
    pub fn keeping_preferences(mut self) -> Self {
        self.keeps_preferences = true;
        self.keep_preferences();
        self
    }

    /// Moves into a window.
    pub fn attach(&mut self, context: &eframe::CreationContext<'_>) {
        panels::apply_style(&context.egui_ctx);
        self.was_lost = self.lost.take().is_some();
        self.watch = context.wgpu_render_state.as_ref().map(|s| DeviceWatch::watch(&s.device));
        if let Ok(mut slot) = self.ctx.lock() {
            *slot = Some(context.egui_ctx.clone());
        }
        self.dress(&context.egui_ctx);
    }

    /// Moves out of a window that closes. A recording is ended, and its file is whole.
    pub fn detach(&mut self) {
        if let Ok(mut slot) = self.ctx.lock() {
            *slot = None;
        }
        self.pictures.finish();
        self.views.clear();
        self.thumbnails = Thumbnails::default();
        self.watch = None;
    }

    /// What the driver said if the graphics device was lost.
    pub fn lost_device(&self) -> Option<String> {
        self.lost.clone()
    }

    /// The scene that is edited.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The present settings.
    pub fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// What the player last published of the picture that panels speak of.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Where one looks from.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The tools.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Which windows are open.
    pub fn open_windows(&self) -> Open {
        self.open
    }

    /// What is told in the window: an error of the scene, or something else.
    pub fn told(&self) -> [Option<&str>; 2] {
        [self.scene_error.as_deref(), self.message.as_deref()]
    }

    /// Whether a film is being recorded.
    pub fn is_recording(&self) -> bool {
        self.pictures.is_recording()
    }

    /// Frames of the film that are written so far.
    pub fn recorded_frames(&self) -> u64 {
        self.pictures.frames()
    }

    /// What waits for the person to save or give up edits.
    pub fn pending(&self) -> Option<&Action> {
        self.pending.as_ref()
    }

    /// What is shown alone is no edit to ask about.
    fn would_lose_edits(&self) -> bool {
        self.document.is_dirty() && self.document.can_undo() && !self.gives_up_edits
    }

    /// Whether a dialog for a file is open.
    pub fn is_asking(&self) -> bool {
        self.dialogs.is_open()
    }

    fn dress(&self, ctx: &egui::Context) {
        ctx.set_theme(match self.preferences.theme {
            Theme::Dark => egui::ThemePreference::Dark,
            Theme::Light => egui::ThemePreference::Light,
            Theme::System => egui::ThemePreference::System,
        });
        ctx.set_zoom_factor(self.preferences.zoom);
    }

    fn take_news(&mut self, ctx: &egui::Context) {
        self.session.pump();
        self.published = self.session.published();
        self.snapshot = self.main_snapshot().clone();
        if !self.session.is_alive() {
            let text = "the simulation has stopped working; save the scene and open it again";
            self.message.get_or_insert_with(|| text.to_owned());
        }
        if let Some(before) = self.camera_of
            && self.published.own.generation > before
            && let Some(first) = self.published.own.cameras.first()
        {
            self.camera = first.camera;
            self.camera_of = None;
        }
        if let Some(reason) = self.watch.as_ref().and_then(DeviceWatch::lost) {
            self.lost = Some(reason);
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        let dt = f64::from(ctx.input(|input| input.unstable_dt));
        if dt > 0.0 {
            let share = (dt / 0.5).min(1.0);
            self.fps += (1.0 / dt - self.fps) * share;
        }
    }

    fn is_open(&self, window: Window) -> bool {
        match window {
            Window::Menu | Window::Browser | Window::Plots => self.open.menu,
            Window::Help => self.open.help,
            Window::Details => self.open.details,
            Window::PictureOnly => self.open.picture_only,
            Window::Settings => self.open.settings,
        }
    }

    fn update(&mut self, ui: &mut egui::Ui, state: Option<&RenderState>) {
        let ctx = ui.ctx().clone();
        if let Some(state) = state {
            // A device tells of its end only when it is asked; a failure to ask is no other news.
            let _ = state.device.poll(eframe::wgpu::PollType::Poll);
        }
        self.take_news(&ctx);
        // A lost device draws nothing more.
        let state = state.filter(|_| self.lost.is_none());
        let mut actions: Vec<Action> = Vec::new();
        self.poll_dialogs(&ctx, &mut actions);
        self.take_dropped(&ctx, &mut actions);
        self.take_keys(&ctx, &mut actions);
        self.lay_out(ui, state, &mut actions);
        for action in actions {
            self.apply(action, &ctx);
        }
        self.take_pictures(&ctx, state);
        if ctx.input(|input| input.viewport().close_requested()) {
            if self.lost.is_none() && self.would_lose_edits() {
                ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
                self.pending = Some(Action::Quit);
            } else {
                self.take_last_pictures(state);
            }
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.update(ui, frame.wgpu_render_state());
    }
}
