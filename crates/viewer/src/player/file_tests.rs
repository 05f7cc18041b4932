//! Loading and saving while it plays.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use serde_json::json;
use tkanina_sim::commands::Command;

use super::tests::*;
use super::*;
use crate::document::Document;

/// A level sheet of 224 × 224 squares in triangles, as an OBJ file.
fn write_large_obj(path: &Path) {
    let n = 225;
    let mut text = String::new();
    for i in 0..n * n {
        let (x, z) = ((i % n) as f64 / 224.0, (i / n) as f64 / 224.0);
        writeln!(text, "v {x} 0 {z}").unwrap();
    }
    for i in 0..(n - 1) * (n - 1) {
        let at = i / (n - 1) * n + i % (n - 1) + 1;
        writeln!(text, "f {at} {} {}", at + n, at + 1).unwrap();
        writeln!(text, "f {} {} {}", at + 1, at + n, at + n + 1).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

/// A ball of more than 50,000 triangles, as an OBJ file.
fn write_large_ball(path: &Path) {
    let ball = tkanina_sim::colliders::forms::sphere(0.5, [160, 160]);
    assert!(ball.triangles.len() > 50_000);
    let mut text = String::new();
    ball.points.iter().for_each(|p| writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap());
    for [a, b, c] in &ball.triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_large_obj_joins_a_running_scene_and_nothing_jumps() {
    joins_without_a_jump(write_large_obj, "cloth");
}

#[test]
fn a_large_closed_obj_joins_as_a_soft_body_and_nothing_jumps() {
    joins_without_a_jump(write_large_ball, "soft-body");
}

fn joins_without_a_jump(write: impl Fn(&Path), kind: &str) {
    let dir = tempfile::tempdir().unwrap();
    let obj = dir.path().join("large.obj");
    write(&obj);
    let text = SHEET.replace("substeps: 8", "substeps: auto");
    let mut document = Document::new("sheet", None, (*load(&text)).clone());
    let mut player = Player::new(document.loaded().clone(), SETTINGS).unwrap();
    player.handle(Request::Play(true));
    ticks(&mut player, 45);
    let before = player.snapshot();
    let speed = fastest(&player);
    assert!(speed > 0.1, "it must be moving: {speed}");

    let clock = Clock::start();
    let edited = document.add_mesh(&obj, Vec3::new(3.0, 2.0, 0.0)).unwrap();
    player.handle(Request::Edit(edited));
    let loaded_s = clock.seconds();
    let there = player.snapshot();
    assert_eq!((there.error.clone(), there.playing), (None, true));
    assert_eq!(document.get("/bodies/1/kind"), Some(&json!(kind)));
    assert!(there.model.triangles.len() > 50_000);
    assert_eq!(there.positions[..64], before.positions[..], "the old cloth stays where it is");
    assert!((there.time - before.time).abs() < 1e-12);

    // The time that loading took, and far more, passes at once.
    player.tick(loaded_s + 10.0);
    let after = player.snapshot();
    let frames = after.frame_number - there.frame_number;
    assert!((1..=2).contains(&frames), "{frames}");
    let fastest = speed.max(fastest(&player));
    let moved = farthest(&there.positions, &after.positions);
    assert!(moved <= frames as f64 * FRAME * fastest * 1.2, "{moved} m at {fastest} m/s");
}

#[test]
fn opening_a_large_obj_scene_starts_it_at_rest() {
    let dir = tempfile::tempdir().unwrap();
    let obj = dir.path().join("large.obj");
    write_large_obj(&obj);
    let mut player = playing(SHEET);
    ticks(&mut player, 45);
    let opened = tkanina_scene::obj_scene::open_obj(&obj).unwrap();
    player.handle(Request::Open(Arc::new(opened)));
    let start = player.snapshot();
    assert_eq!((start.error.clone(), start.frame_number, start.playing), (None, 0, true));
    player.tick(10.0);
    let after = player.snapshot();
    // Free fall for two frames at most.
    let way = 0.5 * 9.81 * (2.0 * FRAME).powi(2);
    assert!(farthest(&start.positions, &after.positions) <= 1.5 * way);
}

#[test]
fn hands_stay_on_bodies_that_an_edit_left_alone() {
    let mut document = Document::new("sheet", None, (*load(SHEET)).clone());
    let mut player = sheet();
    player.handle(Request::Touch(Command::Pin { particles: vec![33] }));
    play(&mut player, 10);
    let before = player.snapshot();
    let body = json!({
        "name": "other", "kind": "cloth", "material": "light",
        "shape": { "kind": "grid", "points": [5, 5], "size_m": [1, 1] },
        "place": { "position_m": [5, 2, 0] },
    });
    player.handle(Request::Edit(document.insert("/bodies/0", body).unwrap()));
    let after = player.snapshot();
    assert_eq!((after.error.clone(), after.positions.len()), (None, 25 + 64));
    assert_eq!(after.positions[25..], before.positions[..]);
    play(&mut player, 10);
    let later = player.snapshot();
    assert_eq!(later.positions[25 + 33], before.positions[33]);
    assert!(later.held[25 + 33] && later.frame_number == 20);
}

#[test]
fn the_state_is_saved_and_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = Document::new("sheet", None, (*load(SHEET)).clone());
    let mut player = sheet();
    play(&mut player, 25);
    let path = dir.path().join("saved.scene.yaml");
    document.save_as(&path, None, Some("saved.tkc")).unwrap();
    player.handle(Request::SaveState(dir.path().join("saved.tkc")));
    assert_eq!(player.snapshot().error, None);
    let reopened = Document::open_file(&path).unwrap_or_else(|error| panic!("{}", error.render()));
    assert_eq!(reopened.loaded().scene.start_from.as_deref(), Some("saved.tkc"));
    assert!(document.get("/start_from").is_none() && !document.is_dirty());
    let mut other = Player::new(reopened.loaded().clone(), SETTINGS).unwrap();
    assert_eq!(other.snapshot().error, None);
    assert_eq!(hash(&other), hash(&player));
    play(&mut other, 10);
    play(&mut player, 10);
    assert_eq!(hash(&other), hash(&player));
    let nowhere = dir.path().join("no/such/state.tkc");
    player.handle(Request::SaveState(nowhere));
    assert!(player.snapshot().error.as_deref().is_some_and(|error| error.contains("state.tkc")));
}
