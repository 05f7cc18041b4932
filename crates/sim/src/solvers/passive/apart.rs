//! Particles that the rule leaves alone.

use crate::elements::SpringParams;
use crate::model::Model;

/// Particles that are drawn to goals and by nothing else: their steps make no energy as they are
/// (see `GoalPass`), and what lattices hold would be looked at for nothing.
#[derive(Debug, Default)]
pub(super) struct Apart {
    /// For each particle, or empty if there are none.
    apart: Vec<bool>,
    /// Inverse masses of the others; 0 here. [1/kg]
    weights: Vec<f32>,
    all: bool,
}

impl Apart {
    pub fn of(model: &Model) -> Self {
        let mut apart = vec![false; model.particle_count()];
        for goal in &model.goals {
            goal.particles.iter().for_each(|&p| apart[p as usize] = true);
        }
        let mut join = |p: &u32| apart[*p as usize] = false;
        for spring in model.springs.springs() {
            if spring.params != SpringParams::default() {
                spring.ends.iter().for_each(&mut join);
            }
        }
        model.gases.gases().iter().flat_map(|gas| gas.surface.as_flattened()).for_each(&mut join);
        if !apart.contains(&true) {
            return Self::default();
        }
        let all = !apart.contains(&false) && model.ties.is_empty();
        Self { weights: vec![0.0; apart.len()], apart, all }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        self.apart.is_empty()
    }

    /// Whether there are no others, and nothing ties them.
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Takes note of what is held now.
    pub fn see(&mut self, model: &Model) {
        let own = self.weights.iter_mut().zip(&self.apart).zip(&model.inverse_mass);
        own.for_each(|((to, &apart), &weight)| *to = if apart { 0.0 } else { weight });
    }

    /// Inverse masses, 0 of what is left alone. [1/kg]
    pub fn weights<'a>(&'a self, model: &'a Model) -> &'a [f32] {
        if self.is_none() { &model.inverse_mass } else { &self.weights }
    }
}
