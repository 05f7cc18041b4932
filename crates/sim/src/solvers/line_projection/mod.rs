//! Line projection: every warp and weft line solved exactly inside a substep.
//!
//! Per step: y = x + h v with all that acts from outside; tethers to pins; one XPBD sweep of
//! shear; then, a round or two, all rows and all columns, each a tridiagonal solve over its
//! distance constraints, so that stiffness depends neither on iterations nor on resolution.
//! Going from one direction to the other converges as cos² of the angle between warp and
//! weft, whatever the number of points and the stiffness.
//!
//! A mesh that is a flat panel is carried by such a grid ([`embedded`]). Where that cannot be,
//! or is not wanted, its structural edges are covered by near-straight paths, each a line
//! ([`mesh`]), and a stiff flat panel still has a grid to help it ([`coarse`]).

mod advance;
mod alike;
mod bows;
pub(super) mod chain;
mod coarse;
mod cross;
mod crosses;
mod embedded;
mod embedding;
mod fall;
mod fill;
mod flat_hinges;
mod gather;
mod grid;
mod loose;
mod mesh;
mod node_weights;
mod pairs;
mod panel;
mod pass;
mod paths;
mod setup;
mod sheet;
mod spans;
mod straighten;
mod targets;
mod tethered;
mod tethers;
mod turning;
mod weave;

use std::ops::Range;

use glam::Vec3;

use crate::elements::GridStencil;
use crate::forces::{Workspace, free_velocities, only_weight_acts};
use crate::hands::Hands;
use crate::model::Model;
use crate::parallel::{teams, with_threads_awake};
use crate::probe::Stage;
use crate::soa::Soa3;
use crate::state::{SolverMemory, State};

use super::axes::{advance_to, drift};
use super::finish::finish;
use super::passive::{self, Known, Passive};
use super::potential::effective_weight;
use super::{Effort, Solver, SolverKind, StepContext};
use advance::{Pace, Tally};
use coarse::CoarsePanel;
use embedded::{EmbeddedPanel, PANEL_VECTORS, PanelStep};
use fall::Falling;
use fill::Source;
use grid::{GridLines, THREADS_FROM};
use loose::Loose;
use mesh::MeshLines;
use pass::Round;
use setup::{Setup, grid_range};
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
    /// Particles that belong to no grid.
    rest: Vec<Range<usize>>,
    /// Whether a medium resists.
    damped: bool,
    /// Inverse masses with the inertia of hands, medium and springy pins. [1/kg]
    weights: Vec<f32>,
    /// The model's version of what is held, if grids weigh what it says.
    known: Option<u64>,
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
            rest: beside_grids(model),
            damped: model.damping.iter().any(|&b| b != 0.0),
            weights: vec![0.0; model.particle_count()],
            known: None,
            y: Soa3::zeros(model.particle_count()),
            passive: Passive::new(model, CALM),
            effort: Effort::default(),
        }
    }
}

/// See `Passive`: where lines of both directions disagree they turn round in every step.
const CALM: f64 = 0.25;

/// Lines of more points than this get a second round.
const FINE: usize = 160;

/// Springs that follow no line are swept once a step, and bear a part 1/(1 + k h² w) of what they
/// should. Of a stiff cloth nobody sees that; of a soft one k h² w is kept below this.
const FAITHFUL: f64 = 0.5;

/// Steps at most in a sixtieth of a second.
const MOST_STEPS: f64 = 64.0;

