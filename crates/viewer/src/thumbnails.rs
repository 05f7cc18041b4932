//! Small pictures of the built-in scenes, made by `cargo xtask gallery`.

use std::collections::BTreeMap;

/// All pictures in one, row after row.
const SHEET: &[u8] = include_bytes!("../thumbnails/sheet.jpg");

/// Names of the scenes, in the order of the pictures.
const NAMES: &str = include_str!("../thumbnails/names.txt");

/// Pictures in a row of the sheet.
const COLUMNS: u32 = 8;

/// Size of one picture. [pixels]
const SIZE: [u32; 2] = [160, 100];

/// The pictures as textures.
#[derive(Default)]
pub struct Thumbnails {
    textures: BTreeMap<&'static str, egui::TextureHandle>,
}

impl Thumbnails {
    /// Brings all pictures to the device, unless they are there.
    pub fn load(&mut self, ctx: &egui::Context) {
        if !self.textures.is_empty() {
            return;
        }
        let Ok(sheet) = image::load_from_memory(SHEET) else { return };
        let sheet = sheet.to_rgba8();
        for (name, [x, y]) in corners() {
            let [width, height] = SIZE;
            let part = image::imageops::crop_imm(&sheet, x, y, width, height).to_image();
            let size = [part.width() as usize, part.height() as usize];
            let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &part);
            let texture = ctx.load_texture(name, pixels, egui::TextureOptions::LINEAR);
            self.textures.insert(name, texture);
        }
    }

    /// The picture of a built-in scene.
    pub fn find(&self, name: &str) -> Option<egui::TextureId> {
        self.textures.get(name).map(egui::TextureHandle::id)
    }
}

/// Names with the top left corner of their pictures. [pixels]
fn corners() -> impl Iterator<Item = (&'static str, [u32; 2])> {
    let corner = |index: u32| [index % COLUMNS * SIZE[0], index / COLUMNS * SIZE[1]];
    NAMES.lines().zip(0..).map(move |(name, index)| (name, corner(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_scene_has_its_picture() {
        let sheet = image::load_from_memory(SHEET).unwrap();
        let corners: BTreeMap<_, _> = corners().collect();
        for (name, _) in tkanina_scene::builtin::builtin() {
            let inside = corners.get(name).is_some_and(|[x, y]| {
                x + SIZE[0] <= sheet.width() && y + SIZE[1] <= sheet.height()
            });
            assert!(inside, "{name} has no thumbnail: run `cargo xtask gallery`");
        }
    }
}
