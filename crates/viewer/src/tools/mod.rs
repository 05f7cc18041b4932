//! What the mouse does in the picture: pull, pin, push, move obstacles, cut, comb.
//!
//! Tools read plain input and the last snapshot, and answer with [`Action`]s and with marks for the
//! picture. They know of no window.

pub mod comb;
mod cover;
pub mod cut;
pub mod draw;
pub mod force;
pub mod gizmo;
pub mod grab;
pub mod input;
pub mod pin;
#[cfg(test)]
pub(crate) mod testing;
pub mod view;
pub mod visible;

use tkanina_sim::commands::Command;

use crate::action::{Action, Tool};
use comb::CombTool;
use cut::CutTool;
use draw::Marks;
use force::ForceTool;
use gizmo::GizmoTool;
use grab::GrabTool;
pub use input::{Button, ToolContext, ToolInput, Used};
use pin::PinTool;

/// All tools, one of them in hand.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    tool: Tool,
    grab: GrabTool,
    pin: PinTool,
    force: ForceTool,
    gizmo: GizmoTool,
    cut: CutTool,
    comb: CombTool,
    past: Past,
}

/// Whether one has gone back in time: states of the past may hold what was released since.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    frame_number: u64,
    went_back: bool,
}

impl Tools {
    /// Follows the mouse for one frame. What the tool in hand uses of it, the camera must not.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: &ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        let context = *context;
        self.release_the_past(context, actions);
        if self.tool != Tool::Grab {
            self.grab.let_go(actions);
        }
        if self.tool != Tool::Pin {
            self.pin.let_go();
        }
        if self.tool != Tool::Move {
            self.gizmo.let_go(context, actions);
        }
        if self.tool != Tool::Cut {
            self.cut.let_go();
        }
        if self.tool != Tool::Comb {
            self.comb.let_go();
        }
        let pushes = (self.tool == Tool::Force).then_some(input);
        let force = self.force.update(pushes, context, actions);
        match self.tool {
            Tool::Grab => self.grab.update(input, context, actions),
            Tool::Pin => self.pin.update(input, context, actions),
            Tool::Force => force,
            Tool::Move => self.gizmo.update(input, context, actions),
            Tool::Cut => self.cut.update(input, context, actions),
            Tool::Comb => self.comb.update(input, context, actions),
        }
    }

    /// Does what an action asks of the tools; false if it asks nothing of them.
    pub fn apply(&mut self, action: &Action) -> bool {
        match *action {
            Action::Tool(tool) => self.tool = tool,
            Action::SwapForce => self.force.swap(),
            Action::ForceStrength(factor) => self.force.strengthen(factor),
            Action::ForceSize(factor) => self.force.resize(factor),
            Action::FreezeForce => self.force.freeze(),
            _ => return false,
        }
        true
    }

    /// Marks for the picture.
    pub fn overlay(&self, context: &ToolContext) -> Marks {
        let context = *context;
        let (mut lines, mut points) = match self.tool {
            Tool::Grab => self.grab.marks(context),
            Tool::Pin => self.pin.marks(context),
            Tool::Force => Marks::default(),
            Tool::Move => self.gizmo.marks(context),
            Tool::Cut => self.cut.marks(context),
            Tool::Comb => self.comb.marks(context),
        };
        let (more_lines, more_points) = self.force.marks(context);
        lines.extend(more_lines);
        points.extend(more_points);
        lines.retain(|l| !l.segments.is_empty());
        points.retain(|p| !p.positions.is_empty());
        (lines, points)
    }

    /// The tool in hand.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The force tool, for what is said of it.
    pub fn force(&self) -> &ForceTool {
        &self.force
    }

    /// The gizmo, for what is chosen.
    pub fn gizmo(&self) -> &GizmoTool {
        &self.gizmo
    }

    /// Chooses the obstacle that the gizmo moves.
    pub fn choose_collider(&mut self, collider: Option<usize>) {
        self.gizmo.choose(collider);
    }

    /// The particle that is held by the grab tool.
    pub fn grabbed(&self) -> Option<u32> {
        self.grab.held()
    }

    /// Once play goes on from a moment in the past, lets go of what was held at that moment.
    fn release_the_past(&mut self, context: ToolContext, actions: &mut Vec<Action>) {
        let now = context.snapshot.frame_number;
        self.past.went_back |= now < self.past.frame_number;
        self.past.frame_number = now;
        if !(self.past.went_back && context.snapshot.playing) {
            return;
        }
        self.past.went_back = false;
        let mut release = |id| actions.push(Action::Touch(Command::Release { id }));
        if self.grab.held().is_none() {
            release(grab::GRAB_ID);
        }
        if !self.force.is_blowing() {
            release(force::WIND_ID);
        }
    }
}

#[cfg(test)]
mod tests;
