//! A player without window, thread or waiting.

use std::sync::Arc;

use glam::Vec3;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Scene;
use tkanina_sim::commands::Command;
use tkanina_sim::measure::state_hash;
use tkanina_sim::tearing::Cut;

use super::*;

pub(super) const FRAME: f64 = 1.0 / 60.0;

pub(super) const SETTINGS: PlayerSettings =
    PlayerSettings { timeline_s: 2.0, timeline_mb: 64, threads: 1 };

/// A hanging sheet of 8 × 8 points and a ball.
pub(super) const SHEET: &str = "
format: 1
name: sheet
time: { frame_rate_hz: 60, substeps: 8 }
solver: { kind: verlet }
materials:
  light:
    mass: { per_point_kg: 0.01 }
    springs: { stencil: neighbours-20, stiffness: 20, damping: 0.05 }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [8, 8], size_m: [1, 1] }
    place: { position_m: [0, 2, 0] }
    material: light
    pins: [{ points: [[0, 0], [7, 0]] }]
colliders:
  - { name: ball, kind: sphere, center_m: [0, 1.2, 0], radius_m: 0.3 }
";

pub(super) fn load(text: &str) -> Arc<LoadedScene> {
    let loaded = Scene::load_text("test", text, None, &[]);
    Arc::new(loaded.unwrap_or_else(|error| panic!("{}", error.render())))
}

pub(super) fn sheet() -> Player {
    let player = Player::new(load(SHEET), SETTINGS).unwrap();
    assert_eq!(player.error, None);
    player
}

pub(super) fn playing(text: &str) -> Player {
    let mut player = Player::new(load(text), SETTINGS).unwrap();
    player.handle(Request::Play(true));
    player
}

/// Lets so many frames' time pass.
pub(super) fn ticks(player: &mut Player, count: usize) {
    for _ in 0..count {
        player.tick(FRAME);
    }
}

/// Plays until `frames` more are done.
pub(super) fn play(player: &mut Player, frames: u64) {
    player.handle(Request::Play(true));
    let goal = player.own.run.simulation.frame() + frames;
    while player.own.run.simulation.frame() < goal {
        player.tick(FRAME);
    }
    player.handle(Request::Play(false));
}

pub(super) fn hash(player: &Player) -> String {
    state_hash(player.own.run.simulation.world.state())
}

pub(super) fn fastest(player: &Player) -> f64 {
    f64::from(tkanina_sim::measure::fastest(&player.own.run.simulation.world.state().v).1)
}

#[test]
fn plays_in_step_with_the_clock_and_halts() {
    let mut player = sheet();
    assert!(!player.snapshot().playing);
    player.tick(1.0);
    assert_eq!(player.snapshot().frame_number, 0);
    player.handle(Request::Play(true));
    ticks(&mut player, 30);
    let snapshot = player.snapshot();
    assert_eq!((snapshot.frame_number, snapshot.playing), (30, true));
    assert!((snapshot.real_speed - 1.0).abs() < 0.1, "{}", snapshot.real_speed);
    player.handle(Request::Speed(0.5));
    ticks(&mut player, 30);
    assert_eq!(player.snapshot().frame_number, 45);
    player.handle(Request::StepOnce);
    player.tick(1.0);
    let snapshot = player.snapshot();
    assert_eq!((snapshot.frame_number, snapshot.playing, snapshot.speed), (46, false, 0.5));
    assert!(snapshot.kept == [0, 46] && snapshot.measures.len() == 47);
    assert!(!player.has_news() && Arc::ptr_eq(&snapshot, &player.snapshot()));
}

#[test]
fn a_frame_is_measured() {
    let mut player = sheet();
    play(&mut player, 40);
    let snapshot = player.snapshot();
    let last = snapshot.measures.last().unwrap();
    assert_eq!(last.frame_number, 40);
    assert!((last.time - 40.0 * FRAME).abs() < 1e-9 && last.kinetic > 0.0 && last.elastic > 0.0);
    assert!(last.stretch_max > 0.0 && last.stretch_mean > 0.0 && last.gravity != 0.0);
    let sum: f64 = last.stage_ms.iter().sum();
    assert!(last.step_ms > 0.0 && (sum - last.step_ms).abs() < 1e-9);
    assert!(last.stage_ms[tkanina_sim::probe::Stage::Forces as usize] > 0.0);
    assert_eq!(snapshot.held.iter().filter(|held| **held).count(), 2);
    assert_eq!(snapshot.positions.len(), 64);
    assert_eq!(snapshot.collider_poses[0].position, Vec3::new(0.0, 1.2, 0.0));
}

