//! Parameters of the running world, changed by widgets.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use tkanina_viewer::App;

use crate::Gui;

/// The gravity that acts in the running world. [m/s²]
fn gravity(app: &App) -> f32 {
    app.snapshot().model.gravity.y
}

#[test]
fn a_slider_changes_the_running_world_and_undo_brings_it_back() {
    let mut gui = Gui::open("flag-turbulent");
    gui.pause();
    let before = gui.app().snapshot().clone();
    let stiffness = |app: &App| app.snapshot().model.grids[0].clone();
    let was = format!("{:?}", stiffness(gui.app()));
    let slider = gui.harness.get_by_role_and_label(Role::Slider, "Structural: stiffness");
    slider.set_value_accesskit(240.0);
    gui.until("the springs are stiffer", |app| format!("{:?}", stiffness(app)) != was);
    let after = gui.app().snapshot().clone();
    assert_eq!(after.positions, before.positions, "an edit moves nothing");
    assert_eq!(after.frame_number, before.frame_number, "and takes no time");
    let pointer = "/materials/light/springs/structural/stiffness";
    assert_eq!(gui.app().document().get(pointer), Some(&240.0.into()));
    gui.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    gui.until("the springs are as before", |app| format!("{:?}", stiffness(app)) == was);
    let redo = egui::Modifiers { shift: true, ..egui::Modifiers::COMMAND };
    gui.harness.key_press_modifiers(redo, egui::Key::Z);
    gui.until("and stiff again", |app| format!("{:?}", stiffness(app)) != was);
}

#[test]
fn a_typed_number_reaches_the_world_and_default_takes_all_edits_back() {
    let mut gui = Gui::open("hanging-cloth");
    gui.pause();
    let was = gravity(gui.app());
    gui.harness.get_by_role_and_label(Role::SpinButton, "Gravity y").focus();
    gui.harness.step();
    gui.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    gui.harness.get_by_role_and_label(Role::SpinButton, "Gravity y").type_text("-1.62");
    gui.harness.step();
    gui.harness.key_press(egui::Key::Enter);
    gui.until("the moon's gravity", |app| gravity(app) == -1.62);
    gui.harness.get_by_label("Default").click();
    gui.until("the earth's gravity", |app| gravity(app) == was);
    assert!(!gui.app().document().is_dirty());
}

#[test]
fn other_counts_build_the_cloth_anew() {
    let mut gui = Gui::open("hanging-cloth");
    let was = gui.app().snapshot().positions.len();
    let points = gui.harness.get_all_by_role_and_label(Role::SpinButton, "Points 1").next();
    points.expect("the first count has a field").focus();
    gui.harness.step();
    gui.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    let points = gui.harness.get_all_by_role_and_label(Role::SpinButton, "Points 1").next();
    points.expect("it is still there").type_text("12");
    gui.harness.step();
    gui.harness.key_press(egui::Key::Enter);
    gui.until("another cloth", |app| app.snapshot().positions.len() != was);
    assert_eq!(gui.app().snapshot().model.bodies[0].grid.unwrap()[0], 12);
}
