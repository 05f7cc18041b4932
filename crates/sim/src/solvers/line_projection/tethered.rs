//! Panels of a mesh that keep their distances, with tethers to what holds them.

use std::ops::Range;

use crate::soa::Soa3;

use super::panel::Panel;
use super::tethers::Tethers;

/// A flat, convex panel that is stiff in all directions.
#[derive(Debug)]
pub(super) struct TetheredPanel {
    particles: Range<usize>,
    places: Vec<[f32; 2]>,
    tethers: Tethers,
    /// Inverse masses that the tethers were found for.
    weights: Vec<f32>,
}

impl TetheredPanel {
    /// The panel of `particles`.
    pub fn new(particles: Range<usize>, panel: &Panel) -> Self {
        Self {
            particles,
            places: panel.places.iter().map(|p| [p.x as f32, p.y as f32]).collect(),
            tethers: Tethers::default(),
            weights: Vec::new(),
        }
    }

    /// Draws particles that are too far from a pin to where they may be.
    pub fn draw(&mut self, y: &mut Soa3, weights: &[f32]) {
        let weight = &weights[self.particles.clone()];
        if self.weights != weight {
            self.weights.clear();
            self.weights.extend_from_slice(weight);
            self.tethers.find_on_panel(weight, |i| self.places[i]);
        }
        self.tethers.draw(&mut y.slice_mut(self.particles.clone()));
    }
}
