//! Extended position based dynamics.

mod alike;
pub(super) mod constraint;
mod course;
mod gas;
mod lattice;
pub(super) mod passes;
pub(super) mod plate;
mod tetra;
pub(super) mod ties;
mod triangle;
mod turning;

use glam::Vec3;

use crate::elastic::{Elastic, ElasticSpring, ElasticTriangle, plates_of};
use crate::elements::TieEnd;
use crate::forces::{Workspace, free_velocities};
use crate::model::Model;
use crate::probe::Stage;
use crate::state::State;

use super::finish::finish;
use super::passive::{self, Passive};
use super::potential::effective_weight;
use super::{Effort, Solver, SolverKind, StepContext, steps_within};

use alike::{Alike, CrowdStep};
use constraint::{Constraint, Hinge, Spring, Step};
use course::Ahead;
use gas::GasPass;
use lattice::GoalPass;
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
/// Constraints of one colour share no particle and are solved together; those of bodies that are
/// alike one after the other, for all these bodies together (see `Alike`). Each gives its
/// particles opposite impulses, so momentum is kept. Where a direction is not defined
/// (coinciding ends, a triangle without area) the constraint is passed over.
///
/// Stopping after a sweep leaves springs softer than they are, the more so the longer the
/// step and the finer the cloth. The energy of a stiff spring that a long step leaves drawn out
/// may be more than was put in; that of motion and height is not (see `Passive`).
#[derive(Debug)]
pub struct SolverXpbd {
    iterations: Option<u32>,
    alike: Alike,
    springs: Passes<Spring, 2>,
    triangles: Passes<Triangle, 3>,
    tetras: Passes<Tetra, 4>,
    hinges: Passes<Hinge, 4>,
    plates: Passes<Plate, 6>,
    ties: TiePasses,
    gas: GasPass,
    goals: GoalPass,
    turning: Turning,
    has_gas: bool,
    /// The end of the step. [s]
    time: f64,
    step: Step,
    passive: Passive,
    effort: Effort,
    ahead: Ahead,
}

/// Sweeps a step if none are asked for.
const SWEEPS: u32 = 1;

/// The same where gas keeps skins taut, and for solids: one leaves them 10 % softer than they are, two
/// 0.1 %.
const SWEEPS_WITH_GAS: u32 = 2;

/// Steps a frame at least, and at most: fewer, and a sweep leaves cloth visibly softer than it is;
/// stiffer cloth than the most can bear is left so.
const STEPS_PER_FRAME: [f64; 2] = [16.0, 64.0];

/// Steps of contact in 1/60 s at least. Steps are as short as springs want them; contact looks
/// ahead, and does as well with longer ones.
const CONTACTS_PER_FRAME: f64 = 4.0;

/// See `Passive`: colours swing slowly against each other where a sweep is far from enough.
const CALM: f64 = 0.01;

