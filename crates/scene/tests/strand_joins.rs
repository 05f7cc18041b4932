//! Seams, glue and pins on strands of scenes: what holds, and what says that it cannot.

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;

const STRAND: &str = "shape: { kind: single, from_m: [0, 1, 0], length_m: 0.3 }, nodes: 16";

fn load(text: &str) -> Result<Simulation, String> {
    let loaded = Scene::load_text("s", text, None, &[]).map_err(|e| e.render())?;
    build(&loaded).map_err(|e| format!("{:?}", miette::Report::new(e)))
}

/// What is said of a scene that cannot be; long lines are broken.
fn said(text: &str) -> String {
    let error = load(text).map(|_| ()).expect_err(text);
    error.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

fn sewn(model: &str) -> String {
    format!(
        "format: 1\nname: s\nmaterials:\n  m: {{ preset: silk }}\nbodies:\n  \
         - {{ name: sheet, kind: cloth, shape: {{ kind: grid, points: [5, 5], size_m: [0.2, 0.2] }}, material: m }}\n  \
         - {{ name: rope, kind: strands, {STRAND}, model: {model} }}\nsew:\n  \
         - {{ a: {{ body: sheet, points: [[0, 0]] }}, b: {{ body: rope, points: [[15, 0]] }}, stiffness_N_m: 300 }}\n"
    )
}

#[test]
fn strands_of_springs_are_sewn_and_others_say_that_they_cannot_be() {
    load(&sewn("{ kind: springs, stiffness: 300 }")).unwrap();
    for model in ["{ kind: rod }", "{ kind: cosserat }", "{ kind: super-helix }"] {
        let said = said(&sewn(model));
        assert!(said.contains("`rope` cannot be sewn"), "{said}");
        assert!(said.contains("sew[0].b.body") && said.contains("pins"), "{said}");
    }
}

#[test]
fn segments_of_super_helices_say_that_they_touch_nothing() {
    let scene = |solver: &str, model: &str, touch: &str| {
        format!(
            "format: 1\nname: s\nsolver: {{ kind: {solver} }}\nbodies:\n  \
             - {{ name: rope, kind: strands, {STRAND}, model: {{ kind: {model} }}, touch: {touch} }}\n"
        )
    };
    for model in ["rod", "cosserat"] {
        load(&scene("auto", model, "segments")).unwrap();
        load(&scene("super-helix", model, "points")).unwrap();
        let said = said(&scene("super-helix", model, "segments"));
        assert!(said.contains("segments of `rope` touch others"), "{said}");
        assert!(said.contains("use `auto`, or `touch: points`"), "{said}");
    }
    let said = said(&scene("auto", "super-helix", "segments"));
    assert!(said.contains("bodies[0].touch") && said.contains("`touch: points`"), "{said}");
}

/// A ball goes aside by a tenth of a metre; glue that gives way takes the tip along, a weak one breaks.
#[test]
fn glue_and_pins_that_give_way_hold_strands() {
    for model in ["{ kind: rod }", "{ kind: cosserat }", "{ kind: super-helix }"] {
        for (how, holds) in [
            (
                "glue:\n  - { body: hair, collider: ball, points: [[15, 0]], stiffness_N_m: 1 }",
                true,
            ),
            (
                "glue:\n  - { body: hair, collider: ball, points: [[15, 0]], stiffness_N_m: 1, breaks_at_N: 1e-7 }",
                false,
            ),
            ("", false),
        ] {
            let text = format!(
                "format: 1\nname: s\nbodies:\n  \
                 - {{ name: hair, kind: strands, {STRAND}, model: {model}, touch: nothing }}\n\
                 colliders:\n  - {{ name: ball, kind: sphere, center_m: [0, 0.7, 0], radius_m: 0.01, \
                 motion: {{ kind: keyframes, keys: [{{ t_s: 0 }}, {{ t_s: 1, position_m: [0.1, 0.02, 0] }}] }} }}\n{how}\n"
            );
            let mut simulation = load(&text).unwrap();
            for _ in 0..120 {
                simulation.advance().unwrap();
            }
            let tip = simulation.world.state().x.get(15);
            assert_eq!((tip.x - 0.1).abs() < 5e-3, holds, "{model}, {how}: {tip}");
        }
    }
}
