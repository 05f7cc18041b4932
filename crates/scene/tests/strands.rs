//! Strands of scenes: shapes, roots, files, and what is said of those that cannot be.

use std::path::Path;

use glam::Vec3;
use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::strands::{RootPath, SkinCorners, StrandLaw, StrandSet};

/// What strands may grow on; each stands in a scene that names it.
const COLLIDERS: [&str; 7] = [
    "  - { name: head, kind: sphere, center_m: [0, 1, 0], radius_m: 0.1 }\n",
    "  - { name: crate, kind: box, center_m: [0, 0, 0], size_m: [0.2, 0.2, 0.2] }\n",
    "  - { name: rod, kind: capsule, a_m: [0, 0, 0], b_m: [0, 0.3, 0], radius_m: 0.05 }\n",
    "  - { name: floor, kind: plane, point_m: [0, 0, 0], normal: [0, 1, 0] }\n",
    "  - { name: ring, kind: mesh, shape: { kind: torus, radius_m: 0.2, tube_m: 0.05 }, position_m: [0, 2, 0] }\n",
    "  - { name: field, kind: distance-field, shape: { kind: sphere, radius_m: 0.1 } }\n",
    "  - { name: person, kind: mesh, shape: { kind: figure, walk_s: 0.2, stand_s: 0, cell_m: 0.05 } }\n",
];

fn load(dir: Option<&Path>, bodies: &str) -> Result<Simulation, String> {
    let named = |collider: &&&str| {
        let name = collider["  - { name: ".len()..].split(',').next().unwrap_or("");
        bodies.contains(&format!("on: {name}")) || (name == "ring" && bodies.contains("on: person"))
    };
    let colliders: String = COLLIDERS.iter().filter(named).copied().collect();
    let colliders =
        if colliders.is_empty() { String::new() } else { format!("colliders:\n{colliders}") };
    let text = format!("format: 1\nname: s\n{colliders}bodies:\n{bodies}");
    let loaded = Scene::load_text("s", &text, dir, &[]).map_err(|e| e.render())?;
    build(&loaded).map_err(|e| format!("{:?}", miette::Report::new(e)))
}

fn body(fields: &str) -> String {
    format!("  - {{ name: hair, kind: strands, {fields} }}\n")
}

fn set(simulation: &Simulation) -> &StrandSet {
    &simulation.world.model().strands[0]
}

/// Points of a strand at the start.
fn points(simulation: &Simulation, strand: usize) -> Vec<Vec3> {
    let x = &simulation.world.state().x;
    set(simulation).strands[strand].particles().map(|p| x.get(p)).collect()
}

/// Greatest difference of an edge to the rest length, as a part of that.
fn uneven(simulation: &Simulation) -> f32 {
    let mut worst = 0.0f32;
    for (number, strand) in set(simulation).strands.iter().enumerate() {
        for ends in points(simulation, number).windows(2) {
            worst = worst.max(((ends[1] - ends[0]).length() / strand.edge - 1.0).abs());
        }
    }
    worst
}

#[test]
fn every_shape_has_even_edges() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("a.csv"),
        "strand,x,y,z\n1,0,0,0\n1,1,0,0\n1,1,1,0\n2,0,0,1\n2,0,3,1\n",
    )
    .unwrap();
    for (shape, strands) in [
        ("shape: { kind: single, length_m: 0.2 }", 1),
        (
            "shape: { kind: rope, through_m: [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }, fibre: { preset: rope }",
            1,
        ),
        ("shape: { kind: curves, file: a.csv, scale: 0.1 }", 2),
        (
            "shape: { kind: field, size_m: [1, 2], per_m2: 50, length_m: 0.2, length_noise: 0.3, lean_deg: 10 }, fibre: { preset: grass }",
            100,
        ),
        (
            "shape: { kind: on-surface, on: head, count: 40, length_m: 0.2 }, fibre: { preset: curly }, nodes: 32",
            40,
        ),
        (
            "shape: { kind: on-surface, on: head, count: 40, length_m: 0.2 }, start: { kind: combed }, fibre: { preset: wavy }, nodes: 32",
            40,
        ),
        (
            "shape: { kind: on-surface, on: head, count: 40, length_m: 0.2 }, start: { kind: straight }, fibre: { preset: curly }, nodes: 32",
            40,
        ),
    ] {
        let simulation = load(Some(dir.path()), &body(shape)).unwrap();
        assert_eq!(set(&simulation).strands.len(), strands, "{shape}");
        assert!(uneven(&simulation) < 3e-3, "{shape}: {}", uneven(&simulation));
    }
}

