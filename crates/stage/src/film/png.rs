//! PNG files.

use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use tkanina_render::Image;
use tkanina_scene::export::atomic::write_file;

use super::FilmError;

/// Saves a picture as a PNG file.
pub fn save_png(path: &Path, image: &Image) -> Result<(), FilmError> {
    let bytes = png_bytes(image)?;
    Ok(write_file(path, |out| out.write_all(&bytes))?)
}

/// A picture as the bytes of a PNG file.
pub fn png_bytes(image: &Image) -> Result<Vec<u8>, FilmError> {
    encode(image)
        .map_err(|what| FilmError::Unsuitable { what: format!("no PNG can be made: {what}") })
}

/// Without alpha if nothing shows through, which is a quarter less.
fn encode(image: &Image) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    let pixels = image.rgba.as_chunks::<4>().0;
    if pixels.iter().all(|pixel| pixel[3] == u8::MAX) {
        let rgb: Vec<u8> = pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        encoder.write_image(&rgb, image.width, image.height, ExtendedColorType::Rgb8)?;
    } else {
        encoder.write_image(&image.rgba, image.width, image.height, ExtendedColorType::Rgba8)?;
    }
    Ok(bytes)
}
