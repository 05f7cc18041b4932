use egui::{Event, RawInput};

use super::*;
use crate::action::{Tool, Window};
use crate::i18n::Language;

const PROFILES: [CameraProfile; 2] = [CameraProfile::Modern, CameraProfile::Classic];

fn state(show: &Show, profile: CameraProfile) -> KeyState<'_> {
    KeyState { profile, cursor_free: false, show, frame_number: 5, kept: [0, 9], speed: 1.0 }
}

fn key(key: Key, modifiers: Modifiers, repeat: bool) -> Event {
    // Where Ctrl is the command key, both are set.
    let modifiers = Modifiers { ctrl: modifiers.ctrl || modifiers.command, ..modifiers };
    Event::Key { key, physical_key: None, pressed: true, repeat, modifiers }
}

/// A frame that nobody sees.
fn run(context: &egui::Context, input: RawInput, content: impl FnMut(&mut egui::Ui)) {
    context.run_ui(input, content).textures_delta.clear();
}

/// Actions of a frame in which the key went down, with a text field that has the focus or not.
fn pressed(event: Event, profile: CameraProfile, widget: &str) -> (Vec<Action>, Movement) {
    let context = egui::Context::default();
    let show = Show::default();
    let mut text = String::new();
    let mut result = (Vec::new(), Movement::default());
    let Event::Key { modifiers, repeat, .. } = event else { panic!("no key: {event:?}") };
    // A repeat needs a press before it.
    let before = if repeat { vec![event.clone()] } else { vec![] };
    for events in [before, vec![Event::ModifiersChanged(modifiers), event]] {
        let input = RawInput { events, ..RawInput::default() };
        run(&context, input, |ui| {
            result = (actions(ui.ctx(), &state(&show, profile)), movement(ui.ctx(), profile));
            match widget {
                "text" => ui.text_edit_singleline(&mut text).request_focus(),
                "button" => ui.button("ok").request_focus(),
                _ => {}
            }
        });
    }
    result
}

fn acts(k: Key, modifiers: Modifiers, profile: CameraProfile) -> Vec<Action> {
    pressed(key(k, modifiers, false), profile, "").0
}

#[test]
fn no_two_keys_clash_within_a_profile() {
    for profile in PROFILES {
        let all: Vec<&Binding> = bindings(profile).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                let shared = a.keys.iter().any(|key| b.keys.contains(key));
                // Held keys also work with Shift.
                let held = |x: &Binding| matches!(x.does, Does::Hold(_));
                let loose = |m: Modifiers| Modifiers { shift: false, ..m };
                let same = if held(a) || held(b) {
                    loose(a.modifiers) == loose(b.modifiers)
                } else {
                    a.modifiers == b.modifiers
                };
                assert!(!(shared && same), "{} and {}", a.label(), b.label());
            }
        }
    }
}

#[test]
fn every_key_of_the_table_does_its_work() {
    for profile in PROFILES {
        for binding in bindings(profile) {
            for &k in binding.keys {
                let (actions, movement) = pressed(key(k, binding.modifiers, false), profile, "");
                let moved = movement != Movement { fast: movement.fast, ..Movement::default() };
                let own: Vec<&Action> =
                    actions.iter().filter(|a| !matches!(a, Action::FreeCursor(_))).collect();
                match binding.does {
                    Does::Hold(_) => assert!(moved && own.is_empty(), "{}", binding.label()),
                    _ => assert!(!moved && own.len() == 1, "{}: {own:?}", binding.label()),
                }
            }
        }
    }
}

#[test]
fn keys_mean_what_the_documents_say() {
    use CameraProfile::{Classic, Modern};
    let none = Modifiers::NONE;
    let ctrl = Modifiers { ctrl: true, command: true, ..none };
    let ctrl_shift = Modifiers { shift: true, ..ctrl };
    assert_eq!(acts(Key::P, none, Classic), [Action::PlayPause]);
    assert_eq!(acts(Key::Space, none, Modern), [Action::PlayPause]);
    assert_eq!(acts(Key::Space, none, Classic), []);
    assert_eq!(acts(Key::O, none, Modern), [Action::OpenDialog]);
    assert_eq!(acts(Key::F, none, Modern), [Action::SwapForce]);
    assert_eq!(acts(Key::Enter, none, Modern), [Action::FreezeForce]);
    assert_eq!(acts(Key::Escape, none, Modern), [Action::Escape]);
    assert_eq!(acts(Key::R, none, Modern), [Action::Reset]);
    assert_eq!(acts(Key::R, Modifiers::SHIFT, Modern), [Action::Default]);
    assert_eq!(acts(Key::Z, ctrl, Modern), [Action::Undo]);
    assert_eq!(acts(Key::Z, ctrl_shift, Modern), [Action::Redo]);
    assert_eq!(acts(Key::X, none, Modern), [Action::Tool(Tool::Force)]);
    assert_eq!(acts(Key::Num3, none, Modern), [Action::NamedCamera(2)]);
    let windows = [Window::Menu, Window::Help, Window::Details, Window::PictureOnly];
    for (k, window) in [Key::F1, Key::F2, Key::F3, Key::F4].into_iter().zip(windows) {
        assert_eq!(acts(k, none, Modern), [Action::Toggle(window)]);
        assert_eq!(acts(k, Modifiers::ALT, Modern), []);
    }
    for (k, modifiers) in [(Key::Plus, Modifiers::SHIFT), (Key::Plus, none), (Key::Equals, none)] {
        assert!(matches!(acts(k, modifiers, Modern)[..], [Action::ForceSize(f)] if f > 1.0));
    }
    assert!(matches!(acts(Key::Minus, none, Modern)[..], [Action::ForceSize(f)] if f < 1.0));
    assert_eq!(acts(Key::ArrowLeft, ctrl, Modern), [Action::Seek(4)]);
    let wires = Show { wireframe: true, ..Show::default() };
    assert_eq!(acts(Key::T, none, Modern), [Action::Show(wires)]);
}

