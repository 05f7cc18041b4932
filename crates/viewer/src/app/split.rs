//! The window's picture divided among solvers.

use egui::{Rect, Vec2, pos2};

/// Line between two pictures. [points]
const GAP: f32 = 2.0;

/// Where each of `count` pictures is: in a row, or in a column where that leaves them less narrow;
/// four are two by two.
pub fn cells(whole: Rect, count: usize) -> Vec<Rect> {
    let count = count.max(1);
    let [columns, rows] = match count {
        4 => [2, 2],
        _ if whole.width() >= whole.height() => [count, 1],
        _ => [1, count],
    };
    let share = |length: f32, parts: usize| {
        let gaps = GAP * (parts - 1) as f32;
        // Whole points, so that no picture is blurred by lying between pixels.
        ((length - gaps) / parts as f32).floor().max(1.0)
    };
    let size = Vec2::new(share(whole.width(), columns), share(whole.height(), rows));
    let cell = |index: usize| {
        let [column, row] = [index % columns, index / columns].map(|i| i as f32);
        let corner = whole.min + Vec2::new(column * (size.x + GAP), row * (size.y + GAP));
        let last = [(index % columns) + 1 == columns, index / columns + 1 == rows];
        let far = corner + size;
        let far = pos2(
            if last[0] { whole.max.x.max(far.x) } else { far.x },
            if last[1] { whole.max.y.max(far.y) } else { far.y },
        );
        Rect::from_min_max(corner, far)
    };
    (0..count).map(cell).collect()
}

/// A part of a picture in pixels: its corner from the top left, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Left and top.
    pub corner: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

impl Pixels {
    /// Those of `part` in `whole`, of so many pixels a point.
    pub fn of(part: Rect, whole: Rect, per_point: f32) -> Self {
        let pixels = |length: f32| (length * per_point).round().max(0.0) as u32;
        let corner = [pixels(part.min.x - whole.min.x), pixels(part.min.y - whole.min.y)];
        let end = [pixels(part.max.x - whole.min.x), pixels(part.max.y - whole.min.y)];
        let size = [0, 1].map(|axis| end[axis].saturating_sub(corner[axis]).max(1));
        Self { corner, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Rect {
        Rect::from_min_size(pos2(340.0, 20.0), Vec2::new(901.0, 600.0))
    }

    #[test]
    fn pictures_fill_the_window_and_do_not_overlap() {
        for count in 1..=4 {
            let cells = cells(wide(), count);
            assert_eq!(cells.len(), count);
            let area: f32 = cells.iter().map(|cell| cell.area()).sum();
            assert!(area > 0.98 * wide().area() && area <= wide().area(), "{count}: {cells:?}");
            for (i, a) in cells.iter().enumerate() {
                assert!(wide().contains_rect(*a), "{count}: {a:?}");
                let apart = |b: &Rect| !a.shrink(0.1).intersects(b.shrink(0.1));
                assert!(cells[i + 1..].iter().all(apart), "{count}: {cells:?}");
            }
        }
        assert_eq!(cells(wide(), 1), [wide()]);
    }

    #[test]
    fn a_tall_window_is_divided_into_rows() {
        let tall = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(400.0, 900.0));
        let [a, b] = cells(tall, 2)[..] else { panic!() };
        assert!(a.width() == 400.0 && b.width() == 400.0 && a.max.y < b.min.y);
        let [a, b, c, d] = cells(wide(), 4)[..] else { panic!() };
        assert!(a.min.y == b.min.y && c.min.x == a.min.x && d.min == pos2(b.min.x, c.min.y));
    }

    #[test]
    fn pixels_add_up() {
        for count in 2..=4 {
            let parts = cells(wide(), count);
            let whole = Pixels::of(wide(), wide(), 1.5);
            assert_eq!(whole.corner, [0, 0]);
            for part in parts {
                let Pixels { corner, size } = Pixels::of(part, wide(), 1.5);
                assert!((0..2).all(|i| corner[i] + size[i] <= whole.size[i]), "{part:?}");
            }
        }
    }
}
