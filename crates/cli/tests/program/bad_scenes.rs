//! Scenes that are wrong: exit 2, a place, a remedy, and nothing written.

use super::folder::{Folder, SMALL};

#[track_caller]
fn refused(from: &str, to: &str, wanted: &[&str]) {
    Folder::changed(from, to).scene_refused(wanted);
}

#[test]
fn unknown_field() {
    refused(
        "stiffness: 40",
        "stifness: 40",
        &["small.scene.yaml:9:", "stifness", "did you mean `stiffness`?"],
    );
}

#[test]
fn wrong_type() {
    refused(
        "radius_m: 0.25",
        "radius_m: big",
        &["colliders[0].radius_m", "a number", "the text `big`"],
    );
    refused("points: [8, 6]", "points: 8", &["bodies[0].shape.points", "list"]);
}

#[test]
fn numbers_that_are_not_finite() {
    refused("duration_s: 0.2", "duration_s: .nan", &["time.duration_s", "finite"]);
    refused("duration_s: 0.2", "duration_s: .inf", &["time.duration_s", "finite"]);
    refused("radius_m: 0.25", "radius_m: 1e999", &["colliders[0].radius_m", "finite"]);
}

#[test]
fn negative_mass_and_stiffness() {
    refused("per_point_kg: 0.01", "per_point_kg: -1", &["per_point_kg", "from 1e-12", "-1"]);
    refused("stiffness: 40", "stiffness: -40", &["stiffness", "from 0", "-40"]);
}

#[test]
fn grids_of_impossible_size() {
    refused("points: [8, 6]", "points: [0, 6]", &["points[0]", "from 2", "but is 0"]);
    refused("size_m: [1.0, 0.8]", "size_m: [0, 0.8]", &["size_m[0]", "from 1e-4", "but is 0"]);
    refused(
        "points: [8, 6]",
        "points: [1000000000, 1]",
        &["1000000000 points", "points[0]", "may have"],
    );
    refused("points: [8, 6]", "points: [31623, 31623]", &["1000014129 points", "may have 4000000"]);
}

#[test]
fn pin_outside_the_grid() {
    refused("[7, 0]", "[8, 0]", &["bodies[0].pins[0].points[1]", "[8, 0] lies outside the grid"]);
}

#[test]
fn force_on_a_body_that_does_not_exist() {
    let force =
        "forces:\n  - { kind: hold, body: shet, points: [[0, 0]], force_N: [0, 1, 0] }\ncolliders:";
    refused("colliders:", force, &["forces[0].body", "shet", "did you mean `sheet`?"]);
}

#[test]
fn empty_and_hardly_yaml() {
    let folder = Folder::new();
    folder.write("small.scene.yaml", "");
    folder.scene_refused(&["the scene is empty"]);
    folder.write("small.scene.yaml", "format: [1");
    folder.scene_refused(&["not YAML"]);
    folder.write("small.scene.yaml", b"format: \xff\xfe");
    folder.scene_refused(&["not text", "UTF-8"]);
}

#[test]
fn alias_bomb() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        let all = vec![before; 10].join(", ");
        text += &format!("a{level}: &a{level} [{all}]\n");
    }
    let folder = Folder::new();
    folder.write("small.scene.yaml", text + SMALL);
    folder.scene_refused(&["more than 500000 values, counting what aliases stand for"]);
}

#[test]
fn scene_that_is_a_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("dir.scene.yaml")).unwrap();
    folder.refused(&["run", "dir.scene.yaml", "--out", "o"], &["is a folder, not a scene file"]);
}

#[test]
fn scene_that_does_not_exist() {
    let folder = Folder::new();
    folder.refused(
        &["run", "hanging-clot", "--out", "o"],
        &["no scene `hanging-clot`", "did you mean the built-in scene `hanging-cloth`?"],
    );
    folder.refused(&["check", "zzz"], &["no scene `zzz`", "tkanina scenes"]);
}

#[test]
fn every_problem_is_told() {
    let folder = Folder::new();
    let text = SMALL.replace("damping: 0.02", "dampng: 0.02").replace("0.25", "-1");
    folder.write("small.scene.yaml", text.replace("material: sheet", "material: shet"));
    folder.scene_refused(&["did you mean `damping`?", "colliders[0].radius_m", "shet"]);
}
