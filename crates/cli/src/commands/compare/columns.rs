//! What is said of each solver, in the terminal's table and in the report's.

use tkanina_scene::compare::Summary;

use super::comparison::{Comparison, Ran, Row};
use crate::plot::number;

/// A column of numbers.
pub struct Column {
    /// Its head.
    pub title: &'static str,
    /// Unit, below the head.
    pub unit: &'static str,
    /// What it means, for people who did not write the program.
    pub about: &'static str,
    /// Whether least is best; else no value is better than another.
    pub least_is_best: bool,
    /// Whether it is a distance to the reference, which is no more certain than that is.
    is_distance: bool,
    scale: f64,
    value: fn(&Summary) -> Option<f64>,
}

/// Columns of a comparison.
pub fn columns(comparison: &Comparison) -> Vec<Column> {
    let mut columns = vec![
        Column {
            title: "steps",
            unit: "a frame",
            about: "Into how many steps each frame is cut. More steps cost more time.",
            least_is_best: false,
            is_distance: false,
            scale: 1.0,
            value: |s| Some(s.steps_a_frame),
        },
        Column {
            title: "time",
            unit: "ms",
            about: "Time of a frame: half of the frames took less. 16.7 ms or less is real time at 60 \
                    frames a second.",
            least_is_best: true,
            is_distance: false,
            scale: 1.0,
            value: |s| Some(s.frame_ms.median),
        },
        Column {
            title: "99 %",
            unit: "ms",
            about: "Time of a frame: 99 of 100 frames took less.",
            least_is_best: true,
            is_distance: false,
            scale: 1.0,
            value: |s| Some(s.frame_ms.p99),
        },
        Column {
            title: "iterations",
            unit: "a frame",
            about: "Newton steps, sweeps or rounds inside the steps. Explicit solvers have none.",
            least_is_best: false,
            is_distance: false,
            scale: 1.0,
            value: |s| (s.iterations_a_frame > 0.0).then_some(s.iterations_a_frame),
        },
        Column {
            title: "residual",
            unit: "relative",
            about: "What the iterations left of the equations' error, relative, in the worst frame.",
            least_is_best: false,
            is_distance: false,
            scale: 1.0,
            value: |s| (s.iterations_a_frame > 0.0).then_some(s.residual),
        },
        Column {
            title: "stretch",
            unit: "worst %",
            about: "How much longer than at rest the most stretched thread was in any frame.",
            least_is_best: false,
            is_distance: false,
            scale: 1e2,
            value: |s| Some(s.stretch_worst),
        },
        Column {
            title: "stretch",
            unit: "mean %",
            about: "Mean over all threads and frames of how far they are from their length at rest.",
            least_is_best: false,
            is_distance: false,
            scale: 1e2,
            value: |s| Some(s.stretch_mean),
        },
        Column {
            title: "energy",
            unit: "%",
            about: ENERGY,
            least_is_best: false,
            is_distance: false,
            scale: 1e2,
            value: |s| Some(s.energy_drift),
        },
    ];
    if comparison.reference.is_ok() {
        columns.extend(distances(comparison));
    }
    columns
}

/// The definition, for the report.
const ENERGY: &str = "\
(E − E₀)/S where it is largest: E is kinetic, elastic and gravity energy together, E₀ that of the \
reference at the same time (without a reference: at the start), S how far the three range in the \
reference, added up. Below zero the solver damps, above it gains energy.";

fn distances(comparison: &Comparison) -> [Column; 3] {
    let most = |ran: &Ran| ran.summary.distance.map_or(0.0, |d| d.rms_m);
    let ran = comparison.rows.iter().filter_map(|row| row.ran.as_ref());
    let most = ran.filter(|ran| ran.summary.stable).map(most).fold(0.0, f64::max);
    let (unit, scale) = if most >= 0.5 { ("m", 1.0) } else { ("mm", 1e3) };
    [
        Column {
            title: "distance",
            unit: if scale == 1.0 { "m RMS" } else { "mm RMS" },
            about: "How far points are from where the reference has them at the same time: root of \
                    the mean square over points, mean over frames. Wind and folds amplify small \
                    differences: below what the reference differs from itself it says nothing.",
            least_is_best: true,
            is_distance: true,
            scale,
            value: |s| s.distance.map(|d| d.rms_m),
        },
        Column {
            title: "farthest",
            unit,
            about: "The same for the point that was ever farthest away.",
            least_is_best: true,
            is_distance: true,
            scale,
            value: |s| s.distance.map(|d| d.max_m),
        },
        Column {
            title: "relative",
            unit: "%",
            about: "Distance over the diagonal of the largest body.",
            least_is_best: true,
            is_distance: true,
            scale: 1e2,
            value: |s| s.distance.map(|d| d.relative),
        },
    ]
}

impl Column {
    /// The value of a run in the column's unit; none if it had not one good frame.
    pub fn value(&self, ran: &Ran) -> Option<f64> {
        if ran.track.frames() == 0 {
            return None;
        }
        (self.value)(&ran.summary).map(|value| self.scale * value)
    }

    /// The same as text.
    pub fn cell(&self, row: &Row, comparison: &Comparison) -> String {
        let Some(ran) = &row.ran else { return "–".to_owned() };
        let Some(value) = self.value(ran) else { return "–".to_owned() };
        let doubtful = self.is_distance && comparison.is_unresolved(ran);
        format!("{}{}", if doubtful { "~" } else { "" }, number(value))
    }

    /// The best value of all that stayed stable, if one can be told.
    pub fn best(&self, comparison: &Comparison) -> Option<f64> {
        let ran = || comparison.rows.iter().filter_map(|row| row.ran.as_ref());
        let unresolved = self.is_distance && ran().any(|ran| comparison.is_unresolved(ran));
        if !self.least_is_best || comparison.rows.len() < 2 || unresolved {
            return None;
        }
        let stable = ran().filter(|ran| ran.summary.stable);
        stable.filter_map(|ran| self.value(ran)).reduce(f64::min)
    }
}

/// How it went, in a few words.
pub fn state(row: &Row) -> String {
    let Some(ran) = &row.ran else { return "cannot run".to_owned() };
    match (&ran.track.end, ran.summary.bad_since_s) {
        (Some(end), _) => format!("exploded at {} s", number(end.time_s)),
        (None, Some(since)) => format!("gains energy from {} s", number(since)),
        (None, None) => "stable".to_owned(),
    }
}
