//! A scene under several solvers at once.

use glam::Vec3;
use tkanina_sim::commands::Command;
use tkanina_sim::solvers::SolverKind;

use super::tests::{FRAME, SETTINGS, SHEET, load, play, playing, sheet, ticks};
use super::*;
use crate::snapshot::{Published, Snapshot};

fn solvers(names: &[&str]) -> Request {
    let find = |name: &&str| SolverKind::all().find(|solver| solver.name() == *name).unwrap();
    Request::Compare(names.iter().map(find).collect())
}

fn compared(names: &[&str]) -> Player {
    let mut player = sheet();
    player.handle(solvers(names));
    player
}

#[track_caller]
fn in_step(published: &Published) {
    let own = &published.own;
    for (picture, snapshot) in published.snapshots() {
        let name = published.solver(picture);
        assert_eq!(snapshot.frame_number, own.frame_number, "{name}");
        assert!((snapshot.time - own.time).abs() < 1e-9, "{name}: {} s", snapshot.time);
    }
}

#[test]
fn solvers_run_in_step_and_differ() {
    let mut player = compared(&["vertex-descent", "xpbd", "implicit-euler"]);
    play(&mut player, 40);
    let published = player.publish();
    assert_eq!((published.count(), published.own.frame_number), (4, 40));
    in_step(&published);
    for (picture, snapshot) in published.snapshots().skip(1) {
        assert_ne!(snapshot.positions, published.own.positions, "{}", published.solver(picture));
        assert_eq!(snapshot.method(), published.solver(picture));
        assert_eq!(snapshot.measures.len(), 41);
    }
    let serials: Vec<u64> = published.snapshots().map(|(_, snapshot)| snapshot.serial).collect();
    assert!(serials.windows(2).all(|pair| pair[0] < pair[1]), "{serials:?}");
}

#[test]
fn a_companion_moves_as_it_would_alone() {
    for name in ["velocity-verlet", "line-projection"] {
        let mut player = compared(&[name]);
        play(&mut player, 30);
        let text = SHEET.replace("kind: verlet", &format!("kind: {name}"));
        let mut alone = Player::new(load(&text.replace(", substeps: 8", "")), SETTINGS).unwrap();
        play(&mut alone, 30);
        let beside = player.publish().get(1).unwrap().clone();
        assert_eq!(beside.positions, alone.snapshot().positions, "{name}");
        assert_eq!(beside.substeps, alone.snapshot().substeps, "{name}");
    }
}

#[test]
fn the_scene_goes_on_as_it_would_alone() {
    let mut alone = sheet();
    play(&mut alone, 30);
    let mut player = compared(&["xpbd"]);
    play(&mut player, 30);
    assert_eq!(player.snapshot().positions, alone.snapshot().positions);
}

#[test]
fn what_hands_do_is_done_under_every_solver() {
    let mut player = compared(&["implicit-euler", "vertex-descent"]);
    play(&mut player, 5);
    let target = Vec3::new(0.6, 2.4, 0.8);
    player.handle(Request::Touch(Command::Grab { id: 1, particle: 60, target }));
    player.handle(Request::Touch(Command::Pin { particles: vec![30] }));
    let held: Vec<bool> = player.publish().snapshots().map(|(_, s)| s.held[30]).collect();
    assert_eq!(held, [true; 3]);
    let pinned: Vec<Vec3> = player.publish().snapshots().map(|(_, s)| s.positions[30]).collect();
    play(&mut player, 60);
    let published = player.publish();
    for (picture, snapshot) in published.snapshots() {
        let off = snapshot.positions[60].distance(target);
        assert!(off < 0.1, "{}: {off} m", published.solver(picture));
        assert_eq!(snapshot.positions[30], pinned[picture], "{}", published.solver(picture));
    }
}

