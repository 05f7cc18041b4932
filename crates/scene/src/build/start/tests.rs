use std::path::Path;

use super::*;
use crate::build::{BuildError, build};
use crate::run::{Record, checkpoint as take};
use crate::schema::Scene;

const SCENE: &str = "format: 1
time: { frame_rate_hz: 60, substeps: 8, duration_s: 0.5 }
solver: { kind: verlet }
materials:
  plain: { mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 5, damping: 0.01 } }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [8, 8], size_m: [0.7, 0.7], plane: xy }
    material: plain
    pins: [{ points: [[0, 7]] }, { points: [[7, 7]], stiffness_N_m: 40 }]
forces: [{ kind: punch, body: sheet, all: true, impulse_N_s: [0, 0, 0.1], at_s: 0.6 }]
";

fn scene(dir: &Path, sets: &[&str]) -> LoadedScene {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let loaded = Scene::load_text("test", SCENE, Some(dir), &sets);
    loaded.unwrap_or_else(|error| panic!("{}", error.render()))
}

/// A run of half a second that leaves `half.tkc`.
fn half(dir: &Path) -> Simulation {
    let loaded = scene(dir, &[]);
    let mut simulation = build(&loaded).unwrap();
    for _ in 0..simulation.schedule.frames {
        simulation.advance().unwrap();
    }
    let found = take(&loaded, &simulation, &Record::default());
    checkpoint::write(&dir.join("half.tkc"), &found).unwrap();
    simulation
}

#[test]
fn goes_on_with_the_same_bits_from_the_time_of_the_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let mut whole = half(dir.path());
    let loaded = scene(dir.path(), &["start_from=half.tkc"]);
    let mut started = build(&loaded).unwrap();
    assert_eq!(started.world.state(), whole.world.state());
    assert_eq!(started.start_s, whole.world.state().time);
    // Frames and the duration count from here: another 30 frames, up to 1 s.
    assert_eq!((started.frame(), started.schedule.frames), (0, 30));
    for _ in 0..started.schedule.frames {
        started.advance().unwrap();
        whole.advance().unwrap();
    }
    assert_eq!(started.frame(), 30);
    assert_eq!(started.world.state(), whole.world.state());
    assert!((started.world.state().time - 1.0).abs() < 1e-9);
    // The punch at 0.6 s has come: a sheet under gravity alone stays in its plane.
    assert!(started.world.state().v.z.iter().any(|v| v.abs() > 1e-3));
}

#[test]
fn another_solver_step_or_material_starts_from_it_too() {
    let dir = tempfile::tempdir().unwrap();
    let whole = half(dir.path());
    for edit in [
        "solver.kind=velocity-verlet",
        "solver.kind=rk4",
        "time.substeps=20",
        "time.frame_rate_hz=30",
        "materials.plain.springs.stiffness=8",
        "name=Another",
    ] {
        let loaded = scene(dir.path(), &["start_from=half.tkc", edit]);
        let mut started = build(&loaded).unwrap_or_else(|error| panic!("{edit}: {error}"));
        assert_eq!(started.world.state().x, whole.world.state().x, "{edit}");
        assert_eq!(started.world.state().v, whole.world.state().v, "{edit}");
        assert_eq!(started.frame(), 0, "{edit}");
        started.advance().unwrap();
        assert_eq!(started.frame(), 1, "{edit}");
    }
}

#[test]
fn what_does_not_fit_is_a_problem_at_its_place() {
    let dir = tempfile::tempdir().unwrap();
    half(dir.path());
    std::fs::write(dir.path().join("text.tkc"), "hello").unwrap();
    let refused = |sets: &[&str]| match build(&scene(dir.path(), sets)) {
        Err(BuildError::Scene(error)) => error.render(),
        _ => panic!("{sets:?} should be refused"),
    };
    let text = refused(&["start_from=half.tkc", "bodies[0].shape.points=[9, 8]"]);
    assert!(text.contains("start_from: `half.tkc` has 64 points, but the scene has 72"), "{text}");
    assert!(text.contains("save the state again"), "{text}");
    let text = refused(&["start_from=half.tkc", "bodies[0].pins=[]"]);
    assert!(text.contains("belongs to other pins, seams or glue"), "{text}");
    let text = refused(&["start_from=text.tkc"]);
    assert!(text.contains("is not a checkpoint"), "{text}");
}
