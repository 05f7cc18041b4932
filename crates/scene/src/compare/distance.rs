//! How far one run is from another.

use serde::Serialize;
use tkanina_sim::model::Model;
use tkanina_sim::soa::Soa3;

/// Distance between two sets of positions, point by point. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distance {
    /// √(Σ|x − y|²/n).
    pub rms_m: f64,
    /// Largest |x − y|.
    pub max_m: f64,
}

impl Distance {
    /// Between `x` and `y`, which have the same points.
    pub fn between(x: &Soa3, y: &Soa3) -> Self {
        let mut out = Self::default();
        let mut sum = 0.0;
        for (a, b) in x.iter().zip(y.iter()) {
            let squared = (a.as_dvec3() - b.as_dvec3()).length_squared();
            sum += squared;
            out.max_m = out.max_m.max(squared.sqrt());
        }
        out.rms_m = (sum / x.len().max(1) as f64).sqrt();
        out
    }
}

/// Positions of a run, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    every: u64,
    positions: Vec<Soa3>,
}

/// Memory that positions may take. A long run of a large scene keeps every second, third…
/// frame so that it fits. [bytes]
const MOST_BYTES: u64 = 1 << 29;

impl Trajectory {
    /// Room for `frames` frames of `points` points.
    pub fn new(frames: u64, points: usize) -> Self {
        let bytes = frames.saturating_mul(12 * points as u64);
        Self { every: bytes.div_ceil(MOST_BYTES).max(1), positions: Vec::new() }
    }

    /// Keeps the positions after frame `frame`; frames come in order from 1.
    pub fn keep(&mut self, frame: u64, x: &Soa3) {
        if frame.is_multiple_of(self.every) {
            self.positions.push(x.clone());
        }
    }

    /// Distance of `x` from where this run was after `frame`; none if that was not kept.
    pub fn distance(&self, frame: u64, x: &Soa3) -> Option<Distance> {
        if frame == 0 || !frame.is_multiple_of(self.every) {
            return None;
        }
        let kept = self.positions.get((frame / self.every) as usize - 1)?;
        // What tore elsewhere has other points.
        if kept.len() != x.len() {
            return None;
        }
        Some(Distance::between(x, kept))
    }
}

/// Diagonal of the largest body's bounds at `x`: what a distance is compared with. [m]
pub fn body_size(model: &Model, x: &Soa3) -> f64 {
    let diagonal = |particles: std::ops::Range<usize>| {
        let points = || particles.clone().map(|i| x.get(i).as_dvec3());
        let low = points().reduce(glam::DVec3::min);
        let high = points().reduce(glam::DVec3::max);
        low.zip(high).map_or(0.0, |(low, high)| (high - low).length())
    };
    model.bodies.iter().map(|body| diagonal(body.particles.clone())).fold(0.0, f64::max)
}
