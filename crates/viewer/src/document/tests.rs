//! Edits, undo and saving.

use glam::Vec3;
use serde_json::json;
use tkanina_render::Camera;
use tkanina_scene::schema::{Scene, Show};

use super::*;

const TEXT: &str = "
format: 1
name: two
materials: { light: { mass: { per_point_kg: 0.01 } } }
bodies:
  - { name: a, kind: cloth, shape: { kind: grid, points: [3, 3], size_m: [1, 1] }, material: light }
look: { bodies: { a: { color: [1, 0, 0] } } }
";

fn document() -> Document {
    in_folder(TEXT, None)
}

fn in_folder(text: &str, dir: Option<&Path>) -> Document {
    let loaded = Scene::load_text("two", text, dir, &[]);
    Document::new("two", None, loaded.unwrap_or_else(|error| panic!("{}", error.render())))
}

fn gravity(document: &Document) -> f64 {
    document.loaded().scene.gravity_m_s2[1]
}

#[test]
fn edits_are_taken_back_and_made_again() {
    let mut document = document();
    assert!(!document.is_dirty() && !document.can_undo());
    for value in [-1.0, -2.0, -3.0] {
        document.set("/gravity_m_s2/1", json!(value)).unwrap();
    }
    document.end_edit();
    document.set("/gravity_m_s2/1", json!(-4.0)).unwrap();
    document.set("/name", json!("other")).unwrap();
    assert!(document.is_dirty() && gravity(&document) == -4.0);
    document.undo().unwrap().unwrap();
    assert_eq!(document.loaded().scene.name, "two");
    document.undo().unwrap().unwrap();
    assert_eq!(gravity(&document), -3.0, "a drag ends where it is told to");
    document.undo().unwrap().unwrap();
    assert_eq!(gravity(&document), -9.81, "a drag is one edit");
    assert!(document.undo().is_none() && !document.is_dirty());
    document.redo().unwrap().unwrap();
    assert_eq!(gravity(&document), -3.0);
    document.set("/gravity_m_s2/1", json!(-5.0)).unwrap();
    assert!(document.redo().is_none(), "another course of events");
    document.undo().unwrap().unwrap();
    assert_eq!(gravity(&document), -3.0, "an undo ends a drag");
}

#[test]
fn a_wrong_edit_is_refused_and_said() {
    let mut document = document();
    let before = document.value().clone();
    let error = document.set("/gravity_m_s2/1", json!("down")).unwrap_err().to_string();
    assert!(error.contains("gravity_m_s2") && error.contains("number"), "{error}");
    let error = document.set("/bodies/0/material", json!("none")).unwrap_err().to_string();
    assert!(error.contains("`none`"), "{error}");
    assert!(document.remove("/format").is_err() && document.remove("/bodies/7").is_err());
    assert!(document.set("/bodies/7/name", json!("x")).is_err());
    assert_eq!(document.value(), &before);
    assert!(!document.can_undo());
}

#[test]
fn default_is_the_file_and_can_be_taken_back() {
    let mut document = document();
    document.set("/gravity_m_s2/1", json!(-1.0)).unwrap();
    let loaded = document.restore_original().unwrap();
    assert_eq!((loaded.scene.gravity_m_s2[1], document.is_dirty()), (-9.81, false));
    document.undo().unwrap().unwrap();
    assert_eq!(gravity(&document), -1.0);
}

#[test]
fn entries_come_and_go() {
    let mut document = document();
    let ball = json!({ "name": "b", "kind": "sphere", "center_m": [0, 0, 0], "radius_m": 1 });
    document.insert("/colliders", ball).unwrap();
    document.set("/colliders/0/radius_m", json!(2)).unwrap();
    assert_eq!(document.loaded().scene.colliders.len(), 1);
    document.remove("/colliders/0").unwrap();
    assert!(document.loaded().scene.colliders.is_empty());
    document.remove_all_bodies().unwrap();
    assert!(document.loaded().scene.bodies.is_empty());
    assert!(document.loaded().scene.look.bodies.is_empty());
    document.undo().unwrap().unwrap();
    assert_eq!(document.loaded().scene.bodies.len(), 1);
}

#[test]
fn what_is_shown_is_part_of_the_scene_but_no_edit() {
    let mut document = document();
    let show = Show { wireframe: true, ..Show::default() };
    document.set_show(&show).unwrap();
    assert!(document.loaded().scene.look.show.wireframe && document.is_dirty());
    assert!(!document.can_undo());
    document.set("/name", json!("other")).unwrap();
    document.set_show(&Show { pins: true, ..show }).unwrap();
    document.undo().unwrap().unwrap();
    assert_eq!(document.loaded().scene.name, "two");
    assert!(document.loaded().scene.look.show.pins, "an undo leaves the display alone");
}

