//! Clothes as scenes describe them: what is accepted, what is refused and why.

use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;
use tkanina_sim::rng::Rng;

const HEAD: &str = "format: 1\nmaterials: { cotton: { preset: cotton } }\nbodies:\n  - { name: \
                    bag, kind: cloth, material: cotton, self_contact: true, shape: ";

const SQUARE: &str = "sides: [{ name: s, from_m: [-0.15, -0.15] }, { name: e, from_m: [0.15, \
                      -0.15] }, { name: n, from_m: [0.15, 0.15] }, { name: w, from_m: [-0.15, \
                      0.15] }]";

/// A bag with its top open.
fn bag() -> String {
    format!(
        "{{ kind: garment, spacing_m: 0.03, around: ball, panels: [{{ name: front, {SQUARE}, \
         position_m: [0, 0, 0.12] }}, {{ name: back, {SQUARE}, position_m: [0, 0, -0.12], \
         rotation_deg: [0, 180, 0] }}], seams: [{{ a: {{ panel: front, side: s }}, b: {{ panel: \
         back, side: s }} }}, {{ a: {{ panel: front, side: e }}, b: {{ panel: back, side: w }} \
         }}, {{ a: {{ panel: front, side: w }}, b: {{ panel: back, side: e }} }}] }}"
    )
}

fn try_build(shape: &str) -> Result<Simulation, String> {
    let ball = "{ name: ball, kind: sphere, center_m: [0, 0, 0], radius_m: 0.07 }";
    let sheet = "{ name: sheet, kind: terrain, size_m: [1, 1], heights: { kind: rows, rows_m: \
                 [[0, 0], [0, 0]] }, position_m: [0, -1, 0] }";
    let text = format!("{HEAD}{shape} }}\ncolliders:\n  - {ball}\n  - {sheet}\n");
    let loaded = Scene::load_text("test", &text, None, &[]).map_err(|error| error.render())?;
    build(&loaded).map_err(|error| format!("{:?}", miette::Report::new(error)))
}

fn refused(shape: &str, wanted: &[&str]) {
    let Err(text) = try_build(shape) else { panic!("{shape} was accepted") };
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for words in wanted {
        assert!(flat.contains(words), "{shape}:\n{text}\ndoes not say {words:?}");
    }
}

#[test]
fn a_bag_goes_round_a_ball_and_weighs_what_its_panels_do() {
    let mut built = try_build(&bag()).unwrap();
    assert!(built.notes.iter().all(|note| note.level == NoteLevel::Info), "{:?}", built.notes);
    let model = built.world.model();
    let mass: f64 = model.mass.iter().map(|&m| f64::from(m)).sum();
    assert!((mass - 0.1503 * 0.18).abs() < 1e-6, "{mass} kg");
    // Flat at rest everywhere, seams too.
    assert!(model.bends.bends().iter().all(|bend| bend.rest_sine.abs() < 1e-6));
    assert!(measure::stretch(model.edges.edges(), &built.world.state().x).max < 0.1);
    let first = built.world.state().x.get(0);
    for _ in 0..10 {
        built.advance().unwrap();
    }
    assert!(measure::crossings(built.world.model(), built.world.state()).is_empty());
    assert!(built.world.state().x.get(0).distance(first) < 0.3);
}

#[test]
fn bad_garments_are_refused_with_place_and_remedy() {
    let of = |from: &str, to: &str| {
        assert!(bag().contains(from), "{from}");
        bag().replacen(from, to, 1)
    };
    refused(
        &of("panel: back, side: w", "panel: bak, side: w"),
        &["test:4:", "bodies[0].shape.seams[1].b.panel", "no panel `bak`", "did you mean `back`?"],
    );
    refused(
        &of("from_m: [0.15, 0.15]", "from_m: [0.15, 0.25]"),
        &["bodies[0].shape.seams[1]", "is 0.4000 m long", "0.3000 m", "ease"],
    );
    let looped = "from_m: [0.15, 0.15], handles_m: [[-0.6, -0.3], [0.6, -0.3]]";
    refused(&of("from_m: [0.15, 0.15]", looped), &["panels[0].sides[2]", "crosses"]);
    refused(&of("around: ball", "around: bal"), &["no collider `bal`", "did you mean `ball`?"]);
    refused(&of("around: ball", "around: sheet"), &["`sheet` cannot wear it", "is not closed"]);
    refused(&of("spacing_m: 0.03", "spacing_m: 0.0001"), &["a larger `spacing_m`"]);
    refused(
        &of("name: w, from_m: [-0.15, 0.15]", "handles_m: [], from_m: [-0.15, 0.15]"),
        &["no side `w`"],
    );
    refused(
        "{ kind: t-shirt, size: { shoulders_m: 0.9 } }",
        &["bodies[0].shape.size.shoulders_m", "half the chest"],
    );
    refused("{ kind: t-shirt, size: { hem_m: 0.2 } }", &["longer than its armholes"]);
}

#[test]
fn numbers_at_random_never_panic() {
    let mut rng = Rng::new(7);
    let (mut built, mut refused) = (0, 0);
    for _ in 0..24 {
        let mut wild = || {
            let size = [0.0, 0.15, 0.2, 1.0, 1e4][(rng.between(0.0, 5.0) as usize).min(4)];
            format!("{:.4}", size * rng.between(-1.0, 1.0))
        };
        let curve = format!(
            "name: n, handles_m: [[{}, {}], [{}, {}]], from_m: [{}, {}]",
            wild(),
            wild(),
            wild(),
            wild(),
            wild(),
            wild()
        );
        let shape = bag().replace("name: n, from_m: [0.15, 0.15]", &curve);
        match try_build(&shape) {
            Ok(_) => built += 1,
            Err(_) => refused += 1,
        }
    }
    assert_eq!(built + refused, 24);
}
