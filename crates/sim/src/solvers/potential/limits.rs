//! Strain limits of G by the augmented Lagrangian.

use glam::DVec3;

use super::{Local, Which};
use crate::edges::Edge;
use crate::incidence::Incidence;
use crate::model::Model;
use crate::state::State;

/// C(x) = |d| − L(1 + ε) ≤ 0 as A = (max(0, κC + λ)² − λ²)/(2κ), f = max(0, κC + λ) the
/// pull: augmented vertex block descent, Giles 2025. After each sweep λ ← f, and κ grows
/// where C > 0. Both are kept for the next step, a little weaker.
#[derive(Debug, Default)]
pub struct Limits {
    edges: Vec<Edge>,
    incidence: Incidence,
    now: Vec<Multiplier>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Multiplier {
    /// λ. [N]
    pull: f64,
    /// κ; zero where nothing can give way. [N/m]
    penalty: f64,
    /// Where κ starts. [N/m]
    least: f64,
}

/// Part of a pull that the next step starts from. All of it would keep pulling on an edge that
/// has gone slack.
const KEPT_PULL: f64 = 0.95;

/// Part of a penalty that the next step starts from.
const KEPT_PENALTY: f64 = 0.8;

/// Growth of a penalty in a sweep that leaves its limit broken.
const GROWTH: f64 = 1.5;

/// A penalty is at most this many times its start: above it one vertex cannot move without
/// its neighbours and sweeps stop getting anywhere.
const STIFFEST: f64 = 100.0;

impl Limits {
    /// The limits of a model.
    pub fn new(model: &Model) -> Self {
        let edges: Vec<Edge> =
            model.edges.edges().iter().filter(|e| e.max_stretch.is_finite()).copied().collect();
        let ends: Vec<[u32; 2]> = edges.iter().map(|e| e.ends).collect();
        let now = vec![Multiplier::default(); edges.len()];
        Self { incidence: Incidence::new(model.particle_count(), &ends), edges, now }
    }

    /// Numbers to keep between steps.
    pub fn memory(&self) -> usize {
        2 * self.edges.len()
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.edges.iter().map(|e| e.ends.as_slice())
    }

    pub(super) fn begin(&mut self, state: &State, inertia: &[f64]) {
        for (index, (edge, now)) in self.edges.iter().zip(&mut self.now).enumerate() {
            let [a, b] = edge.ends.map(|e| inertia[e as usize]);
            // The inertia against which the ends come apart: one that is held has no end.
            let least = match (a > 0.0, b > 0.0) {
                (true, true) => a * b / (a + b),
                _ => a.max(b),
            };
            *now = Multiplier { pull: 0.0, penalty: least, least };
            if let Some([pull, penalty]) = remembered(state, index) {
                now.pull = KEPT_PULL * pull;
                now.penalty = (KEPT_PENALTY * penalty).clamp(least, STIFFEST * least);
            }
        }
    }

    /// λ ← max(0, κC + λ), κ ← κ·growth where C > 0.
    pub fn learn(&mut self, x: &[DVec3]) {
        for (edge, now) in self.edges.iter().zip(&mut self.now) {
            let [a, b] = edge.ends.map(|e| x[e as usize]);
            let excess = (b - a).length() - longest(edge);
            now.pull = now.pull_at(excess);
            if excess > 0.0 {
                now.penalty = (now.penalty * GROWTH).min(STIFFEST * now.least);
            }
        }
    }

    /// Leaves λ and κ in the state.
    pub fn remember(&self, state: &mut State) {
        for (slot, now) in state.memory.numbers.chunks_exact_mut(2).zip(&self.now) {
            slot.copy_from_slice(&[now.pull as f32, now.penalty as f32]);
        }
    }

    #[inline]
    pub(super) fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        if self.edges.is_empty() {
            return sum;
        }
        for &entry in self.incidence.of(i) {
            if which == Which::All || entry.is_multiple_of(2) {
                let (edge, now, d) = self.side(entry, at, x);
                sum += now.energy(d.length() - longest(edge));
            }
        }
        sum
    }

    #[inline]
    pub(super) fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        if self.edges.is_empty() {
            return;
        }
        for &entry in self.incidence.of(i) {
            let (edge, now, d) = self.side(entry, at, x);
            let length = d.length();
            let excess = length - longest(edge);
            out.energy += now.energy(excess);
            out.bound += now.penalty;
            let pull = now.pull_at(excess);
            if pull > 0.0 && length > 0.0 {
                let across = pull / length;
                out.gradient -= d * across;
                out.block.add_scalar(across);
                out.block.add_outer((now.penalty - across).max(0.0) / (length * length), d);
            }
        }
    }

    /// An edge with its multiplier and the way from this end to the other.
    #[inline]
    fn side(&self, entry: u32, at: DVec3, x: &[DVec3]) -> (&Edge, Multiplier, DVec3) {
        let (index, corner) = (entry as usize / 2, entry as usize % 2);
        let edge = &self.edges[index];
        (edge, self.now[index], x[edge.ends[1 - corner] as usize] - at)
    }
}

impl Multiplier {
    #[inline]
    fn pull_at(&self, excess: f64) -> f64 {
        (self.penalty * excess + self.pull).max(0.0)
    }

    #[inline]
    fn energy(&self, excess: f64) -> f64 {
        if self.penalty == 0.0 {
            return 0.0;
        }
        let pull = self.pull_at(excess);
        (pull * pull - self.pull * self.pull) / (2.0 * self.penalty)
    }
}

#[inline]
fn longest(edge: &Edge) -> f64 {
    f64::from(edge.rest) * (1.0 + f64::from(edge.max_stretch))
}

fn remembered(state: &State, index: usize) -> Option<[f64; 2]> {
    let numbers = &state.memory.numbers;
    let pair = numbers.get(2 * index..2 * index + 2)?;
    let sound = state.memory.started && pair.iter().all(|n| n.is_finite() && *n >= 0.0);
    sound.then(|| [f64::from(pair[0]), f64::from(pair[1])])
}
