//! Vertex block descent: the solver that cannot explode.

mod update;

#[cfg(test)]
mod tests;

use glam::DVec3;

use crate::model::Model;
use crate::parallel::{for_each_heavy_part, for_each_slow_part};
use crate::probe::Stage;
use crate::state::State;

use super::colouring::Colours;
use super::finish::finish;
use super::potential::{Budget, Pieces, StepPotential};
use super::{Effort, STEPS_TOUCHING, Solver, SolverKind, StepContext, steps_within};

/// x_i ← x_i − H_i⁻¹ ∂G/∂x_i, vertex after vertex: Vertex Block Descent, Chen 2024; strain limits
/// as in its augmented form, Giles 2025. G is implicit Euler's, see `StepPotential`.
///
/// No update raises G (see `update.rs`), G starts no higher than at the start of the step, and
/// from that follows that no step gains energy (see `Budget`): stopping early makes cloth
/// slower or softer, never wild. Sweeps are a budget. Vertices of one colour share no element:
/// they move together, on any number of threads, and G falls by the sum of what each gains.
#[derive(Debug)]
pub struct SolverVertexDescent {
    iterations: Option<u32>,
    potential: StepPotential,
    budget: Budget,
    colours: Colours,
    /// Present positions. [m]
    x: Vec<DVec3>,
    /// New positions of the vertices of one colour. [m]
    moved: Vec<DVec3>,
    effort: Effort,
}

/// Sweeps a step if none are asked for. For the same work, many steps of few sweeps come nearer to
/// the truth than few steps of many.
const SWEEPS: u32 = 8;

/// Steps a frame at least, and at most: fine stiff cloth would need more and is left slower and
/// softer than it is.
const STEPS_PER_FRAME: [f64; 2] = [4.0, 16.0];

/// A sweep that moves nothing by more than this is the last: f32 positions of a metre's size
/// are some fifty times coarser. [m]
const STILL: f64 = 1e-9;

impl SolverVertexDescent {
    /// A solver for a model, with so many sweeps a step.
    pub fn new(model: &Model, iterations: Option<u32>) -> Self {
        let n = model.particle_count();
        let potential = StepPotential::new(model);
        Self {
            iterations,
            budget: Budget::new(Pieces::new(&potential)),
            colours: Colours::of_vertices(n, potential.groups()),
            potential,
            x: vec![DVec3::ZERO; n],
            moved: vec![DVec3::ZERO; n],
            effort: Effort::default(),
        }
    }

    /// Moves every free vertex once. Returns the square of the longest way. [m²]
    fn sweep(&mut self) -> f64 {
        let Self { potential, colours, x, moved, .. } = self;
        let mut longest = 0.0f64;
        potential.look(x);
        for range in colours.ranges() {
            let vertices = &colours.order()[range.clone()];
            let moved = &mut moved[range];
            potential.move_together(vertices);
            let (now, at) = (&*potential, x.as_slice());
            let items = (vertices, &mut *moved);
            let work = |_: usize, (vertices, out): (&[u32], &mut [DVec3])| {
                for (&vertex, out) in vertices.iter().zip(out) {
                    *out = update::moved(now, vertex as usize, at);
                }
            };
            if now.has_solids() {
                for_each_slow_part(items, 1, &work);
            } else {
                for_each_heavy_part(items, 1, &work);
            }
            for (&vertex, &to) in vertices.iter().zip(&*moved) {
                potential.note(vertex as usize, to, x);
                longest = longest.max((to - x[vertex as usize]).length_squared());
                x[vertex as usize] = to;
            }
        }
        longest
    }

    fn descend(&mut self) {
        let mut first = 0.0;
        for sweep in 0..self.iterations.unwrap_or(SWEEPS) {
            let longest = self.sweep();
            self.potential.limits.learn(&self.x);
            self.effort.iterations += 1;
            if sweep == 0 {
                first = longest;
            }
            self.effort.residual = if first > 0.0 { (longest / first).sqrt() } else { 0.0 };
            if longest <= STILL * STILL {
                break;
            }
        }
    }
}

impl Solver for SolverVertexDescent {
    fn kind(&self) -> SolverKind {
        SolverKind::VertexDescent { iterations: self.iterations }
    }

    fn prepare(&self, state: &mut State) {
        state.memory.reserve(0, state.x.len(), self.potential.limits.memory());
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        self.potential.begin(state, context);
        context.enter(Stage::Move);
        self.budget.start(&self.potential, &state.v, &mut self.x);
        self.descend();
        self.budget.settle(&self.potential, &mut self.x, state);
        self.potential.limits.remember(state);
        state.memory.started = true;
        self.effort.inner_steps += 1;
        finish(state, context);
        if state.contacts > 0 && context.conditions.obstacles_stand() {
            self.budget.hold(&self.potential, &mut self.x, state);
        }
    }

    /// Steps of 2/ω of the fastest spring, within limits.
    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        let least = if model.anything_touches() { 60.0 * frame * STEPS_TOUCHING } else { 0.0 };
        let steps = least.max(0.5 * frame * self.potential.fastest_rate(model).sqrt());
        Some(steps_within(steps, STEPS_PER_FRAME, frame))
    }

    fn leaves_contact_to_the_end(&self) -> bool {
        true
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
