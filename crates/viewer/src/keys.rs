//! All keys, in one table: what each does, and the words of the help window.
//!
//! Keys stay out of the way of widgets: none fires while text is typed, and those that move the
//! focus or press buttons do not fire while a widget has the focus.

mod mouse;
mod table;

use egui::{Key, Modifiers};
use tkanina_scene::schema::Show;

use crate::action::Action;
use crate::camera_control::Movement;
use crate::preferences::CameraProfile;

pub use mouse::{MOUSE, MouseHelp};
pub use table::TABLE;

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Any of these keys.
    pub keys: &'static [Key],
    /// Exactly these modifiers; held keys also work with Shift, which makes them faster.
    pub modifiers: Modifiers,
    /// What it does.
    pub does: Does,
    /// What it does, in English; `language.tr` translates it.
    pub description: &'static str,
    /// Where it stands in the help window.
    pub group: Group,
    /// The camera profile that it belongs to; none for all.
    pub profile: Option<CameraProfile>,
}

/// What a key does.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// One action at the press.
    Once(fn(&KeyState) -> Option<Action>),
    /// The same again and again while it is down.
    Again(fn(&KeyState) -> Option<Action>),
    /// One of nine, by the key's place among the keys.
    Number(fn(usize) -> Action),
    /// Moves the camera while it is down.
    Hold(fn(&mut Movement)),
}

/// Parts of the help window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Time.
    Playing,
    /// Scenes and pictures.
    Files,
    /// Undo.
    Editing,
    /// What the mouse does.
    Tools,
    /// Where one looks from.
    Camera,
    /// What is shown.
    Display,
    /// Windows and panels.
    Windows,
}

impl Group {
    /// All, in the order of the help window.
    pub const ALL: [Self; 7] = [
        Self::Playing,
        Self::Tools,
        Self::Camera,
        Self::Display,
        Self::Editing,
        Self::Files,
        Self::Windows,
    ];

    /// Its title in English.
    pub fn title(self) -> &'static str {
        match self {
            Self::Playing => "Playing",
            Self::Files => "Files",
            Self::Editing => "Editing",
            Self::Tools => "Tools",
            Self::Camera => "Camera",
            Self::Display => "Display",
            Self::Windows => "Windows",
        }
    }
}

/// What keys depend on.
#[derive(Clone, Copy, Debug)]
pub struct KeyState<'a> {
    /// The camera profile in use.
    pub profile: CameraProfile,
    /// Whether the cursor is free (classic profile).
    pub cursor_free: bool,
    /// What is shown.
    pub show: &'a Show,
    /// Frame of the simulation.
    pub frame_number: u64,
    /// First and last frame that the timeline keeps.
    pub kept: [u64; 2],
    /// Simulated seconds a second.
    pub speed: f64,
}

/// Actions of the keys that went down in this frame.
pub fn actions(context: &egui::Context, state: &KeyState) -> Vec<Action> {
    if context.text_edit_focused() {
        return Vec::new();
    }
    let focused = context.egui_wants_keyboard_input();
    context.input(|input| {
        let mut actions = Vec::new();
        for event in &input.events {
            if let &egui::Event::Key { key, pressed: true, repeat, modifiers, .. } = event
                && !(focused && moves_focus(key))
            {
                actions.extend(action(Press { key, modifiers, repeat }, state));
            }
        }
        if state.profile == CameraProfile::Classic && input.modifiers.ctrl != state.cursor_free {
            actions.push(Action::FreeCursor(input.modifiers.ctrl));
        }
        actions
    })
}

/// Keys that are held down now to move the camera.
pub fn movement(context: &egui::Context, profile: CameraProfile) -> Movement {
    let mut movement = Movement::default();
    if context.text_edit_focused() {
        return movement;
    }
    let focused = context.egui_wants_keyboard_input();
    context.input(|input| {
        let modifiers = input.modifiers;
        if modifiers.ctrl || modifiers.alt || modifiers.command {
            return;
        }
        movement.fast = modifiers.shift;
        for binding in bindings(profile) {
            let down = |&&key: &&Key| input.key_down(key) && !(focused && moves_focus(key));
            if let Does::Hold(moves) = binding.does
                && binding.keys.iter().any(|key| down(&key))
            {
                moves(&mut movement);
            }
        }
    });
    movement
}

/// The lines of the table that hold in a profile.
pub fn bindings(profile: CameraProfile) -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().filter(move |binding| binding.profile.is_none_or(|only| only == profile))
}

/// A key that went down.
#[derive(Clone, Copy, Debug)]
struct Press {
    key: Key,
    modifiers: Modifiers,
    repeat: bool,
}

fn action(press: Press, state: &KeyState) -> Option<Action> {
    let binding =
        bindings(state.profile).find(|binding| binding.fits(press.key, press.modifiers))?;
    match binding.does {
        Does::Once(act) if !press.repeat => act(state),
        Does::Again(act) => act(state),
        Does::Number(act) if !press.repeat => {
            binding.keys.iter().position(|&key| key == press.key).map(act)
        }
        _ => None,
    }
}

impl Binding {
    /// Its keys as people read them, such as `Ctrl+Shift+Z`.
    pub fn label(&self) -> String {
        let mut before = String::new();
        for (is_set, name) in [
            (self.modifiers.command || self.modifiers.ctrl, "Ctrl+"),
            (self.modifiers.alt, "Alt+"),
            (self.modifiers.shift, "Shift+"),
        ] {
            if is_set {
                before.push_str(name);
            }
        }
        if let (Does::Number(_), [first, .., last]) = (self.does, self.keys) {
            return format!("{before}{}–{}", first.symbol_or_name(), last.symbol_or_name());
        }
        let names: Vec<String> =
            self.keys.iter().map(|key| format!("{before}{}", name(*key))).collect();
        names.join(" / ")
    }

    fn fits(&self, key: Key, modifiers: Modifiers) -> bool {
        // Where + and − lie, and whether they need Shift, is the keyboard's matter.
        let modifiers =
            if any_shift(key) { Modifiers { shift: false, ..modifiers } } else { modifiers };
        self.keys.contains(&key) && modifiers.matches_exact(self.modifiers)
    }
}

fn any_shift(key: Key) -> bool {
    matches!(key, Key::Plus | Key::Minus | Key::Equals)
}

/// Keys by which widgets are reached and pressed.
fn moves_focus(key: Key) -> bool {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Escape, Space, Tab};
    matches!(key, ArrowDown | ArrowLeft | ArrowRight | ArrowUp | Enter | Escape | Space | Tab)
}

fn name(key: Key) -> &'static str {
    match key {
        Key::PageUp => "PgUp",
        Key::PageDown => "PgDn",
        Key::Escape => "Esc",
        Key::Minus => "−",
        // The fonts have these arrows, but not those that egui names the keys by.
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        key if key.name().len() == 1 => key.name(),
        key => key.symbol_or_name(),
    }
}

#[cfg(test)]
mod tests;
