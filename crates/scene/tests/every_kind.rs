//! Every built-in scene under every solver: it runs, or says why not.
//!
//! A pairing is refused with a reason, or stays finite. An explicit method may break where a
//! warning said beforehand that its step is too long.
//! `TKANINA_MATRIX=2` runs two seconds of each in place of a few frames and, with
//! `--nocapture`, prints a row for each: `SCENE` and `KIND` pick some.

use std::fmt::Write;
use std::time::Instant;

use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::builtin::builtin;
use tkanina_scene::schema::{Scene, Solver};
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

/// Frames of every day.
const FRAMES: u64 = 2;

/// Steps of every day at most: an explicit method may want thousands a frame.
const STEPS: u64 = 60;

/// A long run is given up here. [s]
const PATIENCE: f64 = 60.0;

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
    let warned = simulation.notes.iter().any(|note| note.level == NoteLevel::Warning);
    let frames = match seconds() {
        Some(seconds) => (seconds / schedule.frame_s).round() as u64,
        None => FRAMES,
    };
    let (start, mut worst, mut exploded, mut done) = (Instant::now(), 0.0f64, None, 0);
    while done < frames && start.elapsed().as_secs_f64() < PATIENCE {
        if seconds().is_none() && u64::from(schedule.substeps) > STEPS {
            // The first of so many steps; the state is looked at below.
            (0..STEPS).for_each(|_| simulation.world.step(simulation.step_s()));
            done = frames;
        } else if let Err(explosion) = simulation.advance() {
            exploded = Some(explosion.to_string());
            break;
        }
        done += 1;
        let world = &simulation.world;
        worst = worst.max(measure::stretch(world.model().edges.edges(), &world.state().x).max);
    }
    let spent = start.elapsed().as_secs_f64();
    let state = simulation.world.state();
    let broken = measure::nonfinite(state) > 0;
    let fault = match &exploded {
        Some(_) if kind.is_explicit() && warned => None,
        Some(why) => Some(format!("{case}: {why}")),
        None => broken.then(|| format!("{case}: not finite")),
    };
    let mut row = format!("{case}: ");
    let energy = measure::energy(simulation.world.model(), state);
    let end = measure::stretch(simulation.world.model().edges.edges(), &state.x).max;
    let _ = write!(
        row,
        "{}, {} steps a frame, {done} of {frames} frames, {:.2} of real time, stretch {:.4} worst {worst:.4}, \
         kinetic {:.3e} elastic {:.3e} gravity {:.4e}{}{}",
        kind.name(),
        schedule.substeps,
        spent / (done as f64 * schedule.frame_s),
        end,
        energy.kinetic,
        energy.elastic,
        energy.gravity,
        if warned { ", warned" } else { "" },
        exploded.map_or_else(String::new, |_| ", EXPLODED".to_owned()),
    );
    Outcome { row, fault }
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
        for kind in Solver::KINDS.iter().filter(|kind| wanted(kind) && picked("KIND", kind)) {
            let outcome = outcome(name, text, kind, substeps);
            println!("{}", outcome.row);
            faults.extend(outcome.fault);
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
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
fn every_scene_runs_under_every_kind_at_its_own_steps() {
    matrix(None, |_| true);
}
