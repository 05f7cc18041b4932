//! Cutting cloth and strands along a line that is drawn over them.

use glam::Vec2;
use tkanina_sim::commands::Command;
use tkanina_sim::tearing::Cut;

use super::draw::{self, Marks};
use super::input::{CLICK_REACH, ToolContext, ToolInput, Used};
use super::view::View;
use crate::action::Action;

/// A drag draws a line; when the button is released all cloth and all strands but those of springs behind it
/// are cut.
#[derive(Clone, Debug, Default)]
pub struct CutTool {
    line: Option<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    from: Vec2,
    to: Vec2,
    picture: Vec2,
}

impl CutTool {
    /// Follows the mouse; cuts when the button is released. The right button drops the line.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        let Some(pointer) = input.pointer else {
            self.let_go();
            return Used::default();
        };
        if input.primary.pressed && !input.modifiers.alt {
            self.line = Some(Line { from: pointer, to: pointer, picture: input.size });
        }
        if input.secondary.pressed {
            self.let_go();
        }
        if let Some(line) = &mut self.line {
            line.to = if input.modifiers.shift { straight(line.from, pointer) } else { pointer };
        }
        let used = self.line.is_some();
        if !input.primary.down
            && let Some(line) = self.line.take()
            && line.from.distance(line.to) > CLICK_REACH
        {
            let camera = context.camera;
            let towards = [line.from, line.to].map(|place| camera.ray(place, line.picture));
            actions.push(Action::Touch(Command::Cut(Cut { eye: camera.eye, towards })));
        }
        Used { pointer: used, wheel: false }
    }

    /// Drops the line.
    pub fn let_go(&mut self) {
        self.line = None;
    }

    /// Shows the line.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let Some(line) = self.line else { return Marks::default() };
        let view = View::new(context.camera, line.picture);
        let depth = f64::from((context.camera.target - context.camera.eye).length());
        let ends = [line.from, line.to].map(|place| view.world(view.ray(place) * depth));
        let lines = vec![draw::lines(vec![ends], draw::ACTIVE, 2.0)];
        (lines, vec![draw::points(ends.to_vec(), draw::ACTIVE, 6.0)])
    }
}

/// The place nearest to `to` on a line across, upright or half between through `from`.
fn straight(from: Vec2, to: Vec2) -> Vec2 {
    let ways = [Vec2::X, Vec2::Y, Vec2::ONE.normalize(), Vec2::new(1.0, -1.0).normalize()];
    let places = ways.map(|way| from + way * (to - from).dot(way));
    let nearer = |a: Vec2, b: Vec2| if b.distance(to) < a.distance(to) { b } else { a };
    places.into_iter().fold(places[0], nearer)
}
