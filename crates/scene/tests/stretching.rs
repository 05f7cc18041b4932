//! One fabric with springs and with finite elements.

use tkanina_scene::build::{BuildError, Simulation, build};
use tkanina_scene::run::{Record, Stats};
use tkanina_scene::schema::Scene;

fn scene(material: &str, solver: &str) -> String {
    format!(
        "format: 1\nsolver: {{ {solver} }}\ntime: {{ frame_rate_hz: 30, duration_s: 1 }}\n\
         materials:\n  m: {{ {material} }}\nbodies:\n  - name: s\n    kind: cloth\n    \
         shape: {{ kind: grid, points: [9, 9], size_m: [0.5, 0.5], plane: xz }}\n    \
         material: m\n    pins: [ {{ edge: left }}, {{ edge: right }} ]\n"
    )
}

fn simulation(text: &str) -> Simulation {
    let loaded =
        Scene::load_text("test", text, None, &[]).unwrap_or_else(|e| panic!("{}", e.render()));
    build(&loaded).unwrap_or_else(|e| panic!("{e}"))
}

/// Depth of the middle after the run [m], and membrane triangles.
fn sag(material: &str, solver: &str) -> (f32, usize) {
    let mut run = simulation(&scene(material, solver));
    for _ in 0..run.schedule.frames {
        run.advance().unwrap();
    }
    let stats = Stats::of(&run.world, &Record::default(), false);
    (-run.world.state().x.get(40).y, stats.elements.membrane)
}

#[test]
fn springs_and_triangles_are_two_versions_of_one_fabric() {
    for solver in ["kind: implicit-euler", "kind: sdirk2, error_m: 1e-4", "kind: verlet"] {
        let fabric = "preset: cotton, damping_kg_s: 0.02";
        let (springs, none) = sag(fabric, solver);
        let (triangles, count) = sag(&format!("{fabric}, stretching: triangles"), solver);
        assert_eq!((none, count), (0, 2 * 8 * 8));
        assert!(springs > 0.005, "{solver}: {springs}");
        assert!((triangles / springs - 1.0).abs() < 0.15, "{solver}: {springs} and {triangles}");
    }
}

#[test]
fn triangles_with_a_stencil_of_springs_are_refused() {
    let material = "mass: { per_point_kg: 0.01 }, stretching: triangles, \
                    springs: { stencil: neighbours-20, stiffness: 5 }";
    let loaded = Scene::load_text("test", &scene(material, "kind: verlet"), None, &[]).unwrap();
    let Err(BuildError::Scene(error)) = build(&loaded) else { panic!("it must be refused") };
    let text = error.render();
    assert!(text.contains("`triangles` need a surface's stiffness"), "{text}");
    assert!(text.contains("leave `stretching` out"), "{text}");
}

#[test]
fn lines_without_springs_are_refused() {
    let text = scene("preset: cotton, stretching: triangles", "kind: line-projection");
    let loaded = Scene::load_text("test", &text, None, &[]).unwrap();
    let Err(BuildError::Scene(error)) = build(&loaded) else { panic!("it must be refused") };
    let text = error.render();
    assert!(text.contains("`line-projection` follows springs"), "{text}");
    assert!(text.contains("use `vertex-descent` or `implicit-euler`"), "{text}");
    assert!(text.contains("solver.kind"), "{text}");
}
