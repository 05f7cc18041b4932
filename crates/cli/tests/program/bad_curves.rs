//! Files of curves that are wrong: exit code 2, line and remedy, and nothing written.

use super::folder::Folder;

const SCENE: &str = "format: 1\nname: hair\ntime: { duration_s: 0.2 }\nbodies:\n  \
    - { name: hair, kind: strands, shape: { kind: curves, file: FILE }, nodes: 5 }\n";

fn folder(file: &str, content: &str) -> Folder {
    let folder = Folder::new();
    folder.write("small.scene.yaml", SCENE.replace("FILE", file));
    folder.write(file, content);
    folder
}

#[track_caller]
fn refused(file: &str, content: &str, wanted: &[&str]) {
    folder(file, content).scene_refused(wanted);
}

#[test]
fn right_curves_run_and_are_written_as_lines() {
    let folder = folder("hair.csv", "strand,x,y,z\na,0,1,0\na,0,0.8,0\nb,1,1,0\nb,1,0.7,0.1\n");
    let ended = folder.done(&["run", "small.scene.yaml", "--out", "o", "--every", "10"]);
    assert!(ended.out.contains("particles: 10,"), "{}", ended.out);
    let text = folder.read("o/frame_000010.obj");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("l ")).collect();
    assert_eq!(lines, ["l 1 2 3 4 5", "l 6 7 8 9 10"]);
}

#[test]
fn wrong_curves_say_the_line() {
    refused("a.csv", "strand,x,y\n1,0,0\n", &["a.csv:1", "the column `z` is missing"]);
    refused("a.csv", "strand,x,y,z\n1,0,0,0\n", &["a.csv:2", "has one point", "two or more"]);
    refused("a.obj", "v 0 0 0\nv 0 0 0\nl 1 2\n", &["a.obj:3", "has no length"]);
    refused("a.obj", "v 0 0 0\nv nan 0 0\nl 1 2\n", &["a.obj:2", "not finite"]);
    refused("a.yaml", "strands: [[[0, 0, 0], [0, 1, .inf]]]\n", &["a.yaml:1", "three finite"]);
}

#[test]
fn ten_million_points_are_refused() {
    let mut text = String::from("strand,x,y,z\n");
    (0..10_000_000).for_each(|i| text.push_str(if i % 2 == 0 { "1,0,0,0\n" } else { "1,1,0,0\n" }));
    refused("a.csv", &text, &["more than 4000000 control points", "thin the curves out"]);
}

#[test]
fn more_strands_than_the_budget_are_refused() {
    let folder = folder("a.csv", "");
    let shape = "{ kind: field, size_m: [1, 1], per_m2: 2e6, length_m: 0.1 }";
    folder.write("small.scene.yaml", SCENE.replace("{ kind: curves, file: FILE }", shape));
    folder.scene_refused(&["bodies[0].shape.per_m2", "strands", "followers"]);
}