#[test]
fn roots_lie_on_what_they_grow_on_and_go_with_it() {
    let grown = |on: &str, more: &str| {
        let shape =
            format!("{{ kind: on-surface, on: {on}, count: 200, length_m: 0.05, seed: 3{more} }}");
        load(None, &body(&format!("shape: {shape}"))).unwrap()
    };
    let roots = |simulation: &Simulation| -> Vec<Vec3> {
        (0..200).map(|strand| points(simulation, strand)[0]).collect()
    };
    let head = grown("head", "");
    let centre = Vec3::new(0.0, 1.0, 0.0);
    for (strand, root) in roots(&head).iter().enumerate() {
        assert!(((*root - centre).length() - 0.1).abs() < 1e-6, "{root}");
        let next = points(&head, strand)[1] - *root;
        assert!(next.normalize().dot((*root - centre).normalize()) > 0.999);
        assert!(matches!(set(&head).strands[strand].root.path, RootPath::Collider(0)));
    }
    // Evenly: as many on one half as on the other, and their mean is the centre.
    let mean: Vec3 = roots(&head).iter().copied().sum::<Vec3>() / 200.0;
    assert!((mean - centre).length() < 0.01, "{mean}");
    for root in roots(&grown("crate", "")) {
        assert!((root.abs().max_element() - 0.1).abs() < 1e-6, "{root}");
    }
    for root in roots(&grown("rod", "")) {
        let axis = Vec3::new(0.0, root.y.clamp(0.0, 0.3), 0.0);
        assert!(((root - axis).length() - 0.05).abs() < 1e-5, "{root}");
    }
    for root in roots(&grown("floor", ", patch_m: [0.5, 2]")) {
        assert!(root.y.abs() < 1e-6 && root.x.abs() <= 0.25 && root.z.abs() <= 1.0, "{root}");
    }
    for root in roots(&grown("field", "")) {
        assert!((root.length() - 0.1).abs() < 1e-3, "{root}");
    }
    let ring = grown("ring", ", region: { box: { min_m: [-1, 2, -1], max_m: [1, 3, 1] } }");
    assert!(roots(&ring).iter().all(|root| root.y >= 2.0));
    let scalp =
        grown("head", ", region: { cone: { apex_m: [0, 1, 0], axis: [0, 1, 0], angle_deg: 60 } }");
    assert!(roots(&scalp).iter().all(|root| root.y >= 1.0 + 0.1 * 0.499));
    let person = grown("person", "");
    let ring_vertices = simulation_vertices(&person, 0);
    for strand in &set(&person).strands {
        let RootPath::Skin { corners: SkinCorners::Obstacles(corners), weights } = strand.root.path
        else {
            panic!("{:?}", strand.root.path)
        };
        assert!(corners.iter().all(|&v| v as usize >= ring_vertices));
        let place: Vec3 = corners
            .iter()
            .zip(weights)
            .map(|(&v, w)| person.world.state().obstacles.get(v as usize) * w)
            .sum();
        let root = person.world.state().x.get(strand.first as usize);
        assert!((place - root).length() < 1e-5, "{place} {root}");
    }
}

/// Vertices of the n-th mesh collider.
fn simulation_vertices(simulation: &Simulation, mesh: usize) -> usize {
    simulation.world.model().mesh_colliders[mesh].vertex_count()
}

