//! A line of text below what a picture shows.

use tkanina_render::Image;

use crate::lettering::{Align, Text, fill};

/// White that lets a little of the picture through.
const PANEL: [u8; 4] = [255, 255, 255, 215];

/// Writes a line over the lower edge of a picture, on a panel. What is too long is cut off; nothing
/// is written without a text.
pub fn write_caption(image: &mut Image, caption: &str) {
    // Sizes grow with the picture, so that text is as easy to read in a large one.
    let unit = (image.height as f32 / 720.0).max(0.8);
    let Some(text) = Text::of_size(17.0 * unit).filter(|_| !caption.is_empty()) else { return };
    let gap = (5.0 * unit).round() as u32;
    let height = text.size.ceil() as u32 + 2 * gap;
    let top = image.height.saturating_sub(height);
    let width = image.width;
    fill(image, [0, top], [width, height], |_| PANEL);
    text.write(image, caption, [2 * gap, top + gap], Align::Left);
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: [u8; 4] = [10, 20, 30, 255];

    #[test]
    fn a_caption_lies_over_the_lower_edge() {
        let mut image = Image::filled(400, 300, GROUND);
        write_caption(&mut image, "");
        assert_eq!(image, Image::filled(400, 300, GROUND));
        write_caption(&mut image, "XPBD · 3.1 ms");
        let below = (0..400).flat_map(|x| (280..300).map(move |y| (x, y)));
        let inked = below.filter(|&(x, y)| image.pixel(x, y)[0] < 120).count();
        assert!(inked > 50, "no letters");
        assert!(image.pixel(395, 295)[0] > 200);
        assert_eq!(image.pixel(20, 200), GROUND);
    }

    #[test]
    fn a_caption_that_is_too_long_is_cut_off() {
        let mut image = Image::filled(60, 12, GROUND);
        write_caption(&mut image, &"long ".repeat(40));
        assert_eq!(image.rgba.len(), 4 * 60 * 12);
    }
}
