//! Line projection: every warp and weft line solved exactly inside a substep.
//!
//! Per step: y = x + h v with all that acts from outside; tethers to pins; one XPBD sweep of
//! shear; then, a round or two, all columns and all rows, each a tridiagonal solve over its
//! distance constraints, so that stiffness depends neither on iterations nor on resolution.
//! Going from one direction to the other converges as cos² of the angle between warp and
//! weft, whatever the number of points and the stiffness.

mod chain;
mod grid;
mod loose;
mod rows;
mod targets;
mod tethers;

use crate::forces::free_velocities;
use crate::model::Model;
use crate::probe::Stage;
use crate::soa::Soa3;
use crate::state::State;

use super::axes::{advance_to, drift};
use super::finish::finish;
use super::potential::effective_weight;
use super::{Effort, Solver, SolverKind, StepContext};
use grid::{GridLines, Round};
use loose::{Loose, LooseElements};
use tethers::Tethers;

/// See the module.
#[derive(Debug)]
pub struct SolverLineProjection {
    kind: SolverKind,
    rounds: u32,
    grids: Vec<(GridLines, Option<Tethers>)>,
    loose: Loose,
    /// Whether a medium resists.
    damped: bool,
    /// Inverse masses with the inertia of hands, medium and springy pins. [1/kg]
    weights: Vec<f32>,
    /// Positions at the end of the step, as far as they are known. [m]
    y: Soa3,
    effort: Effort,
}

impl SolverLineProjection {
    /// A solver for `model`; `None` rounds: two for fine grids, else one.
    pub fn new(model: &Model, rounds: Option<u32>) -> Self {
        let gravity = model.gravity.length();
        let grids = model.grids.iter().map(|grid| {
            let range = grid.first()..grid.first() + grid.counts()[0] * grid.counts()[1];
            let masses = &model.mass[range];
            let mean = masses.iter().sum::<f32>() / masses.len().max(1) as f32;
            let tethers = Tethers::suit(grid, mean, gravity).then(Tethers::default);
            (GridLines::new(grid), tethers)
        });
        let loose = Loose::new(model, LooseElements::of(model));
        let fine = longest_line(model) > FINE;
        Self {
            kind: SolverKind::LineProjection { iterations: rounds },
            rounds: rounds.unwrap_or(1 + u32::from(fine || loose.has_seams())),
            grids: grids.collect(),
            loose,
            damped: model.damping.iter().any(|&b| b != 0.0),
            weights: vec![0.0; model.particle_count()],
            y: Soa3::zeros(model.particle_count()),
            effort: Effort::default(),
        }
    }
}

/// Lines of more points than this get a second round.
const FINE: usize = 100;

fn longest_line(model: &Model) -> usize {
    model.grids.iter().flat_map(|g| g.counts()).max().unwrap_or(0)
}

impl Solver for SolverLineProjection {
    fn kind(&self) -> SolverKind {
        self.kind
    }

    fn prepare(&self, state: &mut State) {
        state.memory.reserve(0, 0, 0);
    }

    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        // Measured on a cloth hung by two corners: what keeps its stretch below a percent.
        let of_lines = match longest_line(model) {
            0..=32 => 6.0,
            33..=160 => 8.0,
            _ => 16.0,
        };
        let at_60_hz = if model.springs.springs().is_empty() { of_lines } else { 16.0 };
        let touching = if model.colliders.is_empty() { 1.0 } else { 2.0 };
        Some((at_60_hz * touching * frame * 60.0).ceil().clamp(1.0, 64.0) as u32)
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        let (model, h) = (context.model, context.h as f32);
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        let outside = (&*context.conditions, &state.hands);
        free_velocities(model, outside, (&state.x, &state.v), h, context.workspace);
        context.enter(Stage::Move);
        drift(&mut self.y, (&state.x, &context.workspace.free), h);
        let workspace = &mut *context.workspace;
        let weights = context.conditions.weights_in_hand(model, state, &mut workspace.weights);
        self.weights.clear();
        if self.damped {
            let effective = |i| effective_weight(model, weights, i, context.h) as f32;
            self.weights.extend((0..weights.len()).map(effective));
        } else {
            self.weights.extend_from_slice(weights);
        }
        let outside = (model, &mut *context.conditions, context.h);
        self.loose.begin((state, &mut self.y), &mut self.weights, outside);
        let weights = self.weights.as_slice();
        for (index, (lines, tethers)) in self.grids.iter_mut().enumerate() {
            let range = lines.first..lines.first + lines.len();
            let weight = &weights[range.clone()];
            let changed = lines.weigh(weight);
            if let Some(tethers) = tethers {
                if changed {
                    tethers.find(&model.grids[index], weight);
                }
                tethers.draw(&mut self.y.slice_mut(range.clone()), weight);
            }
        }
        let gravity = state.hands.gravity(model);
        let touching = (&state.x, &mut self.y, &mut workspace.free);
        context.conditions.collide_points(model, gravity, touching);
        for (lines, _) in &mut self.grids {
            let range = lines.first..lines.first + lines.len();
            let (start, weight) = (state.x.slice(range.clone()), &weights[range.clone()]);
            lines.begin(start, h);
            lines.soften(&mut self.y.slice_mut(range), start, weight, h);
        }
        for round in 0..self.rounds {
            self.loose.sweep(&mut self.y);
            for (lines, _) in &mut self.grids {
                let range = lines.first..lines.first + lines.len();
                lines.project(&mut self.y.slice_mut(range), Round { h, first: round == 0 });
            }
        }
        advance_to((&mut state.x, &mut state.v), &self.y, h);
        self.effort.inner_steps += 1;
        self.effort.iterations += u64::from(self.rounds);
        state.memory.started = true;
        finish(state, context);
    }
}
