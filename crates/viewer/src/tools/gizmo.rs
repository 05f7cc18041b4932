//! Moving and turning obstacles while the cloth reacts.

mod drag;
mod handles;
mod place;

use glam::Vec2;
use tkanina_sim::commands::Command;
use tkanina_sim::motion::Pose;

use super::draw::Marks;
use super::input::{CLICK_REACH, ToolContext, ToolInput, Used};
use super::view::View;
use super::visible::Sight;
use crate::action::Action;
use drag::{Cursor, Drag};
pub use handles::Handle;
use handles::Handles;

/// A click chooses an obstacle; its arrows and rings move and turn it.
#[derive(Clone, Debug, Default)]
pub struct GizmoTool {
    chosen: Option<usize>,
    hover: Option<Handle>,
    press: Option<Vec2>,
    pull: Option<Pull>,
    size: Vec2,
}

/// A handle being pulled.
#[derive(Clone, Copy, Debug)]
struct Pull {
    drag: Drag,
    /// Shift of the obstacle when it was taken, and its pose then.
    before: Pose,
    pose: Pose,
    /// Shift that was last sent.
    shift: Pose,
    moved: bool,
}

impl GizmoTool {
    /// Chooses obstacles and pulls handles.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        self.size = input.size;
        self.chosen = self.chosen.filter(|&i| i < context.snapshot.collider_poses.len());
        let Some(pointer) = input.pointer else { return Used::default() };
        let cursor = Cursor { camera: context.camera, size: input.size, pointer };
        if self.pull.is_none() && !input.primary.down || input.primary.pressed {
            self.hover =
                self.handles(context).and_then(|(view, handles)| handles.under(&view, pointer));
        }
        if input.primary.pressed && !input.modifiers.alt {
            self.begin(cursor, context);
        }
        let used = self.pull.is_some();
        if used && input.primary.down {
            let snap = input.modifiers.shift || input.modifiers.ctrl;
            self.pull_on(cursor, snap, actions);
        }
        if !input.primary.down {
            self.release(context, actions);
            let clicked =
                self.press.take().is_some_and(|from| from.distance(pointer) <= CLICK_REACH);
            if clicked && input.primary.released {
                self.chosen = Sight::new(context, input.size).pick_collider(pointer);
            }
        }
        Used { pointer: used, wheel: false }
    }

    /// Ends a pull.
    pub fn let_go(&mut self, context: ToolContext, actions: &mut Vec<Action>) {
        self.release(context, actions);
        (self.hover, self.press) = (None, None);
    }

    /// The obstacle that is chosen.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Chooses an obstacle, or none.
    pub fn choose(&mut self, collider: Option<usize>) {
        (self.chosen, self.pull) = (collider, None);
    }

    /// The gizmo.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let Some((view, handles)) = self.handles(context) else { return Marks::default() };
        let taken = self.pull.map(|pull| pull.drag.handle).or(self.hover);
        (handles.lines(&view, taken), Vec::new())
    }

    fn handles(&self, context: ToolContext) -> Option<(View, Handles)> {
        let view = View::new(context.camera, self.size);
        let pose = context.snapshot.collider_poses.get(self.chosen?)?;
        Some((view, Handles::at(&view, pose.position)?))
    }

    fn begin(&mut self, cursor: Cursor, context: ToolContext) {
        self.pull = None;
        self.press = None;
        let taken = self.hover.zip(self.chosen).zip(self.handles(context));
        let Some(((handle, index), (_, handles))) = taken else {
            self.press = Some(cursor.pointer);
            return;
        };
        let snapshot = context.snapshot;
        let Some(collider) = snapshot.model.colliders.get(index) else { return };
        // pose = shift ∘ motion(t), so shift = pose ∘ motion(t)⁻¹.
        let pose = snapshot.collider_poses[index];
        let before = pose.compose(collider.pose_at(snapshot.time).inverse());
        let drag = Drag::begin(handle, &handles, cursor);
        self.pull = drag.map(|drag| Pull { drag, before, pose, shift: before, moved: false });
    }

    fn pull_on(&mut self, cursor: Cursor, snap: bool, actions: &mut Vec<Action>) {
        let (Some(pull), Some(index)) = (&mut self.pull, self.chosen) else { return };
        let Some(added) = pull.drag.shift(cursor, snap) else { return };
        let shift = added.compose(pull.before);
        let shift = Pose { rotation: shift.rotation.normalize(), ..shift };
        let way = (added.compose(pull.pose).position - pull.pose.position).length();
        pull.moved |= way > 1e-6 || added.rotation.w.abs() < 1.0 - 1e-9;
        if pull.moved && shift != pull.shift {
            pull.shift = shift;
            actions.push(Action::Touch(Command::MoveCollider { collider: index as u32, shift }));
        }
    }

    /// Writes the new place into the scene. Then the obstacle needs no shift any more.
    fn release(&mut self, context: ToolContext, actions: &mut Vec<Action>) {
        let (Some(pull), Some(index)) = (self.pull.take(), self.chosen) else { return };
        let edits = place::edits(&context.snapshot.model, index, pull.shift);
        if !pull.moved || edits.is_empty() {
            return;
        }
        actions.extend(edits);
        let shift = Pose::IDENTITY;
        actions.push(Action::Touch(Command::MoveCollider { collider: index as u32, shift }));
    }
}

#[cfg(test)]
mod tests;
