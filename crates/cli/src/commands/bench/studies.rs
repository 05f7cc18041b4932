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
    /// The spring constant in few letters.
    fn constant(self) -> String {
        let k = self.stiffness;
        if k >= 1e5 { format!("{k:e}") } else { format!("{k}") }
    }

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
    /// One frame in twenty takes longer than this. [ms]
    late: f64,
    /// Stretch of the worst edge in any frame; infinite if it explodes.
    worst: f64,
}

impl Seen {
    fn of(simulation: &mut Simulation, duration: f64) -> Self {
        let frames = (duration / simulation.schedule.frame_s).round() as usize;
        let mut spent = Vec::with_capacity(frames);
        let mut worst = 0.0f64;
        for _ in 0..frames {
            let start = Instant::now();
            if simulation.advance().is_err() {
                worst = f64::INFINITY;
                break;
            }
            spent.push(1e3 * start.elapsed().as_secs_f64());
            let world = &simulation.world;
            worst = worst.max(measure::stretch(world.model().edges.edges(), &world.state().x).max);
        }
        spent.sort_by(f64::total_cmp);
        let frame = spent.iter().sum::<f64>() / spent.len().max(1) as f64;
        let late = spent.get(spent.len() * 19 / 20).copied().unwrap_or(f64::INFINITY);
        Self { frame, late, worst }
    }
}

/// Time a frame, that beside real time, and stretch.
pub fn document(samples: u32) -> impl Iterator<Item = Row> {
    studies().into_iter().flat_map(move |study| rows(study, samples.clamp(1, MOST_RUNS)))
}

fn rows(study: Study, runs: u32) -> Vec<Row> {
    let mut best: Option<Seen> = None;
    let (mut how, mut real_time) = (String::new(), f64::NAN);
    for _ in 0..runs {
        // Scenes of our own can be built: the test below says so.
        let Ok(mut simulation) = study.simulation() else { return Vec::new() };
        let (kind, steps) = (simulation.world.solver_kind().name(), simulation.schedule.substeps);
        how = format!("{kind}×{steps}");
        real_time = 1e3 * simulation.schedule.frame_s;
        let seen = Seen::of(&mut simulation, DURATION);
        if best.as_ref().is_none_or(|best| seen.frame < best.frame) {
            best = Some(seen);
        }
    }
    let Some(seen) = best else { return Vec::new() };
    let row = |what: &str, value, unit, owed| Row {
        bench: "studies",
        case: format!("n {} k {} {what}", study.points, study.constant()),
        threads: 1,
        value,
        unit,
        owed,
        over_naive: None,
    };
    vec![
        row(&how, seen.frame, "ms", Some(real_time)),
        row("19 of 20 within", seen.late, "ms", Some(real_time)),
        row("times real time", real_time / seen.frame, "×", Some(1.0)),
        // Without end if it explodes.
        row("worst stretch", 100.0 * seen.worst, "%", None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_is_stable_under_the_solver_that_is_chosen() {
        for study in studies() {
            let mut simulation = study.simulation().unwrap();
            assert_eq!(simulation.world.model().particle_count() as u32, study.points.pow(2));
            // It meets the sphere after half a second.
            let seen = Seen::of(&mut simulation, 0.8);
            assert!(seen.worst.is_finite(), "{study:?}");
            // What hardly stretches does not.
            let most = if study.stiffness == STIFF { 0.01 } else { 0.6 };
            assert!(seen.worst < most, "{study:?}: stretched by {}", seen.worst);
        }
    }
}
