use glam::{Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_scene::schema::Show;
use tkanina_sim::commands::Command;

use crate::action::{Action, Tool};
use crate::snapshot::Snapshot;
use crate::tools::testing::{DOWN, PRESS, RELEASE, SIZE, ahead, at, context, curtain, wall};
use crate::tools::{ToolInput, Tools, Used};

/// A comb, strands and an eye.
struct Desk {
    tools: Tools,
    world: Snapshot,
    camera: Camera,
}

/// A comb as it is sent.
type Sent = (Vec3, f32, Vec3);

impl Desk {
    fn new(world: Snapshot) -> Self {
        let mut tools = Tools::default();
        tools.apply(&Action::Tool(Tool::Comb));
        Self { tools, world, camera: ahead() }
    }

    fn frame(&mut self, input: ToolInput) -> (Vec<Sent>, Used) {
        let (mut actions, show) = (Vec::new(), Show::default());
        let context = context(&self.world, &self.camera, &show);
        let used = self.tools.update(&input, &context, &mut actions);
        let sent = |action| match action {
            Action::Touch(Command::Comb { at, radius, velocity }) => (at, radius, velocity),
            other => panic!("{other:?}"),
        };
        (actions.into_iter().map(sent).collect(), used)
    }

    fn place(&self, point: Vec3) -> Vec2 {
        self.camera.project(point, SIZE).unwrap().0
    }

    /// Radius of the ring that is drawn about a point, if one is.
    fn ring(&self, about: Vec3) -> Option<f32> {
        let show = Show::default();
        let (lines, _) = self.tools.overlay(&context(&self.world, &self.camera, &show));
        lines.first().map(|ring| ring.segments[0][0].distance(about))
    }
}

const PLACE: Vec3 = Vec3::new(0.0, 0.1, 0.0);

#[test]
fn a_drag_combs_at_the_depth_of_the_strands_with_the_velocity_of_the_cursor() {
    let mut desk = Desk::new(curtain(3, 41));
    let from = desk.place(PLACE);
    assert_eq!(desk.frame(at(from)), (vec![], Used::default()));
    assert!((desk.ring(PLACE).unwrap() - 0.08).abs() < 1e-4, "a tenth of 0.8 m, before the drag");
    let (sent, used) = desk.frame(ToolInput { primary: PRESS, ..at(from) });
    assert_eq!((sent, used), (vec![], Used { pointer: true, wheel: true }));
    // 3 cm down and 1 cm to the right in a sixtieth of a second.
    let moved = PLACE + Vec3::new(0.01, -0.03, 0.0);
    let to = desk.place(moved);
    let (sent, _) = desk.frame(ToolInput { primary: DOWN, ..at(to) });
    let [(place, radius, velocity)] = sent[..] else { panic!("{sent:?}") };
    assert!((place - moved).length() < 1e-4 && (radius - 0.08).abs() < 1e-5);
    assert!((velocity - Vec3::new(0.6, -1.8, 0.0)).length() < 2e-2, "{velocity}");
    // A comb that rests holds the strands.
    let (sent, _) = desk.frame(ToolInput { primary: DOWN, ..at(to) });
    assert!(matches!(sent[..], [(_, _, velocity)] if velocity.length() < 1e-6));
    let (sent, used) = desk.frame(ToolInput { primary: RELEASE, ..at(to) });
    assert_eq!((sent, used), (vec![], Used::default()));
    assert_eq!(desk.frame(at(to)).0, []);
}

#[test]
fn the_wheel_makes_the_comb_wider_and_it_stays_so() {
    let mut desk = Desk::new(curtain(3, 41));
    let from = desk.place(PLACE);
    desk.frame(ToolInput { primary: PRESS, ..at(from) });
    let (sent, _) = desk.frame(ToolInput { primary: DOWN, scroll: 2.0, ..at(from) });
    assert!((sent[0].1 - 0.08 * 1.3225).abs() < 1e-4);
    assert!((desk.ring(PLACE).unwrap() - 0.08 * 1.3225).abs() < 1e-3);
    desk.frame(ToolInput { primary: RELEASE, ..at(from) });
    // Without a drag the wheel is the camera's.
    assert_eq!(desk.frame(ToolInput { scroll: 3.0, ..at(from) }).1, Used::default());
    assert!((desk.ring(PLACE).unwrap() - 0.08 * 1.3225).abs() < 1e-3);
}

#[test]
fn a_fast_hand_passes_over_no_strand() {
    let mut desk = Desk::new(curtain(3, 41));
    let from = desk.place(PLACE);
    desk.frame(ToolInput { primary: PRESS, ..at(from) });
    let to = desk.place(PLACE + Vec3::X * 0.3);
    let (sent, _) = desk.frame(ToolInput { primary: DOWN, ..at(to) });
    assert_eq!(sent.len(), 4, "30 cm by a comb of 8 cm");
    let mut before = PLACE;
    for (place, radius, velocity) in sent {
        assert!(place.distance(before) <= radius);
        assert!((velocity - Vec3::X * 18.0).length() < 0.1);
        before = place;
    }
    assert!((before - PLACE - Vec3::X * 0.3).length() < 1e-4);
}

#[test]
fn no_strands_a_pause_and_alt_comb_nothing() {
    let mut desk = Desk::new(wall(11));
    let drag = |desk: &mut Desk, modifiers: egui::Modifiers| {
        let press = ToolInput { primary: PRESS, modifiers, ..at(desk.place(PLACE)) };
        let used = desk.frame(press).1.pointer;
        let down = ToolInput { primary: DOWN, ..at(desk.place(Vec3::ZERO)) };
        (used, desk.frame(down).0.len())
    };
    let none = egui::Modifiers::NONE;
    assert_eq!(drag(&mut desk, none), (false, 0));
    assert_eq!(drag(&mut Desk::new(curtain(3, 41)), egui::Modifiers::ALT), (false, 0));
    // Away from strands the camera has the drag.
    let mut desk = Desk::new(curtain(3, 41));
    let off = desk.place(PLACE + Vec3::X * 0.2);
    assert!(!desk.frame(ToolInput { primary: PRESS, ..at(off) }).1.pointer);
    // The ring follows in a pause, but nothing is sent.
    let mut desk = Desk::new(curtain(3, 41));
    desk.world.playing = false;
    assert_eq!(drag(&mut desk, none), (true, 0));
    assert!((desk.ring(Vec3::ZERO).unwrap() - 0.08).abs() < 1e-4);
    // Another tool lifts the comb.
    desk.world.playing = true;
    desk.tools.apply(&Action::Tool(Tool::Grab));
    let place = desk.place(Vec3::X * 0.2);
    assert_eq!(desk.frame(ToolInput { primary: DOWN, ..at(place) }).0, []);
    desk.tools.apply(&Action::Tool(Tool::Comb));
    assert_eq!(desk.frame(ToolInput { primary: DOWN, ..at(place) }).0, []);
}