#[test]
fn strands_grow_on_cloth_and_soft_bodies() {
    let bodies = "  - { name: sheet, kind: cloth, shape: { kind: grid, points: [8, 8], size_m: [1, 1] }, material: m }\n";
    let text = format!(
        "{bodies}{}",
        body("shape: { kind: on-surface, on: sheet, per_m2: 30, length_m: 0.1 }")
    );
    let text =
        format!("format: 1\nname: s\nmaterials: {{ m: {{ preset: silk }} }}\nbodies:\n{text}");
    let loaded = Scene::load_text("s", &text, None, &[]).map_err(|e| e.render()).unwrap();
    let simulation = build(&loaded).unwrap();
    assert_eq!(set(&simulation).strands.len(), 30);
    for strand in &set(&simulation).strands {
        let RootPath::Skin { corners: SkinCorners::Particles(corners), weights } = strand.root.path
        else {
            panic!()
        };
        let x = &simulation.world.state().x;
        let place: Vec3 = corners.iter().zip(weights).map(|(&v, w)| x.get(v as usize) * w).sum();
        assert!((place - x.get(strand.first as usize)).length() < 1e-6);
    }
}

#[test]
fn models_and_their_numbers() {
    for (model, law) in [
        ("rod", StrandLaw::Rod),
        ("cosserat, sweeps: 7", StrandLaw::Cosserat { sweeps: 7 }),
        ("super-helix, pieces: 5", StrandLaw::Helix { pieces: 5 }),
    ] {
        let fields =
            format!("shape: {{ kind: single, length_m: 0.2 }}, model: {{ kind: {model} }}");
        assert_eq!(set(&load(None, &body(&fields)).unwrap()).law, law);
    }
    let springs = body(
        "shape: { kind: single, length_m: 0.2 }, nodes: 11, hinged: true, model: { kind: springs, stiffness: 50, damping: 0.01, per_point_kg: 0.002 }",
    );
    let mut simulation = load(None, &springs).unwrap();
    let model = simulation.world.model();
    assert_eq!(model.springs.springs().len(), 10);
    assert!(model.mass.iter().all(|&m| m == 0.002));
    for _ in 0..30 {
        simulation.advance().unwrap();
    }
    assert_eq!(simulation.world.state().x.get(0), Vec3::ZERO);
    assert!(simulation.world.state().x.get(10).y < -0.2);
}

#[test]
fn followers_and_locks() {
    let fields = "shape: { kind: on-surface, on: head, count: 100, length_m: 0.1 }, followers: { per_strand: 7, length_noise: 0.5 }, fibre: { wetness: 0.5 }, hair_contact: {}";
    let simulation = load(None, &body(fields)).unwrap();
    let set = set(&simulation);
    let followers = set.followers.as_ref().unwrap();
    assert_eq!(followers.guides.len(), 700);
    for (weights, length) in followers.weights.iter().zip(&followers.lengths) {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((0.5..=1.0).contains(length));
    }
    let clump = set.clump.as_ref().unwrap();
    assert_eq!(clump.leaders.len(), 100);
    assert!(clump.leaders.iter().all(|&leader| clump.leaders[leader as usize] == leader));
    assert!(set.touch.crowd.is_some());
    let tuft = body(
        "shape: { kind: single, length_m: 0.2 }, followers: { per_strand: 9, spread_m: 0.01 }",
    );
    let simulation = load(None, &tuft).unwrap();
    let offsets = &self::set(&simulation).followers.as_ref().unwrap().offsets;
    assert!(offsets.len() == 9 && offsets.iter().all(|o| o.length() <= 0.01 && o.z == 0.0));
}

