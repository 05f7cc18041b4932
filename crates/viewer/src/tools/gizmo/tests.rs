use std::f32::consts::PI;

use glam::{Quat, Vec3};
use tkanina_render::Camera;
use tkanina_scene::build::build;

use tkanina_scene::schema::{Scene, Show};
use tkanina_sim::colliders::{Collider, ColliderShape};

use super::handles::RING_SHARE;
use super::*;
use crate::snapshot::Snapshot;
use crate::tools::testing::{DOWN, PRESS, RELEASE, SIZE, at, context, snapshot};

const SCENE: &str = "
format: 1
bodies:
  - { name: sheet, kind: cloth, shape: { kind: grid, points: [3, 3], size_m: [1, 1] }, place: { position_m: [0, 2, 0] }, material: m }
materials: { m: { preset: cotton } }
colliders:
  - { name: ball, kind: sphere, center_m: [0.2, 0.1, 0], radius_m: 0.3 }
  - { name: crate, kind: box, center_m: [0.2, 0.1, 0], size_m: [0.4, 0.5, 0.6], rotation_deg: [10, 20, 30] }
  - { name: rod, kind: capsule, a_m: [-0.3, 0.1, 0], b_m: [0.7, 0.1, 0], radius_m: 0.1 }
  - { name: floor, kind: plane, point_m: [0.2, 0.1, 0], normal: [0, 1, 0.2] }
  - { name: wheel, kind: sphere, center_m: [0.2, 0.1, 0], radius_m: 0.3, motion: { kind: rotate, axis: [0, 1, 0], deg_s: 30 } }
";
const CENTRE: Vec3 = Vec3::new(0.2, 0.1, 0.0);

fn colliders(text: &str) -> Vec<Collider> {
    let loaded = Scene::load_text("test", text, None, &[]).unwrap();
    build(&loaded).unwrap().world.model().colliders.clone()
}

struct Desk {
    gizmo: GizmoTool,
    world: Snapshot,
    camera: Camera,
}

impl Desk {
    fn new(chosen: usize) -> Self {
        let mut gizmo = GizmoTool::default();
        gizmo.choose(Some(chosen));
        let camera =
            Camera { eye: Vec3::new(1.2, 1.5, 3.0), target: CENTRE, up: Vec3::Y, fov_y: 0.7 };
        Self { gizmo, world: snapshot(Vec::new(), Vec::new(), colliders(SCENE)), camera }
    }

    fn frame(&mut self, input: ToolInput) -> (Vec<Action>, Used) {
        let (mut actions, show) = (Vec::new(), Show::default());
        let context = context(&self.world, &self.camera, &show);
        let used = self.gizmo.update(&input, context, &mut actions);
        (actions, used)
    }

    fn length(&self) -> f32 {
        let view = View::new(&self.camera, SIZE);
        Handles::at(&view, CENTRE).unwrap().length
    }

    /// Drags from one point of the world, as it is seen, over others; what comes of it at the end.
    fn drag(&mut self, way: &[Vec3], modifiers: egui::Modifiers) -> (Option<Pose>, Vec<Action>) {
        let places: Vec<Vec2> =
            way.iter().map(|&p| self.camera.project(p, SIZE).unwrap().0).collect();
        let mouse = |place| ToolInput { modifiers, ..at(place) };
        self.frame(mouse(places[0]));
        let (_, used) = self.frame(ToolInput { primary: PRESS, ..mouse(places[0]) });
        assert!(used.pointer, "no handle there");
        let mut last = None;
        for &place in &places[1..] {
            let (actions, _) = self.frame(ToolInput { primary: DOWN, ..mouse(place) });
            if let [Action::Touch(Command::MoveCollider { shift, .. })] = actions[..] {
                last = Some(shift);
            }
        }
        let end = ToolInput { primary: RELEASE, ..mouse(places[places.len() - 1]) };
        (last, self.frame(end).0)
    }
}

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-3
}

#[test]
fn arrows_move_along_their_axis_as_far_as_the_cursor() {
    for axis in Vec3::AXES {
        let mut desk = Desk::new(0);
        let grip = CENTRE + axis * (0.8 * desk.length());
        let (shift, _) = desk.drag(&[grip, grip + axis * 0.37], egui::Modifiers::NONE);
        let shift = shift.unwrap();
        assert!(near(shift.position, axis * 0.37), "{shift:?}");
        assert!(shift.rotation.angle_between(Quat::IDENTITY) < 1e-4);
        let mut desk = Desk::new(0);
        let (snapped, _) = desk.drag(&[grip, grip + axis * 0.37], egui::Modifiers::SHIFT);
        assert!(near(snapped.unwrap().position, axis * 0.35));
    }
}

