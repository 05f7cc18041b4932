use tkanina_sim::soa::Soa3;
use tkanina_sim::solvers::{Spectrum, StepAdvice};

use super::*;
use crate::build::{Simulation, build};
use crate::load::Override;
use crate::schema::Scene;

fn parse(text: &str) -> Entry {
    Entry::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn entries_are_read_in_all_forms() {
    let entry = parse("xpbd{iterations=4, b=1e-3}@8");
    assert_eq!(entry.kind.as_deref(), Some("xpbd"));
    assert_eq!(entry.substeps, Some(Count::Steps(8)));
    let argument = |entry: &Entry, of_all| -> Vec<String> {
        entry.overrides("--solvers", of_all).into_iter().map(|o| o.argument).collect()
    };
    let wanted = ["solver={ kind: xpbd, iterations: 4, b: 1e-3 }", "time.substeps=8"];
    assert_eq!(argument(&entry, Some(Count::Auto)), wanted);
    let colon = parse("line-projection:iterations=2:tolerance=0.1");
    assert_eq!(colon.options.len(), 2);
    assert_eq!(argument(&parse("verlet"), None), ["solver={ kind: verlet }"]);
    assert_eq!(argument(&parse("scene"), Some(Count::Steps(3))), ["time.substeps=3"]);
    assert_eq!(parse("rk4@auto").substeps, Some(Count::Auto));
}

#[test]
fn lists_are_cut_at_commas_outside_braces() {
    let list = Entry::list("verlet, xpbd{iterations=4,b=1}@2,verlet,verlet@3").unwrap();
    let labels: Vec<&str> = list.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels, ["verlet", "xpbd{iterations=4,b=1}@2", "verlet (2)", "verlet@3"]);
}

#[test]
fn wrong_entries_say_what_and_how_to_mend_it() {
    let wrong = |text: &str| Entry::list(text).unwrap_err();
    assert!(wrong("verlett").help.starts_with("did you mean `verlet`?"));
    assert!(wrong("").message.contains("no solver ``"));
    assert!(wrong("verlet,").message.contains("no solver ``"));
    for text in ["verlet@0", "verlet@-1", "verlet@", "verlet@10001", "verlet@1.5"] {
        assert!(wrong(text).message.contains("no number of steps"), "{text}");
    }
    for text in ["xpbd{iterations=4", "xpbd{iterations=4}}", "xpbd{{a=1}", "xpbd{a=1}x"] {
        assert!(wrong(text).message.contains("braces"), "{text}");
    }
    // Not a way to smuggle YAML in.
    assert!(wrong("verlet:loss=1 }").message.contains("not a number"));
    assert!(wrong("verlet:a b=1").message.contains("name of an option"));
    assert!(wrong("verlet:loss").message.contains("no `=`"));
    assert!(wrong("scene:loss=0").message.contains("as it is"));
}

#[test]
fn distances_are_those_of_points() {
    let x = Soa3 { x: vec![0.0, 1.0], y: vec![0.0; 2], z: vec![0.0; 2] };
    let y = Soa3 { x: vec![0.0, 1.0], y: vec![0.0, 3.0], z: vec![0.0, 4.0] };
    assert_eq!(Distance::between(&x, &x), Distance::default());
    let distance = Distance::between(&x, &y);
    assert_eq!(distance.max_m, 5.0);
    assert!((distance.rms_m - 12.5f64.sqrt()).abs() < 1e-12);
    let mut kept = Trajectory::new(2, 2);
    kept.keep(1, &x);
    kept.keep(2, &y);
    assert_eq!(kept.distance(2, &x), Some(distance));
    assert_eq!(kept.distance(3, &x), None);
    assert_eq!(kept.distance(0, &x), None);
    // More than fits: every fourth frame of 2 GiB.
    let mut thin = Trajectory::new(1 << 11, (1 << 20) / 12);
    (1..=8).for_each(|frame| thin.keep(frame, &x));
    assert_eq!((thin.distance(3, &x), thin.distance(8, &x)), (None, Some(Distance::default())));
}

