//! Meshes in the way, as scenes describe them: what is accepted, what is refused and why.

use std::path::Path;

use glam::Vec3;
use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::colliders::ColliderShape;
use tkanina_sim::soa::Soa3;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn scene(collider: &str) -> String {
    format!("format: 1\ncolliders:\n  - {collider}\n")
}

/// Builds a scene with one collider in a folder with files; what is wrong as people read it.
fn try_build(files: &[(&str, &str)], collider: &str) -> Result<Simulation, String> {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    build_in(dir.path(), collider)
}

fn build_in(dir: &Path, collider: &str) -> Result<Simulation, String> {
    let text = scene(collider);
    let loaded = Scene::load_text("test", &text, Some(dir), &[]).map_err(|error| error.render())?;
    build(&loaded).map_err(|error| format!("{:?}", miette::Report::new(error)))
}

fn refused(files: &[(&str, &str)], collider: &str, wanted: &[&str]) {
    let Err(text) = try_build(files, collider) else { panic!("{collider} was accepted") };
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for words in wanted {
        assert!(flat.contains(words), "{collider}:\n{text}\ndoes not say {words:?}");
    }
}

fn positions(simulation: &Simulation, time: f64) -> Vec<Vec3> {
    let mesh = &simulation.world.model().mesh_colliders[0];
    let mut out = Soa3::zeros(mesh.vertex_count());
    mesh.positions_at(time, out.view_mut());
    out.iter().collect()
}

#[test]
fn an_obj_file_stands_where_it_is_put() {
    let built = try_build(
        &[("t.obj", TETRAHEDRON)],
        "{ name: t, kind: mesh, file: t.obj, scale: 2, position_m: [0, 5, 0], \
         rotation_deg: [0, 90, 0], friction: 0.7, restitution: 0.2, \
         motion: { kind: linear, velocity_m_s: [1, 0, 0] } }",
    )
    .unwrap();
    let model = built.world.model();
    let mesh = &model.mesh_colliders[0];
    assert_eq!((mesh.vertex_count(), mesh.triangles.len(), mesh.collider), (4, 4, 0));
    assert_eq!((mesh.friction, mesh.restitution), (0.7, 0.2));
    assert!(mesh.moves() && !mesh.deforms());
    // x turns to −z; then 3 m along x.
    let found = positions(&built, 3.0)[1];
    assert!((found - Vec3::new(3.0, 5.0, -2.0)).length() < 1e-5, "{found}");
    assert!(matches!(model.colliders[0].shape, ColliderShape::Mesh(_)));
    assert_eq!(model.colliders[0].pose_at(3.0).position, Vec3::new(3.0, 5.0, 0.0));
}

#[test]
fn a_sequence_of_files_moves_its_vertices() {
    let moved = TETRAHEDRON.replace("v 0 0 1", "v 0 0 3");
    let files = [("walk/f_2.obj", moved.as_str()), ("walk/f_10.obj", TETRAHEDRON)];
    let collider = "{ name: t, kind: mesh, frames: { files: [\"walk/f_*.obj\"], rate_hz: 2, \
                    repeat: true } }";
    let built = try_build(&files, collider).unwrap();
    // By number: f_2 comes before f_10.
    for (time, z) in [(0.0, 3.0), (0.25, 2.0), (0.5, 1.0), (0.75, 2.0), (1.0, 3.0)] {
        assert_eq!(positions(&built, time)[3], Vec3::Z * z, "{time}");
    }
}

#[test]
fn frames_that_differ_say_how() {
    let frames = "{ name: t, kind: mesh, frames: { files: [\"a.obj\", \"b.obj\"] } }";
    let fewer = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    refused(
        &[("a.obj", TETRAHEDRON), ("b.obj", fewer)],
        frames,
        &["`b.obj` has 3 vertices, but `a.obj` has 4", "same settings"],
    );
    let short = TETRAHEDRON.replace("f 2 3 4\n", "");
    refused(
        &[("a.obj", TETRAHEDRON), ("b.obj", &short)],
        frames,
        &["`b.obj` has 3 triangles, but `a.obj` has 4"],
    );
    let other = TETRAHEDRON.replace("f 1 4 3", "f 1 3 4");
    refused(
        &[("a.obj", TETRAHEDRON), ("b.obj", &other)],
        frames,
        &["triangle 3 of `b.obj` has the vertices 1, 3, 4, but in `a.obj` 1, 4, 3"],
    );
}

#[test]
fn messy_meshes_are_accepted_and_tidied() {
    // The square's halves cut apart, one of them twice, and a triangle without area.
    let messy = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0 0\nv 9 9 9\n\
                 f 1 2 3\nf 4 5 6\nf 1 2 7\nf 2 3 1\n";
    let built = try_build(&[("m.obj", messy)], "{ name: m, kind: mesh, file: m.obj }").unwrap();
    let mesh = &built.world.model().mesh_colliders[0];
    assert_eq!((mesh.vertex_count(), mesh.triangles.len()), (4, 2));
    let warning = built.notes.iter().find(|note| note.level == NoteLevel::Warning);
    assert!(built.notes.iter().any(|note| note.text.contains("1 triangles without area")));
    assert!(warning.is_some());
    // A needle and a small thing are as good as others.
    let needle = "v 0 0 0\nv 1 0 0\nv 0.5 1e-9 0\nf 1 2 3\n";
    let built = try_build(&[("n.obj", needle)], "{ name: n, kind: mesh, file: n.obj }").unwrap();
    assert_eq!(built.world.model().mesh_colliders[0].triangles.len(), 1);
    let tiny = "v 0 0 0\nv 1e-9 0 0\nv 0 1e-9 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
    let built = try_build(&[("t.obj", tiny)], "{ name: t, kind: mesh, file: t.obj }").unwrap();
    assert_eq!(built.world.model().mesh_colliders[0].triangles.len(), 2);
}

