//! Bodies that nothing holds do not begin to turn.

use std::ops::Range;

use glam::DVec3;

use super::constraint::Step;
use crate::elements::{GasLaw, TieEnd};
use crate::model::Model;
use crate::solvers::sym3::Sym3;

/// What is turned by more in a step has no axis to turn about. [rad]
pub(super) const LARGEST_TURN: f64 = 0.1;

/// θ = I⁻¹ Σ m r × Δx, x ← x − θ × r: taut skins and solids are turned back by what constraints have
/// turned them. Each keeps Σ m x × Δx where it finds particles; one after the other they do not, and
/// a body would begin to spin.
#[derive(Debug, Default)]
pub(in crate::solvers) struct Turning {
    /// Particles of bodies that nothing is tied to.
    loose: Vec<Range<usize>>,
    /// Where a step would take particles without any constraint. [m]
    aims: Vec<DVec3>,
}

impl Turning {
    /// Solids, and bodies with gas that `is_own` names by their particles.
    pub fn new(model: &Model, is_own: impl Fn(&Range<usize>) -> bool) -> Self {
        let particles = model.particle_count();
        let (mut solid, mut tied) = (vec![false; particles], vec![false; particles]);
        let corners = model.tetras.tetras().iter().flat_map(|t| t.corners);
        corners.for_each(|v| solid[v as usize] = true);
        for tie in &model.ties {
            tied[tie.particle as usize] = true;
            if let TieEnd::Particle(other) = tie.end {
                tied[other as usize] = true;
            }
        }
        let mut gassy = vec![false; model.bodies.len()];
        model.gases.obeying(GasLaw::Ideal).for_each(|(_, gas)| gassy[gas.body] = true);
        let turns = |(body, own): (usize, &Range<usize>)| {
            let filled = gassy[body] && is_own(own) || own.clone().all(|i| solid[i]);
            filled && !own.is_empty() && !own.clone().any(|i| tied[i])
        };
        let ranges = model.bodies.iter().map(|body| &body.particles).enumerate();
        let loose: Vec<_> = ranges.filter(|&of| turns(of)).map(|(_, own)| own.clone()).collect();
        let aims = if loose.is_empty() { 0 } else { particles };
        Self { loose, aims: vec![DVec3::ZERO; aims] }
    }

    /// A step begins, with particles where nothing but inertia takes them.
    pub fn begin(&mut self, step: &Step) {
        for own in &self.loose {
            self.aims[own.clone()].copy_from_slice(&step.x[own.clone()]);
        }
    }

    /// Turns bodies back.
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
