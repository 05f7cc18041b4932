//! What the mouse does, for the help window.

use crate::action::Tool;
use crate::preferences::CameraProfile;

/// A line of the help window.
#[derive(Clone, Copy, Debug)]
pub struct MouseHelp {
    /// What one does, in English.
    pub gesture: &'static str,
    /// What comes of it, in English.
    pub description: &'static str,
    /// The tool that must be in hand; none for all.
    pub tool: Option<Tool>,
    /// The camera profile; none for all.
    pub profile: Option<CameraProfile>,
}

const MODERN: Option<CameraProfile> = Some(CameraProfile::Modern);
const CLASSIC: Option<CameraProfile> = Some(CameraProfile::Classic);

/// What the mouse does.
pub const MOUSE: &[MouseHelp] = &[
    camera(
        "Middle drag, Alt+left drag, left drag on empty space",
        "Orbit about the target",
        MODERN,
    ),
    camera("Right drag, Shift+middle drag", "Pan", MODERN),
    camera("Wheel", "Go nearer or farther, to the cursor", MODERN),
    camera("Alt+wheel", "The same with any tool in hand", MODERN),
    camera("Double click", "Look at that point", MODERN),
    camera("Move the mouse", "Look round", CLASSIC),
    camera("Ctrl held", "Free the cursor", CLASSIC),
    tool("Left drag on cloth or a strand", "Pull at a point", Tool::Grab),
    tool("Wheel while pulling", "Push the point away or draw it near", Tool::Grab),
    tool("Click on a point", "Pin it or free it", Tool::Pin),
    tool("Shift+left drag", "Pin or free all visible points in a rectangle", Tool::Pin),
    tool("Left button", "Push the visible points in the rectangle", Tool::Force),
    tool("Right button", "Pull the visible points in the rectangle", Tool::Force),
    tool("Wheel", "Stronger or weaker force", Tool::Force),
    tool("Click on an obstacle", "Choose it", Tool::Move),
    tool("Drag an arrow, a ring or the middle", "Move or turn the obstacle", Tool::Move),
    tool("Shift or Ctrl while dragging", "In steps of 5 cm or 5°", Tool::Move),
    tool(
        "Left drag across cloth or strands",
        "Cut all cloth and all strands of the model rod behind the line on release",
        Tool::Cut,
    ),
    tool("Shift while drawing", "A line across, upright or diagonal", Tool::Cut),
    tool("Right button while drawing", "Drop the line", Tool::Cut),
    tool("Left drag through strands", "Comb them: what is in the ring goes along", Tool::Comb),
    tool("Wheel while combing", "Wider or narrower comb", Tool::Comb),
];

const fn camera(
    gesture: &'static str,
    description: &'static str,
    profile: Option<CameraProfile>,
) -> MouseHelp {
    MouseHelp { gesture, description, tool: None, profile }
}

const fn tool(gesture: &'static str, description: &'static str, tool: Tool) -> MouseHelp {
    MouseHelp { gesture, description, tool: Some(tool), profile: None }
}