impl SolverXpbd {
    /// A solver for a model, with so many sweeps a step.
    pub fn new(model: &Model, iterations: Option<u32>) -> Self {
        let n = model.particle_count();
        let Elastic { mut springs, triangles, tetras, .. } = Elastic::of(model);
        let (plates, hinges) = plates_of(model);
        let tetras: Vec<Tetra> = tetras.into_iter().map(Tetra).collect();
        let triangles: Vec<Triangle> = triangles.into_iter().map(Triangle).collect();
        let plates: Vec<Plate> = plates.into_iter().map(Plate).collect();
        let hinges: Vec<Hinge> = hinges.into_iter().map(Hinge).collect();
        springs.retain(|s| s.ends[0] != s.ends[1]);
        let busy = corners(&triangles).chain(corners(&hinges)).chain(corners(&plates));
        let drawn = model.goals.iter().flat_map(|goal| goal.particles.iter().copied());
        let busy = busy.chain(corners(&tetras)).chain(drawn).chain(tied(model));
        let alike = Alike::new(model, &mut springs, busy);
        let springs: Vec<Spring> = springs.into_iter().map(Spring).collect();
        Self {
            iterations,
            springs: Passes::new(n, &springs),
            triangles: Passes::new(n, &triangles),
            tetras: Passes::new(n, &tetras),
            hinges: Passes::new(n, &hinges),
            plates: Passes::new(n, &plates),
            ties: TiePasses::new(model),
            gas: GasPass::new(model, |particles| !alike.has(particles)),
            goals: GoalPass::new(model),
            turning: Turning::new(model, |particles| !alike.has(particles)),
            has_gas: model.gases.has_ideal(),
            alike,
            time: 0.0,
            step: Step::new(n),
            passive: Passive::new(model, CALM),
            effort: Effort::default(),
            ahead: Ahead::default(),
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
        for i in self.alike.others() {
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
        self.gas.begin();
        self.turning.begin(&self.step);
        self.time = context.conditions.time();
    }

    /// Bodies that are alike go through the whole step.
    fn advance_alike(&mut self, state: &mut State, context: &mut StepContext<'_>) -> [f64; 2] {
        let model = context.model;
        let Workspace { weights, free, .. } = &mut *context.workspace;
        let weights = context.conditions.weights_in_hand(model, state, weights);
        let gravity = state.hands.gravity(model);
        let (h, time, sweeps) = (context.h, self.time, self.sweeps());
        let step = CrowdStep { model, free, weights, gravity, h, time, sweeps };
        self.alike.advance(&step, state)
    }

    fn sweeps(&self) -> u32 {
        let filled = self.has_gas || !self.tetras.items().is_empty();
        self.iterations.unwrap_or(if filled { SWEEPS_WITH_GAS } else { SWEEPS })
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
        let own = if self.alike.are_all() { 1 } else { self.goals.numbers() };
        let numbers = passive::NUMBERS + own;
        state.memory.reserve(0, state.x.len(), numbers);
        self.goals.prepare(&mut state.memory.numbers[passive::NUMBERS..]);
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        if self.is_ahead(state) || self.go_ahead(state, context) {
            return;
        }
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        self.begin(state, context);
        context.enter(Stage::Move);
        self.goals.sweep(&mut self.step, &mut state.memory.numbers[passive::NUMBERS..]);
        let [mut first, mut last] = self.advance_alike(state, context);
        for sweep in 0..self.sweeps() {
            let longest = self.sweep();
            self.effort.iterations += 1;
            if sweep == 0 {
                first = longest.max(first);
            }
            if sweep + 1 == self.sweeps() {
                last = longest.max(last);
            }
        }
        self.effort.residual = if first > 0.0 { (last / first).sqrt() } else { 0.0 };
        self.turning.undo(&mut self.step);
        let Step { h, x, start, .. } = &self.step;
        for i in self.alike.others() {
            state.x.set(i, x[i].as_vec3());
            state.v.set(i, ((x[i] - start[i]) / *h).as_vec3());
        }
        self.goals.damp(context.model, state, context.h);
        self.passive.know(self.alike.known(context.model));
        self.passive.apply(state, context, Vec3::ZERO);
        if self.alike.are_all() {
            let calm = if self.passive.was_calm() { course::CALM } else { 0.0 };
            state.memory.numbers[passive::NUMBERS] = calm;
        }
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
        let fastest = self.alike.springs().map(|s| rate(&s)).fold(fastest, f64::max);
        let rate = |t: &ElasticTriangle| t.fastest_rate(t.corners.map(weight));
        let fastest = self.triangles.items().iter().map(|t| rate(&t.0)).fold(fastest, f64::max);
        let fastest = fastest.max(model.tetras.fastest_rate(&model.inverse_mass));
        Some(steps_within(frame * fastest.sqrt(), STEPS_PER_FRAME, frame))
    }

    fn steps_per_contact(&self, substeps: u32, frame: f64) -> u32 {
        (f64::from(substeps) / (CONTACTS_PER_FRAME * 60.0 * frame)) as u32
    }

    fn leaves_contact_to_the_end(&self) -> bool {
        true
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

/// Particles that constraints act on.
fn corners<const C: usize, T: Constraint<C>>(items: &[T]) -> impl Iterator<Item = u32> + '_ {
    items.iter().flat_map(T::corners)
}

/// Particles that are tied to something.
fn tied(model: &Model) -> impl Iterator<Item = u32> + '_ {
    model.ties.iter().flat_map(|tie| match tie.end {
        TieEnd::Particle(other) => [tie.particle, other],
        TieEnd::Anchor(_) => [tie.particle; 2],
    })
}