#[test]
fn references_take_a_part_of_the_stable_step_or_what_there_is_time_for() {
    let advice = StepAdvice { limit: 1e-3, damped_limit: 1.0, spectrum: Spectrum::default() };
    let wanted = ReferencePlan::wanted(&advice, 0.04, 10);
    assert_eq!(wanted, 100);
    assert_eq!(ReferencePlan::wanted(&advice, 0.04, 199), 200);
    let soft = StepAdvice { limit: f64::INFINITY, ..advice };
    assert_eq!(ReferencePlan::wanted(&soft, 0.04, 1), 64);
    let afford = |budget| ReferencePlan::affordable(wanted, &advice, 0.04, (100, 1e-3), budget);
    // 100 frames of 100 steps, and of 50: 15 s.
    assert_eq!(afford(15.1), Ok(ReferencePlan { substeps: 100, shortfall: None }));
    let less = afford(10.0).unwrap();
    assert_eq!(less.substeps, 66);
    assert!((less.shortfall.unwrap().would_take_s - 15.0).abs() < 1e-9);
    // 50 steps are the least that is stable with a margin.
    assert!(afford(6.0).is_err());
}

const BOUNCING: &str = "\
format: 1
time: { frame_rate_hz: 50, substeps: 64, duration_s: 0.4 }
air: { density_kg_m3: 0 }
materials:
  sheet: { mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 40 } }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [6, 5], size_m: [1.0, 0.8], plane: xz }
    material: sheet
    pins: [{ points: [[0, 0], [5, 0]] }]
";

fn simulation(solver: &str) -> Simulation {
    let overrides: Vec<Override> = parse(solver).overrides("--solvers", None);
    let sets: Vec<String> = overrides.into_iter().map(|o| o.argument).collect();
    build(&Scene::load_text("bouncing", BOUNCING, None, &sets).unwrap()).unwrap()
}

fn run(solver: &str, kept: &mut Trajectory, reference: Option<&Trajectory>) -> Track {
    let mut simulation = simulation(solver);
    let mut track = Track::new(&simulation);
    for frame in 1..=20 {
        if let Err(explosion) = simulation.advance() {
            track.finish(&simulation, Some(&explosion));
            return track;
        }
        kept.keep(frame, &simulation.world.state().x);
        track.see(&simulation, 1.0, reference);
    }
    track.finish(&simulation, None);
    track
}

fn room() -> Trajectory {
    Trajectory::new(20, 30)
}

#[test]
fn energy_is_kept_by_verlet_lost_by_loss_and_gained_by_explicit_euler() {
    let mut reference = room();
    let fine = run("velocity-verlet@512", &mut reference, None);
    let scale = fine.energy_scale();
    let summary =
        |solver: &str| run(solver, &mut room(), Some(&reference)).summary(Some(&fine), 1.28, scale);
    let kept = summary("velocity-verlet@64");
    assert!(kept.stable && kept.energy_drift.abs() < 0.01, "{}", kept.energy_drift);
    let lost = summary("verlet:loss=0.01@64");
    assert!(lost.stable && lost.energy_drift < -0.05, "{}", lost.energy_drift);
    assert!(lost.distance.unwrap().rms_m > 10.0 * kept.distance.unwrap().rms_m);
    // Long before anything explodes.
    let track = run("explicit-euler@6", &mut room(), Some(&reference));
    assert_eq!(track.end, None);
    let gained = track.summary(Some(&fine), 1.28, scale);
    assert!(!gained.stable && gained.energy_drift > 1.0, "{}", gained.energy_drift);
    assert!(gained.bad_since_s.is_some_and(|t| t > 0.0 && t <= 0.4));
    assert_eq!((kept.steps_a_frame, kept.iterations_a_frame), (64.0, 0.0));
}

#[test]
fn halving_the_step_shows_the_order_of_the_method() {
    let mut reference = room();
    run("rk4@256", &mut reference, None);
    let distance = |solver: &str| {
        let track = run(solver, &mut room(), Some(&reference));
        track.summary(None, 1.28, 1.0).distance.unwrap().rms_m
    };
    let ratio = |kind: &str, steps: u32| {
        distance(&format!("{kind}@{steps}")) / distance(&format!("{kind}@{}", 2 * steps))
    };
    let first = ratio("semi-implicit-euler", 32);
    assert!((1.9..2.1).contains(&first), "{first}");
    // Finer steps than these come to the rounding of positions, a micrometre.
    let second = ratio("velocity-verlet", 4);
    assert!((3.6..4.4).contains(&second), "{second}");
}

#[test]
fn an_explosion_keeps_its_time_and_reason() {
    let track = run("verlet@1", &mut room(), None);
    let end = track.end.as_ref().unwrap_or_else(|| panic!("{} frames", track.frames()));
    assert!(end.reason.contains("exploded at t = "), "{}", end.reason);
    let summary = track.summary(None, 1.28, track.energy_scale());
    assert!(!summary.stable && summary.bad_since_s <= Some(end.time_s));
}
