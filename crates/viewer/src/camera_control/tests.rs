use glam::{Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_scene::schema::Show;
use tkanina_sim::rng::Rng;

use super::*;
use crate::snapshot::Snapshot;
use crate::tools::testing::{DOWN, PRESS, SIZE, ahead, at, context, somewhere, wall};

const NEAR: f32 = 1e-4;

fn distance(camera: &Camera) -> f32 {
    (camera.eye - camera.target).length()
}

/// The camera after one frame.
fn after(
    control: &mut CameraControl,
    world: &Snapshot,
    camera: &mut Camera,
    step: (&ToolInput, CameraKeys),
) {
    let show = Show::default();
    let mut actions = Vec::new();
    control.update(step.0, &context(world, camera, &show), &step.1, &mut actions);
    match actions[..] {
        [] => {}
        [Action::Look(moved)] => *camera = moved,
        ref others => panic!("{others:?}"),
    }
}

#[test]
fn an_orbit_keeps_target_distance_and_horizon() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let mut camera = somewhere(&mut rng);
        let (target, far) = (camera.target, distance(&camera));
        for _ in 0..200 {
            let up = camera.up_in_picture();
            let drag = Vec2::new(rng.between(-0.1, 0.1) as f32, rng.between(-0.1, 0.1) as f32);
            orbit(&mut camera, drag);
            assert_eq!(camera.target, target);
            assert!((distance(&camera) - far).abs() < 1e-3 * far);
            assert!(camera.up_in_picture().dot(camera.up) > 0.0, "upside down");
            assert!(camera.up_in_picture().dot(up) > 0.5, "flipped");
        }
    }
}

#[test]
fn half_a_height_is_a_quarter_turn_and_the_pole_stops_it() {
    let mut camera = ahead();
    orbit(&mut camera, Vec2::new(-0.5, 0.0));
    assert!((camera.eye - Vec3::X * 2.0).length() < NEAR, "{}", camera.eye);
    let mut camera = ahead();
    orbit(&mut camera, Vec2::new(0.0, 0.25));
    let diagonal = 2.0f32.sqrt();
    assert!((camera.eye - Vec3::new(0.0, diagonal, diagonal)).length() < NEAR, "{}", camera.eye);
    for _ in 0..20 {
        orbit(&mut camera, Vec2::new(0.0, 0.3));
    }
    assert!(camera.eye.y > 1.99 && camera.eye.z > 0.0);
    assert!(camera.right().x > 0.99);
}

#[test]
fn zoom_keeps_what_is_under_the_cursor() {
    let mut rng = Rng::new(8);
    for _ in 0..50 {
        let mut camera = somewhere(&mut rng);
        let pointer = Vec2::new(rng.between(0.0, 800.0) as f32, rng.between(0.0, 600.0) as f32);
        let ray = camera.ray(pointer, SIZE);
        let point = camera.eye + ray * (distance(&camera) / ray.dot(camera.forward()));
        let far = distance(&camera);
        zoom_to(&mut camera, pointer, SIZE, 0.6);
        assert!((distance(&camera) - 0.6 * far).abs() < NEAR);
        let (place, _) = camera.project(point, SIZE).unwrap();
        assert!((place - pointer).length() < 0.05, "{place} {pointer}");
    }
}

#[test]
fn pan_takes_what_is_grabbed_along() {
    let mut camera = ahead();
    let (from, to) = (Vec2::new(200.0, 150.0), Vec2::new(500.0, 420.0));
    let ray = camera.ray(from, SIZE);
    let point = camera.eye + ray * (2.0 / ray.dot(camera.forward()));
    pan(&mut camera, from, to, SIZE);
    let (place, _) = camera.project(point, SIZE).unwrap();
    assert!((place - to).length() < 0.01);
    assert!((distance(&camera) - 2.0).abs() < NEAR);
}

#[test]
fn buttons_orbit_and_pan_unless_a_tool_has_them() {
    let world = wall(5);
    let keys = CameraKeys::default();
    let taken = CameraKeys { used: Used { pointer: true, wheel: true }, ..keys };
    let [a, b] = [Vec2::new(100.0, 100.0), Vec2::new(160.0, 100.0)];
    let shift = egui::Modifiers::SHIFT;
    let press = [
        (ToolInput { primary: PRESS, ..at(a) }, keys, "orbit"),
        (ToolInput { primary: PRESS, ..at(a) }, taken, "nothing"),
        (ToolInput { middle: PRESS, ..at(a) }, taken, "orbit"),
        (ToolInput { middle: PRESS, modifiers: shift, ..at(a) }, keys, "pan"),
        (ToolInput { secondary: PRESS, ..at(a) }, keys, "pan"),
        (ToolInput { secondary: PRESS, ..at(a) }, taken, "nothing"),
    ];
    for (input, keys, does) in press {
        let (mut control, mut camera) = (CameraControl::default(), ahead());
        after(&mut control, &world, &mut camera, (&input, keys));
        assert_eq!(camera, ahead());
        let held = |b: crate::tools::Button| if b.down { DOWN } else { b };
        let drag = ToolInput {
            pointer: Some(b),
            primary: held(input.primary),
            secondary: held(input.secondary),
            middle: held(input.middle),
            ..input
        };
        after(&mut control, &world, &mut camera, (&drag, keys));
        let what = match (camera.eye != ahead().eye, camera.target != ahead().target) {
            (true, true) => "pan",
            (true, false) => "orbit",
            _ => "nothing",
        };
        assert_eq!(what, does, "{input:?}");
    }
    let wheel = ToolInput { scroll: 1.0, ..at(a) };
    let (mut control, mut camera) = (CameraControl::default(), ahead());
    after(&mut control, &world, &mut camera, (&wheel, taken));
    assert_eq!(camera, ahead());
    after(&mut control, &world, &mut camera, (&wheel, keys));
    assert!((distance(&camera) - 1.76).abs() < NEAR);
}

