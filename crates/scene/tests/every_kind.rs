//! Every built-in scene under every solver: it runs, or says why not.
//!
//! A pairing is refused with a reason, or stays finite. An explicit method may break where a
//! warning said beforehand that its step is too long.
//! `TKANINA_MATRIX=2` runs two seconds of each in place of a few steps; with `--nocapture` a row
//! is printed for each. `SCENE` and `KIND` pick some.

use std::time::Instant;

use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::builtin::builtin;
use tkanina_scene::schema::{Scene, Solver};
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

/// A frame of every day has at most so many steps: an explicit method may want thousands.
const STEPS: u64 = 8;

/// A long run is given up when it takes so many times real time.
const PATIENCE: f64 = 20.0;

/// What came of a scene under a solver.
struct Outcome {
    row: String,
    fault: Option<String>,
}

/// Seconds of each pairing, if a long run was asked for.
fn seconds() -> Option<f64> {
    std::env::var("TKANINA_MATRIX").ok().and_then(|text| text.parse().ok())
}

fn outcome(name: &str, text: &str, kind: &str, substeps: Option<&str>) -> Outcome {
    let mut sets = vec![format!("solver={{ kind: {kind} }}")];
    sets.extend(substeps.map(|count| format!("time.substeps={count}")));
    let case = format!("{name} under {kind}");
    let loaded = match Scene::load_text(name, text, None, &sets) {
        Ok(loaded) => loaded,
        Err(error) => return Outcome::fault(format!("{case}: {}", error.render())),
    };
    match build(&loaded) {
        Ok(simulation) => run(&case, simulation),
        Err(refusal) => refused(&case, kind, &format!("{:?}", miette::Report::new(refusal))),
    }
}

/// A reason names the solver and what to do instead.
fn refused(case: &str, kind: &str, why: &str) -> Outcome {
    let said = why.contains(&format!("`{kind}`")) && why.contains("help: use");
    let fault = (!said).then(|| format!("{case} is refused without a reason: {why}"));
    Outcome { row: format!("{case}: refused"), fault }
}

fn run(case: &str, mut simulation: Simulation) -> Outcome {
    let kind = simulation.world.solver_kind();
    let schedule = simulation.schedule;
    let mut warnings = simulation.notes.iter().filter(|note| note.level == NoteLevel::Warning);
    let warned = warnings.any(|note| note.text.contains("step"));
    // A little over the limit is rounding.
    if simulation.step_s() > 1.0001 * schedule.advice.limit && !warned {
        return Outcome::fault(format!("{case}: its step is too long and nothing says so"));
    }
    let start = Instant::now();
    let (share, worst, exploded) = match seconds() {
        Some(seconds) => long(&mut simulation, seconds),
        None => {
            let steps = u64::from(schedule.substeps).min(STEPS);
            (0..steps).for_each(|_| simulation.world.step(simulation.step_s()));
            (steps as f64 / f64::from(schedule.substeps), stretch(&simulation), None)
        }
    };
    let spent = start.elapsed().as_secs_f64();
    let state = simulation.world.state();
    let broken = measure::nonfinite(state) > 0;
    let fault = match &exploded {
        Some(_) if kind.is_explicit() && warned => None,
        Some(why) => Some(format!("{case}: {why}")),
        None if kind.is_explicit() && warned => None,
        None => broken.then(|| format!("{case}: not finite")),
    };
    let energy = measure::energy(simulation.world.model(), state);
    let row = format!(
        "{case}: {}, {} steps a frame, {share:.2} frames, {:.2} of real time, stretch {:.4} worst \
         {worst:.4}, kinetic {:.3e} elastic {:.3e} gravity {:.4e}{}{}",
        kind.name(),
        schedule.substeps,
        spent / (share * schedule.frame_s),
        stretch(&simulation),
        energy.kinetic,
        energy.elastic,
        energy.gravity,
        if warned { ", warned" } else { "" },
        if exploded.is_some() { ", exploded" } else { "" },
    );
    Outcome { row, fault }
}

/// Frames done, the worst stretch at any one's end, and how it broke.
fn long(simulation: &mut Simulation, seconds: f64) -> (f64, f64, Option<String>) {
    let (start, mut worst, mut done) = (Instant::now(), 0.0f64, 0.0);
    while done * simulation.schedule.frame_s < seconds
        && start.elapsed().as_secs_f64() < PATIENCE * seconds
    {
        if let Err(explosion) = simulation.advance() {
            return (done, worst, Some(explosion.to_string()));
        }
        done += 1.0;
        worst = worst.max(stretch(simulation));
    }
    (done, worst, None)
}

fn stretch(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    measure::stretch(world.model().edges.edges(), &world.state().x).max
}

impl Outcome {
    fn fault(fault: String) -> Self {
        Self { row: String::new(), fault: Some(fault) }
    }
}

/// Every scene under the kinds that `wanted` picks.
fn matrix(substeps: Option<&str>, wanted: impl Fn(&str) -> bool) {
    let picked = |variable: &str, name: &str| {
        std::env::var(variable).map_or(true, |only| name.contains(&only))
    };
    let mut faults = Vec::new();
    for (name, text) in builtin().iter().filter(|(name, _)| picked("SCENE", name)) {
        let mut kinds: Vec<&str> = Solver::KINDS
            .iter()
            .copied()
            .filter(|kind| wanted(kind) && picked("KIND", kind))
            .collect();
        if is_all_rods(text) {
            // What is advanced on its own is the same under every other kind.
            let first = kinds.first().copied();
            kinds.retain(|&kind| Some(kind) == first || kind == "super-helix");
        }
        for kind in kinds {
            let outcome = outcome(name, text, kind, substeps);
            println!("{}", outcome.row);
            faults.extend(outcome.fault);
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Whether a scene has nothing but strands that are rods.
fn is_all_rods(text: &str) -> bool {
    let others = ["kind: cloth", "kind: soft-body", "kind: springs"];
    text.contains("kind: strands") && !others.iter().any(|other| text.contains(other))
}

fn is_explicit(kind: &str) -> bool {
    SolverKind::EXPLICIT.iter().any(|explicit| explicit.name() == kind)
}

#[test]
fn every_scene_runs_under_every_stable_kind() {
    matrix(Some("auto"), |kind| !is_explicit(kind));
}

#[test]
fn every_scene_runs_under_every_explicit_kind() {
    matrix(Some("auto"), is_explicit);
}

#[test]
fn steps_that_a_scene_sets_too_long_are_warned_of() {
    matrix(None, is_explicit);
}
