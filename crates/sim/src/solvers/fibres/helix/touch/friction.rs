//! Friction of a node, while what presses it on is given.

/// Coulomb's friction: a force that grows with how far something slides, up to a most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Friction {
    /// μ times what presses. [N]
    pub most: f64,
    /// Sliding less far than this is sticking. [m]
    pub least: f64,
}

impl Friction {
    /// What it has taken from something that has slid so far. [J]
    pub fn energy(&self, slide: f64) -> f64 {
        let little = slide.min(self.least);
        self.most * (0.5 * little * little / self.least + (slide - little))
    }

    /// Of a parabola that touches the energy where it slides and is nowhere below. [N/m]
    pub fn weight(&self, slide: f64) -> f64 {
        self.most / slide.max(self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_force_grows_to_its_most_and_is_the_slope_of_the_energy() {
        let friction = Friction { most: 3.0, least: 0.1 };
        let force = |slide: f64| friction.weight(slide) * slide;
        for slide in [0.02, 0.05, 0.09, 0.11, 0.5, 7.0] {
            let slope = (friction.energy(slide + 1e-6) - friction.energy(slide - 1e-6)) / 2e-6;
            assert!((force(slide) - slope).abs() < 1e-6, "{slide}: {} {slope}", force(slide));
        }
        assert!((force(0.05) - 1.5).abs() < 1e-12 && (force(7.0) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn the_parabola_is_nowhere_below_the_energy() {
        let friction = Friction { most: 2.0, least: 0.1 };
        for touches in [0.0, 0.05, 0.2, 1.0] {
            let weight = friction.weight(touches);
            let parabola = |slide: f64| {
                friction.energy(touches) + 0.5 * weight * (slide * slide - touches * touches)
            };
            for k in 0..200 {
                let slide = 0.01 * f64::from(k);
                let (above, energy) = (parabola(slide), friction.energy(slide));
                assert!(above >= energy - 1e-12, "{touches}, {slide}: {above} {energy}");
            }
        }
    }
}
