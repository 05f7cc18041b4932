//! What mouse and keys do to the picture in one frame, as plain data.

use glam::Vec2;
use tkanina_render::Camera;
use tkanina_scene::schema::Show;

use crate::snapshot::Snapshot;

/// A button of the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// It is down.
    pub down: bool,
    /// It went down in this frame, over the picture.
    pub pressed: bool,
    /// It went up in this frame, anywhere.
    pub released: bool,
}

/// What the mouse does in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToolInput {
    /// Where it is, from the picture's top left corner; the middle while the cursor is bound. While a
    /// button is down it may lie outside the picture. [pixels]
    pub pointer: Option<Vec2>,
    /// Size of the picture. [pixels]
    pub size: Vec2,
    /// How far the mouse moved since the last frame. [pixels]
    pub motion: Vec2,
    /// Left.
    pub primary: Button,
    /// Right.
    pub secondary: Button,
    /// Middle.
    pub middle: Button,
    /// The left button was pressed twice in a row.
    pub double_click: bool,
    /// Notches of the wheel, positive away from the person.
    pub scroll: f32,
    /// Shift, Ctrl, Alt.
    pub modifiers: egui::Modifiers,
    /// Since the last frame. [s]
    pub dt: f32,
}

/// What tools act on.
#[derive(Clone, Copy)]
pub struct ToolContext<'a> {
    /// The world as last published.
    pub snapshot: &'a Snapshot,
    /// Where one looks from.
    pub camera: &'a Camera,
    /// What is shown: faces and obstacles that are not shown hide nothing.
    pub show: &'a Show,
}

/// What of the mouse a tool took for itself, so that the camera must leave it alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Place and buttons.
    pub pointer: bool,
    /// The wheel.
    pub wheel: bool,
}

/// Farther than this a press with a move is a drag, not a click. [pixels]
pub const CLICK_REACH: f32 = 4.0;
