//! Writing the scene so that opening the file shows what was on screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde_json::{Map, Value, json};
use tkanina_render::Camera;
use tkanina_scene::export::atomic::WriteError;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::write::to_yaml;

use super::Document;
use crate::platform;

/// Name of the camera that was looked from.
const VIEW: &str = "view";

/// Names of fields that hold the path of a file.
const FILE_FIELDS: &[&str] = &["file", "texture", "start_from"];

/// Why a scene could not be saved. No scene file was written.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// A file that the scene needs cannot come along.
    #[error("the scene cannot be saved there: {0}")]
    File(String),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Document {
    /// Writes the scene as YAML, seen from `camera`. With `state`, the name of a checkpoint file
    /// beside it, the file starts from there; writing that is the player's part. Files that the
    /// scene needs are copied along. From now on the document is that of the new file, but for the
    /// state: what runs began as it did.
    pub fn save_as(
        &mut self,
        path: &Path,
        camera: Option<&Camera>,
        state: Option<&str>,
    ) -> Result<(), SaveError> {
        let mut value = self.value.clone();
        if let (Some(camera), Some(fields)) = (camera, value.as_object_mut()) {
            look_from(fields, camera, &self.loaded);
        }
        let mut written = value.clone();
        if let (Some(state), Some(fields)) = (state, written.as_object_mut()) {
            fields.insert("start_from".to_owned(), json!(state));
        }
        let dir = match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
            _ => PathBuf::from("."),
        };
        for file in files(&written).into_iter().filter(|file| Some(file.as_str()) != state) {
            let from = self.loaded.resolve(&file).map_err(SaveError::File)?;
            platform::copy_new(&from, &dir.join(&file)).map_err(SaveError::File)?;
        }
        platform::write_text(path, &to_yaml(&written))?;
        self.name = path.display().to_string();
        self.path = Some(path.to_owned());
        let moved = || LoadedScene { dir: Some(dir.clone()), ..(*self.loaded).clone() };
        let loaded = LoadedScene::from_value(&self.name, &value, Some(&dir));
        self.loaded = Arc::new(loaded.unwrap_or_else(|_| moved()));
        self.original = value.clone();
        self.value = value;
        Ok(())
    }
}

/// All files that a scene names, each once.
pub(super) fn files(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_files(value, &mut found);
    found.sort();
    found.dedup();
    found
}

fn collect_files(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(file) if FILE_FIELDS.contains(&name.as_str()) => {
                        found.push(file.clone());
                    }
                    other => collect_files(other, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect_files(value, found)),
        _ => {}
    }
}

/// Makes `camera` the first of the scene, unless it is already.
fn look_from(fields: &mut Map<String, Value>, camera: &Camera, loaded: &LoadedScene) {
    let [eye, target] = [camera.eye, camera.target].map(decimal);
    let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);
    let fov = f64::from(camera.fov_y.to_degrees());
    if let Some(first) = loaded.scene.cameras.first()
        && near(first.eye_m, eye)
        && near(first.target_m, target)
        && near(first.up, decimal(camera.up))
        && (first.fov_deg - fov).abs() < 1e-4
    {
        return;
    }
    let view = json!({
        "name": VIEW,
        "eye_m": eye,
        "target_m": target,
        "fov_deg": (fov * 1e4).round() / 1e4,
        "up": decimal(camera.up),
    });
    let cameras = fields.entry("cameras").or_insert_with(|| json!([]));
    if let Value::Array(cameras) = cameras {
        cameras.retain(|other| other.get("name").and_then(Value::as_str) != Some(VIEW));
        cameras.insert(0, view);
    }
}

/// The numbers with as few digits as tell them apart from their neighbours.
fn decimal(v: Vec3) -> [f64; 3] {
    v.to_array().map(|x| x.to_string().parse().unwrap_or(f64::from(x)))
}
