//! How fast the simulation really runs.

/// Time over which the speed is averaged. [s]
const WINDOW_S: f64 = 0.25;

/// Simulated seconds a second, averaged over the last moments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RealSpeed {
    wall_s: f64,
    simulated_s: f64,
    value: Option<f64>,
}

impl RealSpeed {
    /// Counts time that passed and what was simulated in it.
    pub fn pass(&mut self, wall_s: f64, simulated_s: f64) {
        self.wall_s += wall_s.max(0.0);
        self.simulated_s += simulated_s;
        if self.wall_s >= WINDOW_S {
            let now = self.simulated_s / self.wall_s;
            let value = self.value.map_or(now, |before| 0.5 * (before + now));
            *self = Self { value: Some(value), ..Self::default() };
        }
    }

    /// The average; 0 until something was counted.
    pub fn value(&self) -> f64 {
        let so_far = if self.wall_s > 0.0 { self.simulated_s / self.wall_s } else { 0.0 };
        self.value.unwrap_or(so_far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settles_at_the_true_ratio() {
        let mut speed = RealSpeed::default();
        assert_eq!(speed.value(), 0.0);
        (0..40).for_each(|_| speed.pass(0.01, 0.02));
        assert!((speed.value() - 2.0).abs() < 1e-9);
        (0..400).for_each(|i| speed.pass(0.01, if i % 2 == 0 { 0.01 } else { 0.0 }));
        assert!((speed.value() - 0.5).abs() < 0.05, "{}", speed.value());
    }
}
