//! Meshes from anywhere on the disk join the scene.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde_json::{Value, json};
use tkanina_scene::load::LoadedScene;

use super::save::files;
use super::{Document, EditError, Edited};
use crate::platform::{self, Scratch};

/// Material of a mesh in a scene that has none.
const MATERIAL: &str = "cotton";

impl Document {
    /// Adds the polygons of an OBJ file as a cloth at `position` [m].
    pub fn add_mesh(&mut self, obj: &Path, position: Vec3) -> Edited {
        let file = self.bring(obj).map_err(EditError::File)?;
        let mut edited = self.value.clone();
        let Some(fields) = edited.as_object_mut() else {
            return Err(EditError::File("the scene is no group of fields".to_owned()));
        };
        let materials = &self.loaded.scene.materials;
        let material = match materials.keys().next() {
            Some(first) => first.clone(),
            None => {
                fields.insert("materials".to_owned(), json!({ MATERIAL: { "preset": MATERIAL } }));
                MATERIAL.to_owned()
            }
        };
        let body = json!({
            "name": self.free_name(obj),
            "kind": "cloth",
            "shape": { "kind": "mesh", "file": file },
            "place": { "position_m": position.to_array() },
            "material": material,
        });
        match fields.entry("bodies").or_insert_with(|| json!([])) {
            Value::Array(bodies) => bodies.push(body),
            other => *other = json!([body]),
        }
        self.change(edited, None)
    }

    /// Name of the file by which the scene can refer to it. A file outside of the scene's folder
    /// is brought, with all others of the scene, into a folder that lasts until the scene is saved.
    fn bring(&mut self, file: &Path) -> Result<String, String> {
        let file = platform::absolute(file);
        if let Some(dir) = self.loaded.dir.as_deref()
            && let Ok(inside) = file.strip_prefix(platform::absolute(dir))
        {
            return Ok(with_slashes(inside));
        }
        let name = file.file_name().ok_or("there is no file of that name")?;
        let name = self.free_file(&name.to_string_lossy());
        let dir = match self.scratch.last() {
            Some(scratch) if self.dir() == Some(scratch.path()) => scratch.path().to_owned(),
            _ => self.move_to_scratch()?,
        };
        platform::link_or_copy(&file, &dir.join(&name))?;
        Ok(name)
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

    /// A file name that the scene does not use yet.
    fn free_file(&self, name: &str) -> String {
        let used = files(&self.value);
        let numbered = (2..).map(|n| format!("{n}-{name}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !used.contains(name)).unwrap_or_default()
    }

    /// A name for a body that no other thing of the scene has.
    fn free_name(&self, obj: &Path) -> String {
        let scene = &self.loaded.scene;
        let stem = obj.file_stem().map_or("mesh".into(), |stem| stem.to_string_lossy());
        let stem: String = stem.chars().take(150).collect();
        let taken = |name: &str| {
            scene.bodies.iter().any(|body| body.name() == name)
                || scene.colliders.iter().any(|collider| collider.name == name)
                || scene.scenery.iter().any(|scenery| scenery.name == name)
        };
        let numbered = (2..).map(|n| format!("{stem} {n}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }
}

/// A relative path as scenes write it.
fn with_slashes(path: &Path) -> String {
    let parts: Vec<String> =
        PathBuf::from(path).iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}
