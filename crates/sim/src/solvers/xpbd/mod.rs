//! Extended position based dynamics.

pub(super) mod constraint;
mod gas;
pub(super) mod passes;
pub(super) mod plate;
mod tetra;
pub(super) mod ties;
mod triangle;
mod turning;

use glam::Vec3;

use crate::elastic::{Elastic, ElasticSpring, ElasticTriangle, plates_of};
use crate::forces::free_velocities;
use crate::model::Model;
use crate::probe::Stage;
use crate::state::State;

use super::finish::finish;
use super::passive::{self, Passive};
use super::potential::effective_weight;
use super::{Effort, Solver, SolverKind, StepContext, steps_within};

use constraint::{Hinge, Spring, Step};
use gas::GasPass;
use passes::Passes;
use plate::Plate;
use tetra::Tetra;
use ties::TiePasses;
use triangle::Triangle;
use turning::Turning;

/// Δλ = (−C − α̃λ − γ∇C·(x − x₀))/((1 + γ)∇C W ∇Cᵀ + α̃), x ← x + W∇CᵀΔλ, α̃ = 1/(kh²),
/// γ = c/(kh): XPBD, Macklin 2016, eq. 18 and 26, in small steps (Macklin 2019): many steps of
/// one sweep rather than one step of many.
///
/// Constraints of one colour share no particle and are solved together. Each gives its
/// particles opposite impulses, so momentum is kept. Where a direction is not defined
/// (coinciding ends, a triangle without area) the constraint is passed over.
///
/// Stopping after a sweep leaves springs softer than they are, the more so the longer the
/// step and the finer the cloth. The energy of a stiff spring that a long step leaves drawn out
/// may be more than was put in; that of motion and height is not (see `Passive`).
#[derive(Debug)]
pub struct SolverXpbd {
    iterations: Option<u32>,
    springs: Passes<Spring, 2>,
    triangles: Passes<Triangle, 3>,
    tetras: Passes<Tetra, 4>,
    hinges: Passes<Hinge, 4>,
    plates: Passes<Plate, 6>,
    ties: TiePasses,
    gas: GasPass,
    turning: Turning,
    /// The end of the step. [s]
    time: f64,
    step: Step,
    passive: Passive,
    effort: Effort,
}

/// Sweeps a step if none are asked for.
const SWEEPS: u32 = 1;

/// The same where gas keeps skins taut, and for solids: one leaves them 10 % softer than they are, two
/// 0.1 %.
const SWEEPS_WITH_GAS: u32 = 2;

/// Steps a frame at least, and at most: fewer, and a sweep leaves cloth visibly softer than it is;
/// stiffer cloth than the most can bear is left so.
const STEPS_PER_FRAME: [f64; 2] = [16.0, 64.0];

/// See `Passive`: colours swing slowly against each other where a sweep is far from enough.
const CALM: f64 = 0.01;

impl SolverXpbd {
    /// A solver for a model, with so many sweeps a step.
    pub fn new(model: &Model, iterations: Option<u32>) -> Self {
        let n = model.particle_count();
        let Elastic { springs, triangles, tetras, .. } = Elastic::of(model);
        let (plates, hinges) = plates_of(model);
        let tetras: Vec<Tetra> = tetras.into_iter().map(Tetra).collect();
        let triangles: Vec<Triangle> = triangles.into_iter().map(Triangle).collect();
        let plates: Vec<Plate> = plates.into_iter().map(Plate).collect();
        let springs: Vec<Spring> =
            springs.into_iter().filter(|s| s.ends[0] != s.ends[1]).map(Spring).collect();
        let hinges: Vec<Hinge> = hinges.into_iter().map(Hinge).collect();
        Self {
            iterations,
            springs: Passes::new(n, &springs),
            triangles: Passes::new(n, &triangles),
            tetras: Passes::new(n, &tetras),
            hinges: Passes::new(n, &hinges),
            plates: Passes::new(n, &plates),
            ties: TiePasses::new(model),
            gas: GasPass::new(model),
            turning: Turning::new(model),
            time: 0.0,
            step: Step::new(n),
            passive: Passive::new(model, CALM),
            effort: Effort::default(),
        }
    }

