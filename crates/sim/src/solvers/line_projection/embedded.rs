//! A flat panel of a mesh carried by a warp/weft grid that is solved in its place.
//!
//! The grid's positions and velocities are the state, and what they gave the mesh, which
//! follows bilinearly. What
//! happens to the mesh from outside (forces, contacts, hands, whatever was done to its
//! velocities between steps) reaches the nodes as change of velocity, by mass. Held
//! particles hold the nodes of their cell.

use std::ops::Range;

use glam::Vec3;

use crate::elastic::Elastic;
use crate::elements::{GridStencil, SpringParams, neighbours_12};
use crate::forces::Conditions;
use crate::model::Model;
use crate::soa::{Soa3, Soa3Ref};
use crate::solvers::axes::drift;

use super::advance::Pace;
use super::embedding::{Embedding, Node, farthest, stands_alone};
use super::fill::Source;
use super::grid::GridLines;
use super::node_weights::NodeWeights;
use super::panel::Panel;
use super::pass::Round;
use super::sheet::Sheet;
use super::tethers::Tethers;

/// A panel and its grid.
#[derive(Debug)]
pub(super) struct EmbeddedPanel {
    /// The mesh's particles.
    pub particles: Range<usize>,
    grid: Embedding,
    stencil: GridStencil,
    lines: GridLines,
    tethers: Option<Tethers>,
    weights: NodeWeights,
    /// Where nodes come to. [m]
    y: Soa3,
    /// What a step changes of their velocities; where held, of their positions.
    change: Soa3,
    /// Velocities that led to where lines began. [m/s]
    free: Soa3,
    /// Changes at each particle.
    carried: Soa3,
    nodes: Vec<Node>,
}

/// Steps of the grid in a frame of 1/60 s.
const STEPS_AT_60_HZ: f64 = 8.0;

/// Points this part of a cell off the grid were put there by someone else.
const ASTRAY: f32 = 0.25;

/// Vectors that a panel remembers.
pub(super) const PANEL_VECTORS: usize = 4;

/// What a panel remembers: the nodes, and what the particles had of them.
struct PanelMemory<'a> {
    gx: &'a mut Soa3,
    gv: &'a mut Soa3,
    x: &'a mut Soa3,
    v: &'a mut Soa3,
}

/// What one step does to a panel.
pub(super) struct PanelStep<'a> {
    pub model: &'a Model,
    pub conditions: &'a Conditions,
    pub gravity: Vec3,
    pub h: f64,
    /// Positions at its start. [m]
    pub x: &'a Soa3,
    /// Velocities that all but the panel itself gives. [m/s]
    pub free: &'a Soa3,
    /// Inverse masses of all particles. [1/kg]
    pub weights: &'a [f32],
    pub rounds: u32,
}

impl EmbeddedPanel {
    /// The panel of a body, if it can be carried: no ties, flat when nothing bends it.
    pub fn of(model: &Model, body: usize, panel: &Panel, elastic: &Elastic) -> Option<Self> {
        let body = &model.bodies[body];
        let hinges = || {
            let inside = |corner: u32| body.particles.contains(&(corner as usize));
            elastic.hinges.iter().filter(move |hinge| inside(hinge.corners[0]))
        };
        let sheet = Sheet::of(model, body, panel, elastic);
        let curved = hinges().any(|hinge| hinge.rest_sine.abs() > 1e-2);
        let bends = sheet.spans[0] > 0.0 || hinges().next().is_some();
        let flat = panel.plane || !bends;
        let stretches = sheet.stretch[0] > 0.0 && sheet.stretch[1] > 0.0;
        if curved || !flat || !stretches || !stands_alone(model, &body.particles) {
            return None;
        }
        let grid = Embedding::of(panel)?;
        let stencil = stencil(&grid, &sheet);
        let mut lines = GridLines::new(&stencil);
        if grid.active.contains(&false) {
            lines.leave_out(&grid.active);
        }
        let length = panel.extent.max_element();
        let stiff = sheet.is_stiff(f64::from(model.gravity.length()), length);
        let nodes = Soa3::zeros(grid.len());
        Some(Self {
            particles: body.particles.clone(),
            tethers: (panel.convex && stiff).then(Tethers::default),
            weights: NodeWeights::default(),
            carried: Soa3::zeros(body.particles.len()),
            nodes: vec![[0.0; 8]; grid.len()],
            y: nodes.clone(),
            free: nodes.clone(),
            change: nodes,
            grid,
            stencil,
            lines,
        })
    }