fn mean_weight(model: &Model, grid: &GridStencil) -> f64 {
    let [ni, nj] = grid.counts();
    let masses = &model.mass[grid.first()..grid.first() + ni * nj];
    let mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    if mass > 0.0 { masses.len() as f64 / mass } else { 0.0 }
}

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
        let touched = model.anything_touches();
        // Measured on a cloth hung by two corners: what keeps its stretch below a percent.
        let of_lines = match longest_line(model) {
            0 => 1.0,
            1..=32 => 6.0,
            // Over an edge six let it be drawn out.
            33..=64 if !touched => 6.0,
            33..=100 => 8.0,
            // Contact draws in what fewer leave too long.
            101..=130 if touched => 7.0,
            101..=130 => 9.0,
            131..=FINE => 12.0,
            161..=300 => 12.0,
            _ => 40.0,
        };
        // Embedded panels divide steps themselves, but not what acts on them from outside.
        let of_panels = match (self.embedded.is_empty(), !touched) {
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
        let touching = if touched { 2.0 } else { 1.0 };
        let soft =
            self.grids.iter().zip(&model.grids).filter(|((_, tethers), _)| tethers.is_none());
        let of_soft = soft.map(|(_, grid)| grid.fastest_across(mean_weight(model, grid)));
        let faithful = of_soft.fold(0.0, f64::max) * frame / FAITHFUL.sqrt();
        let most = MOST_STEPS * (frame * 60.0).max(1.0);
        Some((at_60_hz * touching * frame * 60.0).max(faithful).ceil().clamp(1.0, most) as u32)
    }

    fn holds_lengths(&self) -> bool {
        true
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        let team = teams(state.x.len(), THREADS_FROM);
        with_threads_awake(team, || self.take_step(state, context));
    }
}

impl SolverLineProjection {
    fn take_step(&mut self, state: &mut State, context: &mut StepContext<'_>) {
        let (model, h) = (context.model, context.h as f32);
        context.enter(Stage::Forces);
        context.workspace.keep_start(&state.x);
        let gravity = state.hands.gravity(model);
        let falls =
            context.contacts.is_none() && self.only_falls(model, &state.hands, context.workspace);
        if !falls {
            let outside = (&*context.conditions, &state.hands);
            free_velocities(model, outside, (&state.x, &state.v), h, context.workspace);
        }
        context.enter(Stage::Move);
        let workspace = &mut *context.workspace;
        if !falls {
            drift(&mut self.y, (&state.x, &workspace.free), h);
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
        }
        self.begin(model, falls);
        if !falls {
            self.tether();
            let touching = (&state.x, &mut self.y, &mut workspace.free);
            context.conditions.collide_points(model, gravity, touching);
            if let Some(contacts) = &mut context.contacts {
                contacts.settle(&mut self.y, &self.weights, h);
            }
        }
        self.project(state, h, falls.then_some(h * gravity));
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
        let change = if falls { h * gravity } else { Vec3::ZERO };
        if falls {
            // What led to where lines began is kept.
            if workspace.free.len() != state.v.len() {
                workspace.free = Soa3::zeros(state.v.len());
            }
            std::mem::swap(&mut state.v, &mut workspace.free);
        }
        let moving = (&mut state.x, &mut state.v);
        let pace = Pace { change, fall: h * gravity, h };
        let tally = self.advance(moving, (&workspace.free, &model.mass), pace);
        for (panel, memory) in self.embedded.iter_mut().zip(vectors.chunks_mut(PANEL_VECTORS)) {
            panel.carry(memory, (&mut state.x, &mut state.v));
        }
        self.effort.inner_steps += inner as u64;
        self.effort.iterations += inner as u64 * u64::from(self.rounds);
        // Embedded panels move on their own.
        if self.embedded.is_empty() {
            let all_move = !self.damped && self.grids.iter().all(|(lines, _)| lines.holds_none());
            self.passive.know(tally.map(|tally| Known::new(tally, all_move)));
            self.passive.apply(state, context, change);
        }
        state.memory.started = true;
        finish(state, context);
        self.passive.hold(state, context);
    }

    /// Whether nothing but weight acts from outside, and on grids alone.
    fn only_falls(&self, model: &Model, hands: &Hands, workspace: &Workspace) -> bool {
        let alone = self.rest.is_empty() && self.loose.is_empty() && model.colliders.is_empty();
        alone && only_weight_acts(model, hands, workspace)
    }

