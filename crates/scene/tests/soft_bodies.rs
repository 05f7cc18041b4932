//! Soft bodies as scenes describe them: what is accepted, what is refused and why.

use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::run::{self, Record};
use tkanina_scene::schema::{Body, Scene, SoftShape};
use tkanina_sim::measure;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn scene(fields: &str) -> String {
    format!(
        "format: 1\nbodies:\n  - {{ name: b, kind: soft-body, mass: {{ total_kg: 1 }}, {fields} }}\n"
    )
}

fn try_build(obj: &str, fields: &str) -> Result<Simulation, String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("b.obj"), obj).unwrap();
    let loaded = Scene::load_text("test", &scene(fields), Some(dir.path()), &[])
        .map_err(|error| error.render())?;
    build(&loaded).map_err(|error| format!("{:?}", miette::Report::new(error)))
}

fn refused(obj: &str, fields: &str, wanted: &[&str]) {
    let Err(text) = try_build(obj, fields) else { panic!("{fields} was accepted") };
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for words in wanted {
        assert!(flat.contains(words), "{fields}:\n{text}\ndoes not say {words:?}");
    }
}

fn volume(simulation: &Simulation) -> f64 {
    let (model, state) = (simulation.world.model(), simulation.world.state());
    measure::volume(model, &model.bodies[0], &state.x).unwrap()
}

#[test]
fn closed_meshes_become_bodies_with_their_volume() {
    let file = "shape: { kind: mesh, file: b.obj, scale: 2 }";
    let one = try_build(TETRAHEDRON, file).unwrap();
    assert!((volume(&one) - 8.0 / 6.0).abs() < 1e-6);
    // A vertex for each face, as many programs write them.
    let split: String = [[1, 3, 2], [1, 2, 4], [1, 4, 3], [2, 3, 4]]
        .iter()
        .flatten()
        .map(|v| TETRAHEDRON.lines().nth(v - 1).unwrap().to_owned() + "\n")
        .chain((0..4).map(|f| format!("f {} {} {}\n", 3 * f + 1, 3 * f + 2, 3 * f + 3)))
        .collect();
    let welded = try_build(&split, file).unwrap();
    assert_eq!(welded.world.model().particle_count(), 4);
    let centred = try_build(TETRAHEDRON, &format!("{file}, centre_springs: {{ stiffness: 3 }}"));
    let centred = centred.unwrap();
    assert_eq!(centred.world.model().particle_count(), 5);
    assert_eq!(centred.world.model().springs.springs().len(), 6 + 4);
    let mass: f32 = centred.world.model().mass.iter().sum();
    assert!((mass - 1.0).abs() < 1e-6);
}

#[test]
fn holes_and_turned_faces_are_named_and_repaired_if_asked_for() {
    let file = "shape: { kind: mesh, file: b.obj }";
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    let turned = TETRAHEDRON.replace("f 2 3 4", "f 2 4 3");
    let inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    refused(&open, file, &["does not enclose a volume", "3 edges border a hole", "repair: true"]);
    // The hole is that of the face 2, 3, 4.
    refused(&open, file, &["3–2, 3–4, 2–4 (counted from 1, as in the file)"]);
    refused(&turned, file, &["join faces of which one is turned over", "--repair"]);
    refused(inside_out, file, &["its faces look inwards"]);
    let repaired = "shape: { kind: mesh, file: b.obj, repair: true }";
    for obj in [open.as_str(), turned.as_str(), inside_out] {
        let simulation = try_build(obj, repaired).unwrap();
        assert!((volume(&simulation) - 1.0 / 6.0).abs() < 1e-6, "{obj}");
        assert!(simulation.notes.iter().any(|note| note.level == NoteLevel::Warning));
    }
    let fin = format!("{TETRAHEDRON}v 1 1 1\nf 1 2 5\n");
    refused(&fin, repaired, &["cannot be made to enclose a volume", "more than two faces"]);
    refused("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", file, &["has no faces"]);
}

