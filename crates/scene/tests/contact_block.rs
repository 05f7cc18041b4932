//! What a scene says of contact, and what is said of it in the end.

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::builtin::find;
use tkanina_scene::run::HeldUp;
use tkanina_scene::schema::Scene;

fn built(sets: &[&str]) -> Result<Simulation, String> {
    let text = find("folding-cloth").unwrap();
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let loaded = Scene::load_text("folding-cloth", text, None, &sets).map_err(|e| e.render())?;
    build(&loaded).map_err(|e| format!("{e:?}"))
}

#[test]
fn a_pair_with_a_plane_reaches_the_model_in_every_mode() {
    let pair = "contact.pairs=[{ between: [floor, cloth], friction: 0.25, restitution: 0.5 }]";
    for mode in ["safe", "fast", "off"] {
        let simulation = built(&[pair, &format!("contact.mode={mode}")]).unwrap();
        let [(body, collider, rub)] = simulation.world.model().collider_pairs[..] else {
            panic!("{mode}: one pair");
        };
        assert_eq!((body, collider, rub.friction, rub.restitution), (0, 0, 0.25, 0.5), "{mode}");
    }
    let wrong = built(&["contact.pairs=[{ between: [cloth, flor], friction: 0.25 }]"]);
    let said = wrong.err().unwrap();
    assert!(said.contains("no collider called `flor`"), "{said}");
}

#[test]
fn a_run_over_its_budget_says_by_how_much_time_slowed() {
    let frames = 45;
    let run = |sets: &[&str]| {
        let mut simulation = built(sets).unwrap();
        let mut most = 0;
        for frame in 1..=frames {
            let before = simulation.world.contact_tally().unwrap().detections;
            simulation.advance().unwrap();
            assert_eq!(simulation.frame(), frame);
            most = most.max(simulation.world.contact_tally().unwrap().detections - before);
        }
        (simulation, most)
    };
    let (free, most) = run(&[]);
    assert!(HeldUp::of(&free.world).sentences().is_empty());
    println!("{most} in the costliest frame");
    let (slow, _) = run(&[&format!("contact.detections_per_frame={}", most / 3)]);
    let held_up = HeldUp::of(&slow.world);
    let lost = frames as f64 / 60.0 - slow.world.state().time;
    assert!(lost > 0.01 && (held_up.over_budget_s - lost).abs() < 1e-9, "{lost} s");
    let said = held_up.sentences().join("\n");
    let slowed = format!("{:.4} s", held_up.over_budget_s);
    assert!(said.contains(&slowed) && said.contains("detections_per_frame"), "{said}");
}
