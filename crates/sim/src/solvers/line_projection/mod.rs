//! Line projection: every warp and weft line solved exactly inside a substep.
//!
//! Per step: y = x + h v with all that acts from outside; tethers to pins; one XPBD sweep of
//! shear; then, a round or two, all columns and all rows, each a tridiagonal solve over its
//! distance constraints, so that stiffness depends neither on iterations nor on resolution.
//! Going from one direction to the other converges as cos² of the angle between warp and
//! weft, whatever the number of points and the stiffness.
//!
//! A mesh that is a flat panel is carried by such a grid ([`embedded`]). Where that cannot be,
//! or is not wanted, its structural edges are covered by near-straight paths, each a line
//! ([`mesh`]), and a stiff flat panel still has a grid to help it ([`coarse`]).

mod bend;
mod bows;
mod chain;
mod coarse;
mod embedded;
mod embedding;
mod gather;
mod grid;
mod loose;
mod mesh;
mod node_weights;
mod pairs;
mod panel;
mod pass;
mod paths;
mod rows;
mod setup;
mod sheet;
mod targets;
mod tethered;
mod tethers;
mod turning;

use crate::forces::free_velocities;
use crate::model::Model;
use crate::probe::Stage;
use crate::soa::Soa3;
use crate::state::{SolverMemory, State};

use super::axes::{drift, velocity_to};
use super::finish::finish;
use super::passive::{self, Passive};
use super::potential::effective_weight;
use super::{Effort, Solver, SolverKind, StepContext};
use coarse::CoarsePanel;
use embedded::{EmbeddedPanel, PANEL_VECTORS, PanelStep};
use grid::GridLines;
use loose::Loose;
use mesh::MeshLines;
use pass::Round;
use setup::Setup;
use tethered::TetheredPanel;
use tethers::Tethers;

/// See the module.
#[derive(Debug)]
pub struct SolverLineProjection {
    kind: SolverKind,
    rounds: u32,
    grids: Vec<(GridLines, Option<Tethers>)>,
    embedded: Vec<EmbeddedPanel>,
    meshes: MeshLines,
    tethered: Vec<TetheredPanel>,
    coarse: Vec<CoarsePanel>,
    loose: Loose,
    /// Whether a medium resists.
    damped: bool,
    /// Inverse masses with the inertia of hands, medium and springy pins. [1/kg]
    weights: Vec<f32>,
    /// Positions at the end of the step, as far as they are known. [m]
    y: Soa3,
    passive: Passive,
    effort: Effort,
}

impl SolverLineProjection {
    /// A solver for `model`; `None` rounds: two for fine grids and for seams, else one.
    pub fn new(model: &Model, rounds: Option<u32>, embed: Option<bool>) -> Self {
        let Setup { grids, embedded, meshes, tethered, coarse, loose } = Setup::of(model, embed);
        let fine = longest_line(model) > FINE;
        Self {
            kind: SolverKind::LineProjection { iterations: rounds, embed },
            rounds: rounds.unwrap_or(1 + u32::from(fine || loose.has_seams())),
            grids,
            embedded,
            meshes,
            tethered,
            coarse,
            loose,
            damped: model.damping.iter().any(|&b| b != 0.0),
            weights: vec![0.0; model.particle_count()],
            y: Soa3::zeros(model.particle_count()),
            passive: Passive::new(CALM),
            effort: Effort::default(),
        }
    }
}

/// See `Passive`: where lines of both directions disagree they turn round in every step.
const CALM: f64 = 0.25;

/// Lines of more points than this get a second round.
const FINE: usize = 100;

fn longest_line(model: &Model) -> usize {
    model.grids.iter().flat_map(|g| g.counts()).max().unwrap_or(0)
}

impl Solver for SolverLineProjection {
    fn kind(&self) -> SolverKind {
        self.kind
    }

    /// What each embedded panel remembers.
    fn prepare(&self, state: &mut State) {
        let lengths = || self.embedded.iter().flat_map(EmbeddedPanel::lengths);
        let SolverMemory { vectors, numbers, .. } = &state.memory;
        let fits = numbers.len() == passive::NUMBERS;
        if !(fits && vectors.iter().map(Soa3::len).eq(lengths())) {
            let vectors = lengths().map(Soa3::zeros).collect();
            let numbers = vec![0.0; passive::NUMBERS];
            state.memory = SolverMemory { started: false, vectors, numbers };
        }
    }