#[test]
fn a_double_click_looks_at_the_point() {
    let world = wall(11);
    let (mut control, mut camera) = (CameraControl::default(), ahead());
    let corner = Vec3::new(0.3, 0.2, 0.0);
    let (place, _) = camera.project(corner, SIZE).unwrap();
    let input = ToolInput { double_click: true, ..at(place) };
    after(&mut control, &world, &mut camera, (&input, CameraKeys::default()));
    assert!((camera.target - corner).length() < NEAR);
    assert!((camera.eye - corner - Vec3::Z * 2.0).length() < NEAR);
}

#[test]
fn classic_flight_goes_as_fast_as_the_scene_is_large() {
    let mut world = wall(5);
    world.bounds = [Vec3::ZERO, Vec3::new(3.0, 4.0, 0.0)];
    let fly = |movement: Movement| {
        let (mut control, mut camera) = (CameraControl::default(), ahead());
        let keys = CameraKeys { movement, profile: CameraProfile::Classic, ..Default::default() };
        for _ in 0..30 {
            after(&mut control, &world, &mut camera, (&at(SIZE * 0.5), keys));
        }
        assert!((distance(&camera) - 2.0).abs() < NEAR);
        camera.eye - ahead().eye
    };
    // Half a second at 0.4 of 5 m a second.
    let still = Movement::default();
    assert!((fly(Movement { forward: 1.0, ..still }) - Vec3::Z * -1.0).length() < NEAR);
    assert!((fly(Movement { right: -1.0, ..still }) - Vec3::X * -1.0).length() < NEAR);
    assert!((fly(Movement { up: 1.0, ..still }) - Vec3::Y).length() < NEAR);
    assert!((fly(Movement { up: -1.0, fast: true, ..still }) - Vec3::Y * -4.0).length() < 1e-3);
    let both = fly(Movement { forward: 1.0, right: 1.0, ..still });
    assert!((both.length() - 1.0).abs() < NEAR);
}

#[test]
fn the_bound_mouse_looks_round() {
    let world = wall(5);
    let look = |motion, bound| {
        let (mut control, mut camera) = (CameraControl::default(), ahead());
        let keys = CameraKeys { profile: CameraProfile::Classic, bound, ..Default::default() };
        let input = ToolInput { motion, ..at(SIZE * 0.5) };
        after(&mut control, &world, &mut camera, (&input, keys));
        camera
    };
    let right = look(Vec2::new(200.0, 0.0), true);
    assert_eq!(right.eye, ahead().eye);
    let angle = right.forward().dot(Vec3::NEG_Z).acos();
    assert!((angle - 0.5).abs() < NEAR && right.forward().x > 0.0);
    assert!(look(Vec2::new(0.0, -200.0), true).forward().y > 0.4);
    assert!(look(Vec2::new(0.0, -9000.0), true).forward().y < 1.0);
    assert_eq!(look(Vec2::new(200.0, 0.0), false), ahead());
}

#[test]
fn keys_turn_about_three_axes_and_zoom() {
    let reach = Reach { size: 2.0 };
    let key = |movement: Movement| {
        let mut camera = ahead();
        (0..50).for_each(|_| turn_and_zoom(&mut camera, &movement, 0.01, &reach));
        camera
    };
    let still = Movement::default();
    let (sin, cos) = 0.5f32.sin_cos();
    let yaw = key(Movement { yaw: 1.0, ..still });
    assert!((yaw.eye - Vec3::new(2.0 * sin, 0.0, 2.0 * cos)).length() < NEAR);
    let pitch = key(Movement { pitch: 1.0, ..still });
    assert!((pitch.eye - Vec3::new(0.0, 2.0 * sin, 2.0 * cos)).length() < NEAR);
    let roll = key(Movement { roll: 1.0, ..still });
    assert_eq!(roll.eye, ahead().eye);
    assert!((roll.up - Vec3::new(sin, cos, 0.0)).length() < NEAR, "{}", roll.up);
    let nearer = key(Movement { nearer: 1.0, ..still });
    assert!((distance(&nearer) - 2.0 * 0.88f32.powi(4)).abs() < 1e-3);
    assert_eq!(nearer.target, ahead().target);
    let zoom = key(Movement { zoom: 1.0, ..still });
    assert!((zoom.fov_y - 0.8 * (-0.4f32).exp()).abs() < 1e-4);
    assert!(key(Movement { zoom: -1.0, fast: true, ..still }).fov_y <= 2.4);
}

#[test]
fn the_distance_stays_within_bounds() {
    let reach = Reach { size: 2.0 };
    let mut camera = ahead();
    for _ in 0..200 {
        let factor = reach.step(&camera, 3.0);
        zoom_to(&mut camera, SIZE * 0.5, SIZE, factor);
    }
    assert!((distance(&camera) - 2e-3).abs() < 1e-4, "{}", distance(&camera));
    for _ in 0..200 {
        let factor = reach.step(&camera, -3.0);
        zoom_to(&mut camera, SIZE * 0.5, SIZE, factor);
    }
    assert!((distance(&camera) - 200.0).abs() < 1.0);
}
