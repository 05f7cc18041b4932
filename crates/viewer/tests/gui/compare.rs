//! Solvers side by side.

use egui::PointerButton;
use egui_kittest::kittest::Queryable;
use tkanina_sim::solvers::SolverKind;
use tkanina_viewer::Action;

use crate::Gui;

fn apply(gui: &mut Gui, action: Action) {
    let ctx = gui.harness.ctx.clone();
    gui.harness.state_mut().apply(action, &ctx);
}

fn solver(name: &str) -> SolverKind {
    SolverKind::all().find(|solver| solver.name() == name).unwrap()
}

/// Compares with these, and waits until they are there.
fn compare(gui: &mut Gui, names: &[&str]) {
    for name in names {
        apply(gui, Action::Compare { solver: solver(name), on: true });
    }
    let count = 1 + names.len();
    gui.until("all are there", |app| app.published().count() == count);
    gui.settle();
}

#[track_caller]
fn in_step(gui: &Gui) {
    let published = gui.app().published();
    for (picture, snapshot) in published.snapshots() {
        let name = published.solver(picture);
        assert_eq!(snapshot.frame_number, published.own.frame_number, "{name}");
        assert!((snapshot.time - published.own.time).abs() < 1e-9, "{name}");
    }
}

#[test]
fn two_solvers_show_two_pictures_with_captions_in_step() {
    let mut gui = Gui::open("hung-by-two-corners");
    assert!(gui.harness.query_all_by_label_contains("stretch:").next().is_none());
    gui.harness.get_by_label("Compare").click();
    gui.settle();
    gui.harness.get_by_label("Vertex descent").click();
    gui.until("two pictures", |app| app.published().count() == 2);
    // The list stays open for more.
    gui.settle();
    gui.harness.get_by_label("XPBD").click();
    gui.until("three pictures", |app| app.published().count() == 3);
    gui.harness.key_press(egui::Key::F1);
    gui.settle();
    let frame = gui.app().published().own.frame_number;
    gui.until("it goes on", |app| app.published().own.frame_number > frame + 10);
    in_step(&gui);
    let said = gui.harness.query_all_by_label_contains(" ms · steps: ");
    let captions: Vec<_> = said.collect();
    assert_eq!(captions.len(), 3);
    let rects: Vec<egui::Rect> = captions.iter().map(|caption| caption.rect()).collect();
    assert!(rects[0].max.x < rects[1].min.x || rects[0].max.y < rects[1].min.y);
}

#[test]
fn a_grab_in_one_picture_moves_the_point_in_all() {
    let mut gui = Gui::open("hung-by-two-corners");
    gui.until("it has begun", |app| app.snapshot().frame_number > 2);
    compare(&mut gui, &["implicit-euler"]);
    gui.harness.key_press(egui::Key::F4);
    gui.settle();
    let window = gui.harness.ctx.content_rect();
    // The window of tests is tall: the second picture is below.
    let cell = egui::Rect::from_min_max(egui::pos2(0.0, window.center().y + 1.0), window.max);
    let size = glam::vec2(cell.width(), cell.height());
    let middle = gui.app().snapshot().positions.len() / 2;
    let point = gui.app().published().get(1).unwrap().positions[middle];
    let (at, _) = gui.app().camera().project(point, size).unwrap();
    let at = cell.min + egui::vec2(at.x, at.y);
    gui.harness.hover_at(at);
    gui.harness.step();
    let modifiers = egui::Modifiers::NONE;
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    gui.harness.event(button(at, true));
    gui.until("it is held", |app| app.tools().grabbed().is_some());
    assert_eq!(gui.app().main_and_active_picture(), [0, 1]);
    let held = gui.app().tools().grabbed().unwrap() as usize;
    // Dragged into the other picture it is still of the one where it began.
    let to = at + egui::vec2(120.0, -500.0);
    gui.harness.hover_at(to);
    gui.until("it follows in both", |app| {
        let near = |positions: &[glam::Vec3]| {
            let (now, _) = app.camera().project(positions[held], size).unwrap_or_default();
            (cell.min + egui::vec2(now.x, now.y) - to).length() < 40.0
        };
        app.published().snapshots().all(|(_, snapshot)| near(&snapshot.positions))
    });
    assert_eq!(gui.app().main_and_active_picture(), [0, 1]);
    gui.harness.event(button(to, false));
    gui.until("it is let go", |app| app.tools().grabbed().is_none());
}

#[test]
fn one_that_explodes_says_so_and_the_other_goes_on() {
    let mut gui = Gui::open("explosion");
    compare(&mut gui, &["vertex-descent"]);
    apply(&mut gui, Action::Reset);
    apply(&mut gui, Action::Play(true));
    gui.until("it explodes", |app| app.published().own.explosion.is_some());
    let exploded = gui.app().published().own.frame_number;
    gui.until("the other goes on", |app| {
        app.published().get(1).is_some_and(|s| s.frame_number > exploded + 20 && s.playing)
    });
    gui.settle();
    assert!(gui.harness.query_all_by_label_contains("exploded at t =").next().is_some());
    assert!(gui.app().published().get(1).unwrap().explosion.is_none());
}