    /// Takes note of what is held.
    fn begin(&mut self, model: &Model, falls: bool) {
        let weights = if falls { &model.inverse_mass } else { &self.weights };
        // What is compared point by point otherwise.
        let known = falls.then_some(model.grip_version);
        let same = known.is_some() && self.known == known;
        self.known = known;
        for (index, (lines, tethers)) in self.grids.iter_mut().enumerate() {
            let weight = &weights[lines.range()];
            if let (true, Some(tethers)) = (!same && lines.weigh(weight), tethers) {
                tethers.find(&model.grids[index], weight);
            }
            lines.begin();
        }
    }

    /// Tethers of all stiff sheets.
    fn tether(&mut self) {
        let weights = self.weights.as_slice();
        for (lines, tethers) in &mut self.grids {
            if let Some(tethers) = tethers {
                tethers.draw(&mut self.y.slice_mut(lines.range()));
            }
        }
        for panel in &mut self.tethered {
            panel.draw(&mut self.y, weights);
        }
    }

    /// All rounds over what is solved as it is, from y, or where weight `changes` velocities.
    fn project(&mut self, state: &State, h: f32, changes: Option<Vec3>) {
        let start = &state.x;
        let weights = self.weights.as_slice();
        for panel in &mut self.coarse {
            panel.correct(&mut self.y, weights, h);
        }
        self.meshes.begin(start, weights, h);
        for round in 0..self.rounds {
            let (first, last) = (round == 0, round + 1 == self.rounds);
            self.loose.sweep(&mut self.y);
            self.meshes.project(&mut self.y, h, first);
            for (lines, tethers) in &mut self.grids {
                let range = lines.range();
                let start = start.slice(range.clone());
                let round = Round { h, first, last };
                if let (true, Some(change)) = (first, changes) {
                    let (x, v) = (start, state.v.slice(range.clone()));
                    let bonds =
                        tethers.as_ref().map(|t| t.bonds(|pin| x.get(pin) + h * v.get(pin)));
                    let bonds = bonds.as_ref().map_or(&[][..], |(bonds, count)| &bonds[..*count]);
                    let ni = lines.counts()[0];
                    let falling = Falling { x, v, bonds, change, h, ni };
                    lines.project(Source::Fall(&falling), start, round);
                } else if first || !self.loose.is_empty() {
                    lines.project(Source::Places(self.y.slice(range)), start, round);
                } else {
                    lines.project(Source::Columns, start, round);
                }
                if !self.loose.is_empty() {
                    lines.write(self.y.slice_mut(lines.range()));
                }
            }
        }
        self.loose.close_seams(&mut self.y);
        self.meshes.limit(&mut self.y);
    }

    /// v ← (y − x)/h, x ← y; `u` is what led to where lines began, but for what `pace` adds.
    /// Momentum and motion, where grids are all there is.
    fn advance(
        &mut self,
        (x, v): (&mut Soa3, &mut Soa3),
        (u, mass): (&Soa3, &[f32]),
        pace: Pace,
    ) -> Option<Tally> {
        if !self.loose.is_empty() {
            advance_to((x.view_mut(), v.view_mut()), (self.y.view(), u.view()), pace.h);
            return None;
        }
        let mut sum = Tally::default();
        for (lines, _) in &mut self.grids {
            let range = lines.range();
            let moving = (x.slice_mut(range.clone()), v.slice_mut(range.clone()));
            let tally = lines.advance(moving, (u.slice(range.clone()), &mass[range]), pace);
            sum.iter_mut().zip(tally).for_each(|(sum, part)| *sum += part);
        }
        for range in self.rest.iter().cloned() {
            let moving = (x.slice_mut(range.clone()), v.slice_mut(range.clone()));
            advance_to(moving, (self.y.slice(range.clone()), u.slice(range)), pace.h);
        }
        self.rest.is_empty().then_some(sum)
    }
}

/// Particles that belong to no grid.
fn beside_grids(model: &Model) -> Vec<Range<usize>> {
    let mut taken: Vec<Range<usize>> = model.grids.iter().map(grid_range).collect();
    taken.sort_by_key(|range| range.start);
    taken.push(model.particle_count()..model.particle_count());
    let mut next = 0;
    let gaps = taken.into_iter().map(|range| std::mem::replace(&mut next, range.end)..range.start);
    gaps.filter(|gap| !gap.is_empty()).collect()
}