    /// Lengths of the vectors that a panel remembers: see [`PanelMemory`].
    pub fn lengths(&self) -> [usize; PANEL_VECTORS] {
        let (nodes, particles) = (self.grid.len(), self.particles.len());
        [nodes, nodes, particles, particles]
    }

    /// Steps of the grid within one of `h` seconds, and their number.
    fn inner(h: f64) -> (f32, usize) {
        let count = (h * 60.0 * STEPS_AT_60_HZ - 0.01).ceil().max(1.0);
        ((h / count) as f32, count as usize)
    }

    /// One step of the grid, whose state is `memory`. Unless `started` it is fitted first.
    /// `y` is where held particles go. Returns how many inner steps it took.
    pub fn step(
        &mut self,
        step: &PanelStep<'_>,
        memory: &mut [Soa3],
        started: bool,
        y: &Soa3,
    ) -> usize {
        let [gx, gv, x, v] = memory else { return 0 };
        let mut memory = PanelMemory { gx, gv, x, v };
        let all = self.particles.clone();
        let (x, free) = (step.x.slice(all.clone()), step.free.slice(all.clone()));
        let weight = &step.weights[all.clone()];
        if self.weights.weigh(&self.grid, weight) {
            self.lines.weigh(&self.weights.inverse);
            if let Some(tethers) = &mut self.tethers {
                tethers.find(&self.stencil, &self.weights.inverse);
            }
        }
        let cell = self.grid.spacing[0].min(self.grid.spacing[1]) as f32;
        let off = farthest(x, memory.x);
        if !started || off > ASTRAY * cell {
            self.fit((x, free), &mut memory);
        } else if off > 0.0 {
            differences((x, memory.x), weight, &mut self.carried);
            let nodes = &mut memory.gx.view_mut();
            self.weights.gather(&self.grid, self.carried.view(), 1.0, nodes);
        }
        let PanelMemory { gx, gv, v, .. } = memory;
        let (h, inner) = Self::inner(step.h);
        // What particles have got of velocity, beyond what their nodes gave them.
        differences((free, v), weight, &mut self.carried);
        self.change.fill(Vec3::ZERO);
        let part = 1.0 / inner as f32;
        let change = &mut self.change.view_mut();
        self.weights.gather(&self.grid, self.carried.view(), part, change);
        self.take_holds(y.slice(all), weight, gx, part);
        for k in 0..inner {
            self.predict((gx, gv), h);
            if let Some(tethers) = &self.tethers {
                tethers.draw(&mut self.y.view_mut());
            }
            if k + 1 == inner {
                let nodes = (&*gx, &mut self.y, &mut *gv);
                let inverse = (self.particles.start, self.weights.inverse.as_slice());
                step.conditions.collide_nodes(step.model, step.gravity, nodes, inverse);
            }
            self.lines.begin();
            for round in 0..step.rounds {
                let (first, last) = (round == 0, round + 1 == step.rounds);
                let source = if first { Source::Places(self.y.view()) } else { Source::Columns };
                self.lines.project(source, gx.view(), Round { h, first, last });
            }
            std::mem::swap(gv, &mut self.free);
            let pace = Pace { change: Vec3::ZERO, fall: Vec3::ZERO, h };
            let (moving, u) = ((gx.view_mut(), gv.view_mut()), self.free.view());
            // Nobody asks for its motion: any number a node will do for a mass.
            self.lines.advance(moving, (u, &self.weights.inverse), pace);
        }
        inner
    }

    /// Positions and velocities of the particles.
    pub fn carry(&mut self, memory: &mut [Soa3], (x, v): (&mut Soa3, &mut Soa3)) {
        let [gx, gv, kept_x, kept_v] = memory else { return };
        self.carry_to((gx, gv), (kept_x, kept_v));
        let all = self.particles.clone();
        for (to, from) in [(x, kept_x), (v, kept_v)] {
            to.x[all.clone()].copy_from_slice(&from.x);
            to.y[all.clone()].copy_from_slice(&from.y);
            to.z[all.clone()].copy_from_slice(&from.z);
        }
    }

    fn carry_to(&mut self, (gx, gv): (&Soa3, &Soa3), (x, v): (&mut Soa3, &mut Soa3)) {
        for (i, node) in self.nodes.iter_mut().enumerate() {
            *node = [gx.x[i], gx.y[i], gx.z[i], gv.x[i], gv.y[i], gv.z[i], 0.0, 0.0];
        }
        self.grid.carry(&self.nodes, x.view_mut(), v.view_mut());
    }

