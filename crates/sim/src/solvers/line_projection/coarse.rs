//! A grid that helps a mesh which is solved by itself.

use std::ops::Range;

use glam::Vec3;

use crate::soa::Soa3;

use super::embedded::stencil;
use super::embedding::{Embedding, Node};
use super::fill::Source;
use super::grid::GridLines;
use super::node_weights::NodeWeights;
use super::pass::Round;
use super::sheet::Sheet;

/// Nodes are laid on the mesh, their lines are solved, and the mesh takes their way:
/// y ← y + P(S(Ry) − Ry). What is long in waves takes paths many rounds and the grid one;
/// what is short the grid does not see. Momentum is kept, as nodes have the mass of what
/// they carry.
#[derive(Debug)]
pub(super) struct CoarsePanel {
    particles: Range<usize>,
    grid: Embedding,
    lines: GridLines,
    weights: NodeWeights,
    /// Where the mesh has the nodes. [m]
    before: Soa3,
    /// Where their lines have them. [m]
    after: Soa3,
    nodes: Vec<Node>,
    way: Soa3,
    /// Room for the half of [`Embedding::carry`] that is of no use here.
    nothing: Soa3,
}

impl CoarsePanel {
    /// A grid over the panel of `particles`, a stiff sheet.
    pub fn new(particles: Range<usize>, grid: Embedding, sheet: &Sheet) -> Self {
        // Only what stretches: the rest is short in waves.
        let stretch = Sheet { stretch: sheet.stretch, ..Sheet::default() };
        let mut lines = GridLines::new(&stencil(&grid, &stretch));
        if grid.active.contains(&false) {
            lines.leave_out(&grid.active);
        }
        let (nodes, mesh) = (Soa3::zeros(grid.len()), Soa3::zeros(particles.len()));
        Self {
            particles,
            lines,
            weights: NodeWeights::default(),
            before: nodes.clone(),
            after: nodes,
            nodes: vec![[0.0; 8]; grid.len()],
            way: mesh.clone(),
            nothing: mesh,
            grid,
        }
    }

    /// Corrects `y` over a step of `h`.
    pub fn correct(&mut self, y: &mut Soa3, weights: &[f32], h: f32) {
        let weight = &weights[self.particles.clone()];
        if self.weights.weigh(&self.grid, weight) {
            self.lines.weigh(&self.weights.inverse);
        }
        self.grid.fit(y.slice(self.particles.clone()), &mut self.before.view_mut());
        let start = self.before.view();
        self.lines.begin();
        let round = Round { h, first: true, last: true };
        self.lines.project(Source::Places(start), start, round);
        self.lines.write(self.after.view_mut());
        for (i, node) in self.nodes.iter_mut().enumerate() {
            let active = self.grid.active[i];
            let way = if active { self.after.get(i) - self.before.get(i) } else { Vec3::ZERO };
            *node = [way.x, way.y, way.z, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        self.grid.carry(&self.nodes, self.way.view_mut(), self.nothing.view_mut());
        let mut mesh = y.slice_mut(self.particles.clone());
        for (to, way) in
            [(&mut mesh.x, &self.way.x), (&mut mesh.y, &self.way.y), (&mut mesh.z, &self.way.z)]
        {
            to.iter_mut().zip(way).for_each(|(to, way)| *to += way);
        }
    }
}
