use super::*;
use crate::build::build;
use crate::builtin;
use crate::schema::Scene;

/// A sheet of n × n quads over 0..size, 2 units high above the file's origin.
fn sheet(n: usize, size: f64) -> String {
    let mut text = String::new();
    for j in 0..=n {
        for i in 0..=n {
            let at = |k: usize| k as f64 * size / n as f64;
            text.push_str(&format!("v {} {} {}\n", at(i), 2.0 * size, at(j)));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i + 1;
            text.push_str(&format!("f {} {} {} {}\n", a, a + n + 1, a + n + 2, a + 1));
        }
    }
    text
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_file_in_any_unit_falls_on_the_floor_in_sight() {
    let dir = tempfile::tempdir().unwrap();
    for (size, extent) in [(1.0, 1.0), (1000.0, 1.0), (50.0, 0.5), (0.004, 0.4), (2.9, 2.9)] {
        let path = write(dir.path(), "my sheet.obj", &sheet(12, size));
        let loaded = open_obj(&path).unwrap_or_else(|error| panic!("{size}: {error:?}"));
        assert_eq!(loaded.scene.name, "my sheet");
        let mut run = build(&loaded).unwrap();
        let x = &run.world.state().x;
        let spread = |axis: &Vec<f32>| {
            let low = axis.iter().copied().fold(f32::INFINITY, f32::min);
            (low, axis.iter().copied().fold(f32::NEG_INFINITY, f32::max))
        };
        let ((left, right), (lowest, _)) = (spread(&x.x), spread(&x.y));
        assert!((f64::from(right - left) - extent).abs() < 1e-3, "{size}: {left} to {right}");
        assert!((left + right).abs() < 1e-3, "{size}: centred");
        assert!(lowest > 0.1 && f64::from(lowest) < extent, "{size}: {lowest} above the floor");
        let camera = &loaded.scene.cameras[0];
        let distance: f64 =
            (0..3).map(|i| (camera.eye_m[i] - camera.target_m[i]).powi(2)).sum::<f64>().sqrt();
        let seen = 2.0 * distance * (0.5 * camera.fov_deg).to_radians().tan();
        assert!(seen > 1.3 * extent && seen < 4.0 * extent, "{size}: {seen} m high picture");
        for _ in 0..60 {
            run.advance().unwrap();
        }
        let y = &run.world.state().y_lowest();
        assert!((0.0..0.01).contains(y), "{size}: lies on the floor, {y}");
    }
}

trait Lowest {
    fn y_lowest(&self) -> f32;
}

impl Lowest for tkanina_sim::state::State {
    fn y_lowest(&self) -> f32 {
        self.x.y.iter().copied().fold(f32::INFINITY, f32::min)
    }
}

#[test]
fn fine_meshes_are_softened_to_run_at_speed() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "fine.obj", &sheet(150, 1.0));
    let run = build(&open_obj(&path).unwrap()).unwrap();
    assert!(run.schedule.substeps <= 64, "{} steps a frame", run.schedule.substeps);
}

#[test]
fn files_join_a_scene_under_their_own_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "parts/sheet.obj", &sheet(4, 1.0));
    let text = builtin::find("cloth-on-sphere").unwrap();
    let before = Scene::load_text("s", text, Some(dir.path()), &[]).unwrap().value();
    let (once, at) = add_obj(&before, Some(dir.path()), &path, [0.0, 2.0, 1.0]).unwrap();
    assert_eq!(at, dir.path());
    let (twice, _) = add_obj(&once, Some(dir.path()), &path, [0.0, 3.0, 1.0]).unwrap();
    let loaded = LoadedScene::from_value("s", &twice, Some(dir.path()));
    let loaded = loaded.unwrap_or_else(|error| panic!("{}", error.render()));
    let names: Vec<&str> = loaded.scene.bodies.iter().map(|body| body.name()).collect();
    assert_eq!(names, ["sheet", "sheet 2", "sheet 3"], "the scene has a `sheet` of its own");
    assert_eq!(loaded.scene.materials.len(), 2);
    assert_eq!(twice["bodies"][1]["shape"]["file"], "parts/sheet.obj");
    let run = build(&loaded).unwrap();
    let body = run.world.model().body("sheet 2").unwrap().particles.clone();
    let sum: glam::Vec3 = body.clone().map(|p| run.world.state().x.get(p)).sum();
    let centre = sum / body.len() as f32;
    assert!((centre - glam::Vec3::new(0.0, 2.0, 1.0)).length() < 1e-3, "{centre}");
}

#[test]
fn a_scene_reaches_only_into_its_own_folder() {
    let dir = tempfile::tempdir().unwrap();
    let outside = write(dir.path(), "elsewhere/sheet.obj", &sheet(2, 1.0));
    std::fs::create_dir(dir.path().join("scenes")).unwrap();
    let refused = body_for_obj(&outside, Some(&dir.path().join("scenes")), [0.0; 3]).unwrap_err();
    assert!(refused.to_string().contains("outside the scene's folder"), "{refused}");
    // A scene that was never saved takes the file's folder.
    let free = body_for_obj(&outside, None, [0.0; 3]).unwrap();
    assert_eq!(free.dir, dir.path().join("elsewhere"));
    assert_eq!(free.body["shape"]["file"], "sheet.obj");
    let none = body_for_obj(&dir.path().join("none.obj"), None, [0.0; 3]).unwrap_err();
    assert!(matches!(none, ObjError::Mesh(MeshError::Unreadable { .. })));
    let points = write(dir.path(), "points.obj", "v 0 0 0\n");
    assert!(matches!(open_obj(&points), Err(ObjError::Mesh(MeshError::NoFaces { .. }))));
    let flat = write(dir.path(), "dot.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
    drop(open_obj(&flat));
}