#[test]
fn one_that_explodes_does_not_stop_the_others() {
    let stiff = SHEET.replace("kind: verlet", "kind: explicit-euler");
    let stiff =
        stiff.replace("stiffness: 20", "stiffness: 2e4").replace("substeps: 8", "substeps: 1");
    let mut player = playing(&stiff);
    player.handle(solvers(&["vertex-descent"]));
    ticks(&mut player, 60);
    let published = player.publish();
    let (own, beside) = (&published.own, published.get(1).unwrap());
    let explosion = own.explosion.as_ref().expect("springs are far too stiff");
    assert!(own.frame_number < 50, "{}", own.frame_number);
    assert!(beside.playing && beside.frame_number >= 58 && beside.explosion.is_none());
    assert!(explosion.time <= beside.time);
    // It is not simulated any more: not even its picture is made anew.
    ticks(&mut player, 2);
    let later = player.publish();
    assert!(Arc::ptr_eq(own, &later.own) && later.furthest().frame_number > beside.frame_number);
    let [good, last] = [own.frame_number, later.furthest().frame_number];
    assert_eq!(later.furthest().kept, [0, last]);
    // Back before it both are well; after it the explosion stands.
    player.handle(Request::Seek(good - 1));
    assert!(player.snapshot().explosion.is_none());
    in_step(&player.publish());
    player.handle(Request::Seek(last - 3));
    let published = player.publish();
    assert_eq!((published.own.frame_number, published.furthest().frame_number), (good, last - 3));
    assert!(published.own.explosion.is_some());
    // It does not catch up.
    player.handle(Request::StepOnce);
    assert_eq!(player.publish().furthest().frame_number, last - 2);
    assert_eq!(player.snapshot().frame_number, good);
    assert!(player.snapshot().explosion.is_some());
    player.handle(Request::Reset);
    in_step(&player.publish());
    assert!(player.snapshot().explosion.is_none() && player.snapshot().frame_number == 0);
}

#[test]
fn play_halts_when_all_have_exploded() {
    let wild =
        SHEET.replace("stiffness: 20", "stiffness: 2e5").replace("kind: verlet", "kind: rk4");
    let mut player = playing(&wild);
    ticks(&mut player, 200);
    assert!(!player.snapshot().playing && player.snapshot().explosion.is_some());
}

#[test]
fn going_back_goes_back_under_every_solver() {
    let mut player = compared(&["bdf2", "line-projection"]);
    play(&mut player, 20);
    let there = player.publish();
    play(&mut player, 15);
    player.handle(Request::Seek(20));
    let again = player.publish();
    in_step(&again);
    for (picture, snapshot) in again.snapshots() {
        assert_eq!(snapshot.positions, there.get(picture).unwrap().positions);
        assert_eq!((snapshot.frame_number, snapshot.kept), (20, [0, 35]));
    }
}

#[test]
fn little_memory_keeps_the_same_frames_of_all() {
    // States of some solvers are larger: alone they would be kept more sparsely.
    let mut player = compared(&["bdf2", "rk4"]);
    player.handle(Request::Timeline { seconds: 60.0, megabytes: 3 });
    play(&mut player, 50);
    let strides: Vec<u64> = player.takes().map(|take| take.history.stride()).collect();
    assert!(strides[0] > 1 && strides.iter().all(|stride| *stride == strides[0]), "{strides:?}");
    for frame in [3, 17, 31, 49] {
        player.handle(Request::Seek(frame));
        in_step(&player.publish());
        assert!(player.snapshot().frame_number.abs_diff(frame) <= strides[0]);
    }
}

#[test]
fn one_that_joins_later_starts_where_the_scene_is() {
    let mut player = sheet();
    play(&mut player, 25);
    let before = player.snapshot();
    player.handle(solvers(&["xpbd"]));
    let published = player.publish();
    in_step(&published);
    assert_eq!(published.get(1).unwrap().positions, before.positions);
    assert_eq!(published.own.kept, [25, 25], "the past is kept under one solver only");
    play(&mut player, 5);
    in_step(&player.publish());
    player.handle(Request::Seek(0));
    in_step(&player.publish());
    assert_eq!(player.snapshot().frame_number, 25);
    player.handle(Request::Reset);
    play(&mut player, 5);
    in_step(&player.publish());
    player.handle(solvers(&[]));
    assert_eq!((player.publish().count(), player.snapshot().frame_number), (1, 5));
}

