//! Scenes opened, refused, saved; languages.

use egui_kittest::kittest::Queryable;
use tkanina_viewer::Action;

use crate::Gui;

fn apply(gui: &mut Gui, action: Action) {
    let ctx = gui.harness.ctx.clone();
    gui.harness.state_mut().apply(action, &ctx);
}

#[test]
fn a_scene_with_an_error_is_refused_with_line_and_cause() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.scene.yaml");
    std::fs::write(&path, "format: 1\ngravty_m_s2: [0, -1, 0]\nbodies: []\n").unwrap();
    let mut gui = Gui::open("hanging-cloth");
    let particles = gui.app().snapshot().positions.len();
    apply(&mut gui, Action::OpenFile(path));
    gui.settle();
    let shown = gui.harness.query_all_by_label_contains("bad.scene.yaml:2:1").next();
    assert!(shown.is_some(), "line and column are not shown");
    assert!(gui.harness.query_all_by_label_contains("gravity_m_s2").next().is_some());
    assert_eq!(gui.app().snapshot().positions.len(), particles, "the old scene stays");
    let frame = gui.app().snapshot().frame_number;
    gui.until("the old scene plays on", |app| app.snapshot().frame_number > frame);
}

#[test]
fn a_scene_is_opened_from_the_browser() {
    let mut gui = Gui::open("hanging-cloth");
    gui.harness.get_by_label("Scenes").click();
    gui.settle();
    gui.harness.get_by_label_contains("A ball flies into a cloth").click();
    gui.until("another scene", |app| app.document().name() != "hanging-cloth");
}

#[test]
fn what_is_saved_shows_the_same_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kept.scene.yaml");
    let mut gui = Gui::open("hanging-cloth");
    gui.until("it has moved", |app| app.snapshot().frame_number > 5);
    gui.pause();
    gui.harness.key_press(egui::Key::T);
    gui.until("wires", |app| app.document().loaded().scene.look.show.wireframe);
    let camera = tkanina_render::Camera { eye: glam::vec3(1.0, 2.0, 4.0), ..*gui.app().camera() };
    apply(&mut gui, Action::Look(camera));
    apply(&mut gui, Action::SaveAs { path: path.clone(), state: true });
    let kept = dir.path().join("kept.tkc");
    gui.until("the state is written", |_| kept.is_file());
    let was = gui.app().snapshot().clone();
    apply(&mut gui, Action::OpenBuiltin("hanging-cloth".to_owned()));
    gui.until("it is new", |app| app.snapshot().generation > was.generation);
    apply(&mut gui, Action::OpenFile(path));
    apply(&mut gui, Action::Play(false));
    let generation = gui.app().snapshot().generation;
    gui.until("it is back", |app| {
        app.snapshot().generation > generation && !app.snapshot().playing
    });
    assert!(gui.app().document().loaded().scene.look.show.wireframe);
    assert!((gui.app().camera().eye - camera.eye).length() < 1e-5);
    // Frames count from where it starts.
    apply(&mut gui, Action::Seek(0));
    gui.until("the kept moment", |app| app.snapshot().frame_number == 0);
    assert_eq!(gui.app().snapshot().positions, was.positions);
    assert_eq!(gui.app().snapshot().time, was.time);
}

#[test]
fn the_interface_speaks_croatian_when_asked() {
    let mut gui = Gui::open("hanging-cloth");
    assert!(gui.harness.query_by_label("Reset").is_some());
    gui.harness.key_press(egui::Key::Escape);
    gui.settle();
    gui.harness.get_by_label("Hrvatski").click();
    gui.settle();
    assert!(gui.harness.query_by_label("Reset").is_none());
    assert!(gui.harness.query_by_label("Ispočetka").is_some());
    gui.harness.get_by_label("English").click();
    gui.settle();
    assert!(gui.harness.query_by_label("Reset").is_some());
}

#[test]
fn removing_all_bodies_leaves_an_empty_scene_that_still_runs() {
    let mut gui = Gui::open("hanging-cloth");
    apply(&mut gui, Action::RemoveAllBodies);
    gui.until("nothing is left", |app| app.snapshot().positions.is_empty());
    gui.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    gui.until("all is back", |app| !app.snapshot().positions.is_empty());
}

#[test]
fn unsaved_edits_are_not_lost_without_a_question() {
    let mut gui = Gui::open("hanging-cloth");
    let set = Action::Set { pointer: "/gravity_m_s2".into(), value: vec![0.0, -1.0, 0.0].into() };
    apply(&mut gui, set);
    assert!(gui.app().document().is_dirty());
    apply(&mut gui, Action::OpenBuiltin("cloth-on-cube".to_owned()));
    gui.settle();
    assert_eq!(gui.app().document().name(), "hanging-cloth");
    gui.harness.get_by_label("Cancel").click();
    gui.settle();
    assert_eq!(gui.app().pending(), None);
    assert_eq!(gui.app().document().name(), "hanging-cloth");
    apply(&mut gui, Action::OpenBuiltin("cloth-on-cube".to_owned()));
    gui.settle();
    gui.harness.get_by_label("Give the edits up").click();
    gui.until("the other scene", |app| app.document().name() == "cloth-on-cube");
}
