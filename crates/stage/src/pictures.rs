//! Picture files of a scene.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::ImageReader;
use tkanina_render::Image;
use tkanina_scene::check::paths::resolve;

use crate::errors::StageError;

/// Most pixels along a side: what every graphics adapter can hold.
const MAX_SIDE: u32 = 8192;

/// Pictures that were read, by the name that the scene gives them.
#[derive(Debug)]
pub struct Pictures {
    dir: Option<PathBuf>,
    read: BTreeMap<String, Arc<Image>>,
}

impl Pictures {
    /// Pictures of a scene in folder `dir`.
    pub fn new(dir: Option<PathBuf>) -> Self {
        Self { dir, read: BTreeMap::new() }
    }

    /// A picture for `of`, read once.
    pub fn get(&mut self, file: &str, of: &str) -> Result<Arc<Image>, StageError> {
        if let Some(image) = self.read.get(file) {
            return Ok(image.clone());
        }
        let path = resolve(self.dir.as_deref(), file);
        let image = path.and_then(|path| read(&path)).map_err(|reason| {
            let (file, of) = (file.to_owned(), of.to_owned());
            StageError::Picture { file, of, reason }
        })?;
        let image = Arc::new(image);
        self.read.insert(file.to_owned(), image.clone());
        Ok(image)
    }
}

fn read(path: &Path) -> Result<Image, String> {
    let mut reader = ImageReader::open(path)
        .and_then(ImageReader::with_guessed_format)
        .map_err(|error| error.to_string())?;
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    let (width, height) = decoded.dimensions();
    Ok(Image { width, height, rgba: decoded.into_raw() })
}