#[test]
fn the_middle_moves_parallel_to_the_picture() {
    let mut desk = Desk::new(0);
    let way = desk.camera.right() * 0.3 + desk.camera.up_in_picture() * 0.2;
    let (shift, _) = desk.drag(&[CENTRE, CENTRE + way], egui::Modifiers::NONE);
    assert!(near(shift.unwrap().position, way));
}

#[test]
fn rings_turn_by_the_angle_of_the_cursor_also_past_half_a_turn() {
    for (i, axis) in Vec3::AXES.into_iter().enumerate() {
        let side = axis.any_orthonormal_vector();
        for angle in [0.5f32, -1.2, 1.5 * PI] {
            let mut desk = Desk::new(1);
            let radius = RING_SHARE * desk.length();
            // Away from where rings and arrows cross.
            let on_ring =
                |turn: f32| CENTRE + Quat::from_axis_angle(axis, 0.6 + turn) * side * radius;
            let way: Vec<Vec3> = (0..=20).map(|k| on_ring(angle * k as f32 / 20.0)).collect();
            let (shift, _) = desk.drag(&way, egui::Modifiers::NONE);
            let shift = shift.unwrap();
            let expected = Quat::from_axis_angle(axis, angle);
            assert!(shift.rotation.angle_between(expected) < 2e-3, "axis {i}, {angle}: {shift:?}");
            assert!(near(shift.point(CENTRE), CENTRE), "turns about its middle");
        }
    }
    let mut desk = Desk::new(1);
    let radius = RING_SHARE * desk.length();
    let on_ring = |turn: f32| CENTRE + Quat::from_rotation_y(0.6 + turn) * Vec3::X * radius;
    let way = [on_ring(0.0), on_ring(0.2), on_ring(33f32.to_radians())];
    let (snapped, _) = desk.drag(&way, egui::Modifiers::CTRL);
    let expected = Quat::from_rotation_y(35f32.to_radians());
    assert!(snapped.unwrap().rotation.angle_between(expected) < 1e-3);
}

#[test]
fn a_ring_seen_from_its_edge_turns_as_a_wheel() {
    let mut desk = Desk::new(1);
    // A little from above, so that the ring is beside the arrow.
    desk.camera.eye = CENTRE + Vec3::new(0.0, 0.3, 3.0);
    let radius = RING_SHARE * desk.length();
    let grip = CENTRE + Vec3::new(0.6, 0.0, 0.8) * radius;
    let edge = CENTRE + Vec3::Z * radius;
    let start = desk.camera.project(grip, SIZE).unwrap().0;
    let ray = desk.camera.ray(start, SIZE);
    let from = desk.camera.eye + ray * ((edge - desk.camera.eye).z / ray.z);
    let (shift, _) = desk.drag(&[from, from + Vec3::X * (0.4 * radius)], egui::Modifiers::NONE);
    let expected = Quat::from_rotation_y(0.4);
    assert!(shift.unwrap().rotation.angle_between(expected) < 0.01, "{shift:?}");
}

#[test]
fn a_second_pull_adds_to_the_first() {
    let mut desk = Desk::new(4);
    desk.world.time = 2.0;
    let first = Pose { position: Vec3::new(0.1, 0.3, -0.2), rotation: Quat::from_rotation_x(0.3) };
    desk.world.collider_poses[4] = first.compose(desk.world.model.colliders[4].pose_at(2.0));
    let centre = desk.world.collider_poses[4].position;
    let grip = centre + Vec3::Y * (0.8 * desk.length());
    let (shift, written) = desk.drag(&[grip, grip + Vec3::Y * 0.2], egui::Modifiers::NONE);
    let shift = shift.unwrap();
    assert!(near(shift.position, first.position + Vec3::Y * 0.2), "{shift:?}");
    assert!(shift.rotation.angle_between(first.rotation) < 1e-3);
    assert_eq!(written, [], "its path is the scene's");
}

