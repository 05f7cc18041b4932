//! Copies of what is shown, put together of the pictures of all solvers.

use eframe::egui_wgpu::RenderState;
use tkanina_render::Image;

use super::split::Pixels;
use crate::view3d::{ImageSlot, View3d};

/// Colour of what no picture covers: lines between pictures, and solvers that refuse the scene.
const BETWEEN: [u8; 4] = [24, 24, 24, 255];

/// A copy of what is shown, on its way back from the device in parts.
pub struct Copy {
    size: [u32; 2],
    parts: Vec<Part>,
}

struct Part {
    place: Pixels,
    caption: String,
    slot: ImageSlot,
    image: Option<Image>,
}

/// A picture that is shown: where, and what is said of it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Where it is.
    pub place: Pixels,
    /// What is written into copies of it; nothing if it is alone.
    pub caption: String,
    /// Whether there is a picture: not if its solver refuses the scene.
    pub drawn: bool,
}

impl Copy {
    /// Asks for copies of all pictures; none before something was drawn.
    pub fn start(views: &mut [View3d], shown: &[Shown], state: &RenderState) -> Option<Self> {
        let mut parts = Vec::new();
        for (view, shown) in views.iter_mut().zip(shown).filter(|(_, shown)| shown.drawn) {
            let (place, caption) = (shown.place, shown.caption.clone());
            parts.push(Part { place, caption, slot: view.copy(state)?, image: None });
        }
        let end =
            |axis: usize| shown.iter().map(move |s| s.place.corner[axis] + s.place.size[axis]);
        let size = [end(0).max()?, end(1).max()?];
        Some(Self { size, parts })
    }

    /// The whole picture, once all its parts are there.
    pub fn take(&mut self) -> Option<Image> {
        for part in &mut self.parts {
            part.image = part.image.take().or_else(|| part.slot.take());
        }
        if self.parts.iter().any(|part| part.image.is_none()) {
            return None;
        }
        if let [part] = self.parts.as_mut_slice()
            && part.place.size == self.size
        {
            return part.image.take();
        }
        let mut whole = Image::filled(self.size[0], self.size[1], BETWEEN);
        for part in &mut self.parts {
            let Some(mut image) = part.image.take() else { continue };
            tkanina_stage::write_caption(&mut image, &part.caption);
            lay(&mut whole, &image, part.place.corner);
        }
        Some(whole)
    }
}

/// Lays a picture into a larger one.
fn lay(whole: &mut Image, part: &Image, [left, top]: [u32; 2]) {
    let width = part.width.min(whole.width.saturating_sub(left)) as usize;
    let rows = part.height.min(whole.height.saturating_sub(top)) as usize;
    for row in 0..rows {
        let from = 4 * row * part.width as usize;
        let to = 4 * ((top as usize + row) * whole.width as usize + left as usize);
        whole.rgba[to..to + 4 * width].copy_from_slice(&part.rgba[from..from + 4 * width]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_lies_where_it_belongs_and_is_cut_at_the_edge() {
        let mut whole = Image::filled(6, 4, BETWEEN);
        lay(&mut whole, &Image::filled(4, 3, [9, 8, 7, 255]), [3, 2]);
        for y in 0..4 {
            for x in 0..6 {
                let inside = x >= 3 && y >= 2;
                let wanted = if inside { [9, 8, 7, 255] } else { BETWEEN };
                assert_eq!(whole.pixel(x, y), wanted, "{x}, {y}");
            }
        }
    }
}