#[test]
fn pins_choose_by_node_and_strand() {
    let pinned = |select: &str| {
        load(
            None,
            &body(&format!(
                "shape: {{ kind: field, size_m: [1, 1], count: 5, length_m: 0.1 }}, nodes: 4, hinged: true, model: {{ kind: springs, stiffness: 5 }}, pins: [{{ {select} }}]"
            )),
        )
    };
    let held = |select: &str| pinned(select).unwrap().world.model().holds.len();
    // Five roots are held anyway.
    assert_eq!(held("points: [[3, 4]]"), 6);
    assert_eq!(held("edge: right"), 10);
    assert_eq!(held("vertices: [19]"), 6);
    for (select, wanted) in [
        ("points: [[4, 0]]", "[4, 0] does not exist"),
        ("row: 5", "row 5 does not exist"),
        ("vertices: [20]", "no vertex 20"),
    ] {
        let error = pinned(select).err().unwrap();
        assert!(error.contains(wanted) && error.contains("help"), "{error}");
    }
}

#[test]
fn curls_that_are_too_coarse_are_warned_of() {
    let coarse =
        body("shape: { kind: single, length_m: 0.5 }, nodes: 12, fibre: { preset: curly }");
    let simulation = load(None, &coarse).unwrap();
    let warned = |s: &Simulation| {
        s.notes.iter().any(|n| n.level == NoteLevel::Warning && n.text.contains("points a turn"))
    };
    assert!(warned(&simulation));
    let fine = body("shape: { kind: single, length_m: 0.2 }, nodes: 40, fibre: { preset: curly }");
    assert!(!warned(&load(None, &fine).unwrap()));
}

#[test]
fn what_cannot_be_says_where_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("one.csv", "strand,x,y,z\n1,0,0,0\n"),
        ("nan.obj", "v 0 0 0\nv 0 nan 0\nl 1 2\n"),
        ("zero.csv", "strand,x,y,z\n1,1,0,0\n1,1,0,0\n"),
        ("columns.csv", "strand,x,y\n1,1,0\n"),
        ("tiny.csv", "strand,x,y,z\n1,0,0,0\n1,1e-9,0,0\n"),
        ("far.csv", "strand,x,y,z\n1,0,0,0\n1,1e9,0,0\n"),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let single = "shape: { kind: single, length_m: 0.1 }";
    let grown = |fields: &str| format!("shape: {{ kind: on-surface, length_m: 0.1, {fields} }}");
    let curves = |file: &str| format!("shape: {{ kind: curves, file: {file} }}");
    for (fields, wanted) in [
        (curves("one.csv"), "one.csv:2: strand 1 has one point"),
        (curves("nan.obj"), "nan.obj:2: the coordinate `nan` is not finite"),
        (curves("zero.csv"), "has no length"),
        (curves("columns.csv"), "the column `z` is missing"),
        (curves("tiny.csv"), "1e-5 m is the least"),
        (curves("far.csv"), "is the most"),
        (curves("none.csv"), "no file `none.csv`"),
        (grown("on: head"), "says nothing of how many"),
        (grown("on: head, count: 5, per_m2: 4"), "cannot stand beside"),
        (grown("on: hed, count: 5"), "there is no collider or body before this one `hed`"),
        (grown("on: hair, count: 5"), "comes after what grows on it"),
        (grown("on: head, count: 200000"), "a scene may have 4000000"),
        (grown("on: head, per_m2: 1e9"), "are the most"),
        (grown("on: head, per_m2: 0.001"), "no strand grows"),
        (
            grown("on: head, count: 5, region: { box: { min_m: [5, 5, 5], max_m: [6, 6, 6] } }"),
            "hardly any",
        ),
        (grown("on: head, count: 5, combed: 0.5"), "needs a `comb`"),
        (grown("on: head, count: 5, colour: 3"), "colour"),
        (format!("{single}, fibre: {{ preset: straigth }}"), "did you mean `straight`"),
        (format!("{single}, fibre: {{ young_Pa: .nan }}"), "young_Pa"),
        (format!("{single}, fibre: {{ wetness: 2 }}"), "wetness"),
        (format!("{single}, nodes: 1"), "nodes"),
        (
            format!("{single}, root: {{ kind: collider, name: nothing }}"),
            "there is no collider `nothing`",
        ),
        (
            format!("{single}, root: {{ kind: follow, keyframes: [{{ t_s: 1 }}, {{ t_s: 1 }}] }}"),
            "must be later",
        ),
        (format!("{single}, start: {{ kind: combed, direction: [0, 0, 0] }}"), "must not be zero"),
        (
            format!("{single}, model: {{ kind: super-helix }}, touch: segments"),
            "super-helices meet colliders only, by points",
        ),
        (
            format!("{single}, model: {{ kind: super-helix }}, root: {{ kind: free }}"),
            "needs a root that holds its direction",
        ),
        (
            format!("{single}, model: {{ kind: super-helix }}, hinged: true"),
            "needs a root that holds its direction",
        ),
        ("shape: { kind: single, length_m: 0 }".to_owned(), "length_m"),
        (
            "shape: { kind: single, length_m: 1, direction: [0, 0, 0] }".to_owned(),
            "must not be zero",
        ),
        ("shape: { kind: rope, through_m: [[0, 0, 0]] }".to_owned(), "through_m"),
        ("shape: { kind: rope, through_m: [[1, 0, 0], [1, 0, 0]] }".to_owned(), "has no length"),
    ] {
        match load(Some(dir.path()), &body(&fields)) {
            Ok(_) => panic!("{fields} is taken"),
            Err(error) => {
                // Long lines are broken.
                let words: Vec<&str> =
                    error.split_whitespace().filter(|word| *word != "│").collect();
                assert!(words.join(" ").contains(wanted), "{fields}: {error}");
            }
        }
    }
}

