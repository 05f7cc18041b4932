//! Drawing a comb through strands.

use glam::{Vec2, Vec3};
use tkanina_sim::commands::Command;
use tkanina_sim::strands::Strand;

use super::draw::{self, Marks};
use super::input::{ToolContext, ToolInput, Used};
use super::visible::Sight;
use crate::action::Action;

/// How far a comb reaches, as a part of the longest strand. [1]
const REACH: f32 = 0.1;
/// A notch of the wheel changes that by this factor. [1]
const WIDER: f32 = 1.15;
/// Narrowest and widest comb beside the usual one. [1]
const WIDTHS: [f32; 2] = [0.05, 20.0];
/// A comb is put on beside the hair, not always on it. [pixels]
const BESIDE: f32 = 25.0;
/// Below this the time since the last picture says nothing of how fast a hand goes. [s]
const LEAST_DT: f32 = 1.0 / 240.0;
/// More places between two pictures than this are a jump of the cursor. [1]
const MOST_PLACES: f32 = 8.0;

/// A drag draws a comb along; strands near it go with it.
#[derive(Clone, Debug)]
pub struct CombTool {
    /// Reach beside the usual one. [1]
    width: f32,
    hover: Option<Vec3>,
    drawn: Option<Drawn>,
}

#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// Along the sight, of the strand where the drag began. [m]
    depth: f32,
    at: Vec3,
}

impl Default for CombTool {
    fn default() -> Self {
        Self { width: 1.0, hover: None, drawn: None }
    }
}

impl CombTool {
    /// Puts the comb on, draws it along and lifts it.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        self.hover = None;
        let (Some(pointer), Some(usual)) = (input.pointer, usual_reach(context)) else {
            self.let_go();
            return Used::default();
        };
        let free = !(input.primary.down || input.secondary.down || input.middle.down);
        let press = input.primary.pressed && !input.modifiers.alt;
        let place = |depth: f32| place_at(context, input.size, (pointer, depth));
        if !input.primary.down {
            self.drawn = None;
        }
        if let Some(was) = self.drawn {
            self.width = (self.width * WIDER.powf(input.scroll)).clamp(WIDTHS[0], WIDTHS[1]);
            let at = place(was.depth);
            self.drawn = Some(Drawn { at, ..was });
            // A world that stands still would take all of it at once later.
            if context.snapshot.playing {
                comb([was.at, at], usual * self.width, input.dt, actions);
            }
        } else if press || free {
            let pick = Sight::new(context, input.size).pick_strand(pointer, BESIDE);
            let begun = pick.map(|pick| Drawn { depth: pick.depth, at: place(pick.depth) });
            match press {
                true => self.drawn = begun,
                false => self.hover = begun.map(|begun| begun.at),
            }
        }
        let busy = self.drawn.is_some();
        Used { pointer: busy, wheel: busy }
    }

    /// Lifts the comb.
    pub fn let_go(&mut self) {
        (self.hover, self.drawn) = (None, None);
    }

    /// Shows how far the comb reaches.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let (at, color) = match (self.drawn, self.hover) {
            (Some(drawn), _) => (drawn.at, draw::ACTIVE),
            (None, Some(at)) => (at, draw::HOVER),
            (None, None) => return Marks::default(),
        };
        let Some(usual) = usual_reach(context) else { return Marks::default() };
        let ring = draw::ring(at, context.camera.forward(), usual * self.width);
        (vec![draw::lines(ring, color, 2.0)], Vec::new())
    }
}

/// A tenth of the longest strand; none without strands. [m]
fn usual_reach(context: ToolContext) -> Option<f32> {
    let strands = context.snapshot.model.strands.iter().flat_map(|set| &set.strands);
    let longest = strands.map(Strand::length).fold(0.0, f32::max);
    (longest > 0.0).then_some(REACH * longest)
}

/// The point under the cursor at a depth along the sight. [m]
fn place_at(context: ToolContext, size: Vec2, (pointer, depth): (Vec2, f32)) -> Vec3 {
    let ray = context.camera.ray(pointer, size);
    context.camera.eye + ray * (depth / ray.dot(context.camera.forward()))
}

/// Draws a comb from place to place in a time: fast hands pass over no hair.
fn comb([from, to]: [Vec3; 2], radius: f32, dt: f32, actions: &mut Vec<Action>) {
    let velocity = (to - from) / dt.max(LEAST_DT);
    let places = (from.distance(to) / radius).ceil().clamp(1.0, MOST_PLACES) as u32;
    for place in 1..=places {
        let at = from.lerp(to, place as f32 / places as f32);
        actions.push(Action::Touch(Command::Comb { at, radius, velocity }));
    }
}

#[cfg(test)]
mod tests;