/// A band of `count` quads that is given half a turn before its ends are joined.
fn moebius(count: usize) -> String {
    let row = |k: usize| {
        let round = std::f64::consts::TAU * k as f64 / count as f64;
        [-0.2, 0.2].map(|side| {
            let (out, up) = (1.0 + side * (0.5 * round).cos(), side * (0.5 * round).sin());
            format!("v {} {up} {}\n", out * round.cos(), out * round.sin())
        })
    };
    let quad = |k: usize| {
        let [a, b] = [2 * k + 1, 2 * k + 2];
        let [c, d] = if k + 1 == count { [1, 2] } else { [b + 2, a + 2] };
        format!("f {a} {b} {c} {d}\n")
    };
    (0..count).flat_map(row).chain((0..count).map(quad)).collect()
}

#[test]
fn repair_is_advised_where_it_succeeds_and_nowhere_else() {
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    let turned = TETRAHEDRON.replace("f 2 3 4", "f 2 4 3");
    let fin = format!("{TETRAHEDRON}v 1 1 1\nf 1 2 5\n");
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned();
    let slanted = "v 0 0 0\nv 1 0.1 0.3\nv 1.1 1.1 0.9\nv 0.1 1 0.6\nf 1 2 3 4\n".to_owned();
    for (obj, wanted) in [
        (open, None),
        (turned, None),
        (fin, Some("until each edge has two faces")),
        (triangle, Some("give it a thickness")),
        (slanted, Some("give it a thickness")),
        (moebius(12), Some("no repair can turn its faces")),
    ] {
        let file = "shape: { kind: mesh, file: b.obj";
        let repaired = format!("{file}, repair: true }}");
        let file = format!("{file} }}");
        let Err(said) = try_build(&obj, &file) else { panic!("accepted:\n{obj}") };
        assert_eq!(said.contains("repair: true"), wanted.is_none(), "{said}");
        match wanted {
            Some(wanted) => {
                refused(&obj, &file, &["does not enclose a volume", wanted]);
                refused(&obj, &repaired, &["cannot be made to enclose a volume", wanted]);
            }
            None => assert!(try_build(&obj, &repaired).is_ok(), "{said}"),
        }
    }
}

#[test]
fn numbers_that_say_nothing_or_too_much_are_refused() {
    let ball = "shape: { kind: ico-sphere, radius_m: 1 }";
    refused("", &format!("{ball}, gas: {{}}"), &["says nothing of how much there is"]);
    let both = "gas: { amount_mol: 1, overpressure_Pa: 3 }";
    refused("", &format!("{ball}, {both}"), &["cannot stand beside `overpressure_Pa`"]);
    let back = "gas: { amount_mol: 1, inflation: [{ t_s: 1, factor: 1 }, { t_s: 1, factor: 2 }] }";
    refused("", &format!("{ball}, {back}"), &["inflation"]);
    let ring = "shape: { kind: torus, radius_m: 0.1, tube_m: 0.2 }";
    refused("", ring, &["must be less than `radius_m`"]);
    let huge = "shape: { kind: letter, letter: U, size_m: [1e-6, 1e-6, 1e5], cells: 100 }";
    refused("", huge, &["a scene may have"]);
    let letter = "shape: { kind: letter, letter: Q, size_m: [1, 1, 1] }";
    refused("", letter, &["must be"]);
    let line = format!("{ball}, gas: {{ amount_mol: 1 }}");
    let text = scene(&line) + "solver: { kind: line-projection }\n";
    let loaded = Scene::load_text("test", &text, None, &[]).unwrap();
    let Err(error) = build(&loaded) else { panic!("gas under line projection") };
    let error = format!("{:?}", miette::Report::new(error));
    let flat = error.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    assert!(flat.contains("gas presses on a whole surface"), "{error}");
}

#[test]
fn a_repair_is_a_field_that_a_program_can_set() {
    let mut loaded =
        Scene::load_text("test", &scene("shape: { kind: mesh, file: b.obj }"), None, &[]);
    if let Ok(loaded) = &mut loaded {
        loaded.scene.repair_meshes();
        let Body::SoftBody(body) = &loaded.scene.bodies[0] else { unreachable!() };
        assert!(matches!(body.shape, SoftShape::Mesh { repair: true, .. }));
    }
}