#[test]
fn random_fields_never_panic() {
    let words = ["-1", "0", "1e-30", "1e30", ".nan", "[0, 0, 0]", "{}", "head", "null", "1e5", "2"];
    let fields = [
        "nodes",
        "damping_kg_s",
        "hinged",
        "touch",
        "fibre",
        "root",
        "start",
        "model",
        "followers",
        "hair_contact",
        "velocity_m_s",
        "rest",
        "pins",
        "place",
        "shape",
    ];
    for field in fields {
        for word in words {
            let text = format!(
                "shape: {{ kind: on-surface, on: head, count: 3, length_m: 0.1 }}, {field}: {word}"
            );
            let text = if field == "shape" {
                format!("shape: {{ kind: on-surface, on: head, count: 3, length_m: {word} }}")
            } else {
                text
            };
            let _ = load(None, &body(&text)).map(|mut s| s.advance());
        }
    }
}

/// A chain of weight w a metre whose tip a force F draws aside hangs as a catenary: x = a·asinh(L/a), a = F/w.
#[test]
fn a_tuft_under_a_force_is_pushed_aside() {
    let mut simulation = build(&Scene::open("tuft-under-force", &[]).unwrap()).unwrap();
    while simulation.world.state().time < 1.95 {
        simulation.advance().unwrap();
    }
    let model = simulation.world.model();
    let force = 1.2e-3 / set(&simulation).strands.len() as f64;
    let (mut found, mut wanted) = (0.0, 0.0);
    for (number, strand) in set(&simulation).strands.iter().enumerate() {
        let points = points(&simulation, number);
        // The first edge is held; the others weigh alike.
        found += f64::from(points[points.len() - 1].x - points[1].x);
        let length = f64::from(strand.edge) * (points.len() - 2) as f64;
        let free = strand.particles().skip(2);
        let masses: Vec<f64> = free.map(|p| 1.0 / f64::from(model.inverse_mass[p])).collect();
        // The last point has half an edge.
        let mass = masses.iter().sum::<f64>() + 0.5 * masses[0];
        let per_weight = force / (9.81 * mass / length);
        wanted += per_weight * (length / per_weight).asinh();
    }
    assert!((found / wanted - 1.0).abs() < 0.1, "{found} of {wanted} m");
}