#[test]
fn going_back_and_on_gives_the_same_bits() {
    for solver in ["verlet", "velocity-verlet", "rk4", "semi-implicit-euler"] {
        let text = SHEET.replace("kind: verlet", &format!("kind: {solver}"));
        let touch = |player: &mut Player, command: Command| player.handle(Request::Touch(command));
        let story = |player: &mut Player| {
            play(player, 10);
            let target = Vec3::new(0.3, 1.5, 0.4);
            touch(player, Command::Grab { id: 1, particle: 60, target });
            touch(player, Command::Pin { particles: vec![40] });
            play(player, 10);
        };
        let mut straight = Player::new(load(&text), SETTINGS).unwrap();
        story(&mut straight);
        play(&mut straight, 25);
        let mut sought = Player::new(load(&text), SETTINGS).unwrap();
        story(&mut sought);
        let there = hash(&sought);
        touch(&mut sought, Command::Release { id: 1 });
        play(&mut sought, 20);
        sought.handle(Request::Seek(5));
        assert_eq!(sought.snapshot().frame_number, 5);
        sought.handle(Request::Seek(20));
        let snapshot = sought.snapshot();
        assert_eq!((snapshot.frame_number, snapshot.kept), (20, [0, 40]), "{solver}");
        assert_eq!(hash(&sought), there, "{solver}");
        play(&mut sought, 1);
        assert_eq!(sought.snapshot().kept, [0, 21], "later frames are cut off");
        assert_eq!(sought.snapshot().measures.len(), 22);
        play(&mut sought, 24);
        assert_eq!(hash(&sought), hash(&straight), "{solver}");
    }
}

#[test]
fn a_cut_shows_in_picture_and_tools_and_is_undone_by_going_back() {
    let mut player = sheet();
    play(&mut player, 3);
    let (whole, before) = (player.snapshot(), hash(&player));
    let [o, u, v] = [0, 7, 56].map(|p: usize| whole.positions[p]);
    let eye = 0.5 * (u + v) + 3.0 * (u - o).cross(v - o);
    let place = |p: usize| whole.positions[p] - eye;
    let (a, b) = (0.5 * (place(3) + place(4)), 0.5 * (place(59) + place(60)));
    let towards = [a - (b - a), b + (b - a)];
    player.handle(Request::Touch(Command::Cut(Cut { eye, towards })));
    play(&mut player, 2);
    let cut = player.snapshot();
    assert!(cut.positions.len() > 64, "{}", cut.positions.len());
    assert_eq!(cut.positions.len(), cut.model.particle_count());
    assert_eq!((cut.held.len(), cut.generation), (cut.positions.len(), whole.generation));
    let surface = &cut.frame.surfaces[0];
    let counts = [surface.positions.len(), surface.uvs.len(), surface.normals.len()];
    assert_eq!(counts, [cut.positions.len(); 3]);
    assert_ne!(surface.triangles, whole.frame.surfaces[0].triangles);
    player.handle(Request::Seek(3));
    let back = player.snapshot();
    assert_eq!((hash(&player), back.positions.len()), (before, 64));
    assert_eq!(back.frame.surfaces[0].triangles, whole.frame.surfaces[0].triangles);
    assert_eq!(back.model.triangles, whole.model.triangles);
    player.handle(Request::Seek(5));
    assert_eq!(player.snapshot().positions.len(), cut.positions.len());
}

#[test]
fn resetting_is_starting_again() {
    let mut player = sheet();
    player.handle(Request::Touch(Command::Unpin { particles: vec![0] }));
    play(&mut player, 30);
    let generation = player.snapshot().generation;
    let impulse = Vec3::X;
    player.handle(Request::Touch(Command::Impulse { particles: vec![20], impulse }));
    player.handle(Request::Reset);
    let snapshot = player.snapshot();
    assert_eq!((snapshot.frame_number, snapshot.kept), (0, [0, 0]));
    assert!(snapshot.generation > generation && snapshot.measures.len() == 1);
    play(&mut player, 30);
    let mut fresh = sheet();
    play(&mut fresh, 30);
    assert_eq!(hash(&player), hash(&fresh));
}

#[test]
fn an_edit_changes_the_running_world_and_moves_nothing() {
    let mut player = sheet();
    player.handle(Request::Play(true));
    ticks(&mut player, 20);
    let before = hash(&player);
    let edited = SHEET.replace("name: sheet\ntime", "name: sheet\ngravity_m_s2: [0, 3, 0]\ntime");
    player.handle(Request::Edit(load(&edited)));
    assert_eq!((hash(&player), player.error.clone()), (before, None));
    let snapshot = player.snapshot();
    assert_eq!(snapshot.model.gravity, Vec3::new(0.0, 3.0, 0.0));
    assert!(snapshot.playing && snapshot.frame_number == 20 && snapshot.kept == [0, 20]);
    let rising = |player: &Player| player.own.run.simulation.world.state().v.y.iter().sum::<f32>();
    let slow = rising(&player);
    ticks(&mut player, 20);
    assert!(rising(&player) > slow, "it falls upwards now");
    player.handle(Request::Seek(7));
    assert_eq!(player.snapshot().frame_number, 7);
}

