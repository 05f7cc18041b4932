//! The documents' studies of stiffness and of points (000, 3.2 and 3.3) under the solver that is
//! chosen by itself, and the same sheets with k = 10⁶ N/m.

use std::time::Instant;

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;

use super::row::Row;

/// Cloth falls for two seconds and drapes for two. [s]
const DURATION: f64 = 4.0;

/// Runs at most, of which the best counts.
const MOST_RUNS: u32 = 3;

/// A hundred times what a sheet of a fabric that hardly stretches has. [N/m]
const STIFF: f64 = 1e6;

/// A built-in scene, and the spring constant in place of its own.
#[derive(Clone, Copy, Debug)]
struct Study {
    scene: &'static str,
    /// Points along a side.
    points: u32,
    /// [N/m]
    stiffness: f64,
}

/// Everything that is studied: each spring constant and each grid of the document, and all grids
/// stiff.
fn studies() -> Vec<Study> {
    let constants = [
        ("stiffness-2", 2.0),
        ("stiffness-10", 10.0),
        ("stiffness-40", 40.0),
        ("stiffness-1000", 1000.0),
    ];
    // Mass a point is given, so that a finer grid is heavier and its scene stiffer.
    let grids = [
        ("grid-10", 10, 40.0),
        ("grid-20", 20, 40.0),
        ("grid-30", 30, 40.0),
        ("grid-40", 40, 80.0),
        ("grid-60", 60, 180.0),
    ];
    let study = |scene, points, stiffness| Study { scene, points, stiffness };
    let of_constants = constants.map(|(scene, k)| study(scene, 20, k));
    let of_grids = grids.map(|(scene, n, k)| study(scene, n, k));
    let stiff = grids.map(|(scene, n, _)| study(scene, n, STIFF));
    of_constants.into_iter().chain(of_grids).chain(stiff).collect()
}

impl Study {
    fn simulation(self) -> Result<Simulation, String> {
        let sets = [
            "solver={ kind: auto }".to_owned(),
            "time.substeps=auto".to_owned(),
            format!("materials.unit-masses.springs.stiffness={}", self.stiffness),
        ];
        let text = tkanina_scene::builtin::find(self.scene);
        let text = text.ok_or_else(|| format!("there is no scene {}", self.scene))?;
        let loaded = Scene::load_text(self.scene, text, None, &sets).map_err(|e| e.render())?;
        build(&loaded).map_err(|e| e.to_string())
    }
}

/// What a run shows.
struct Seen {
    /// Mean time of a frame. [ms]
    frame: f64,
    /// The slowest frame. [ms]
    slowest: f64,
    /// Stretch of the worst edge in any frame; infinite if it explodes.
    worst: f64,
}

fn run(simulation: &mut Simulation, duration: f64) -> Seen {
    let frames = (duration / simulation.schedule.frame_s).round();
    let mut seen = Seen { frame: 0.0, slowest: 0.0, worst: 0.0 };
    for _ in 0..frames as u64 {
        let start = Instant::now();
        if simulation.advance().is_err() {
            return Seen { worst: f64::INFINITY, ..seen };
        }
        let spent = 1e3 * start.elapsed().as_secs_f64();
        seen.frame += spent / frames;
        seen.slowest = seen.slowest.max(spent);
        let world = &simulation.world;
        let stretch = measure::stretch(world.model().edges.edges(), &world.state().x).max;
        seen.worst = seen.worst.max(stretch);
    }
    seen
}

/// Time a frame, that beside real time, and stretch.
pub fn document(samples: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for study in studies() {
        let mut best: Option<Seen> = None;
        let (mut how, mut frame_ms) = (String::new(), f64::NAN);
        for _ in 0..samples.clamp(1, MOST_RUNS) {
            // Scenes of our own can be built: the test below says so.
            let Ok(mut simulation) = study.simulation() else { continue };
            let kind = simulation.world.solver_kind().name();
            how = format!("{kind} × {}", simulation.schedule.substeps);
            frame_ms = 1e3 * simulation.schedule.frame_s;
            let seen = run(&mut simulation, DURATION);
            if best.as_ref().is_none_or(|best| seen.frame < best.frame) {
                best = Some(seen);
            }
        }
        let Some(seen) = best else { continue };
        let stable = if seen.worst.is_finite() { "stable" } else { "UNSTABLE" };
        let case = |what: &str| format!("n {}, k {}: {what}", study.points, study.stiffness);
        let row = |what: &str, value, unit, owed| Row {
            bench: "studies",
            case: case(what),
            threads: 1,
            value,
            unit,
            owed,
            over_naive: None,
        };
        rows.push(row(&format!("{how}, {stable}"), seen.frame, "ms", Some(frame_ms)));
        rows.push(row("slowest frame", seen.slowest, "ms", Some(frame_ms)));
        rows.push(row("times real time", frame_ms / seen.frame, "×", Some(1.0)));
        rows.push(row("worst stretch", 100.0 * seen.worst, "%", None));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_is_stable_under_the_solver_that_is_chosen() {
        for study in studies() {
            let mut simulation = study.simulation().unwrap();
            assert_eq!(simulation.world.model().particle_count() as u32, study.points.pow(2));
            // On the sphere after 0.4 s, past its first bounce after one.
            let seen = run(&mut simulation, 1.0);
            assert!(seen.worst.is_finite(), "{study:?}");
            // What hardly stretches does not.
            let most = if study.stiffness == STIFF { 0.01 } else { 0.6 };
            assert!(seen.worst < most, "{study:?}: stretched by {}", seen.worst);
        }
    }
}
