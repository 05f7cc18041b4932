//! Letters and rectangles in pictures.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use tkanina_render::Image;

/// Which part of a line stands at its place.
#[derive(Clone, Copy, Debug)]
pub enum Align {
    /// Its start.
    Left,
    /// Its middle.
    Middle,
    /// Its end.
    Right,
}

/// Letters of a size.
pub struct Text {
    font: FontRef<'static>,
    /// Height of a line. [px]
    pub size: f32,
}

const INK: [u8; 3] = [25, 28, 34];

impl Text {
    /// None if the font cannot be read.
    pub fn of_size(size: f32) -> Option<Self> {
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
        Some(Self { font, size })
    }

    /// Writes a line whose upper end is at a place.
    pub fn write(&self, image: &mut Image, text: &str, [x, y]: [u32; 2], align: Align) {
        let scale = PxScale::from(self.size);
        let font = self.font.as_scaled(scale);
        let advance = |c: char| font.h_advance(font.glyph_id(c));
        let width: f32 = text.chars().map(advance).sum();
        let shift = match align {
            Align::Left => 0.0,
            Align::Middle => 0.5 * width,
            Align::Right => width,
        };
        let mut at = x as f32 - shift;
        for c in text.chars() {
            let glyph = font
                .glyph_id(c)
                .with_scale_and_position(scale, point(at, y as f32 + font.ascent()));
            at += advance(c);
            let Some(outline) = self.font.outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, cover| {
                let place = [bounds.min.x + dx as f32, bounds.min.y + dy as f32];
                if place.iter().all(|c| *c >= 0.0) {
                    let alpha = (255.0 * cover.clamp(0.0, 1.0)) as u8;
                    let [r, g, b] = INK;
                    mix(image, place.map(|c| c as u32), [r, g, b, alpha]);
                }
            });
        }
    }
}

/// Fills a rectangle with colours by column.
pub fn fill(
    image: &mut Image,
    [left, top]: [u32; 2],
    [width, height]: [u32; 2],
    color: impl Fn(u32) -> [u8; 4],
) {
    for y in 0..height {
        for x in 0..width {
            mix(image, [left + x, top + y], color(x));
        }
    }
}

/// Lays a colour over a pixel.
fn mix(image: &mut Image, [x, y]: [u32; 2], [r, g, b, alpha]: [u8; 4]) {
    if x >= image.width || y >= image.height {
        return;
    }
    let at = 4 * (y as usize * image.width as usize + x as usize);
    let over = u32::from(alpha);
    for (channel, new) in image.rgba[at..at + 3].iter_mut().zip([r, g, b]) {
        let mixed = u32::from(*channel) * (255 - over) + u32::from(new) * over;
        *channel = ((mixed + 127) / 255) as u8;
    }
}