#[test]
fn repeats_count_only_where_they_make_sense() {
    let again = |k| pressed(key(k, Modifiers::NONE, true), CameraProfile::Modern, "").0.len();
    assert_eq!([again(Key::N), again(Key::Minus), again(Key::P), again(Key::F)], [1, 1, 0, 0]);
}

#[test]
fn held_keys_fly_in_the_classic_profile_only() {
    let held = |k, modifiers, profile| pressed(key(k, modifiers, false), profile, "").1;
    let flies = held(Key::W, Modifiers::SHIFT, CameraProfile::Classic);
    assert_eq!(flies, Movement { forward: 1.0, fast: true, ..Movement::default() });
    assert_eq!(held(Key::W, Modifiers::NONE, CameraProfile::Modern), Movement::default());
    let turns = held(Key::ArrowUp, Modifiers::NONE, CameraProfile::Modern);
    assert_eq!(turns, Movement { pitch: 1.0, ..Movement::default() });
    assert_eq!(held(Key::S, Modifiers::CTRL, CameraProfile::Classic), Movement::default());
}

#[test]
fn ctrl_frees_the_cursor_in_the_classic_profile() {
    let show = Show::default();
    let context = egui::Context::default();
    let mut told = Vec::new();
    for (modifiers, cursor_free) in
        [(Modifiers::CTRL, false), (Modifiers::CTRL, true), (Modifiers::NONE, true)]
    {
        let events = vec![Event::ModifiersChanged(modifiers)];
        let input = RawInput { events, ..RawInput::default() };
        let state = KeyState { cursor_free, ..state(&show, CameraProfile::Classic) };
        run(&context, input, |ui| told.extend(actions(ui.ctx(), &state)));
    }
    assert_eq!(told, [Action::FreeCursor(true), Action::FreeCursor(false)]);
}

#[test]
fn keys_stay_out_of_the_way_of_widgets() {
    let none = Modifiers::NONE;
    for k in [Key::P, Key::Space, Key::F1, Key::ArrowUp, Key::Enter] {
        let (typed, moved) = pressed(key(k, none, false), CameraProfile::Modern, "text");
        assert!(typed.is_empty() && moved == Movement::default(), "{k:?}");
    }
    let with_button = |k| pressed(key(k, none, false), CameraProfile::Modern, "button");
    assert_eq!(with_button(Key::P).0, [Action::PlayPause]);
    for k in [Key::Space, Key::Enter, Key::ArrowUp] {
        assert_eq!(with_button(k), (vec![], Movement::default()), "{k:?}");
    }
}

#[test]
fn labels_read_as_people_say_them() {
    let label = |description: &str| {
        bindings(CameraProfile::Modern).find(|b| b.description == description).unwrap().label()
    };
    assert_eq!(label("Undo"), "Ctrl+Z");
    assert_eq!(label("Redo"), "Ctrl+Shift+Z");
    assert_eq!(label("Cameras of the scene"), "1–9");
    assert_eq!(label("Smaller rectangle of the force"), "−");
    let mut groups: Vec<Group> = Vec::new();
    TABLE.iter().for_each(|b| groups.push(b.group));
    assert!(Group::ALL.iter().all(|group| groups.contains(group)));
}

#[test]
fn everything_the_help_says_has_its_croatian() {
    let titles = Group::ALL.map(Group::title);
    let keys = TABLE.iter().map(|binding| binding.description);
    let mouse = MOUSE.iter().flat_map(|mouse| [mouse.gesture, mouse.description]);
    for text in titles.into_iter().chain(keys).chain(mouse) {
        assert_ne!(Language::Croatian.tr(text), text, "no Croatian");
    }
}