#[test]
fn other_substeps_keep_the_frames_of_the_past() {
    let mut player = sheet();
    play(&mut player, 20);
    let positions = player.snapshot().positions.clone();
    player.handle(Request::Seek(10));
    let middle = player.snapshot().positions.clone();
    player.handle(Request::Seek(20));
    player.handle(Request::Edit(load(&SHEET.replace("substeps: 8", "substeps: 13"))));
    assert_eq!((player.snapshot().frame_number, player.snapshot().substeps), (20, 13));
    assert_eq!(player.snapshot().positions, positions);
    player.handle(Request::Seek(10));
    assert_eq!((player.snapshot().frame_number, &player.snapshot().positions), (10, &middle));
    play(&mut player, 3);
    assert_eq!((player.snapshot().frame_number, player.snapshot().kept), (13, [0, 13]));
}

#[test]
fn other_counts_begin_again() {
    let mut player = playing(SHEET);
    ticks(&mut player, 20);
    let text = SHEET.replace("points: [8, 8]", "points: [9, 9]").replace("[7, 0]", "[8, 0]");
    player.handle(Request::Edit(load(&text)));
    let snapshot = player.snapshot();
    assert_eq!((snapshot.positions.len(), snapshot.frame_number), (81, 0));
    assert!(snapshot.playing && snapshot.kept == [0, 0]);
}

#[test]
fn other_looks_touch_no_world() {
    let mut player = sheet();
    play(&mut player, 5);
    let (before, generation) = (hash(&player), player.own.generation);
    let look = "\nlook: { background: [1, 0, 0], show: { wireframe: true } }\n";
    player.handle(Request::Edit(load(&format!("{SHEET}{look}"))));
    assert_eq!((hash(&player), player.own.generation), (before, generation));
    assert!(player.show.wireframe && player.own.run.loaded.scene.look.background.is_some());
}

#[test]
fn what_cannot_be_built_leaves_the_old_world_running() {
    let mut player = playing(SHEET);
    ticks(&mut player, 10);
    let wrong = load(&SHEET.replace("kind: verlet", "kind: super-helix"));
    for request in [Request::Open(wrong.clone()), Request::Edit(wrong)] {
        player.handle(request);
        let snapshot = player.snapshot();
        let error = snapshot.error.as_deref().unwrap_or_default();
        assert!(error.contains("is for strands") && error.contains("test:"), "{error}");
        assert!(snapshot.playing);
    }
    ticks(&mut player, 10);
    assert_eq!(player.snapshot().frame_number, 20);
    player.handle(Request::Open(load(SHEET)));
    assert_eq!(player.snapshot().error, None);
}

#[test]
fn an_explosion_halts_at_the_last_good_frame() {
    let mut player = playing(&SHEET.replace("stiffness: 20", "stiffness: 2e5"));
    ticks(&mut player, 200);
    let snapshot = player.snapshot();
    let explosion = snapshot.explosion.as_ref().expect("springs are far too stiff");
    assert!(!snapshot.playing && explosion.h > explosion.advice.limit);
    assert!(snapshot.positions.iter().all(|p| p.is_finite()));
    assert_eq!(snapshot.kept[1], snapshot.frame_number);
    player.handle(Request::Edit(load(&SHEET.replace("substeps: 8", "substeps: 16"))));
    assert_eq!(player.snapshot().explosion, None);
    assert!(!player.snapshot().playing);
}

#[test]
fn nothing_catches_up_after_a_long_wait() {
    let mut player = playing(SHEET);
    ticks(&mut player, 60);
    let before = player.snapshot().positions.clone();
    let speed = fastest(&player);
    player.tick(30.0);
    let snapshot = player.snapshot();
    assert!(snapshot.frame_number <= 62, "{}", snapshot.frame_number);
    let moved = farthest(&before, &snapshot.positions);
    assert!(moved <= 2.0 * FRAME * speed.max(fastest(&player)) * 1.2, "{moved}");
}

/// Largest way of a particle.
pub(super) fn farthest(before: &[Vec3], after: &[Vec3]) -> f64 {
    let ways = before.iter().zip(after).map(|(a, b)| f64::from(a.distance(*b)));
    ways.fold(0.0, f64::max)
}

#[test]
fn pins_show_at_once_even_while_it_is_halted() {
    let mut player = sheet();
    play(&mut player, 3);
    player.snapshot();
    player.handle(Request::Touch(Command::Pin { particles: vec![30, 999] }));
    player.handle(Request::Touch(Command::Unpin { particles: vec![0] }));
    assert!(player.has_news());
    let held = player.snapshot().held.clone();
    assert!(held[30] && !held[0] && held[7]);
}
