//! A run that was touched goes on from its checkpoint with the same bits.

use glam::Vec3;
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::checkpoint::{read, write};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::run::{Record, checkpoint, restore};
use tkanina_scene::schema::Scene;
use tkanina_sim::commands::Command;
use tkanina_sim::motion::Pose;

const SCENE: &str = "
format: 1
time: { frame_rate_hz: 60, substeps: 20, duration_s: 1 }
solver: { kind: velocity-verlet }
materials:
  m: { mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 20, damping: 0.05 } }
bodies:
  - name: s
    kind: cloth
    shape: { kind: grid, points: [12, 12], size_m: [1, 1], plane: xy }
    material: m
    pins: [ { points: [[0, 11], [11, 11]] } ]
colliders:
  - { name: ball, kind: sphere, center_m: [0, 0, 0.3], radius_m: 0.2 }
";

fn load() -> (LoadedScene, Simulation) {
    let loaded =
        Scene::load_text("test", SCENE, None, &[]).unwrap_or_else(|e| panic!("{}", e.render()));
    let simulation = build(&loaded).unwrap_or_else(|e| panic!("{e}"));
    (loaded, simulation)
}

fn advance(simulation: &mut Simulation, frames: usize) {
    (0..frames).for_each(|_| simulation.advance().unwrap());
}

#[test]
fn a_touched_run_goes_on_with_the_same_bits() {
    let (loaded, mut whole) = load();
    advance(&mut whole, 2);
    for command in [
        Command::Hold { id: 1, particles: vec![3, 4], force: Vec3::new(0.1, 1.0 / 3.0, 0.0) },
        Command::Grab { id: 2, particle: 0, target: Vec3::new(-0.7, -0.4, 1.0 / 7.0) },
        Command::Pin { particles: vec![11, 5] },
        Command::Unpin { particles: vec![143] },
        Command::Gravity { gravity: Vec3::new(0.1, -3.7, 0.0) },
        Command::MoveCollider { collider: 0, shift: Pose::at(Vec3::Z * -0.3) },
    ] {
        whole.world.send(command);
    }
    advance(&mut whole, 1);
    let saved = checkpoint(&loaded, &whole, &Record::default());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tkc");
    write(&path, &saved).unwrap();
    advance(&mut whole, 10);

    let (_, mut resumed) = load();
    restore(&mut resumed, &read(&path).unwrap()).unwrap();
    assert_eq!(resumed.world.state().hands.pins.len(), 2);
    advance(&mut resumed, 10);
    assert_eq!(resumed.world.state(), whole.world.state());

    // The collider was still on its way, or this proves nothing about it.
    let shift = &saved.header.extra["hands"]["colliders"][0];
    assert_ne!(shift["now"], shift["target"]);
}

#[test]
fn checkpoints_without_hands_load_and_hands_that_do_not_fit_are_dropped() {
    let (loaded, mut plain) = load();
    advance(&mut plain, 2);
    let mut saved = checkpoint(&loaded, &plain, &Record::default());
    assert!(!saved.header.extra.contains_key("hands"));
    advance(&mut plain, 3);

    let stray = serde_json::json!({
        "grabs": [{ "id": 1, "particle": 144, "target": [0, 0, 0] }],
        "unpinned": [9999],
        "colliders": [{
            "collider": 0,
            "now": { "position": [0, 0, 0], "rotation": [0, 0, 0, 0] },
            "target": { "position": [1, 0, 0], "rotation": [0, 0, 0, 1] }
        }],
    });
    for hands in [None, Some(stray)] {
        saved.header.extra.remove("hands");
        saved.header.extra.extend(hands.map(|hands| ("hands".to_owned(), hands)));
        let (_, mut resumed) = load();
        restore(&mut resumed, &saved).unwrap();
        advance(&mut resumed, 3);
        assert_eq!(resumed.world.state(), plain.world.state());
    }

    saved.header.extra.insert("hands".to_owned(), "both".into());
    let error = restore(&mut load().1, &saved).unwrap_err().to_string();
    assert!(error.contains("pins and grabs"), "{error}");
}