#[test]
fn edits_reach_every_solver() {
    let mut player = compared(&["implicit-euler", "xpbd"]);
    play(&mut player, 10);
    let up = SHEET.replace("name: sheet\ntime", "name: sheet\ngravity_m_s2: [0, 3, 0]\ntime");
    player.handle(Request::Edit(load(&up)));
    in_step(&player.publish());
    assert_eq!(player.snapshot().frame_number, 10);
    play(&mut player, 20);
    let mut unedited = compared(&["implicit-euler", "xpbd"]);
    play(&mut unedited, 30);
    let unedited = unedited.publish();
    for (picture, snapshot) in player.publish().snapshots() {
        let height = |s: &Snapshot| s.positions.iter().map(|p| p.y).sum::<f32>();
        let name = unedited.solver(picture);
        assert!(height(snapshot) > height(unedited.get(picture).unwrap()), "{name} still falls");
        assert_eq!(snapshot.model.gravity, Vec3::new(0.0, 3.0, 0.0), "{name}");
    }
    // Another solver of the scene is no other solver beside it.
    player.handle(Request::Edit(load(&up.replace("kind: verlet", "kind: rk4"))));
    play(&mut player, 2);
    let published = player.publish();
    in_step(&published);
    assert_eq!(
        [0, 1, 2].map(|i| published.solver(i).to_owned()),
        ["rk4", "implicit-euler", "xpbd"]
    );
    // Other counts begin again, all of them.
    let finer = SHEET.replace("points: [8, 8]", "points: [9, 9]").replace("[7, 0]", "[8, 0]");
    player.handle(Request::Edit(load(&finer)));
    let published = player.publish();
    in_step(&published);
    assert!(published.own.frame_number == 0);
    assert!(published.snapshots().all(|(_, snapshot)| snapshot.positions.len() == 81));
}

#[test]
fn an_edit_brings_one_back_that_exploded() {
    let stiff = SHEET.replace("kind: verlet", "kind: implicit-euler");
    let mut player = playing(&stiff);
    player.handle(solvers(&["explicit-euler"]));
    // Without damping explicit Euler gains energy at any step.
    let undamped =
        stiff.replace("damping: 0.05", "damping: 0").replace("stiffness: 20", "stiffness: 2e4");
    player.handle(Request::Edit(load(&undamped)));
    for _ in 0..600 {
        player.tick(FRAME);
        if player.publish().get(1).unwrap().explosion.is_some() {
            break;
        }
    }
    assert!(player.publish().get(1).unwrap().explosion.is_some());
    ticks(&mut player, 5);
    player.handle(Request::Edit(load(&stiff)));
    let published = player.publish();
    in_step(&published);
    assert!(published.get(1).unwrap().explosion.is_none() && published.own.frame_number > 0);
}

#[test]
fn a_refusal_is_told_and_an_edit_mends_it() {
    let mut player = sheet();
    player.beside.push(beside::Companion {
        solver: SolverKind::Rk4,
        take: Err("it does not like the cloth".to_owned()),
    });
    player.handle(Request::Play(true));
    ticks(&mut player, 5);
    let published = player.publish();
    assert_eq!(published.refusal(1), Some("it does not like the cloth"));
    assert!(published.get(1).is_none() && published.own.frame_number == 5);
    player.handle(Request::Edit(load(&SHEET.replace("damping: 0.05", "damping: 0.06"))));
    let published = player.publish();
    assert!(published.refusal(1).is_none());
    in_step(&published);
}

#[test]
fn another_scene_is_opened_under_every_solver() {
    let mut player = compared(&["xpbd"]);
    play(&mut player, 10);
    player.handle(Request::Open(load(&SHEET.replace("[0, 2, 0]", "[0, 3, 0]"))));
    let published = player.publish();
    in_step(&published);
    assert_eq!(published.own.frame_number, 0);
    assert_eq!(published.get(1).unwrap().positions, published.own.positions);
}
