use glam::{Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_scene::schema::Show;

use super::testing::{DOWN, PRESS, RELEASE, SIZE, ahead, at, context, wall};
use super::visible::Sight;
use super::*;
use crate::snapshot::Snapshot;

/// Tools, a world and an eye.
struct Desk {
    tools: Tools,
    world: Snapshot,
    camera: Camera,
}

impl Desk {
    fn new(tool: Tool) -> Self {
        let mut tools = Tools::default();
        assert!(tools.apply(&Action::Tool(tool)));
        Self { tools, world: wall(11), camera: ahead() }
    }

    /// What comes of a frame; actions of the tools themselves are applied.
    fn frame(&mut self, input: ToolInput) -> (Vec<Action>, Used) {
        let (mut actions, show) = (Vec::new(), Show::default());
        let context = context(&self.world, &self.camera, &show);
        let used = self.tools.update(&input, &context, &mut actions);
        actions.retain(|action| !self.tools.apply(action));
        (actions, used)
    }

    fn commands(&mut self, input: ToolInput) -> Vec<Command> {
        let touch = |action| match action {
            Action::Touch(command) => command,
            other => panic!("{other:?}"),
        };
        self.frame(input).0.into_iter().map(touch).collect()
    }

    fn place(&self, particle: u32) -> Vec2 {
        self.camera.project(self.world.positions[particle as usize], SIZE).unwrap().0
    }

    /// Points seen in the force tool's rectangle of a share of the picture's height.
    fn seen(&self, camera: &Camera, middle: Vec2, size: f32) -> Vec<u32> {
        let (show, half) = (Show::default(), Vec2::splat(0.5 * size * SIZE.y));
        let context = context(&self.world, &self.camera, &show);
        Sight::from(context, camera, SIZE).visible_in(middle - half, middle + half)
    }
}

const OFF: Vec2 = Vec2::new(3.0, 3.0);

#[test]
fn a_grab_follows_the_cursor_parallel_to_the_picture() {
    let mut desk = Desk::new(Tool::Grab);
    let (from, to) = (desk.place(60) + Vec2::new(3.0, 2.0), Vec2::new(250.0, 130.0));
    let (_, used) = desk.frame(at(from));
    assert_eq!(used, Used::default());
    let taken = desk.commands(ToolInput { primary: PRESS, ..at(from) });
    let rest = desk.world.positions[60];
    assert_eq!(taken, [Command::Grab { id: grab::GRAB_ID, particle: 60, target: rest }]);
    assert_eq!(desk.commands(ToolInput { primary: DOWN, ..at(from) }), []);
    let moved = desk.commands(ToolInput { primary: DOWN, ..at(to) });
    let [Command::Grab { particle: 60, target, .. }] = moved[..] else { panic!("{moved:?}") };
    let (place, depth) = desk.camera.project(target, SIZE).unwrap();
    assert!((place - (to - Vec2::new(3.0, 2.0))).length() < 0.01);
    assert!((depth - 2.0).abs() < 1e-4);
    // The wheel: farther, and still under the cursor.
    let (actions, used) = desk.frame(ToolInput { primary: DOWN, scroll: 2.0, ..at(to) });
    assert_eq!(used, Used { pointer: true, wheel: true });
    let [Action::Touch(Command::Grab { target, .. })] = actions[..] else { panic!("{actions:?}") };
    let (farther_place, farther) = desk.camera.project(target, SIZE).unwrap();
    assert!((farther_place - place).length() < 0.01 && (farther - 2.0 * 1.1025).abs() < 1e-3);
    let gone = desk.commands(ToolInput { primary: RELEASE, ..at(to) });
    assert_eq!(gone, [Command::Release { id: grab::GRAB_ID }]);
    assert_eq!(desk.commands(at(to)), []);
}

#[test]
fn empty_space_and_alt_are_the_cameras() {
    let mut desk = Desk::new(Tool::Grab);
    let (actions, used) = desk.frame(ToolInput { primary: PRESS, ..at(OFF) });
    assert!(actions.is_empty() && !used.pointer);
    for tool in [Tool::Grab, Tool::Pin, Tool::Force, Tool::Move] {
        let mut desk = Desk::new(tool);
        let alt = egui::Modifiers::ALT;
        let input = ToolInput { primary: PRESS, modifiers: alt, scroll: 1.0, ..at(desk.place(60)) };
        assert_eq!(desk.frame(input), (vec![], Used::default()), "{tool:?}");
    }
}

#[test]
fn another_tool_or_another_world_ends_a_grab() {
    let mut desk = Desk::new(Tool::Grab);
    let press = ToolInput { primary: PRESS, ..at(desk.place(60)) };
    let hold = ToolInput { primary: DOWN, ..press };
    desk.frame(press);
    desk.world.generation += 1;
    assert!(matches!(desk.commands(hold)[..], [Command::Grab { particle: 60, .. }]), "told again");
    desk.world = Snapshot { generation: 9, ..wall(3) };
    assert_eq!(desk.commands(hold), [Command::Release { id: grab::GRAB_ID }]);
    let mut desk = Desk::new(Tool::Grab);
    desk.frame(press);
    desk.tools.apply(&Action::Tool(Tool::Pin));
    assert_eq!(desk.commands(hold), [Command::Release { id: grab::GRAB_ID }]);
}

#[test]
fn clicks_pin_and_free_and_drags_do_not() {
    let mut desk = Desk::new(Tool::Pin);
    let place = desk.place(17);
    let click = |desk: &mut Desk, to: Vec2| {
        assert_eq!(desk.commands(ToolInput { primary: PRESS, ..at(place) }), []);
        desk.commands(ToolInput { primary: RELEASE, ..at(to) })
    };
    assert_eq!(click(&mut desk, place), [Command::Pin { particles: vec![17] }]);
    assert_eq!(click(&mut desk, place + 30.0), []);
    let mut held = vec![false; 121];
    held[17] = true;
    desk.world.held = held.into();
    assert_eq!(click(&mut desk, place), [Command::Unpin { particles: vec![17] }]);
}

#[test]
fn a_rectangle_pins_what_is_not_held_and_frees_what_is() {
    let mut desk = Desk::new(Tool::Pin);
    let [a, b] = [desk.place(0) - 5.0, desk.place(24) + 5.0];
    let shift = egui::Modifiers::SHIFT;
    let corner = [0, 1, 2, 11, 12, 13, 22, 23, 24];
    let drag = |desk: &mut Desk| {
        let input = ToolInput { modifiers: shift, ..at(a) };
        let (_, used) = desk.frame(ToolInput { primary: PRESS, ..input });
        assert!(used.pointer);
        let input = ToolInput { pointer: Some(b), ..input };
        desk.frame(ToolInput { primary: DOWN, ..input });
        assert_eq!(
            desk.tools.overlay(&context(&desk.world, &desk.camera, &Show::default())).0.len(),
            1
        );
        desk.commands(ToolInput { primary: RELEASE, ..input })
    };
    assert_eq!(drag(&mut desk), [Command::Pin { particles: corner.to_vec() }]);
    let mut held = vec![false; 121];
    held[0] = true;
    desk.world.held = held.clone().into();
    assert_eq!(drag(&mut desk), [Command::Pin { particles: corner[1..].to_vec() }]);
    corner.iter().for_each(|&i| held[i as usize] = true);
    desk.world.held = held.into();
    assert_eq!(drag(&mut desk), [Command::Unpin { particles: corner.to_vec() }]);
}

#[test]
fn a_punch_gives_the_visible_points_a_speed_along_the_sight() {
    let mut desk = Desk::new(Tool::Force);
    let middle = desk.place(60);
    desk.frame(at(middle));
    let seen = desk.seen(&desk.camera, middle, 0.2);
    assert_eq!(desk.tools.force().picked(), seen);
    assert!(seen.contains(&60) && seen.len() > 4 && seen.len() < 60);
    for (input, sign) in [
        (ToolInput { primary: PRESS, ..at(middle) }, -1.0),
        (ToolInput { secondary: PRESS, ..at(middle) }, 1.0),
    ] {
        let commands = desk.commands(input);
        let [Command::Impulse { particles, impulse }] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert_eq!(*particles, seen);
        // Each of 10 g shall reach 1.5 m/s: along −z by a push, +z by a pull.
        let each = *impulse / particles.len() as f32 / 0.01;
        assert!((each - Vec3::Z * (sign * 1.5)).length() < 1e-4, "{each}");
        assert_eq!(desk.commands(ToolInput { primary: DOWN, ..at(middle) }), []);
        desk.frame(ToolInput { primary: RELEASE, ..at(middle) });
    }
}

#[test]
fn wind_blows_while_the_button_is_down_and_follows_the_cursor() {
    let mut desk = Desk::new(Tool::Force);
    desk.tools.apply(&Action::SwapForce);
    let [a, b] = [desk.place(48), desk.place(72)];
    let hold = |commands: Vec<Command>| match &commands[..] {
        [Command::Hold { id: force::WIND_ID, particles, force }] => (particles.clone(), *force),
        other => panic!("{other:?}"),
    };
    let (first, force) = hold(desk.commands(ToolInput { primary: PRESS, ..at(a) }));
    assert_eq!(first, desk.seen(&desk.camera, a, 0.2));
    let each = force / first.len() as f32 / 0.01;
    assert!((each + Vec3::Z * 15.0).length() < 1e-3, "{each}");
    assert_eq!(desk.commands(ToolInput { primary: DOWN, ..at(a) }), [], "nothing new");
    let (second, _) = hold(desk.commands(ToolInput { primary: DOWN, ..at(b) }));
    assert_eq!(second, desk.seen(&desk.camera, b, 0.2));
    assert_ne!(first, second);
    desk.tools.apply(&Action::ForceStrength(2.0));
    let (_, stronger) = hold(desk.commands(ToolInput { primary: DOWN, ..at(b) }));
    assert!((stronger.z / second.len() as f32 + 0.3).abs() < 1e-4);
    let over = desk.commands(ToolInput { primary: RELEASE, ..at(b) });
    assert_eq!(over, [Command::Release { id: force::WIND_ID }]);
    assert_eq!(desk.commands(at(b)), []);
}

#[test]
fn a_frozen_wind_blows_on_from_where_it_was() {
    let mut desk = Desk::new(Tool::Force);
    desk.tools.apply(&Action::SwapForce);
    let (middle, old) = (desk.place(60), desk.camera);
    desk.commands(ToolInput { primary: PRESS, ..at(middle) });
    desk.tools.apply(&Action::FreezeForce);
    let picked = desk.tools.force().picked().to_vec();
    // Elsewhere, with another cursor, no button and another tool: nothing changes.
    desk.camera = Camera { eye: Vec3::new(-3.0, 1.0, -1.0), ..old };
    let frame = |desk: &Desk| {
        let marks = desk.tools.overlay(&context(&desk.world, &desk.camera, &Show::default()));
        marks.0.iter().flat_map(|l| l.segments.to_vec()).collect::<Vec<_>>()
    };
    desk.frame(ToolInput { primary: RELEASE, ..at(OFF) });
    let drawn = frame(&desk);
    assert!(!drawn.is_empty());
    desk.camera.eye.x += 1.0;
    assert_eq!(desk.commands(at(OFF)), []);
    desk.tools.apply(&Action::Tool(Tool::Move));
    assert_eq!(desk.commands(at(OFF)), []);
    assert_eq!(frame(&desk), drawn);
    assert!(desk.tools.force().is_blowing());
    // The cloth goes on: the points are those that the frozen eye sees now.
    let mut moved = desk.world.positions.to_vec();
    moved.iter_mut().for_each(|p| p.x += 0.1);
    desk.world.positions = moved.into();
    let commands = desk.commands(at(OFF));
    let [Command::Hold { particles, force, .. }] = &commands[..] else { panic!("{commands:?}") };
    assert_eq!(*particles, desk.seen(&old, middle, 0.2));
    assert_ne!(*particles, picked);
    assert!(force.normalize().dot(old.forward()) > 0.9999);
    // Freed, it needs the button again.
    desk.tools.apply(&Action::FreezeForce);
    assert_eq!(desk.commands(at(OFF)), [Command::Release { id: force::WIND_ID }]);
}

#[test]
fn a_click_starts_and_stops_a_frozen_wind() {
    let mut desk = Desk::new(Tool::Force);
    desk.tools.apply(&Action::SwapForce);
    let middle = desk.place(60);
    desk.frame(at(middle));
    desk.tools.apply(&Action::FreezeForce);
    let mut click = |button: fn(Button) -> ToolInput| {
        let pressed = desk.commands(button(PRESS));
        assert_eq!(desk.commands(button(RELEASE)), []);
        pressed
    };
    let left = |primary| ToolInput { primary, ..at(OFF) };
    let right = |secondary| ToolInput { secondary, ..at(OFF) };
    assert!(matches!(click(left)[..], [Command::Hold { force, .. }] if force.z < 0.0));
    assert!(matches!(click(right)[..], [Command::Hold { force, .. }] if force.z > 0.0));
    assert_eq!(click(right), [Command::Release { id: force::WIND_ID }]);
}

#[test]
fn wheel_and_keys_change_strength_and_size() {
    let mut desk = Desk::new(Tool::Force);
    let middle = desk.place(60);
    let (_, used) = desk.frame(ToolInput { scroll: 1.0, ..at(middle) });
    assert!(used.wheel && !used.pointer);
    assert!((desk.tools.force().effect() - 1.5 * 1.15).abs() < 1e-5);
    desk.frame(ToolInput { scroll: -1.0, ..at(middle) });
    assert!((desk.tools.force().effect() - 1.5).abs() < 1e-5);
    let before = desk.tools.force().picked().len();
    desk.tools.apply(&Action::ForceSize(2.0));
    desk.frame(at(middle));
    assert_eq!(desk.tools.force().picked(), desk.seen(&desk.camera, middle, 0.4));
    assert!(desk.tools.force().picked().len() > 2 * before);
    desk.tools.apply(&Action::ForceSize(1e-9));
    assert!(desk.tools.force().size > 0.0);
}

#[test]
fn play_from_the_past_lets_go_of_what_was_held_then() {
    let mut desk = Desk::new(Tool::Grab);
    desk.world.frame_number = 50;
    assert_eq!(desk.commands(at(OFF)), []);
    (desk.world.frame_number, desk.world.playing) = (20, false);
    assert_eq!(desk.commands(at(OFF)), [], "looking back changes nothing");
    desk.world.playing = true;
    let [grab, wind] = [grab::GRAB_ID, force::WIND_ID].map(|id| Command::Release { id });
    assert_eq!(desk.commands(at(OFF)), [grab, wind]);
    assert_eq!(desk.commands(at(OFF)), []);
}

#[test]
fn a_drawn_line_cuts_what_lies_behind_it_on_release() {
    let mut desk = Desk::new(Tool::Cut);
    let (from, to) = (Vec2::new(100.0, 310.0), Vec2::new(700.0, 290.0));
    let press = |pointer, primary| ToolInput { primary, ..at(pointer) };
    assert!(desk.frame(press(from, PRESS)).1.pointer);
    assert!(desk.commands(press(to, DOWN)).is_empty());
    let show = Show::default();
    let marks = desk.tools.overlay(&context(&desk.world, &desk.camera, &show));
    assert_eq!((marks.0.len(), marks.1.len()), (1, 1));
    let commands = desk.commands(press(to, RELEASE));
    let [Command::Cut(cut)] = commands[..] else { panic!("{commands:?}") };
    assert_eq!(cut.eye, desk.camera.eye);
    let wanted = [from, to].map(|place| desk.camera.ray(place, SIZE));
    assert_eq!(cut.towards, wanted);
    // A click is no line, a dropped one neither, and Alt is the camera's.
    desk.frame(press(from, PRESS));
    assert!(desk.commands(press(from, RELEASE)).is_empty());
    desk.frame(press(from, PRESS));
    desk.frame(ToolInput { secondary: PRESS, ..press(to, DOWN) });
    assert!(desk.commands(press(to, RELEASE)).is_empty());
    let mut alt = press(from, PRESS);
    alt.modifiers.alt = true;
    assert!(!desk.frame(alt).1.pointer);
    assert!(desk.commands(press(to, RELEASE)).is_empty());
    // Shift makes it straight.
    desk.frame(press(from, PRESS));
    let mut shift = press(to, RELEASE);
    shift.modifiers.shift = true;
    let commands = desk.commands(shift);
    let [Command::Cut(cut)] = commands[..] else { panic!("{commands:?}") };
    assert_eq!(cut.towards[1], desk.camera.ray(Vec2::new(to.x, from.y), SIZE));
}
