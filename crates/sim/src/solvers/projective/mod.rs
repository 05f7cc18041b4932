//! Projective dynamics as a quasi-Newton method.

mod cholesky;
mod line_search;
mod matrix;
mod rest;

use glam::DVec3;

use crate::model::Model;
use crate::probe::Stage;
use crate::state::State;

use super::finish::finish;
use super::potential::{Budget, Pieces, StepPotential};
use super::{Effort, STEPS_TOUCHING, Solver, SolverKind, StepContext, steps_within};

use line_search::LineSearch;
use matrix::GlobalMatrix;

/// x ← x − t A⁻¹∇G(x), A constant and factored once: fast mass–spring, Liu 2013; projective
/// dynamics, Bouaziz 2014; as a quasi-Newton method with other energies beside springs, Liu 2017.
///
/// For springs alone this is the local and global step: with p = d/|d| the projections,
/// A x⁺ = M y/h² + Σ k Sᵀ L p has the solution x − A⁻¹∇G. ∇G takes the place of the projections,
/// particle by particle and on all threads; t is 1 unless G would rise, which it cannot with
/// springs alone. G starts no higher than at the start of the step, so no step gains energy (see
/// `Budget`).
///
/// Each round costs a solve with the factor: best below some 20,000 particles. A change of the
/// step, of what is held or grabbed, or of ties makes a new factor.
#[derive(Debug)]
pub struct SolverProjective {
    iterations: Option<u32>,
    potential: StepPotential,
    budget: Budget,
    /// `None` where the pattern could not be factored at all, for want of memory.
    matrix: Option<GlobalMatrix>,
    search: LineSearch,
    /// Present positions. [m]
    x: Vec<DVec3>,
    /// −A⁻¹∇G. [m]
    way: Vec<DVec3>,
    effort: Effort,
}

/// Rounds a step if none are asked for.
const ROUNDS: u32 = 10;

/// Steps a frame, at any stiffness: ten rounds follow a swing at four steps and make it sluggish
/// at two.
const STEPS_PER_FRAME: [f64; 2] = [4.0, STEPS_TOUCHING];

/// A round that moves nothing by more than this is the last. [m]
const STILL: f64 = 1e-9;

impl SolverProjective {
    /// A solver for a model, with so many rounds a step.
    pub fn new(model: &Model, iterations: Option<u32>) -> Self {
        let n = model.particle_count();
        let potential = StepPotential::without_limits(model);
        let pieces = Pieces::new(&potential);
        Self {
            iterations,
            budget: Budget::new(pieces.clone()),
            search: LineSearch::new(pieces),
            matrix: GlobalMatrix::new(model, &potential).ok(),
            potential,
            x: vec![DVec3::ZERO; n],
            way: vec![DVec3::ZERO; n],
            effort: Effort::default(),
        }
    }

    /// −A⁻¹∇G into `way`, or −∇G over inertia where there is no factor.
    fn aim(&mut self) {
        let Self { potential, matrix, x, way, .. } = self;
        potential.gradient(x, way);
        way.iter_mut().for_each(|g| *g = -*g);
        match matrix.as_mut().and_then(|matrix| matrix.factor(potential)) {
            Some(cholesky) => cholesky.solve(way),
            None => {
                for (i, g) in way.iter_mut().enumerate().filter(|(i, _)| !potential.is_held(*i)) {
                    *g /= potential.local(i, x[i], x).bound;
                }
            }
        }
    }

    /// Rounds until nothing moves.
    fn iterate(&mut self) {
        self.search.begin(&self.potential, &self.x);
        let mut first = 0.0;
        for round in 0..self.iterations.unwrap_or(ROUNDS) {
            self.aim();
            let longest = self.search.go(&self.potential, &mut self.x, &self.way);
            self.effort.iterations += 1;
            if round == 0 {
                first = longest;
            }
            self.effort.residual = if first > 0.0 { (longest / first).sqrt() } else { 0.0 };
            if longest <= STILL * STILL {
                break;
            }
        }
    }
}

impl Solver for SolverProjective {
    fn kind(&self) -> SolverKind {
        SolverKind::Projective { iterations: self.iterations }
    }

    fn prepare(&self, state: &mut State) {
        state.memory.reserve(0, state.x.len(), 0);
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        self.potential.begin(state, context);
        context.enter(Stage::Move);
        self.budget.start(&self.potential, &state.v, &mut self.x);
        self.iterate();
        self.budget.settle(&self.potential, &mut self.x, state);
        state.memory.started = true;
        self.effort.inner_steps += 1;
        finish(state, context);
    }

    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        let least = if model.anything_touches() { 60.0 * frame * STEPS_TOUCHING } else { 0.0 };
        Some(steps_within(least, STEPS_PER_FRAME, frame))
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