#[test]
fn edits_and_undo_reach_both() {
    let mut gui = Gui::open("hung-by-two-corners");
    compare(&mut gui, &["xpbd"]);
    let points = |gui: &Gui| {
        let published = gui.app().published();
        published.snapshots().map(|(_, s)| s.positions.len()).collect::<Vec<_>>()
    };
    let before = points(&gui);
    let gravity = gui.app().snapshot().model.gravity.y;
    assert_ne!(gravity, -7.0);
    let pointer = "/gravity_m_s2".to_owned();
    apply(&mut gui, Action::Set { pointer, value: vec![0.0, -7.0, 0.0].into() });
    let other = |app: &tkanina_viewer::App| {
        app.published().snapshots().all(|(_, s)| s.model.gravity.y == -7.0)
    };
    gui.until("both fall otherwise", other);
    gui.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    gui.until("both are as before", |app| {
        app.published().snapshots().all(|(_, s)| s.model.gravity.y == gravity)
    });
    in_step(&gui);
    assert_eq!(points(&gui), before);
    assert_eq!(before[0], before[1]);
}

#[test]
fn the_key_goes_to_two_and_back_to_one() {
    let mut gui = Gui::open("hung-by-two-corners");
    gui.harness.key_press(egui::Key::F8);
    gui.until("two pictures", |app| app.published().count() == 2);
    let frame = gui.app().snapshot().frame_number;
    gui.settle();
    gui.harness.key_press(egui::Key::F8);
    gui.until("one picture", |app| app.published().count() == 1);
    gui.until("it goes on", |app| app.snapshot().frame_number > frame + 2);
    assert!(gui.harness.query_all_by_label_contains("stretch:").next().is_none());
}

#[test]
fn a_click_on_a_caption_makes_its_picture_the_main_one() {
    let mut gui = Gui::open("hung-by-two-corners");
    compare(&mut gui, &["implicit-euler"]);
    gui.harness.key_press(egui::Key::F1);
    gui.settle();
    gui.harness.get_by_label("Implicit Euler").click();
    gui.settle();
    assert_eq!(gui.app().main_and_active_picture()[0], 1);
    assert_eq!(gui.app().snapshot().method(), "implicit-euler");
    gui.harness.get_by_label("Compare no longer with Implicit Euler").click();
    gui.until("one picture", |app| app.published().count() == 1);
    assert_eq!(gui.app().snapshot().method(), gui.app().published().own.method());
}

#[test]
fn going_back_in_time_takes_both_along() {
    let mut gui = Gui::open("hung-by-two-corners");
    compare(&mut gui, &["vertex-descent"]);
    let frame = gui.app().snapshot().frame_number;
    gui.until("there is a past", |app| app.snapshot().frame_number > frame + 20);
    gui.pause();
    let back = gui.app().snapshot().frame_number - 10;
    apply(&mut gui, Action::Seek(back));
    gui.until("back", |app| app.published().snapshots().all(|(_, s)| s.frame_number == back));
}

#[test]
fn pictures_share_a_camera_and_are_saved_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let mut gui = Gui::drawing("cloth-on-sphere");
    // Under the same method the pictures must be alike to the pixel, wherever one looks from.
    let own = gui.app().published().own.method().to_owned();
    gui.pause();
    apply(&mut gui, Action::Reset);
    gui.until("the start", |app| app.snapshot().frame_number == 0);
    compare(&mut gui, &[own.as_str()]);
    gui.harness.key_press(egui::Key::F4);
    gui.settle();
    let mut camera = *gui.app().camera();
    camera.eye += glam::vec3(0.3, 0.2, -0.1);
    apply(&mut gui, Action::Look(camera));
    gui.settle();
    let path = dir.path().join("both.png");
    apply(&mut gui, Action::Screenshot(path.clone()));
    gui.until("a screenshot", |_| path.is_file());
    let image = image::open(&path).unwrap().into_rgba8();
    assert_eq!((image.width(), image.height()), (1200, 1400));
    // Captions differ by their times; above them all is the same.
    let differ = (0..600)
        .flat_map(|y| (0..1200).map(move |x| (x, y)))
        .filter(|&(x, y)| image.get_pixel(x, y) != image.get_pixel(x, y + 701))
        .count();
    assert_eq!(differ, 0, "pixels differ");
    let colors: std::collections::BTreeSet<_> = image.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 500, "only {} colours", colors.len());
    image.save(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("both.png")).unwrap();
}

#[test]
fn everything_is_shown_in_narrow_pictures_too() {
    let mut gui = Gui::open("hung-by-two-corners");
    gui.harness.set_size(egui::vec2(1200.0, 800.0));
    gui.pause();
    compare(&mut gui, &["implicit-euler", "xpbd"]);
    gui.harness.key_press(egui::Key::F4);
    gui.settle();
    gui.harness.key_press(egui::Key::Home);
    gui.settle();
    let size = glam::vec2(398.0, 800.0);
    for point in gui.app().snapshot().positions.iter() {
        let (at, _) = gui.app().camera().project(*point, size).expect("before the camera");
        assert!(at.x > 0.0 && at.x < size.x && at.y > 0.0 && at.y < size.y, "{at}");
    }
}