    /// Lays the grid where the mesh is.
    fn fit(&mut self, (x, v): (Soa3Ref<'_>, Soa3Ref<'_>), memory: &mut PanelMemory<'_>) {
        self.grid.fit(x, &mut memory.gx.view_mut());
        self.grid.fit(v, &mut memory.gv.view_mut());
        self.carry_to((memory.gx, memory.gv), (memory.x, memory.v));
    }

    /// The way of held nodes: what takes the particles they carry to where those go.
    fn take_holds(&mut self, y: Soa3Ref<'_>, weight: &[f32], gx: &Soa3, part: f32) {
        if !weight.contains(&0.0) {
            return;
        }
        for node in (0..self.grid.len()).filter(|&node| self.weights.is_held(node)) {
            let (mut way, mut sum) = (Vec3::ZERO, 0.0);
            let held = |particle: u32| weight[particle as usize] == 0.0;
            for &(p, share) in self.grid.carried(node).iter().filter(|(p, _)| held(*p)) {
                let nodes = self.grid.carriers(p as usize);
                let now: Vec3 = nodes.iter().map(|&(n, share)| gx.get(n) * share).sum();
                way += (y.get(p as usize) - now) * share;
                sum += share;
            }
            self.change.set(node, way * (part / sum));
        }
    }

    /// y = x + h(v + Δv); where held, y = x + Δx.
    fn predict(&mut self, (gx, gv): (&Soa3, &mut Soa3), h: f32) {
        let held = &self.weights.inverse;
        for (v, change) in
            [(&mut gv.x, &self.change.x), (&mut gv.y, &self.change.y), (&mut gv.z, &self.change.z)]
        {
            for ((v, change), w) in v.iter_mut().zip(change).zip(held) {
                *v = if *w == 0.0 { change / h } else { *v + change };
            }
        }
        drift(&mut self.y, (gx, gv), h);
    }
}

/// out ← to − from; zero where held.
fn differences((to, from): (Soa3Ref<'_>, &Soa3), weight: &[f32], out: &mut Soa3) {
    let axes =
        [(&mut out.x, to.x, &from.x), (&mut out.y, to.y, &from.y), (&mut out.z, to.z, &from.z)];
    for (out, to, from) in axes {
        for (((out, to), from), w) in out.iter_mut().zip(to).zip(from).zip(weight) {
            *out = if *w > 0.0 { to - from } else { 0.0 };
        }
    }
}

/// The grid's springs: of a uniform strain they make what `sheet` does. Two diagonals of
/// stiffness k give a cell the shear stiffness 2k dx dy/(dx² + dy²), and part of the others.
pub(super) fn stencil(grid: &Embedding, sheet: &Sheet) -> GridStencil {
    let [dx, dy] = grid.spacing;
    let [ni, nj] = grid.counts.map(|n| n as f64);
    let springs = |[warp, weft, shear]: [f64; 3]| {
        // Springs on the border stand for half a strip: n of them share n − 1 strips.
        let along = |own: f64, length: f64, width: f64, lines: f64| {
            let rest = (own - shear * (length / width).powi(2)).max(0.1 * own);
            (rest * width / length * (lines - 1.0) / lines) as f32
        };
        let diagonal = shear * (dx * dx + dy * dy) / (2.0 * dx * dy);
        [along(warp, dx, dy, nj), along(weft, dy, dx, ni), diagonal as f32]
    };
    let spans =
        |[warp, weft]: [f64; 2]| [(0.25 * warp * dy / dx) as f32, (0.25 * weft * dx / dy) as f32];
    let (k, c) = (springs(sheet.stretch), springs(sheet.damping));
    let (bk, bc) = (spans(sheet.spans), spans(sheet.span_damping));
    let spring = |i: usize| SpringParams { stiffness: k[i], damping: c[i] };
    let span = |i: usize| SpringParams { stiffness: bk[i], damping: bc[i] };
    let spacing = [dx as f32, dy as f32];
    let springs = neighbours_12(spacing, [spring(0), spring(1)], spring(2), [span(0), span(1)]);
    let bending =
        SpringParams { stiffness: sheet.rigidity as f32, damping: sheet.bend_damping as f32 };
    GridStencil::new(0, grid.counts, springs).on_panel(spacing, bending)
}
