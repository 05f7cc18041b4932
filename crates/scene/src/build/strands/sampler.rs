//! Roots spread evenly over a surface.

use glam::Vec3;
use tkanina_sim::rng::Rng;

use super::surface::{Spot, Surface};

/// Steps of an evenly spread sequence in three dimensions: 1/g, 1/g², 1/g³ with g⁴ = g + 1
/// (Roberts 2018).
const STEPS: [f64; 3] = [0.819_172_513_396_164_4, 0.671_043_606_703_789_3, 0.549_700_477_901_970_3];

/// Places that are looked at for one that is taken, at most.
const PATIENCE: usize = 2000;

/// Finds place after place, each as likely as its area.
pub(super) struct Sampler<'a> {
    surface: &'a Surface,
    /// Area of all triangles up to and with each. [m²]
    areas: Vec<f64>,
    at: [f64; 3],
    pub rng: Rng,
}

impl<'a> Sampler<'a> {
    pub fn new(surface: &'a Surface, seed: u32) -> Self {
        let mut sum = 0.0;
        let mut area = |triangle: usize| {
            let [a, b, c] = surface.corners(triangle).map(|p| p.as_dvec3());
            sum += 0.5 * (b - a).cross(c - a).length();
            sum
        };
        let areas = (0..surface.triangles.len()).map(&mut area).collect();
        let mut rng = Rng::new(u64::from(seed));
        let at = [rng.unit(), rng.unit(), rng.unit()];
        Self { surface, areas, at, rng }
    }

    /// Area of the surface. [m²]
    pub fn area(&self) -> f64 {
        self.areas.last().copied().unwrap_or(0.0)
    }

    /// The next place, wherever it is.
    pub fn any(&mut self) -> Option<Spot> {
        for (at, step) in self.at.iter_mut().zip(STEPS) {
            *at = (*at + step) % 1.0;
        }
        let wanted = self.at[0] * self.area();
        let triangle = self.areas.partition_point(|&area| area <= wanted);
        let triangle = triangle.min(self.areas.len().checked_sub(1)?);
        let root = self.at[1].sqrt();
        let weights = [1.0 - root, root * (1.0 - self.at[2]), root * self.at[2]];
        Some(self.surface.spot(triangle, weights.map(|w| w as f32)))
    }

    /// The next place that `likely` takes, which says how likely from 0 to 1.
    pub fn next(&mut self, likely: &dyn Fn(Vec3) -> f64) -> Option<Spot> {
        for _ in 0..PATIENCE {
            let spot = self.any()?;
            let chance = likely(spot.point);
            if chance >= 1.0 || chance > self.rng.unit() {
                return Some(spot);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_powers_of_the_root() {
        let g = 1.0 / STEPS[0];
        assert!((g.powi(4) - g - 1.0).abs() < 1e-12);
        assert!((STEPS[1] - STEPS[0] * STEPS[0]).abs() < 1e-12);
        assert!((STEPS[2] - STEPS[0] * STEPS[1]).abs() < 1e-12);
    }
}