    /// Everything at its inertial target, no multipliers yet.
    fn begin(&mut self, state: &State, context: &mut StepContext<'_>) {
        let (model, h) = (context.model, context.h);
        let outside = (&*context.conditions, &state.hands);
        free_velocities(model, outside, (&state.x, &state.v), h as f32, context.workspace);
        let workspace = &mut *context.workspace;
        let weights = context.conditions.weights_in_hand(model, state, &mut workspace.weights);
        let step = &mut self.step;
        step.h = h;
        for i in 0..step.x.len() {
            step.start[i] = state.x.get(i).as_dvec3();
            step.x[i] = step.start[i] + h * workspace.free.get(i).as_dvec3();
            step.weight[i] = effective_weight(model, weights, i, h);
        }
        context.conditions.at_end_of_step();
        self.ties.begin(model, state, context.conditions, h);
        self.springs.begin();
        self.triangles.begin();
        self.tetras.begin();
        self.hinges.begin();
        self.plates.begin();
        self.gas.begin(&self.step);
        self.turning.begin(&self.step);
        self.time = context.conditions.time();
    }

    fn sweep(&mut self) -> f64 {
        let step = &mut self.step;
        let gas = self.gas.sweep(step, self.time);
        let bending = gas.max(self.hinges.sweep(step)).max(self.plates.sweep(step));
        let soft = bending.max(self.ties.sweep(step));
        // The stiffest come last: what they ask for holds at the end of the step.
        let stretch = self.springs.sweep(step).max(self.triangles.sweep(step));
        soft.max(stretch).max(self.tetras.sweep(step))
    }
}

impl Solver for SolverXpbd {
    fn kind(&self) -> SolverKind {
        SolverKind::Xpbd { iterations: self.iterations }
    }

    fn prepare(&self, state: &mut State) {
        state.memory.reserve(0, state.x.len(), passive::NUMBERS);
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        self.begin(state, context);
        context.enter(Stage::Move);
        let mut first = 0.0;
        let plain = self.gas.is_empty() && self.tetras.items().is_empty();
        let sweeps = if plain { SWEEPS } else { SWEEPS_WITH_GAS };
        for sweep in 0..self.iterations.unwrap_or(sweeps) {
            let longest = self.sweep();
            self.effort.iterations += 1;
            if sweep == 0 {
                first = longest;
            }
            self.effort.residual = if first > 0.0 { (longest / first).sqrt() } else { 0.0 };
        }
        self.gas.keep_from_turning(&mut self.step);
        self.turning.undo(&mut self.step);
        let Step { h, x, start, .. } = &self.step;
        for (i, (x, start)) in x.iter().zip(start).enumerate() {
            state.x.set(i, x.as_vec3());
            state.v.set(i, ((*x - *start) / *h).as_vec3());
        }
        self.passive.apply(state, context, Vec3::ZERO);
        state.memory.started = true;
        self.effort.inner_steps += 1;
        finish(state, context);
        self.passive.hold(state, context);
    }

    /// Steps of 1/ω of the fastest spring or triangle, within limits.
    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        let weight = |i: u32| f64::from(model.inverse_mass[i as usize]);
        let rate = |s: &ElasticSpring| s.stiffness * (weight(s.ends[0]) + weight(s.ends[1]));
        let fastest = self.springs.items().iter().map(|s| rate(&s.0)).fold(0.0, f64::max);
        let rate = |t: &ElasticTriangle| t.fastest_rate(t.corners.map(weight));
        let fastest = self.triangles.items().iter().map(|t| rate(&t.0)).fold(fastest, f64::max);
        let fastest = fastest.max(model.tetras.fastest_rate(&model.inverse_mass));
        Some(steps_within(frame * fastest.sqrt(), STEPS_PER_FRAME, frame))
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
