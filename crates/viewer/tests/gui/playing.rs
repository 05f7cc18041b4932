//! Time: play, halt, step, back to the start, along the timeline.

use egui_kittest::kittest::Queryable;

use crate::Gui;

#[test]
fn pause_step_and_reset_by_their_buttons() {
    let mut gui = Gui::open("hanging-cloth");
    gui.until("it moves", |app| app.snapshot().frame_number > 3);
    gui.harness.get_by_label("Pause").click();
    gui.until("it halts", |app| !app.snapshot().playing);
    let frame = gui.app().snapshot().frame_number;
    gui.harness.get_by_label("Single step").click();
    gui.until("one frame", |app| app.snapshot().frame_number == frame + 1);
    assert!(!gui.app().snapshot().playing);
    gui.harness.get_by_label("Reset").click();
    gui.until("the start", |app| app.snapshot().frame_number == 0);
    gui.harness.get_by_label("Play").click();
    gui.until("it moves again", |app| app.snapshot().frame_number > 1);
}

#[test]
fn one_may_go_back_in_time_and_on_from_there() {
    // Which never comes to rest, however far it has got.
    let mut gui = Gui::open("ladder-3-undamped");
    gui.until("there is a past", |app| app.snapshot().frame_number > 20);
    gui.pause();
    let last = gui.app().snapshot().frame_number;
    let there = gui.app().snapshot().positions.clone();
    for _ in 0..5 {
        let before = gui.app().snapshot().frame_number;
        let back = egui::Modifiers::COMMAND;
        gui.harness.key_press_modifiers(back, egui::Key::ArrowLeft);
        gui.until("one frame back", |app| app.snapshot().frame_number == before - 1);
    }
    assert_ne!(*gui.app().snapshot().positions, *there);
    for _ in 0..5 {
        let before = gui.app().snapshot().frame_number;
        gui.harness.key_press(egui::Key::N);
        gui.until("one frame on", |app| app.snapshot().frame_number == before + 1);
    }
    assert_eq!(gui.app().snapshot().frame_number, last);
    assert_eq!(*gui.app().snapshot().positions, *there, "the same way again");
}

#[test]
fn an_explosion_is_explained_and_mended_by_a_button() {
    let mut gui = Gui::open("explosion");
    gui.until("it explodes", |app| app.snapshot().explosion.is_some());
    gui.settle();
    gui.harness.get_by_label("Solver: Verlet").click();
    gui.until("it is mended", |app| {
        app.document().get("/solver/kind") == Some(&"verlet".into())
            && app.snapshot().explosion.is_none()
            && app.snapshot().frame_number > 10
    });
}
