//! Solids that nothing holds do not begin to turn.

use std::ops::Range;

use glam::DVec3;

use super::constraint::Step;
use crate::elements::TieEnd;
use crate::model::Model;
use crate::solvers::sym3::Sym3;

/// What is turned by more in a step has no axis to turn about. [rad]
const LARGEST_TURN: f64 = 0.1;

/// θ = I⁻¹ Σ m r × Δx, x ← x − θ × r: bodies of tetrahedra are turned back by what constraints,
/// solved one after the other, have turned them (see `GasPass::keep_from_turning`, which sees to
/// bodies with gas).
#[derive(Debug, Default)]
pub(in crate::solvers) struct Turning {
    /// Particles of solids that nothing is tied to.
    loose: Vec<Range<usize>>,
    /// Where a step would take particles without any constraint. [m]
    aims: Vec<DVec3>,
}

impl Turning {
    /// The solids of `model`.
    pub fn new(model: &Model) -> Self {
        if model.tetras.is_empty() {
            return Self::default();
        }
        let mut own = vec![false; model.particle_count()];
        let corners = model.tetras.tetras().iter().flat_map(|t| t.corners);
        corners.for_each(|v| own[v as usize] = true);
        for tie in &model.ties {
            own[tie.particle as usize] = false;
            if let TieEnd::Particle(other) = tie.end {
                own[other as usize] = false;
            }
        }
        let gassy = |body: usize| model.gases.gases().iter().any(|gas| gas.body == body);
        let bodies = model.bodies.iter().enumerate().filter(|(index, _)| !gassy(*index));
        let ranges = bodies.map(|(_, body)| body.particles.clone());
        let loose =
            ranges.filter(|range| !range.is_empty() && own[range.clone()].iter().all(|&o| o));
        Self { loose: loose.collect(), aims: vec![DVec3::ZERO; model.particle_count()] }
    }

    /// A step begins, with particles where nothing but inertia takes them.
    pub fn begin(&mut self, step: &Step) {
        for own in &self.loose {
            self.aims[own.clone()].copy_from_slice(&step.x[own.clone()]);
        }
    }

    /// Turns solids back.
    pub fn undo(&self, step: &mut Step) {
        for own in &self.loose {
            if own.clone().any(|i| !(step.weight[i] > 0.0)) {
                continue;
            }
            let mass = |i: usize| 1.0 / step.weight[i];
            let whole: f64 = own.clone().map(mass).sum();
            let centre = own.clone().map(|i| step.x[i] * mass(i)).sum::<DVec3>() / whole;
            let (mut inertia, mut turn) = (Sym3::default(), DVec3::ZERO);
            for i in own.clone() {
                let (m, r) = (mass(i), step.x[i] - centre);
                inertia.add_scalar(m * r.length_squared());
                inertia.add_outer(-m, r);
                turn += r.cross(step.x[i] - self.aims[i]) * m;
            }
            let angle = inertia.solve(turn);
            if !angle.is_finite() || angle.length() > LARGEST_TURN {
                continue;
            }
            for i in own.clone() {
                let r = step.x[i] - centre;
                step.x[i] -= angle.cross(r);
            }
        }
    }
}