#[test]
fn a_saved_scene_is_the_same_scene() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("saved.scene.yaml");
    let mut document = document();
    document.set("/gravity_m_s2", json!([0.1, -3.7, 1e-7])).unwrap();
    document.set_show(&Show { pins: true, ..Show::default() }).unwrap();
    let camera = Camera {
        eye: Vec3::new(0.1, 2.3, -4.56),
        target: Vec3::new(0.0, 1.1, 0.7),
        up: Vec3::Y,
        fov_y: 0.7,
    };
    document.save_as(&path, Some(&camera), None).unwrap();
    assert!(!document.is_dirty() && document.path() == Some(path.as_path()));
    let opened = Document::open_file(&path).unwrap();
    assert_eq!(opened.loaded().hash(), {
        let value = document.value();
        LoadedScene::from_value("again", value, None).unwrap().hash()
    });
    let scene = &opened.loaded().scene;
    assert!(scene.look.show.pins && scene.gravity_m_s2 == [0.1, -3.7, 1e-7]);
    let seen = &tkanina_stage::cameras(scene, [Vec3::ZERO; 2])[0].camera;
    assert_eq!((seen.eye, seen.target, seen.up), (camera.eye, camera.target, camera.up));
    assert!((seen.fov_y - camera.fov_y).abs() < 1e-5);
    // Saved again from elsewhere there is still one such camera.
    document.save_as(&path, Some(&Camera { eye: Vec3::ONE, ..camera }), None).unwrap();
    let cameras = &Document::open_file(&path).unwrap().loaded().scene.cameras.clone();
    assert_eq!((cameras.len(), cameras[0].eye_m), (1, [1.0; 3]));
}

#[test]
fn every_built_in_scene_is_saved_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    for (name, _) in tkanina_scene::builtin::builtin() {
        let mut document = Document::open_builtin(name).unwrap();
        let hash = document.loaded().hash();
        let path = dir.path().join(format!("{name}.scene.yaml"));
        document.save_as(&path, None, None).unwrap();
        assert_eq!(Document::open_file(&path).unwrap().loaded().hash(), hash, "{name}");
    }
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";

#[test]
fn files_of_the_scene_are_saved_along() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(from.path().join("meshes")).unwrap();
    std::fs::write(from.path().join("meshes/a.obj"), TRIANGLE).unwrap();
    let shape = "{ kind: mesh, file: meshes/a.obj }";
    let text = TEXT.replace("{ kind: grid, points: [3, 3], size_m: [1, 1] }", shape);
    let mut document = in_folder(&text, Some(from.path()));
    let path = to.path().join("b.scene.yaml");
    document.save_as(&path, None, None).unwrap();
    assert_eq!(std::fs::read_to_string(to.path().join("meshes/a.obj")).unwrap(), TRIANGLE);
    assert_eq!(Document::open_file(&path).unwrap().value(), document.value());
    // Another file of that name is not overwritten, and no scene is written then.
    std::fs::write(from.path().join("meshes/a.obj"), format!("{TRIANGLE}\n")).unwrap();
    let mut changed = in_folder(&text, Some(from.path()));
    let error = changed.save_as(&to.path().join("c.scene.yaml"), None, None).unwrap_err();
    assert!(error.to_string().contains("another file"), "{error}");
    assert!(!to.path().join("c.scene.yaml").exists() && changed.path().is_none());
}

#[test]
fn meshes_from_anywhere_join_and_are_saved_along() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let obj = from.path().join("sail.obj");
    std::fs::write(&obj, TRIANGLE).unwrap();
    let mut document = Document::open_builtin("hanging-cloth").unwrap();
    document.add_mesh(&obj, Vec3::Y).unwrap();
    document.add_mesh(&obj, Vec3::X).unwrap();
    let names: Vec<&str> = document.loaded().scene.bodies.iter().map(|b| b.name()).collect();
    assert_eq!(names[names.len() - 2..], ["sail", "sail 2"]);
    tkanina_scene::build::build(document.loaded()).unwrap();
    let path = to.path().join("saved.scene.yaml");
    document.save_as(&path, None, None).unwrap();
    let opened = Document::open_file(&path).unwrap();
    tkanina_scene::build::build(opened.loaded()).unwrap();
    assert_eq!(opened.loaded().hash(), document.loaded().hash());
    assert!(document.add_mesh(&from.path().join("none.obj"), Vec3::Y).is_err());
    // A scene in the folder of the mesh refers to it there.
    let mut beside = in_folder(TEXT, Some(from.path()));
    beside.add_mesh(&obj, Vec3::Y).unwrap();
    assert!(beside.scratch.is_empty() && beside.dir() == Some(from.path()));
}
