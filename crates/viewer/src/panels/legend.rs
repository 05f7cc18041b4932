//! What the colours of a heat map mean, drawn over the picture.

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Vec2, pos2};
use tkanina_stage::Legend;

use crate::i18n::Language;

/// Size of the strip of colours. [points]
const STRIP: Vec2 = Vec2::new(16.0, 180.0);

/// Pieces that the strip is drawn in.
const PIECES: usize = 32;

/// Values that are written beside the strip.
const LABELS: usize = 5;

/// Draws the legend into the upper right corner of `picture`. `color` gives the colour from 0 to 1.
pub fn draw_legend(
    painter: &Painter,
    picture: Rect,
    legend: &Legend,
    language: Language,
    color: impl Fn(f32) -> [f32; 3],
) {
    let title = match legend.unit {
        "" | "1" => language.tr(legend.label).to_owned(),
        unit => format!("{} [{unit}]", language.tr(legend.label)),
    };
    let font = FontId::proportional(12.5);
    let title = painter.layout_no_wrap(title, font.clone(), Color32::WHITE);
    let height = STRIP.y.min(picture.height() - 60.0).max(40.0);
    let width = (STRIP.x + 70.0).max(title.size().x) + 16.0;
    let corner = picture.right_top() + Vec2::new(-width - 12.0, 12.0);
    let back = Rect::from_min_size(corner, Vec2::new(width, height + title.size().y + 26.0));
    painter.rect_filled(back, 6.0, Color32::from_black_alpha(150));
    let strip_top = corner + Vec2::new(8.0, title.size().y + 14.0);
    painter.galley(corner + Vec2::new(8.0, 6.0), title, Color32::WHITE);
    let strip = Rect::from_min_size(strip_top, Vec2::new(STRIP.x, height));
    painter.add(gradient(strip, color));
    let [low, high] = legend.range;
    for i in 0..LABELS {
        let part = i as f32 / (LABELS - 1) as f32;
        let at = pos2(strip.right() + 8.0, strip.bottom() - part * strip.height());
        let text = short(low + part * (high - low), high - low);
        painter.hline(strip.right()..=strip.right() + 4.0, at.y, (1.0, Color32::WHITE));
        painter.text(at, Align2::LEFT_CENTER, text, font.clone(), Color32::WHITE);
    }
}

fn gradient(strip: Rect, color: impl Fn(f32) -> [f32; 3]) -> Shape {
    let mut mesh = Mesh::default();
    for i in 0..=PIECES {
        let part = i as f32 / PIECES as f32;
        let [r, g, b] = color(part).map(|c| (255.0 * c).round() as u8);
        let y = strip.bottom() - part * strip.height();
        let color = Color32::from_rgb(r, g, b);
        let at: [Pos2; 2] = [pos2(strip.left(), y), pos2(strip.right(), y)];
        at.into_iter().for_each(|at| mesh.colored_vertex(at, color));
        if i > 0 {
            let base = 2 * i as u32;
            mesh.add_triangle(base - 2, base - 1, base);
            mesh.add_triangle(base - 1, base, base + 1);
        }
    }
    Shape::mesh(mesh)
}

/// A value with as many digits as `span` lets one tell apart.
fn short(value: f32, span: f32) -> String {
    let size = span.abs().max(value.abs());
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{value:.1e}");
    }
    let decimals = (2.0 - span.abs().max(1e-6).log10().floor()).clamp(0.0, 5.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_digits_that_tell_them_apart() {
        assert_eq!(short(0.25, 1.0), "0.25");
        assert_eq!(short(0.0125, 0.05), "0.0125");
        assert_eq!(short(90.0, 180.0), "90");
        assert_eq!(short(2.5e6, 1e7), "2.5e6");
        assert_eq!(short(0.0, 0.0), "0.00000");
    }
}
