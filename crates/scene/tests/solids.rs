//! Solids as scenes describe them: what is accepted, what is refused and why.

use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n\
    4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n3\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n\
    3 4 2 0 1 2 3 5 4\n$EndElements\n";

const INSIDE: &str = "inside: { kind: tetrahedra, young_Pa: 10000 }";
const CUBE: &str = "shape: { kind: box, size_m: [1, 1, 1] }";

fn try_build(file: &str, fields: &str, more: &str) -> Result<Simulation, String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("b.msh"), file).unwrap();
    let text = format!(
        "format: 1\n{more}bodies:\n  - {{ name: b, kind: soft-body, mass: {{ total_kg: 2 }}, {fields} }}\n"
    );
    let loaded = Scene::load_text("test", &text, Some(dir.path()), &[]).map_err(|e| e.render())?;
    build(&loaded).map_err(|error| format!("{:?}", miette::Report::new(error)))
}

fn refused(file: &str, fields: &str, wanted: &[&str]) {
    let Err(text) = try_build(file, fields, "") else { panic!("{fields} was accepted") };
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for words in wanted {
        assert!(flat.contains(words), "{fields}:\n{text}\ndoes not say {words:?}");
    }
}

fn warned(simulation: &Simulation, words: &str) -> bool {
    let mut notes = simulation.notes.iter().filter(|note| note.level == NoteLevel::Warning);
    notes.any(|note| note.text.contains(words))
}

fn volume(simulation: &Simulation) -> f64 {
    let (model, state) = (simulation.world.model(), simulation.world.state());
    measure::volume(model, &model.bodies[0], &state.x).unwrap()
}

#[test]
fn shapes_are_filled_and_weigh_what_they_should() {
    for (shape, expected, within) in [
        (CUBE, 1.0, 1e-5),
        ("shape: { kind: centred-box, size_m: [1, 2, 1] }", 2.0, 1e-5),
        ("shape: { kind: ico-sphere, radius_m: 1 }", 4.0 / 3.0 * std::f64::consts::PI, 0.03),
        ("shape: { kind: torus, radius_m: 1, tube_m: 0.4 }", 3.158, 0.12),
    ] {
        let simulation = try_build("", &format!("{shape}, {INSIDE}"), "").unwrap();
        let model = simulation.world.model();
        assert!((volume(&simulation) / expected - 1.0).abs() < within, "{shape}");
        assert!(model.tetras.tetras().len() > 1000 && model.springs.springs().is_empty());
        let mass: f32 = model.mass.iter().sum();
        assert!((mass - 2.0).abs() < 1e-4, "{mass}");
        assert!(model.bodies[0].closed);
    }
    let springs = format!("{CUBE}, {INSIDE}, springs: {{ stiffness: 10 }}");
    let with = try_build("", &springs, "").unwrap();
    assert!(!with.world.model().springs.springs().is_empty());
}

#[test]
fn what_makes_no_sense_beside_tetrahedra_is_refused_or_doubted() {
    let with = |more: &str| format!("{CUBE}, {INSIDE}, {more}");
    refused(
        "",
        &with("centre_springs: { stiffness: 1 }"),
        &["fill the middle already", "young_Pa"],
    );
    refused("", &with("tears_at_stretch: 0.2"), &["a solid does not tear"]);
    let gassy = try_build("", &with("gas: { amount_mol: 1 }"), "").unwrap();
    assert!(warned(&gassy, "has gas besides tetrahedra"));
    let spaced = |spacing: f64| {
        format!("{CUBE}, inside: {{ kind: tetrahedra, young_Pa: 1, spacing_m: {spacing} }}")
    };
    refused("", &spaced(1e-3), &["cannot fill `b`", "cells", "use "]);
    let thin = "shape: { kind: torus, radius_m: 1, tube_m: 0.01 }";
    refused("", &format!("{thin}, {INSIDE}"), &["nothing fits inside", "spacing_m"]);
    for kind in ["line-projection", "projective"] {
        let solver = format!("solver: {{ kind: {kind} }}\n");
        let Err(text) = try_build("", &with("velocity_m_s: [0, 0, 0]"), &solver) else {
            panic!("{kind} was accepted")
        };
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(flat.contains("tetrahedra carry a solid"), "{text}");
    }
}

#[test]
fn the_method_follows_from_how_stiff_a_solid_is() {
    let kind = |young: f64| {
        let inside = format!("inside: {{ kind: tetrahedra, young_Pa: {young}, spacing_m: 0.25 }}");
        try_build("", &format!("{CUBE}, {inside}"), "").unwrap().world.solver_kind()
    };
    assert!(matches!(kind(100.0), SolverKind::Xpbd { .. }));
    assert!(matches!(kind(1e7), SolverKind::VertexDescent { .. }));
}

#[test]
fn files_of_tetrahedra_become_bodies_and_what_is_wrong_with_them_is_said() {
    let file = "shape: { kind: mesh, file: b.msh, scale: 2 }";
    let simulation = try_build(GMSH, &format!("{file}, {INSIDE}"), "").unwrap();
    assert_eq!(simulation.world.model().tetras.tetras().len(), 2);
    assert!((volume(&simulation) - 4.0).abs() < 1e-5);
    assert!(warned(&simulation, "1 elements that are no tetrahedra"));
    assert!(warned(&simulation, "1 tetrahedra were inside out"));
    let spaced = "inside: { kind: tetrahedra, young_Pa: 1, spacing_m: 0.1 }";
    refused(GMSH, &format!("{file}, {spaced}"), &["spacing_m", "has its tetrahedra"]);
    refused(GMSH, file, &["which nothing here asks for", "kind: tetrahedra"]);
    let flat = GMSH.replace("5 1 1 1", "5 0.5 0.5 0");
    refused(&flat, &format!("{file}, {INSIDE}"), &["tetrahedron 2 has no volume"]);
    refused(&GMSH[..60], &format!("{file}, {INSIDE}"), &["b.msh:"]);
}
