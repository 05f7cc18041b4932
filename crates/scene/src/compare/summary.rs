//! What a run comes to, in a row of a table.

use serde::Serialize;
use tkanina_sim::measure::Energy;

use super::track::Track;
use crate::run::FrameMs;

/// Energies of one moment. [J]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Kinetic, elastic and gravity.
    pub parts: [f64; 3],
}

/// A run in a few numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Time a frame.
    pub frame_ms: FrameMs,
    /// Steps a frame, mean.
    pub steps_a_frame: f64,
    /// Newton steps, sweeps or rounds a frame, mean; zero for explicit methods.
    pub iterations_a_frame: f64,
    /// Largest residual that any frame ended with, relative; zero for explicit methods.
    pub residual: f64,
    /// Largest stretch at any frame's end.
    pub stretch_worst: f64,
    /// Mean over frames of the mean size of stretch.
    pub stretch_mean: f64,
    /// (E − E₀)/S where it is largest in size: E the total energy, E₀ that of the reference at
    /// the same time, or at the start if there is no reference; S is [`Track::energy_scale`].
    pub energy_drift: f64,
    /// Distance to the reference, if there is one.
    pub distance: Option<DistanceSummary>,
    /// Neither exploded, nor ever more than S above E₀.
    pub stable: bool,
    /// When it stopped being so. [s]
    pub bad_since_s: Option<f64>,
}

/// Distance to the reference over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DistanceSummary {
    /// Mean over frames of the root of the mean square. [m]
    pub rms_m: f64,
    /// Farthest that any point ever was. [m]
    pub max_m: f64,
    /// `rms_m` over the size of the largest body.
    pub relative: f64,
}

impl Energies {
    /// Of what was measured.
    pub fn of(energy: &Energy) -> Self {
        Self { parts: [energy.kinetic, energy.elastic, energy.gravity] }
    }
}

/// Below this part of the energy itself a change is rounding.
const ROUNDING: f64 = 1e-6;

impl Track {
    /// S: how far kinetic, elastic and gravity energy range over the run, added up. No
    /// exchange between them moves the total by more. [J]
    pub fn energy_scale(&self) -> f64 {
        let series = [&self.series.kinetic, &self.series.elastic, &self.series.gravity];
        let mut scale = 0.0;
        let mut largest = 0.0f64;
        for (values, start) in series.into_iter().zip(self.start.parts) {
            let low = values.iter().copied().fold(start, f64::min);
            let high = values.iter().copied().fold(start, f64::max);
            scale += high - low;
            largest = largest.max(low.abs()).max(high.abs());
        }
        scale.max(ROUNDING * largest).max(f64::MIN_POSITIVE)
    }

    /// The run in a few numbers. `size` is that of the largest body [m], `scale` the S of
    /// all runs [J].
    pub fn summary(&self, reference: Option<&Self>, size: f64, scale: f64) -> Summary {
        let series = &self.series;
        let mut energy_drift = 0.0f64;
        let mut gained_s = None;
        let start: f64 = self.start.parts.iter().sum();
        for (i, total) in series.total.iter().enumerate() {
            let expected = reference.map_or(Some(start), |r| r.series.total.get(i).copied());
            let Some(expected) = expected else { break };
            let drift = (total - expected) / scale;
            if drift.abs() > energy_drift.abs() {
                energy_drift = drift;
            }
            if drift > 1.0 && gained_s.is_none() {
                gained_s = Some(series.time_s[i]);
            }
        }
        let bad_since_s = gained_s.or(self.end.as_ref().map(|end| end.time_s));
        let counted = |values: &[u64]| mean(values.iter().map(|&v| v as f64)).unwrap_or(0.0);
        Summary {
            frame_ms: FrameMs::of(series.ms.clone()),
            steps_a_frame: counted(&series.steps),
            iterations_a_frame: counted(&series.iterations),
            residual: largest(&series.residual),
            stretch_worst: largest(&series.stretch_max),
            stretch_mean: mean(series.stretch_mean.iter().copied()).unwrap_or(0.0),
            energy_drift,
            distance: self.distance(size),
            stable: bad_since_s.is_none(),
            bad_since_s,
        }
    }

    fn distance(&self, size: f64) -> Option<DistanceSummary> {
        let rms_m = mean(self.series.distance_rms_m.iter().flatten().copied())?;
        let max_m = self.series.distance_max_m.iter().flatten().copied().fold(0.0, f64::max);
        let relative = if size > 0.0 { rms_m / size } else { 0.0 };
        Some(DistanceSummary { rms_m, max_m, relative })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// Zero of nothing.
fn largest(values: &[f64]) -> f64 {
    values.iter().copied().reduce(f64::max).unwrap_or(0.0)
}
