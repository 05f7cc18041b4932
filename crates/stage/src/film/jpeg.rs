//! JPEG files.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use tkanina_render::Image;

use super::FilmError;

/// A picture as the bytes of a JPEG file; `quality` is from 1 to 100. What shows through is lost.
pub fn jpeg_bytes(image: &Image, quality: u8) -> Result<Vec<u8>, FilmError> {
    let rgb: Vec<u8> =
        image.rgba.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality)
        .write_image(&rgb, image.width, image.height, ExtendedColorType::Rgb8)
        .map_err(|what| FilmError::Unsuitable { what: format!("no JPEG can be made: {what}") })?;
    Ok(bytes)
}