#[test]
fn lattices_are_built_and_what_cannot_be_in_them_is_refused() {
    let shape = "shape: { kind: box, size_m: [0.4, 0.2, 0.2], cells: [4, 2, 2] }";
    let lattice = |more: &str| format!("{shape}, inside: {{ kind: lattice, {more} }}");
    let built = try_build("", &lattice("spacing_m: 0.1")).unwrap();
    let model = built.world.model();
    assert_eq!(model.particle_count(), 5 * 3 * 3);
    assert_eq!(model.triangles.len(), 2 * (2 * 4 + 4 * 8));
    assert!((volume(&built) - 0.016).abs() < 1e-6);
    assert_eq!(built.world.solver_kind().name(), "xpbd");
    // A tenth of the longest side.
    assert_eq!(
        try_build("", &lattice("region_width: 1")).unwrap().world.model().particle_count(),
        11 * 36
    );
    let spaced = |more: &str| format!("{}, {more}", lattice("spacing_m: 0.1"));
    refused(
        "",
        &lattice("spacing_m: 0.0001"),
        &["bodies[0].inside", "cells, more than", "`spacing_m`"],
    );
    refused("", &spaced("springs: { stiffness: 3 }"), &["springs along a skin", "leave it out"]);
    refused("", &spaced("centre_springs: { stiffness: 3 }"), &["springs to a middle"]);
    refused("", &spaced("gas: { amount_mol: 0.1 }"), &["gas fills a skin"]);
    refused("", &spaced("tears_at_stretch: 0.3"), &["`breaks_at_stretch`"]);
    let whole =
        format!("{shape}, inside: {{ kind: shape-matching }}, gas: {{ overpressure_Pa: 3 }}");
    let whole = try_build("", &whole).unwrap();
    assert_eq!((whole.world.model().goals.len(), whole.world.model().gases.gases().len()), (1, 1));
}

#[test]
fn lattices_go_on_from_checkpoints_also_in_pieces() {
    let bar = "shape: { kind: box, size_m: [0.8, 0.2, 0.2], cells: [8, 2, 2] }, \
        place: { position_m: [0, 1, 0] }, damping_kg_s: 0.01, \
        inside: { kind: lattice, spacing_m: 0.1, region_width: 1, frequency_Hz: 60, \
            damping_per_second: 10, breaks_at_stretch: 0.3 }, \
        pins: [{ ball: { center_m: [-0.4, 1, 0], radius_m: 0.16 } }, \
            { ball: { center_m: [0.4, 1, 0], radius_m: 0.16 }, \
              follow: { keyframes: [{ t_s: 0 }, { t_s: 2, offset_m: [1.5, 0.1, 0] }] } }]";
    let loaded = Scene::load_text("test", &scene(bar), None, &[]).map_err(|e| e.render()).unwrap();
    let start = || build(&loaded).unwrap_or_else(|e| panic!("{:?}", miette::Report::new(e)));
    let mut straight = start();
    for _ in 0..100 {
        straight.advance().unwrap();
    }
    assert!(straight.world.pieces() > 1, "it held");
    let wanted = measure::state_hash(straight.world.state());
    for stop in [10, 60, 90] {
        let mut first = start();
        for _ in 0..stop {
            first.advance().unwrap();
        }
        let saved = run::checkpoint(&loaded, &first, &Record::default());
        let mut second = start();
        run::restore(&mut second, &saved).unwrap();
        for _ in stop..100 {
            second.advance().unwrap();
        }
        assert_eq!(measure::state_hash(second.world.state()), wanted, "from frame {stop}");
    }
}

