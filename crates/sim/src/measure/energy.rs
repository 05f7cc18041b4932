//! Energy and momentum, summed in f64 in particle order.

use glam::DVec3;

use crate::forces::Conditions;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;
use crate::strands::rod_energy;

/// Energies of a state. [J]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Σ ½m|v|².
    pub kinetic: f64,
    /// What springs, hinges, membranes, solids, ties, gas, shapes and rods store.
    pub elastic: f64,
    /// −Σ m g·x, zero at the origin.
    pub gravity: f64,
}

impl Energy {
    /// Kinetic, elastic and gravity together. [J]
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity
    }
}

/// All energies of `state`. Held particles have no kinetic energy of their own.
pub fn energy(model: &Model, state: &State) -> Energy {
    let g = state.hands.gravity(model).as_dvec3();
    let mut out = Energy::default();
    for i in 0..state.x.len() {
        let m = f64::from(model.mass[i]);
        if model.inverse_mass[i] > 0.0 {
            out.kinetic += 0.5 * m * state.v.get(i).as_dvec3().length_squared();
        }
        out.gravity -= m * g.dot(state.x.get(i).as_dvec3());
    }
    out.elastic = elastic(model, state);
    out
}

fn elastic(model: &Model, state: &State) -> f64 {
    let mut sum = stored(model, &state.x, state.time);
    let lattices = model.goals.iter().filter(|goal| goal.lattice().is_some());
    sum += lattices.map(|goal| goal.energy(&model.mass, &state.x)).sum::<f64>();
    let rods = model.strands.iter().filter(|set| set.law.is_rod());
    sum += rods.map(|set| rod_energy(model, set, state)).sum::<f64>();
    if !model.ties.is_empty() {
        let conditions = Conditions::at(model, state);
        for (tie, broken) in model.ties.iter().zip(&state.broken) {
            if !broken && tie.acts_at(state.time) {
                sum += tie.energy(&state.x, conditions.anchors().0);
            }
        }
    }
    sum
}

/// The part of the elastic energy that hinges might hold or not: a triangle has no area, as far
/// as f32 positions can tell, and so no angle; the most that it can hold is counted then. [J]
pub fn unresolved(model: &Model, state: &State) -> f64 {
    model.bends.unresolved(&state.x)
}

/// What all elements but ties and lattices store at a time. [J]
pub(crate) fn stored(model: &Model, x: &Soa3, time: f64) -> f64 {
    let grids: f64 = model.grids.iter().map(|g| g.energy(x)).sum();
    let springs = grids + model.springs.energy(x) + model.bends.energy(x);
    let whole = model.goals.iter().filter(|goal| goal.lattice().is_none());
    let drawn: f64 = whole.map(|goal| goal.energy(&model.mass, x)).sum();
    let solids = model.membranes.energy(x) + model.tetras.energy(x);
    springs + solids + model.gases.energy(x, time) + drawn
}

/// Σ m v over free particles. [kg·m/s]
pub fn momentum(model: &Model, state: &State) -> DVec3 {
    free(model).map(|(i, m)| state.v.get(i).as_dvec3() * m).sum()
}

/// Σ m x × v over free particles, about the origin. [kg·m²/s]
pub fn angular_momentum(model: &Model, state: &State) -> DVec3 {
    free(model).map(|(i, m)| state.x.get(i).as_dvec3().cross(state.v.get(i).as_dvec3()) * m).sum()
}

fn free(model: &Model) -> impl Iterator<Item = (usize, f64)> + '_ {
    (0..model.particle_count())
        .filter(|&i| model.inverse_mass[i] > 0.0)
        .map(|i| (i, f64::from(model.mass[i])))
}