#[test]
fn unusable_meshes_are_refused_with_place_and_remedy() {
    let mesh = "{ name: m, kind: mesh, file: m.obj }";
    let with = |text: &str, wanted: &[&str]| refused(&[("m.obj", text)], mesh, wanted);
    with("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", &["no triangle with an area", "colliders[0]"]);
    with("v 0 0 0\nv nan 0 0\n", &["m.obj:2: the coordinate `nan` is not finite"]);
    with("v 0 0 0\nf 1 2 3\n", &["m.obj:2: vertex 2 does not exist"]);
    with("v 0 0 0\n", &["has no faces"]);
    with("", &["has no faces"]);
    with("v 0 0 0\nv 1e6 0 0\nv 0 1 0\nf 1 2 3\n", &["1e6 m from its origin", "smaller `scale`"]);
    with("v 0 0 0\nv 1e-9 0 0\nv 0 1e-9 0\nf 1 2 3\n", &["1e-9 m large", "larger `scale`"]);
    refused(&[], mesh, &["there is no file `m.obj`", "colliders[0].file"]);
    refused(&[("m.stl", "x")], "{ name: m, kind: mesh, file: m.stl }", &["neither OBJ nor glTF"]);
    refused(&[("m.glb", "x")], "{ name: m, kind: mesh, file: m.glb }", &["is not glTF", "export"]);
    refused(&[], "{ name: m, kind: mesh }", &["one of `file`, `shape` and `frames.files`"]);
    refused(
        &[("m.obj", TETRAHEDRON)],
        "{ name: m, kind: mesh, file: m.obj, frames: { rate_hz: 2 } }",
        &["OBJ files hold one shape each"],
    );
    refused(
        &[],
        "{ name: m, kind: mesh, shape: { kind: torus, radius_m: 0.1, tube_m: 0.2 } }",
        &["must be less than the radius of the ring", "colliders[0].shape.tube_m"],
    );
    refused(
        &[],
        "{ name: m, kind: mesh, shape: { kind: cylinder, radius_m: 1, height_m: 1, segments: [2, 1] } }",
        &["2 segments make nothing round"],
    );
}

#[test]
fn a_distance_field_says_how_good_it_is_or_why_it_cannot_be() {
    let field = "{ name: f, kind: distance-field, file: m.obj, cell_m: 0.05 }";
    let built = try_build(&[("m.obj", TETRAHEDRON)], field).unwrap();
    assert!(matches!(built.world.model().colliders[0].shape, ColliderShape::DistanceField(_)));
    let note = built.notes.iter().find(|note| note.text.contains("distance field of `f`"));
    let note = &note.expect("a note").text;
    // √3/2 of 50 mm.
    assert!(note.contains("50.00 mm apart") && note.contains("by 43.30 mm anywhere"), "{note}");
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    refused(&[("m.obj", &open)], field, &["is not closed: 3 edges", "`kind: mesh`"]);
    let fine = "{ name: f, kind: distance-field, file: m.obj, cell_m: 0.001 }";
    refused(
        &[("m.obj", TETRAHEDRON)],
        fine,
        &["16777216 is the most", "give `cell_m:", "colliders[0].cell_m"],
    );
}

#[test]
fn terrain_comes_from_rows_pictures_and_hills() {
    let rows = "{ name: g, kind: terrain, size_m: [2, 4], position_m: [0, 1, 0], \
                heights: { kind: rows, rows_m: [[0, 1, 2], [3, 4, 5]] } }";
    let built = try_build(&[], rows).unwrap();
    let points = positions(&built, 0.0);
    assert_eq!((points[0], points[5]), (Vec3::new(-1., 1., -2.), Vec3::new(1., 6., 2.)));
    let odd = rows.replace("[3, 4, 5]", "[3, 4]");
    refused(&[], &odd, &["has 2 heights, but the first row has 3", "rows_m[1]"]);

    let dir = tempfile::tempdir().unwrap();
    // Black, grey, white, black; 16 bits are read whole.
    let levels =
        image::ImageBuffer::<image::Luma<u16>, _>::from_raw(2, 2, vec![0, 32768, 65535, 0]);
    levels.unwrap().save(dir.path().join("h.png")).unwrap();
    let picture = "{ name: g, kind: terrain, size_m: [2, 2], \
                   heights: { kind: picture, file: h.png, height_m: 3 } }";
    let built = build_in(dir.path(), picture).unwrap();
    let points = positions(&built, 0.0);
    assert!((points[1].y - 1.5).abs() < 1e-4 && points[2].y == 3.0, "{points:?}");
    std::fs::write(dir.path().join("h.png"), "no picture").unwrap();
    let Err(text) = build_in(dir.path(), picture) else { panic!("accepted") };
    assert!(text.contains("`h.png` cannot be read"), "{text}");

    let hills = "{ name: g, kind: terrain, size_m: [10, 10], \
                 heights: { kind: hills, height_m: 0.5, wave_m: 3, seed: 4, cells: [40, 30] } }";
    let built = try_build(&[], hills).unwrap();
    let points = positions(&built, 0.0);
    assert_eq!(points.len(), 41 * 31);
    assert!(points.iter().all(|p| p.y.abs() <= 0.5) && points.iter().any(|p| p.y.abs() > 0.15));
}
