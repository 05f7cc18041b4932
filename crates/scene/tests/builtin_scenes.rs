//! Every built-in scene runs to its end and meets its own `expect:` block.

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::builtin::builtin;
use tkanina_scene::run::{Record, Stats, unmet};
use tkanina_scene::schema::Scene;

/// Scenes are shared out over this many tests, so that they run side by side.
const SHARES: usize = 4;

fn outcome(name: &str, text: &str) -> Result<(), String> {
    let loaded = Scene::load_text(name, text, None, &[]).map_err(|e| e.render())?;
    let mut simulation = build(&loaded).map_err(|e| e.to_string())?;
    let start = simulation.world.state().x.clone();
    let expect = &loaded.scene.expect;
    let mut record = Record::default();
    let exploded = run(&mut simulation, &mut record, expect.rest_speed());
    let mut stats = Stats::of(&simulation.world, &record, false);
    stats.exploded = exploded;
    let unmet = unmet(expect, &stats, &record, &simulation.world, &start);
    if unmet.is_empty() { Ok(()) } else { Err(format!("{name}: {}", unmet.join("; "))) }
}

fn run(simulation: &mut Simulation, record: &mut Record, rest_speed: f64) -> Option<String> {
    record.see(&simulation.world, rest_speed, true);
    for _ in 0..simulation.schedule.frames {
        if let Err(explosion) = simulation.advance() {
            return Some(explosion.to_string());
        }
        record.see(&simulation.world, rest_speed, true);
    }
    None
}

fn share(number: usize) {
    let only = std::env::var("SCENE").ok();
    let mine = builtin().iter().enumerate().filter(|(i, _)| i % SHARES == number);
    let failures: Vec<String> = mine
        .filter(|(_, (name, _))| only.as_deref().is_none_or(|only| name.contains(only)))
        .filter_map(|(_, (name, text))| {
            let before = std::time::Instant::now();
            let result = outcome(name, text).err();
            println!("{name}: {:.1} s", before.elapsed().as_secs_f64());
            result
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn scenes_meet_their_expectations_0() {
    share(0);
}

#[test]
fn scenes_meet_their_expectations_1() {
    share(1);
}

#[test]
fn scenes_meet_their_expectations_2() {
    share(2);
}

#[test]
fn scenes_meet_their_expectations_3() {
    share(3);
}
