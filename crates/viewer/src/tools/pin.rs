//! Pinning points and freeing them.

use glam::Vec2;
use tkanina_sim::commands::Command;

use super::draw::{self, Marks};
use super::input::{CLICK_REACH, ToolContext, ToolInput, Used};
use super::visible::{Pick, Sight};
use crate::action::Action;

/// A click pins or frees a point, a drag with Shift all visible points in a rectangle.
#[derive(Clone, Debug, Default)]
pub struct PinTool {
    hover: Option<Pick>,
    press: Option<Press>,
    size: Vec2,
}

#[derive(Clone, Copy, Debug)]
enum Press {
    Point { particle: u32, from: Vec2 },
    Rectangle([Vec2; 2]),
}

impl PinTool {
    /// Follows the mouse; acts when the button is released.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        self.size = input.size;
        let Some(pointer) = input.pointer else {
            self.let_go();
            return Used::default();
        };
        let free = !(input.primary.down || input.secondary.down || input.middle.down);
        let sight = Sight::new(context, input.size);
        self.hover = if free || input.primary.pressed { sight.pick(pointer) } else { None };
        if input.primary.pressed && !input.modifiers.alt {
            self.press = if input.modifiers.shift {
                Some(Press::Rectangle([pointer; 2]))
            } else {
                self.hover.map(|pick| Press::Point { particle: pick.particle, from: pointer })
            };
        }
        if let Some(Press::Rectangle(corners)) = &mut self.press {
            corners[1] = pointer;
        }
        let used = self.press.is_some();
        if !input.primary.down
            && let Some(press) = self.press.take()
        {
            let chosen = match press {
                Press::Point { particle, from } if from.distance(pointer) <= CLICK_REACH => {
                    vec![particle]
                }
                Press::Point { .. } => Vec::new(),
                Press::Rectangle([a, b]) => sight.visible_in(a, b),
            };
            actions.extend(toggle(chosen, &context.snapshot.held).map(Action::Touch));
        }
        Used { pointer: used, wheel: false }
    }

    /// Forgets what was begun.
    pub fn let_go(&mut self) {
        (self.press, self.hover) = (None, None);
    }

    /// Marks held points, the one under the cursor, and the rectangle.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let positions = &context.snapshot.positions;
        let held = positions.iter().zip(context.snapshot.held.iter());
        let held = held.filter(|&(_, &held)| held).map(|(&p, _)| p).collect();
        let mut dots = vec![draw::points(held, draw::HELD, 8.0)];
        let hover = self.hover.and_then(|pick| positions.get(pick.particle as usize));
        dots.extend(hover.map(|&point| draw::points(vec![point], draw::HOVER, 9.0)));
        let mut frames = Vec::new();
        if let Some(Press::Rectangle(corners)) = self.press {
            let sight = Sight::new(context, self.size);
            let depth = (context.camera.target - context.camera.eye).length();
            let frame = draw::rectangle(sight.view(), corners, depth);
            frames.push(draw::lines(frame, draw::FRAME, 1.5));
            let chosen = sight.visible_in(corners[0], corners[1]);
            let chosen = chosen.iter().map(|&i| positions[i as usize]).collect();
            dots.push(draw::points(chosen, draw::HOVER, 7.0));
        }
        (frames, dots)
    }
}

/// Frees the points if all are held, else pins those that are not.
fn toggle(mut particles: Vec<u32>, held: &[bool]) -> Option<Command> {
    if particles.is_empty() {
        return None;
    }
    let is_held = |&i: &u32| held.get(i as usize).copied().unwrap_or(false);
    if particles.iter().all(is_held) {
        return Some(Command::Unpin { particles });
    }
    particles.retain(|i| !is_held(i));
    Some(Command::Pin { particles })
}
