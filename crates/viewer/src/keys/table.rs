//! The table of keys.

use egui::{Key, Modifiers};
use tkanina_scene::schema::{HeatMap, HeatQuantity, Shading, Show};

use super::{Binding, Does, Group, KeyState};
use crate::action::{Action, Tool, Window};
use crate::preferences::CameraProfile;

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

/// Slowest and fastest. [1]
const SPEEDS: [f64; 2] = [0.1, 4.0];
/// A press of + or − changes the rectangle by this. [1]
const SIZE_STEP: f32 = 1.1;

/// All keys.
pub const TABLE: &[Binding] = &[
    once(&[Key::P], NONE, |_| Some(Action::PlayPause), "Play or pause", Group::Playing),
    Binding {
        profile: Some(CameraProfile::Modern),
        ..once(&[Key::Space], NONE, |_| Some(Action::PlayPause), "Play or pause", Group::Playing)
    },
    again(&[Key::N], NONE, |_| Some(Action::StepOnce), "Simulate one frame", Group::Playing),
    once(
        &[Key::R],
        NONE,
        |_| Some(Action::Reset),
        "Back to the start with these values",
        Group::Playing,
    ),
    once(
        &[Key::R],
        SHIFT,
        |_| Some(Action::Default),
        "Back to the start with the values of the file",
        Group::Playing,
    ),
    again(&[Key::ArrowLeft], COMMAND, |s| seek(s, false), "One frame back", Group::Playing),
    again(&[Key::ArrowRight], COMMAND, |s| seek(s, true), "One frame on", Group::Playing),
    once(&[Key::ArrowUp], COMMAND, |s| speed(s, 2.0), "Twice as fast", Group::Playing),
    once(&[Key::ArrowDown], COMMAND, |s| speed(s, 0.5), "Half as fast", Group::Playing),
    once(&[Key::G], NONE, |_| Some(Action::Tool(Tool::Grab)), "Pull at points", Group::Tools),
    once(
        &[Key::I],
        NONE,
        |_| Some(Action::Tool(Tool::Pin)),
        "Pin points and free them",
        Group::Tools,
    ),
    once(
        &[Key::X],
        NONE,
        |_| Some(Action::Tool(Tool::Force)),
        "Push and pull by a force",
        Group::Tools,
    ),
    once(
        &[Key::M],
        NONE,
        |_| Some(Action::Tool(Tool::Move)),
        "Move and turn obstacles",
        Group::Tools,
    ),
    once(
        &[Key::X],
        SHIFT,
        |_| Some(Action::Tool(Tool::Cut)),
        "Cut cloth and strands along a line",
        Group::Tools,
    ),
    once(
        &[Key::G],
        SHIFT,
        |_| Some(Action::Tool(Tool::Comb)),
        "Draw a comb through strands",
        Group::Tools,
    ),
    once(&[Key::F], NONE, |_| Some(Action::SwapForce), "Swap punch and wind", Group::Tools),
    again(
        &[Key::Plus, Key::Equals],
        NONE,
        |_| Some(Action::ForceSize(SIZE_STEP)),
        "Larger rectangle of the force",
        Group::Tools,
    ),
    again(
        &[Key::Minus],
        NONE,
        |_| Some(Action::ForceSize(1.0 / SIZE_STEP)),
        "Smaller rectangle of the force",
        Group::Tools,
    ),
    once(
        &[Key::Enter],
        NONE,
        |_| Some(Action::FreezeForce),
        "Freeze the source of the force, or free it",
        Group::Tools,
    ),
    once(&[Key::Home], NONE, |_| Some(Action::FrameAll), "Show everything", Group::Camera),
    Binding {
        keys: &[
            Key::Num1,
            Key::Num2,
            Key::Num3,
            Key::Num4,
            Key::Num5,
            Key::Num6,
            Key::Num7,
            Key::Num8,
            Key::Num9,
        ],
        modifiers: NONE,
        does: Does::Number(Action::NamedCamera),
        description: "Cameras of the scene",
        group: Group::Camera,
        profile: None,
    },
    hold(&[Key::ArrowLeft], |m| m.yaw -= 1.0, "Turn left about the target"),
    hold(&[Key::ArrowRight], |m| m.yaw += 1.0, "Turn right about the target"),
    hold(&[Key::ArrowUp], |m| m.pitch += 1.0, "Turn up about the target"),
    hold(&[Key::ArrowDown], |m| m.pitch -= 1.0, "Turn down about the target"),
    hold(&[Key::PageUp], |m| m.roll -= 1.0, "Roll left"),
    hold(&[Key::PageDown], |m| m.roll += 1.0, "Roll right"),
    hold(&[Key::OpenBracket], |m| m.nearer += 1.0, "Go towards the target"),
    hold(&[Key::CloseBracket], |m| m.nearer -= 1.0, "Go away from the target"),
    hold(&[Key::Period], |m| m.zoom += 1.0, "Zoom in"),
    hold(&[Key::Comma], |m| m.zoom -= 1.0, "Zoom out"),
    fly(&[Key::W], |m| m.forward += 1.0, "Fly forward"),
    fly(&[Key::S], |m| m.forward -= 1.0, "Fly backward"),
    fly(&[Key::A], |m| m.right -= 1.0, "Fly left"),
    fly(&[Key::D], |m| m.right += 1.0, "Fly right"),
    fly(&[Key::Space], |m| m.up += 1.0, "Fly up"),
    fly(&[Key::C], |m| m.up -= 1.0, "Fly down"),
    once(&[Key::E], NONE, |s| show(s, |show| show.faces ^= true), "Faces", Group::Display),
    once(&[Key::T], NONE, |s| show(s, |show| show.wireframe ^= true), "Wireframe", Group::Display),
    once(&[Key::V], NONE, |s| show(s, |show| show.particles ^= true), "Particles", Group::Display),
    once(&[Key::K], NONE, |s| show(s, |show| show.springs ^= true), "Springs", Group::Display),
    once(&[Key::L], NONE, |s| show(s, |show| show.normals ^= true), "Normals", Group::Display),
    once(&[Key::B], NONE, |s| show(s, |show| show.pins ^= true), "Pins", Group::Display),
    once(&[Key::J], NONE, |s| show(s, |show| show.wind ^= true), "Wind arrows", Group::Display),
    once(&[Key::U], NONE, |s| show(s, |show| show.colliders ^= true), "Obstacles", Group::Display),
    once(&[Key::H], NONE, |s| show(s, |show| show.shadows ^= true), "Shadows", Group::Display),
    once(&[Key::Y], NONE, |s| show(s, next_shading), "Next shading", Group::Display),
    once(&[Key::Q], NONE, |s| show(s, next_heat_map), "Next heat map", Group::Display),
    once(&[Key::Z], COMMAND, |_| Some(Action::Undo), "Undo", Group::Editing),
    once(&[Key::Z], COMMAND_SHIFT, |_| Some(Action::Redo), "Redo", Group::Editing),
    once(&[Key::Y], COMMAND, |_| Some(Action::Redo), "Redo", Group::Editing),
    once(
        &[Key::O],
        NONE,
        |_| Some(Action::OpenDialog),
        "Open a scene or an OBJ file",
        Group::Files,
    ),
    once(
        &[Key::O],
        COMMAND,
        |_| Some(Action::OpenDialog),
        "Open a scene or an OBJ file",
        Group::Files,
    ),
    once(&[Key::F5], NONE, |_| Some(Action::Reload), "Open the file again", Group::Files),
    once(&[Key::S], COMMAND, |_| Some(Action::SaveAsDialog), "Save the scene as…", Group::Files),
    once(
        &[Key::F12],
        NONE,
        |_| Some(Action::ScreenshotDialog),
        "Save the picture as…",
        Group::Files,
    ),
    once(&[Key::Q], COMMAND, |_| Some(Action::Quit), "Quit", Group::Files),
    once(
        &[Key::F1],
        NONE,
        |_| Some(Action::Toggle(Window::Menu)),
        "Menu with all parameters",
        Group::Windows,
    ),
    once(&[Key::F2], NONE, |_| Some(Action::Toggle(Window::Help)), "Help", Group::Windows),
    once(
        &[Key::F3],
        NONE,
        |_| Some(Action::Toggle(Window::Details)),
        "Details over the picture",
        Group::Windows,
    ),
    once(
        &[Key::F4],
        NONE,
        |_| Some(Action::Toggle(Window::PictureOnly)),
        "Nothing but the picture",
        Group::Windows,
    ),
    once(&[Key::F6], NONE, |_| Some(Action::Toggle(Window::Browser)), "Scenes", Group::Windows),
    once(&[Key::F7], NONE, |_| Some(Action::Toggle(Window::Plots)), "Plots", Group::Windows),
    once(
        &[Key::F8],
        NONE,
        |_| Some(Action::CompareOrNot),
        "Compare solvers side by side, or not",
        Group::Windows,
    ),
    once(
        &[Key::Escape],
        NONE,
        |_| Some(Action::Escape),
        "Close what is open, or settings",
        Group::Windows,
    ),
];

