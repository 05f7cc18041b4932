//! Points of a strand over the stages of a step.

use glam::DVec3;

use super::GAMMA;

/// Points over a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// At the start, and now. [m]
    pub start: Vec<DVec3>,
    pub x: Vec<DVec3>,
    /// Where a stage begins, or would if it were one of implicit Euler. [m, m/s]
    pub from: Vec<DVec3>,
    pub from_v: Vec<DVec3>,
    /// [m/s]
    pub v: Vec<DVec3>,
}

impl Track {
    pub fn new(points: usize) -> Self {
        let zeros = || vec![DVec3::ZERO; points];
        Self { start: zeros(), x: zeros(), from: zeros(), from_v: zeros(), v: zeros() }
    }

    /// The first stage begins where the step does.
    pub fn begin(&mut self) {
        self.from.copy_from_slice(&self.start);
        self.from_v.copy_from_slice(&self.v);
    }

    /// v = (x − from)/τ at the end of a stage of length τ.
    pub fn end(&mut self, tau: f64) {
        for i in 0..self.x.len() {
            self.v[i] = (self.x[i] - self.from[i]) / tau;
        }
    }

    /// Mean speed of the first points at the start of a stage. [m/s]
    pub fn speed(&self, first: usize) -> f64 {
        let squares: f64 = self.from_v[..first].iter().map(|v| v.length_squared()).sum();
        (squares / first.max(1) as f64).sqrt()
    }

    /// The largest change of a velocity of the first points in a stage. [m/s]
    pub fn jerk(&self, first: usize) -> f64 {
        let changes =
            self.v[..first].iter().zip(&self.from_v).map(|(v, from)| (*v - *from).length());
        changes.fold(0.0, f64::max)
    }

    /// Another stage of implicit Euler goes on from here.
    pub fn go_on(&mut self) {
        self.from.copy_from_slice(&self.x);
        self.from_v.copy_from_slice(&self.v);
    }

    /// The second stage of SDIRK2 begins at x + (1 − γ)h v₁ with v + (1 − γ)h a₁, a₁ = (v₁ − v)/γh.
    pub fn lean(&mut self, h: f64) {
        let part = (1.0 - GAMMA) / GAMMA;
        for i in 0..self.x.len() {
            self.from[i] = self.start[i] + self.v[i] * ((1.0 - GAMMA) * h);
            let change = self.v[i] - self.from_v[i];
            self.from_v[i] += change * part;
        }
    }
}