#[test]
fn the_place_is_written_so_that_the_scene_reproduces_it() {
    let model = &Desk::new(0).world.model;
    let turn = Quat::from_rotation_z(0.4) * Quat::from_rotation_x(-0.9);
    let shift = Pose { position: Vec3::new(0.3, -0.2, 0.15), rotation: turn };
    for index in 0..4 {
        let loaded = Scene::load_text("test", SCENE, None, &[]).unwrap();
        let mut sets = Vec::new();
        for action in place::edits(model, index, shift) {
            match action {
                Action::Set { pointer, value } => {
                    let field = pointer.rsplit('/').next().unwrap().to_owned();
                    assert_eq!(pointer, format!("/colliders/{index}/{field}"));
                    sets.push(format!("colliders[{index}].{field}={value}"));
                }
                other => assert_eq!(other, Action::EndEdit),
            }
        }
        let edited = Scene::load_text("test", SCENE, None, &sets).unwrap();
        let [old, new] = [loaded, edited]
            .map(|loaded| build(&loaded).unwrap().world.model().colliders[index].clone());
        let expected = shift.compose(old.rest);
        if let [ColliderShape::Capsule(a), ColliderShape::Capsule(b)] = [&new.shape, &old.shape] {
            assert!((a.half_length - b.half_length).abs() < 1e-4 && a.radius == b.radius);
        } else {
            assert_eq!(new.shape, old.shape, "{}", old.name);
        }
        assert!(near(new.rest.position, expected.position), "{}", old.name);
        for local in [Vec3::X, Vec3::Y] {
            // Twists that cannot be seen are free.
            let free = old.name == "ball" || (old.name != "crate" && local == Vec3::X);
            let [a, b] = [&new.rest, &expected].map(|pose| pose.vector(local));
            assert!(free || near(a, b), "{}: {a} {b}", old.name);
        }
    }
    assert_eq!(place::edits(model, 4, shift), []);
    assert_eq!(place::edits(model, 99, shift), []);
}

#[test]
fn a_release_writes_the_place_and_takes_the_shift_back() {
    let mut desk = Desk::new(0);
    let grip = CENTRE + Vec3::X * (0.8 * desk.length());
    let (_, written) = desk.drag(&[grip, grip + Vec3::X * 0.25], egui::Modifiers::SHIFT);
    let expected = [
        Action::Set {
            pointer: "/colliders/0/center_m".to_owned(),
            value: serde_json::json!([0.45, 0.1, 0.0]),
        },
        Action::EndEdit,
        Action::Touch(Command::MoveCollider { collider: 0, shift: Pose::IDENTITY }),
    ];
    assert_eq!(written, expected);
    let mut desk = Desk::new(0);
    let (shift, written) = desk.drag(&[grip, grip], egui::Modifiers::NONE);
    assert_eq!((shift, written), (None, vec![]), "a click on a handle changes nothing");
}

#[test]
fn a_click_chooses_and_a_drag_does_not() {
    let mut desk = Desk::new(0);
    desk.gizmo.choose(None);
    let colliders = colliders(SCENE).into_iter().take(1).collect();
    desk.world = snapshot(Vec::new(), Vec::new(), colliders);
    let place = desk.camera.project(CENTRE, SIZE).unwrap().0;
    let mut click = |from: Vec2, to: Vec2| {
        let (_, used) = desk.frame(ToolInput { primary: PRESS, ..at(from) });
        assert!(!used.pointer, "the camera may turn");
        desk.frame(ToolInput { primary: DOWN, ..at(to) });
        desk.frame(ToolInput { primary: RELEASE, ..at(to) });
        desk.gizmo.chosen()
    };
    assert_eq!(click(place, place + 40.0), None);
    assert_eq!(click(place, place), Some(0));
    assert_eq!(click(Vec2::ZERO, Vec2::ZERO), None);
}

#[test]
fn the_gizmo_has_one_size_in_the_picture() {
    let mut desk = Desk::new(0);
    for distance in [0.8, 3.0, 40.0] {
        desk.camera =
            Camera { eye: CENTRE + Vec3::Z * distance, target: CENTRE, up: Vec3::Y, fov_y: 0.7 };
        let tip = CENTRE + Vec3::Y * desk.length();
        let [a, b] = [CENTRE, tip].map(|p| desk.camera.project(p, SIZE).unwrap().0);
        assert!((a.distance(b) - 95.0).abs() < 0.5, "{}", a.distance(b));
    }
}
