//! The picture in the window, the hand in it, and what is saved of it.

use egui::PointerButton;
use tkanina_render::Camera;
use tkanina_viewer::Action;
use tkanina_viewer::action::Tool;

use crate::Gui;

/// The part of the window that shows the picture with the menu closed, and its size.
fn picture(gui: &mut Gui) -> egui::Rect {
    gui.harness.key_press(egui::Key::F4);
    gui.settle();
    assert!(gui.app().open_windows().picture_only);
    gui.harness.ctx.content_rect()
}

fn button(gui: &Gui, pos: egui::Pos2, button: PointerButton, pressed: bool) {
    let modifiers = egui::Modifiers::NONE;
    gui.harness.event(egui::Event::PointerMoved(pos));
    gui.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
}

/// Where a particle is in the window.
fn place(camera: &Camera, particle: glam::Vec3, rect: egui::Rect) -> egui::Pos2 {
    let size = glam::vec2(rect.width(), rect.height());
    let (place, _) = camera.project(particle, size).expect("it is before the camera");
    rect.min + egui::vec2(place.x, place.y)
}

#[test]
fn a_point_follows_the_hand_and_is_let_go() {
    let mut gui = Gui::open("hung-by-two-corners");
    gui.until("it has begun", |app| app.snapshot().frame_number > 2);
    let rect = picture(&mut gui);
    let snapshot = gui.app().snapshot().clone();
    let middle = snapshot.positions.len() / 2;
    let from = place(gui.app().camera(), snapshot.positions[middle], rect);
    gui.harness.hover_at(from);
    gui.harness.step();
    button(&gui, from, PointerButton::Primary, true);
    gui.until("it is held", |app| app.tools().grabbed().is_some());
    let held = gui.app().tools().grabbed().unwrap() as usize;
    let to = from + egui::vec2(90.0, -60.0);
    gui.harness.hover_at(to);
    gui.until("it follows", |app| {
        let now = place(app.camera(), app.snapshot().positions[held], rect);
        (now - to).length() < 25.0
    });
    button(&gui, to, PointerButton::Primary, false);
    gui.until("it is let go", |app| app.tools().grabbed().is_none());
}

#[test]
fn the_force_tool_pushes_what_is_in_its_rectangle() {
    let mut gui = Gui::open("hung-by-two-corners");
    gui.pause();
    let rect = picture(&mut gui);
    let ctx = gui.harness.ctx.clone();
    gui.harness.state_mut().apply(Action::Tool(Tool::Force), &ctx);
    let snapshot = gui.app().snapshot().clone();
    let middle = snapshot.positions.len() / 2;
    let at = place(gui.app().camera(), snapshot.positions[middle], rect);
    gui.harness.hover_at(at);
    gui.settle();
    let picked = gui.app().tools().force().picked().to_vec();
    assert!(picked.contains(&(middle as u32)), "{picked:?}");
    assert!(picked.len() < snapshot.positions.len());
    button(&gui, at, PointerButton::Primary, true);
    gui.harness.step();
    button(&gui, at, PointerButton::Primary, false);
    gui.harness.step();
    gui.harness.key_press(egui::Key::N);
    let frame = snapshot.frame_number;
    gui.until("a step", |app| app.snapshot().frame_number == frame + 1);
    let pushed = gui.app().snapshot().positions[middle] - snapshot.positions[middle];
    assert!(pushed.dot(gui.app().camera().forward()) > 0.0, "pushed by {pushed}");
}

#[test]
fn a_film_is_whole_when_the_window_closes_while_recording() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("film.gif");
    let mut gui = Gui::drawing("hanging-cloth");
    picture(&mut gui);
    let ctx = gui.harness.ctx.clone();
    let shot = dir.path().join("shot.png");
    gui.harness.state_mut().apply(Action::Screenshot(shot.clone()), &ctx);
    gui.until("a screenshot", |_| shot.is_file());
    let image = image::open(&shot).unwrap();
    assert_eq!((image.width(), image.height()), (1200, 1400));
    gui.harness.state_mut().apply(Action::Record(path.clone()), &ctx);
    gui.until("some frames", |app| app.recorded_frames() > 2);
    let mut app = gui.harness.into_state();
    app.detach();
    drop(app);
    let file = std::fs::File::open(&path).expect("there is a film");
    let mut film = gif::DecodeOptions::new().read_info(file).unwrap();
    let mut frames = 0;
    while film.read_next_frame().expect("the film is whole").is_some() {
        frames += 1;
    }
    assert!(frames > 2, "{frames} frames");
}

#[test]
fn the_window_draws_the_scene() {
    let mut gui = Gui::drawing("cloth-on-sphere");
    gui.until("it moves", |app| app.snapshot().frame_number > 3);
    gui.pause();
    gui.harness.step();
    let image = gui.harness.render().unwrap();
    let mut colors = std::collections::BTreeSet::new();
    for pixel in image.pixels() {
        colors.insert(pixel.0);
    }
    assert!(colors.len() > 500, "only {} colours: the picture is not there", colors.len());
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    image.save(dir.join("window.png")).unwrap();
}