type Act = fn(&KeyState) -> Option<Action>;

const fn once(
    keys: &'static [Key],
    modifiers: Modifiers,
    act: Act,
    description: &'static str,
    group: Group,
) -> Binding {
    Binding { keys, modifiers, does: Does::Once(act), description, group, profile: None }
}

const fn again(
    keys: &'static [Key],
    modifiers: Modifiers,
    act: Act,
    description: &'static str,
    group: Group,
) -> Binding {
    Binding { keys, modifiers, does: Does::Again(act), description, group, profile: None }
}

const fn hold(
    keys: &'static [Key],
    moves: fn(&mut super::Movement),
    description: &'static str,
) -> Binding {
    let does = Does::Hold(moves);
    Binding { keys, modifiers: NONE, does, description, group: Group::Camera, profile: None }
}

const fn fly(
    keys: &'static [Key],
    moves: fn(&mut super::Movement),
    description: &'static str,
) -> Binding {
    Binding { profile: Some(CameraProfile::Classic), ..hold(keys, moves, description) }
}

fn show(state: &KeyState, change: fn(&mut Show)) -> Option<Action> {
    let mut show = state.show.clone();
    change(&mut show);
    Some(Action::Show(show))
}

fn next_shading(show: &mut Show) {
    show.shading = match show.shading {
        None => Some(Shading::Flat),
        Some(Shading::Flat) => Some(Shading::Gouraud),
        Some(Shading::Gouraud) => Some(Shading::Phong),
        Some(Shading::Phong) => None,
    };
}

fn next_heat_map(show: &mut Show) {
    use HeatQuantity::{Bending, Contact, Force, Speed, Stretch};
    let next = match show.heat_map.as_ref().map(|map| map.of) {
        None => Some(Stretch),
        Some(Stretch) => Some(Bending),
        Some(Bending) => Some(Speed),
        Some(Speed) => Some(Contact),
        Some(Contact) => Some(Force),
        Some(Force) => None,
    };
    let colors = show.heat_map.as_ref().map(|map| map.colors).unwrap_or_default();
    show.heat_map = next.map(|of| HeatMap { of, colors, range: None });
}

fn seek(state: &KeyState, on: bool) -> Option<Action> {
    let [first, last] = state.kept;
    let frame = if on { state.frame_number + 1 } else { state.frame_number.checked_sub(1)? };
    (first..=last).contains(&frame).then_some(Action::Seek(frame))
}

fn speed(state: &KeyState, factor: f64) -> Option<Action> {
    let speed = (state.speed * factor).clamp(SPEEDS[0], SPEEDS[1]);
    (speed != state.speed).then_some(Action::Speed(speed))
}
