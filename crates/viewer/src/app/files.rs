//! Scenes and pictures to and from files.

use std::path::{Path, PathBuf};

use super::App;
use crate::action::Action;
use crate::document::Document;
use crate::platform::{self, FileKind, Pending};
use crate::recents;
use crate::request::Request;

const SCENES: FileKind = FileKind { name: "Scenes and meshes", endings: &["yaml", "yml", "obj"] };
const SCENE: FileKind = FileKind { name: "Scene", endings: &["yaml"] };
const PICTURE: FileKind = FileKind { name: "Picture", endings: &["png"] };
const GIF: FileKind = FileKind { name: "Film", endings: &["gif"] };
const MP4: FileKind = FileKind { name: "Film", endings: &["mp4"] };

/// A dialog that is open, and what to do with its answer.
struct Dialog {
    /// When it was asked for. [s]
    asked: f64,
    answer: Pending<Option<PathBuf>>,
    then: fn(PathBuf) -> Action,
}

/// Dialogs that are open.
#[derive(Default)]
pub struct Dialogs(Vec<Dialog>);

impl Dialogs {
    /// Whether any is open.
    pub fn is_open(&self) -> bool {
        !self.0.is_empty()
    }
}

impl App {
    pub(super) fn poll_dialogs(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        let now = ctx.input(|input| input.time);
        let mut absent = false;
        self.dialogs.0.retain_mut(|dialog| match dialog.answer.poll() {
            Some(Some(path)) => {
                actions.push((dialog.then)(path));
                false
            }
            Some(None) => {
                // Nobody closes a dialog so soon.
                absent |= now - dialog.asked < 0.3;
                false
            }
            None => !dialog.answer.is_over(),
        });
        if absent {
            let text = self.preferences.language.tr(
                "This desktop offers no dialog for files: drop the file on the window, or install zenity",
            );
            self.message = Some(text.to_owned());
        }
    }

    pub(super) fn take_dropped(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        actions.extend(dropped.into_iter().map(|file| Action::OpenFile(file.path().to_owned())));
    }

    pub(super) fn ask_open(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|input| input.time);
        let title = self.preferences.language.tr("Open a scene or a mesh");
        let answer = platform::ask_open(title, &[SCENES], waker(ctx));
        self.dialogs.0.push(Dialog { asked, answer, then: Action::OpenFile });
    }

    pub(super) fn ask_save(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|input| input.time);
        let title = self.preferences.language.tr("Save scene as…");
        let name = format!("{}.scene.yaml", self.stem());
        let answer = platform::ask_save(title, &name, &[SCENE], waker(ctx));
        let then = |path| Action::SaveAs { path, state: true };
        self.dialogs.0.push(Dialog { asked, answer, then });
    }

    pub(super) fn ask_screenshot(&mut self, ctx: &egui::Context) {
        let asked = ctx.input(|input| input.time);
        let title = self.preferences.language.tr("Save the picture");
        let name = format!("{}.png", self.stem());
        let answer = platform::ask_save(title, &name, &[PICTURE], waker(ctx));
        self.dialogs.0.push(Dialog { asked, answer, then: Action::Screenshot });
    }

    pub(super) fn ask_record(&mut self, ctx: &egui::Context, kind: &str) {
        let asked = ctx.input(|input| input.time);
        let title = self.preferences.language.tr("Record to…");
        let stem = self.stem();
        let answer = match kind {
            "gif" => platform::ask_save(title, &format!("{stem}.gif"), &[GIF], waker(ctx)),
            "mp4" => platform::ask_save(title, &format!("{stem}.mp4"), &[MP4], waker(ctx)),
            _ => platform::ask_folder(title, waker(ctx)),
        };
        self.dialogs.0.push(Dialog { asked, answer, then: Action::Record });
    }

    pub(super) fn open_file(&mut self, path: &Path) {
        let path = platform::absolute(path);
        let is_obj = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj"));
        if is_obj {
            return self.add_obj(&path);
        }
        match Document::open_file(&path) {
            Ok(document) => {
                self.show_document(document);
                self.remember(&path);
            }
            Err(error) => self.scene_error = Some(error.render()),
        }
    }

    pub(super) fn open_builtin(&mut self, name: &str) {
        match Document::open_builtin(name) {
            Ok(document) => self.show_document(document),
            Err(error) => self.scene_error = Some(error.render()),
        }
    }

    pub(super) fn reload(&mut self) {
        match self.document.path().map(Path::to_owned) {
            Some(path) => self.open_file(&path),
            None => {
                let name = self.document.name().to_owned();
                self.open_builtin(&name);
            }
        }
    }

    fn show_document(&mut self, document: Document) {
        self.document = document;
        (self.scene_error, self.message) = (None, None);
        self.gives_up_edits = false;
        self.camera_of = Some(self.published.own.generation);
        let loaded = self.document.loaded().clone();
        self.send(Request::Open(loaded));
        self.send(Request::Play(true));
    }

    /// A mesh joins the scene before the camera: a soft body if it is closed, else a cloth.
    fn add_obj(&mut self, path: &Path) {
        let distance = (self.camera.target - self.camera.eye).length();
        let place = self.camera.eye + self.camera.forward() * distance;
        match self.document.add_mesh(path, place) {
            Ok(loaded) => {
                self.scene_error = None;
                self.send(Request::Edit(loaded));
                self.remember(path);
            }
            Err(error) => self.scene_error = Some(error.to_string()),
        }
    }

    pub(super) fn save_as(&mut self, path: &Path, state: bool) {
        let path = with_ending(path);
        // A player that has died keeps no state.
        let kept = (state && self.session.is_alive()).then(|| state_file(&path));
        let name = kept.as_ref().and_then(|kept| kept.file_name()).map(|n| n.to_string_lossy());
        match self.document.save_as(&path, Some(&self.camera), name.as_deref()) {
            Ok(()) => {
                if let Some(kept) = kept {
                    self.send(Request::SaveState(kept));
                }
                self.message = None;
                self.remember(&path);
            }
            Err(error) => self.message = Some(error.to_string()),
        }
    }

    /// Writes the scene where it can be found again when nothing can be shown any more.
    pub fn rescue(&self) -> Result<PathBuf, String> {
        let dir = platform::config_dir().ok_or("there is no folder for it")?;
        let path = dir.join("rescued.scene.yaml");
        let text = tkanina_scene::write::to_yaml(self.document.value());
        platform::write_text(&path, &text).map_err(|error| error.to_string())?;
        Ok(path)
    }

    pub(super) fn remember(&mut self, path: &Path) {
        recents::remember(&mut self.preferences.recent, &platform::absolute(path));
        self.keep_preferences();
    }

    /// The document's name for files that are made of it.
    fn stem(&self) -> String {
        let name = Path::new(self.document.name()).file_name();
        let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("scene").to_owned()
    }
}

/// Where the state of a scene is kept: beside it, under a name that no other scene's state has.
fn state_file(scene: &Path) -> PathBuf {
    let name = scene.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".scene.yaml").unwrap_or(&name);
    scene.with_file_name(format!("{stem}.tkc"))
}

/// Scenes end in `.scene.yaml` unless the person says otherwise.
fn with_ending(path: &Path) -> PathBuf {
    match path.extension() {
        Some(_) => path.to_owned(),
        None => path.with_extension("scene.yaml"),
    }
}

fn waker(ctx: &egui::Context) -> impl FnOnce() + Send + 'static {
    let ctx = ctx.clone();
    move || ctx.request_repaint()
}
