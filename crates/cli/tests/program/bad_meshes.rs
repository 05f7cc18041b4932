//! Meshes that are wrong, missing or not the scene's to read.

use super::folder::Folder;

const GRID: &str = "{ kind: grid, points: [8, 6], size_m: [1.0, 0.8], plane: xz }";
const PINS: &str = "    pins: [{ points: [[0, 0], [7, 0]] }]\n";
const STENCIL: &str = "neighbours-20, stiffness: 40, damping: 0.02";
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";

/// A scene whose sheet is the mesh `file`.
fn with_mesh(file: &str) -> Folder {
    let folder = Folder::changed(GRID, &format!("{{ kind: mesh, file: \"{file}\" }}"));
    let text = folder.read("small.scene.yaml");
    let text =
        text.replace(PINS, "").replace(STENCIL, "neighbours-12, structural: { stiffness: 40 }");
    folder.write("small.scene.yaml", text);
    folder
}

#[track_caller]
fn refused(mesh: &str, wanted: &[&str]) {
    let folder = with_mesh("mesh.obj");
    folder.write("mesh.obj", mesh);
    folder.scene_refused(wanted);
}

#[test]
fn a_right_mesh_runs() {
    let folder = with_mesh("mesh.obj");
    folder.write("mesh.obj", SQUARE);
    let ended = folder.done(&["run", "small.scene.yaml", "--out", "o", "--every", "10"]);
    assert!(ended.out.contains("particles: 4,"), "{}", ended.out);
    let text = folder.read("o/frame_000010.obj");
    assert_eq!(text.lines().filter(|line| line.starts_with("v ")).count(), 4);
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 2);
}

#[test]
fn missing() {
    with_mesh("mesh.obj").scene_refused(&["bodies[0].shape.file", "there is no file `mesh.obj`"]);
}

#[test]
fn unreadable() {
    let folder = with_mesh("mesh.obj");
    std::fs::create_dir(folder.path("mesh.obj")).unwrap();
    folder.scene_refused(&["bodies[0].shape.file", "`mesh.obj` is not a file"]);
}

#[test]
fn wrong_numbers_of_vertices() {
    refused(&SQUARE.replace("f 1", "f 0"), &["mesh.obj:5: vertex 0 does not exist"]);
    refused(&SQUARE.replace("f 1", "f 5"), &["mesh.obj:5: vertex 5 does not exist: there are 4"]);
    refused(&SQUARE.replace("f 1", "f -5"), &["mesh.obj:5: vertex -5 does not exist"]);
    refused(&SQUARE.replace("v 1 0 1", "v 1 nan 1"), &["mesh.obj:3", "not finite"]);
}

#[test]
fn no_faces() {
    refused("v 0 0 0\nv 1 0 0\nv 1 0 1\n", &["mesh.obj has no faces (3 vertices)"]);
}

#[test]
fn a_gigabyte_is_refused_by_its_length() {
    let folder = with_mesh("mesh.obj");
    let file = std::fs::File::create(folder.path("mesh.obj")).unwrap();
    file.set_len(1 << 30).unwrap();
    folder.scene_refused(&["mesh.obj", "1073741824 bytes", "may have"]);
}

#[test]
fn paths_that_leave_the_folder() {
    let outside = Folder::new();
    outside.write("mesh.obj", SQUARE);
    let up = with_mesh("../mesh.obj");
    up.scene_refused(&["must not leave the scene's folder"]);
    let absolute = outside.path("mesh.obj").display().to_string();
    with_mesh(&absolute).scene_refused(&["relative to the scene file, not absolute"]);
    let link = with_mesh("link.obj");
    std::os::unix::fs::symlink(&absolute, link.path("link.obj")).unwrap();
    link.scene_refused(&["`link.obj` is a link out of the scene's folder"]);
}