#[test]
fn a_mesh_that_passes_through_itself_is_named_by_its_own_numbers() {
    // Two tetrahedra in one file; an unused vertex comes first, and the second reaches into the first.
    let second = "v 0.2 0.2 -0.5\nv 0.3 0.2 -0.5\nv 0.2 0.3 -0.5\nv 0.2 0.2 0.2\n\
                  f 6 8 7\nf 6 7 9\nf 6 9 8\nf 7 8 9\n";
    let first = "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 4 3\nf 2 3 5\nf 2 5 4\nf 3 4 5\n";
    let built = try_build(&format!("{first}{second}"), "shape: { kind: mesh, file: b.obj }");
    let built = built.unwrap();
    let said: Vec<&str> = built.notes.iter().map(|note| note.text.as_str()).collect();
    let said = said.join("\n");
    // The tip is vertex 9 of the file and the pierced face has the corners 2, 3 and 4.
    assert!(said.contains("mesh of `b`: it passes through itself"), "{said}");
    assert!(said.contains("–9 goes through the face of 2, 4 and 3"), "{said}");
    assert!(said.contains("2 more") && said.contains("self_contact: true"), "{said}");
    let sound = try_build(TETRAHEDRON, "shape: { kind: mesh, file: b.obj }").unwrap();
    assert!(sound.notes.iter().all(|note| !note.text.contains("passes through itself")));
}

#[test]
fn carried_meshes_are_shown_and_what_cannot_carry_them_is_refused() {
    let cage = "shape: { kind: box, size_m: [1, 1, 1], cells: [2, 2, 2] }";
    let mesh = "carries: { shape: { kind: mesh, file: b.obj, scale: 0.4 } }";
    // An open mesh will do.
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    let mut built = try_build(&open, &format!("{cage}, {mesh}")).unwrap();
    let carried = built.world.model().bodies[0].carried.clone().unwrap();
    assert_eq!((carried.len(), carried.triangles().len()), (4, 3));
    let mut frame = run::FrameBuffer::default();
    frame.capture(&mut built.world);
    frame.with(&built.world, |view| {
        let wanted = [[0.0; 3], [0.4, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.4]];
        let positions = view.bodies[0].positions;
        assert_eq!(positions.len(), 4);
        for (is, wanted) in positions.iter().zip(wanted) {
            assert!(is.distance(wanted.into()) < 1e-5, "{is} is not {wanted:?}");
        }
    });
    refused(&open, &format!("{cage}, {mesh}, tears_at_stretch: 0.3"), &["what tears"]);
    let none = "carries: { shape: { kind: mesh, file: none.obj } }";
    refused(&open, &format!("{cage}, {none}"), &["none.obj"]);
    // Cells and tetrahedra carry meshes as well, their own skin if there is no other.
    let ball = "shape: { kind: ico-sphere, radius_m: 0.5, subdivisions: 2 }";
    for inside in [
        "{ kind: lattice, spacing_m: 0.2 }",
        "{ kind: tetrahedra, spacing_m: 0.25, young_Pa: 1e4 }",
    ] {
        let built = try_build(&open, &format!("{ball}, inside: {inside}")).unwrap();
        let body = &built.world.model().bodies[0];
        let carried = body.carried.as_ref().unwrap();
        let x: Vec<glam::Vec3> =
            body.particles.clone().map(|i| built.world.state().x.get(i)).collect();
        let mut places = Vec::new();
        carried.places(&x, &mut places);
        assert_eq!(places.len(), 162, "{inside}");
        for place in places {
            assert!((place.length() - 0.5).abs() < 1e-4, "{inside}: {place}");
        }
    }
}

#[test]
fn cores_need_lengths_and_room() {
    let skin = "shape: { kind: capsule, radius_m: 0.1, height_m: 0.6 }";
    let cores = |joints: &str| {
        format!(
            "cores: {{ joints_m: {joints}, radius_m: 0.02, mass_kg: 1, springs: {{ stiffness: 50 }} }}"
        )
    };
    let built =
        try_build("", &format!("{skin}, {}", cores("[[0, -0.2, 0], [0, 0, 0], [0, 0.2, 0]]")));
    assert_eq!(built.unwrap().world.model().goals.len(), 2);
    refused(
        "",
        &format!("{skin}, {}", cores("[[0, 0, 0], [0, 0, 0]]")),
        &["where the joint before"],
    );
    refused("", &format!("{skin}, {}", cores("[[0, 0, 0]]")), &["joints_m"]);
    let solid =
        format!("{skin}, {}, inside: {{ kind: lattice }}", cores("[[0, 0, 0], [0, 0.1, 0]]"));
    refused("", &solid, &["cannot be inside what `inside` fills"]);
}