    fn substeps(&self, model: &Model, frame: f64) -> Option<u32> {
        // Measured on a cloth hung by two corners: what keeps its stretch below a percent.
        let of_lines = match longest_line(model) {
            0 => 1.0,
            1..=32 => 6.0,
            33..=160 => 8.0,
            _ => 16.0,
        };
        // Embedded panels divide steps themselves, but not what acts on them from outside.
        let of_panels = match (self.embedded.is_empty(), model.colliders.is_empty()) {
            (true, _) => 1.0f64,
            (false, true) => 2.0,
            (false, false) => 8.0,
        };
        let alone = self.meshes.is_empty() && self.embedded.is_empty() && model.grids.is_empty();
        let of_meshes = match () {
            // Without a grid's help paths need twice the steps.
            () if !self.meshes.is_empty() && self.coarse.is_empty() => 16.0,
            () if !self.meshes.is_empty() => 8.0,
            () if alone => 6.0,
            () => 1.0,
        };
        let at_60_hz = of_panels.max(of_lines).max(of_meshes);
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
        self.tether(model);
        let gravity = state.hands.gravity(model);
        let touching = (&state.x, &mut self.y, &mut workspace.free);
        context.conditions.collide_points(model, gravity, touching);
        self.project(&state.x, h);
        let panel_step = PanelStep {
            model,
            conditions: context.conditions,
            gravity,
            h: context.h,
            x: &state.x,
            free: &workspace.free,
            weights: &self.weights,
            rounds: self.rounds,
        };
        let SolverMemory { started, vectors, .. } = &mut state.memory;
        let mut inner = 1;
        let vectors = vectors.as_mut_slice();
        for (panel, memory) in self.embedded.iter_mut().zip(vectors.chunks_mut(PANEL_VECTORS)) {
            inner = inner.max(panel.step(&panel_step, memory, *started, &self.y));
        }
        velocity_to(&mut state.v, (&state.x, &self.y), h);
        // From here on `y` is where the step started.
        std::mem::swap(&mut state.x, &mut self.y);
        for (panel, memory) in self.embedded.iter_mut().zip(vectors.chunks_mut(PANEL_VECTORS)) {
            panel.carry(memory, (&mut state.x, &mut state.v));
        }
        self.effort.inner_steps += inner as u64;
        self.effort.iterations += inner as u64 * u64::from(self.rounds);
        // Embedded panels move on their own.
        if self.embedded.is_empty() {
            let start = &self.y;
            self.passive.apply(state, context, |i| start.get(i));
        }
        state.memory.started = true;
        finish(state, context);
        self.passive.hold(state, context);
    }
}

impl SolverLineProjection {
    /// Tethers of all stiff sheets.
    fn tether(&mut self, model: &Model) {
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
        for panel in &mut self.tethered {
            panel.draw(&mut self.y, weights);
        }
    }

    /// All rounds over what is solved as it is.
    fn project(&mut self, start: &Soa3, h: f32) {
        let weights = self.weights.as_slice();
        for (lines, _) in &mut self.grids {
            let range = lines.first..lines.first + lines.len();
            let (start, weight) = (start.slice(range.clone()), &weights[range.clone()]);
            lines.begin(start, h);
            lines.soften(&mut self.y.slice_mut(range), start, weight, h);
        }
        for panel in &mut self.coarse {
            panel.correct(&mut self.y, weights, h);
        }
        self.meshes.begin(start, weights, h);
        for round in 0..self.rounds {
            self.loose.sweep(&mut self.y);
            self.meshes.project(&mut self.y, h, round == 0);
            for (lines, _) in &mut self.grids {
                let range = lines.first..lines.first + lines.len();
                lines.project(&mut self.y.slice_mut(range), Round { h, first: round == 0 });
            }
        }
        self.loose.close_seams(&mut self.y);
        self.meshes.limit(&mut self.y);
    }
}
