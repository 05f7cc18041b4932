//! Meshes from anywhere on the disk join the scene.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::obj_scene::add_obj;

use super::save::files;
use super::{Document, EditError, Edited};
use crate::platform::{self, Scratch};
use crate::player::readable;

/// Files of one name that a scene can use from different folders.
const MOST_NAMESAKES: usize = 100;

impl Document {
    /// Adds the polygons of an OBJ file, as a soft body if they enclose a volume and else as a
    /// cloth, with its middle at `position` [m].
    pub fn add_mesh(&mut self, obj: &Path, position: Vec3) -> Edited {
        let file = self.bring(obj).map_err(EditError::File)?;
        let place = position.to_array().map(f64::from);
        let added = add_obj(&self.value, self.dir(), &file, place);
        let (edited, _) = added.map_err(|error| EditError::File(readable(&error)))?;
        self.change(edited, None)
    }

    /// The file where the scene can refer to it. One from outside of the scene's folder is brought,
    /// with all others of the scene, into a folder that lasts until the scene is saved.
    fn bring(&mut self, file: &Path) -> Result<PathBuf, String> {
        let file = platform::absolute(file);
        if !platform::is_file(&file) {
            return Err(format!("there is no file `{}`", file.display()));
        }
        let inside = |dir: &Path| file.starts_with(platform::absolute(dir));
        if self.dir().is_some_and(inside) {
            return Ok(file);
        }
        let dir = match self.scratch.last() {
            Some(scratch) if self.dir() == Some(scratch.path()) => scratch.path().to_owned(),
            _ => self.move_to_scratch()?,
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let numbered = (2..MOST_NAMESAKES).map(|n| format!("{n}-{name}"));
        let names = std::iter::once(name.to_string()).chain(numbered);
        let mut said = String::new();
        for name in names {
            let place = dir.join(name);
            match platform::link_or_copy(&file, &place) {
                Ok(()) => return Ok(place),
                Err(reason) => said = reason,
            }
        }
        Err(said)
    }

    /// Brings all files of the scene to a folder of its own.
    fn move_to_scratch(&mut self) -> Result<PathBuf, String> {
        let scratch = Scratch::new()?;
        let dir = scratch.path().to_owned();
        for used in files(&self.value) {
            platform::link_or_copy(&self.loaded.resolve(&used)?, &dir.join(used))?;
        }
        self.loaded = Arc::new(LoadedScene { dir: Some(dir.clone()), ..(*self.loaded).clone() });
        self.scratch.push(scratch);
        Ok(dir)
    }
}
