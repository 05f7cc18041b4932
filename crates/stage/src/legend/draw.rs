//! A legend into a picture.

use tkanina_render::Image;

use super::Legend;
use crate::lettering::{Align, Text, fill};

/// Draws the legend into the lower left corner of a picture; one too small for it is left as it
/// is.
pub fn draw(image: &mut Image, legend: &Legend) {
    // Sizes grow with the picture, so that text is as easy to read in a large one.
    let unit = (image.height as f32 / 720.0).max(0.6);
    let [width, height] = [240.0, 14.0].map(|side| (side * unit).round() as u32);
    let [margin, gap] = [20.0, 6.0].map(|side| (side * unit).round() as u32);
    let Some(text) = Text::of_size(17.0 * unit) else { return };
    let line = text.size.ceil() as u32;
    let panel = [width + 2 * margin, 2 * line + height + 4 * gap];
    if image.width < panel[0] + 2 * gap || image.height < panel[1] + 2 * gap {
        return;
    }
    let (left, top) = (gap, image.height - gap - panel[1]);
    fill(image, [left, top], panel, |_| PANEL);
    let x = left + margin;
    text.write(image, &title(legend), [x, top + gap], Align::Left);
    let bar = top + 2 * gap + line;
    let color = |x: u32| {
        let [r, g, b] = legend.map.color(x as f32 / (width - 1) as f32);
        [r, g, b].map(|c| (255.0 * c).round() as u8)
    };
    fill(image, [x, bar], [width, height], |x| {
        let [r, g, b] = color(x);
        [r, g, b, 255]
    });
    let [low, high] = legend.range;
    let below = bar + height + gap / 2;
    text.write(image, &number(low), [x, below], Align::Left);
    text.write(image, &number(0.5 * (low + high)), [x + width / 2, below], Align::Middle);
    text.write(image, &number(high), [x + width, below], Align::Right);
}

/// White that lets a little of the picture through.
const PANEL: [u8; 4] = [255, 255, 255, 215];

fn title(legend: &Legend) -> String {
    let Legend { label, unit, .. } = legend;
    if unit.is_empty() { (*label).to_owned() } else { format!("{label} [{unit}]") }
}

/// Three figures.
fn number(value: f32) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}")
    } else {
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.digits$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use tkanina_render::frame::ColorMap;
    use tkanina_scene::schema::HeatQuantity;

    use super::*;

    #[test]
    fn numbers_have_three_figures() {
        let wanted = [
            (0.0, "0"),
            (0.123_4, "0.123"),
            (0.5, "0.5"),
            (12.34, "12.3"),
            (180.0, "180"),
            (1234.0, "1234"),
            (-0.05, "-0.05"),
            (1e-6, "1.0e-6"),
        ];
        for (value, text) in wanted {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn the_bar_goes_from_the_first_colour_to_the_last() {
        let mut image = Image::filled(640, 400, [10, 20, 30, 255]);
        let legend = Legend::new(HeatQuantity::Speed, [0.0, 2.0], ColorMap::Viridis);
        draw(&mut image, &legend);
        let close = |pixel: [u8; 4], t: f32| {
            let color = ColorMap::Viridis.color(t).map(|c| (255.0 * c) as u8);
            (0..3).all(|c| pixel[c].abs_diff(color[c]) < 12)
        };
        let rows = (0..image.height).rev();
        let found = rows.into_iter().any(|y| {
            let row: Vec<[u8; 4]> = (0..200).map(|x| image.pixel(x, y)).collect();
            let first = row.iter().position(|pixel| close(*pixel, 0.0));
            let last = row.iter().rposition(|pixel| close(*pixel, 1.0));
            matches!((first, last), (Some(first), Some(last)) if last - first > 100)
        });
        assert!(found, "no bar");
        // Away from the corner nothing changes, and a small picture has no room.
        assert_eq!(image.pixel(600, 20), [10, 20, 30, 255]);
        let mut small = Image::filled(60, 40, [10, 20, 30, 255]);
        draw(&mut small, &legend);
        assert_eq!(small, Image::filled(60, 40, [10, 20, 30, 255]));
    }
}
