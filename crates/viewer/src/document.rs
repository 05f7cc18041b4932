//! The scene as it is being edited.

mod mesh;
mod pointer;
mod regrid;
mod save;
#[cfg(test)]
mod tests;
mod undo;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tkanina_scene::errors::SceneError;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Show;

use crate::platform::{self, Scratch};
pub use pointer::{PointerError, escape};
pub use save::SaveError;
use undo::UndoStack;

/// A scene that is always right: an edit that would make it wrong is refused.
#[derive(Debug)]
pub struct Document {
    name: String,
    path: Option<PathBuf>,
    value: Value,
    loaded: Arc<LoadedScene>,
    /// As it was opened or last saved.
    original: Value,
    undo: UndoStack,
    /// Folders of files from elsewhere that the scene uses before it is saved, the latest last. A
    /// player may still read from earlier ones.
    scratch: Vec<Scratch>,
}

/// Why an edit was refused. The document is as before.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// There is no such place.
    #[error(transparent)]
    Place(#[from] PointerError),
    /// The scene would be wrong.
    #[error("{}", .0.render())]
    Scene(#[from] Box<SceneError>),
    /// A file cannot be used.
    #[error("{0}")]
    File(String),
}

/// What an edit leads to: the edited scene, for the player.
pub type Edited = Result<Arc<LoadedScene>, EditError>;

impl Document {
    /// Opens a scene file.
    pub fn open_file(path: &Path) -> Result<Self, SceneError> {
        let loaded = platform::open_scene(path)?;
        Ok(Self::new(&path.display().to_string(), Some(path), loaded))
    }

    /// Opens a built-in scene.
    pub fn open_builtin(name: &str) -> Result<Self, SceneError> {
        Ok(Self::new(name, None, platform::open_builtin(name)?))
    }

    /// A document of a scene that was opened already, from `path` if it is a file.
    pub fn new(name: &str, path: Option<&Path>, loaded: LoadedScene) -> Self {
        let value = loaded.value();
        Self {
            name: name.to_owned(),
            path: path.map(Path::to_owned),
            original: value.clone(),
            value,
            loaded: Arc::new(loaded),
            undo: UndoStack::default(),
            scratch: Vec::new(),
        }
    }

    /// Name of the scene for messages: its path, or that of a built-in.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file; none for a built-in.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Folder that paths in the scene are relative to.
    pub fn dir(&self) -> Option<&Path> {
        self.loaded.dir.as_deref()
    }

    /// The scene as it is written, without defaults filled in.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The scene as it was opened or last saved.
    pub fn original(&self) -> &Value {
        &self.original
    }

    /// The scene with every default filled in.
    pub fn full(&self) -> Value {
        serde_json::to_value(&self.loaded.scene).unwrap_or_default()
    }

    /// What stands at a place; none if it is left to its default.
    pub fn get(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer)
    }

    /// The scene, checked, for the player.
    pub fn loaded(&self) -> &Arc<LoadedScene> {
        &self.loaded
    }

    /// Whether it differs from its file.
    pub fn is_dirty(&self) -> bool {
        self.value != self.original
    }

    /// Whether there is an edit to take back.
    pub fn can_undo(&self) -> bool {
        self.undo.depth()[0]
    }

    /// Whether there is an edit to make again.
    pub fn can_redo(&self) -> bool {
        self.undo.depth()[1]
    }

    /// Puts a value at a place. Repeated at one place it is one edit until [`Self::end_edit`].
    pub fn set(&mut self, pointer: &str, value: Value) -> Edited {
        let (mut edited, full) = (self.value.clone(), self.full());
        pointer::set(&mut edited, &full, pointer, value)?;
        self.regrid(&mut edited);
        self.change(edited, Some(pointer))
    }

    /// Puts an entry into a list: `pointer` is the list, or the place in it.
    pub fn insert(&mut self, pointer: &str, value: Value) -> Edited {
        let (mut edited, full) = (self.value.clone(), self.full());
        pointer::insert(&mut edited, &full, pointer, value)?;
        self.change(edited, None)
    }

    /// Takes a field or list entry out.
    pub fn remove(&mut self, pointer: &str) -> Edited {
        let mut edited = self.value.clone();
        pointer::remove(&mut edited, pointer)?;
        self.change(edited, None)
    }

    /// Takes all bodies out, with what speaks of them.
    pub fn remove_all_bodies(&mut self) -> Edited {
        let mut edited = self.value.clone();
        if let Some(fields) = edited.as_object_mut() {
            for name in ["bodies", "sew", "glue", "forces", "start_from", "expect"] {
                fields.shift_remove(name);
            }
        }
        if let Some(looks) = edited.pointer_mut("/look/bodies").and_then(Value::as_object_mut) {
            let bodies = &self.loaded.scene.bodies;
            looks.retain(|name, _| bodies.iter().all(|body| body.name() != name));
        }
        self.change(edited, None)
    }

    /// Changes what is shown. That is part of the scene but no edit to take back.
    pub fn set_show(&mut self, show: &Show) -> Edited {
        let mut edited = self.value.clone();
        let show = serde_json::to_value(show).unwrap_or_else(|_| json!({}));
        pointer::set(&mut edited, &json!({}), "/look/show", show)?;
        let loaded = self.check(&edited)?;
        self.take(edited, loaded)
    }

    /// Back to the values of the file; can be taken back itself.
    pub fn restore_original(&mut self) -> Edited {
        self.change(self.original.clone(), None)
    }

    /// Ends a long edit, such as the drag of a slider.
    pub fn end_edit(&mut self) {
        self.undo.close();
    }

    /// Takes the last edit back; none if there is none.
    pub fn undo(&mut self) -> Option<Edited> {
        let was = self.undo.undo(&self.value)?;
        Some(self.go(was, |undo, now| undo.redo(now)))
    }

    /// Makes the edit again that was taken back last; none if there is none.
    pub fn redo(&mut self) -> Option<Edited> {
        let next = self.undo.redo(&self.value)?;
        Some(self.go(next, |undo, now| undo.undo(now)))
    }

    /// Goes to an earlier or later scene, shown as the present one. Its files may be gone; then the
    /// step is taken `back`.
    fn go(
        &mut self,
        mut to: Value,
        back: impl FnOnce(&mut UndoStack, &Value) -> Option<Value>,
    ) -> Edited {
        let was = to.clone();
        match self.value.pointer("/look/show") {
            Some(show) => pointer::set(&mut to, &json!({}), "/look/show", show.clone())?,
            None => drop(pointer::remove(&mut to, "/look/show")),
        }
        match self.check(&to) {
            Ok(loaded) => self.take(to, loaded),
            Err(error) => {
                back(&mut self.undo, &was);
                Err(error)
            }
        }
    }

    /// Lets pins and the like keep their places in grids that get other counts.
    fn regrid(&self, edited: &mut Value) {
        let counts = |scene: &Value, body: usize| {
            let points = scene["bodies"][body]["shape"]["points"].as_array()?;
            Some([points.first()?.as_u64()?, points.get(1)?.as_u64()?])
        };
        for body in 0..edited["bodies"].as_array().map_or(0, Vec::len) {
            if let (Some(from), Some(to)) = (counts(&self.value, body), counts(edited, body))
                && from != to
            {
                regrid::regrid(edited, body, from, to);
            }
        }
    }

    fn change(&mut self, edited: Value, place: Option<&str>) -> Edited {
        let loaded = self.check(&edited)?;
        if edited != self.value {
            self.undo.push(self.value.clone(), place);
        }
        self.take(edited, loaded)
    }

    fn take(&mut self, edited: Value, loaded: LoadedScene) -> Edited {
        self.value = edited;
        self.loaded = Arc::new(loaded);
        Ok(self.loaded.clone())
    }

    fn check(&self, value: &Value) -> Result<LoadedScene, EditError> {
        let loaded = LoadedScene::from_value(&self.name, value, self.loaded.dir.as_deref());
        loaded.map_err(|error| EditError::Scene(Box::new(error)))
    }
}
