//! Each key of the map does its work.

use egui::{Key, Modifiers};
use tkanina_viewer::action::Tool;
use tkanina_viewer::preferences::CameraProfile;
use tkanina_viewer::tools::force::ForceKind;
use tkanina_viewer::{Action, App};

use crate::Gui;

fn press(gui: &mut Gui, modifiers: Modifiers, key: Key) {
    gui.harness.key_press_modifiers(modifiers, key);
    gui.settle();
}

#[test]
fn windows_open_and_close_by_their_keys() {
    let mut gui = Gui::open("hanging-cloth");
    for (key, is_open) in [
        (Key::F1, (|app| app.open_windows().menu) as fn(&App) -> bool),
        (Key::F2, |app| app.open_windows().help),
        (Key::F3, |app| app.open_windows().details),
        (Key::F4, |app| app.open_windows().picture_only),
        (Key::Escape, |app| app.open_windows().settings),
    ] {
        let before = is_open(gui.app());
        press(&mut gui, Modifiers::NONE, key);
        assert_eq!(is_open(gui.app()), !before, "{key:?} opens");
        press(&mut gui, Modifiers::NONE, key);
        assert_eq!(is_open(gui.app()), before, "{key:?} closes");
    }
}

#[test]
fn display_keys_change_what_is_shown() {
    let mut gui = Gui::open("hanging-cloth");
    for key in
        [Key::E, Key::T, Key::V, Key::K, Key::L, Key::B, Key::J, Key::U, Key::H, Key::Y, Key::Q]
    {
        let before = gui.app().document().loaded().scene.look.show.clone();
        press(&mut gui, Modifiers::NONE, key);
        let after = &gui.app().document().loaded().scene.look.show;
        assert_ne!(&before, after, "{key:?} changes nothing");
    }
}

#[test]
fn tool_keys_take_tools_in_hand_and_set_the_force() {
    let mut gui = Gui::open("hanging-cloth");
    for (key, tool) in
        [(Key::I, Tool::Pin), (Key::M, Tool::Move), (Key::G, Tool::Grab), (Key::X, Tool::Force)]
    {
        press(&mut gui, Modifiers::NONE, key);
        assert_eq!(gui.app().tools().tool(), tool);
    }
    press(&mut gui, Modifiers::SHIFT, Key::X);
    assert_eq!(gui.app().tools().tool(), Tool::Cut);
    press(&mut gui, Modifiers::SHIFT, Key::G);
    assert_eq!(gui.app().tools().tool(), Tool::Comb);
    press(&mut gui, Modifiers::NONE, Key::X);
    assert_eq!(gui.app().tools().force().kind, ForceKind::Punch);
    press(&mut gui, Modifiers::NONE, Key::F);
    assert_eq!(gui.app().tools().force().kind, ForceKind::Wind);
    let size = gui.app().tools().force().size;
    press(&mut gui, Modifiers::NONE, Key::Plus);
    assert!(gui.app().tools().force().size > size);
    press(&mut gui, Modifiers::NONE, Key::Minus);
    press(&mut gui, Modifiers::NONE, Key::Minus);
    assert!(gui.app().tools().force().size < size);
}

#[test]
fn camera_keys_move_the_camera() {
    let mut gui = Gui::open("hanging-cloth");
    for key in [
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::ArrowUp,
        Key::ArrowDown,
        Key::PageUp,
        Key::PageDown,
        Key::OpenBracket,
        Key::CloseBracket,
        Key::Period,
        Key::Comma,
    ] {
        moves_while_down(&mut gui, key);
    }
    let ctx = gui.harness.ctx.clone();
    gui.harness.state_mut().apply(Action::Profile(CameraProfile::Classic), &ctx);
    for key in [Key::W, Key::S, Key::A, Key::D, Key::Space, Key::C] {
        moves_while_down(&mut gui, key);
    }
    press(&mut gui, Modifiers::NONE, Key::Num1);
    let first = gui.app().snapshot().cameras[0].camera;
    assert_eq!(*gui.app().camera(), first);
    press(&mut gui, Modifiers::NONE, Key::Home);
    assert_ne!(*gui.app().camera(), first);
}

fn moves_while_down(gui: &mut Gui, key: Key) {
    let before = *gui.app().camera();
    gui.harness.key_down(key);
    gui.harness.step();
    gui.harness.step();
    gui.harness.key_up(key);
    gui.harness.step();
    gui.harness.step();
    assert_ne!(*gui.app().camera(), before, "{key:?} moves nothing");
}

#[test]
fn keys_of_time_and_speed() {
    let mut gui = Gui::open("hanging-cloth");
    gui.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowUp);
    gui.until("twice as fast", |app| app.snapshot().speed == 2.0);
    gui.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    gui.until("as before", |app| app.snapshot().speed == 1.0);
    gui.harness.key_press(Key::Space);
    gui.until("Space halts", |app| !app.snapshot().playing);
    let frame = gui.app().snapshot().frame_number;
    gui.harness.key_press(Key::N);
    gui.until("N steps", |app| app.snapshot().frame_number == frame + 1);
    gui.harness.key_press(Key::R);
    gui.until("R goes back", |app| app.snapshot().frame_number == 0);
    gui.harness.key_press(Key::P);
    gui.until("P plays", |app| app.snapshot().playing);
    press(&mut gui, Modifiers::NONE, Key::F6);
    press(&mut gui, Modifiers::NONE, Key::F7);
}

#[test]
fn typing_into_a_field_presses_no_keys_of_the_map() {
    use egui_kittest::kittest::Queryable;
    let mut gui = Gui::open("hanging-cloth");
    gui.pause();
    gui.harness.get_by_label("Search parameters").focus();
    gui.harness.step();
    press(&mut gui, Modifiers::NONE, Key::T);
    press(&mut gui, Modifiers::NONE, Key::X);
    assert!(!gui.app().document().loaded().scene.look.show.wireframe);
    assert_eq!(gui.app().tools().tool(), Tool::Grab);
}

#[test]
fn the_menu_keeps_its_width() {
    use egui_kittest::kittest::Queryable;
    let mut gui = Gui::open("hanging-cloth");
    let width = |gui: &Gui| gui.harness.get_by_label("Search parameters").rect().width();
    gui.settle();
    let before = width(&gui);
    gui.harness.run_steps(60);
    assert_eq!(width(&gui), before);
}
