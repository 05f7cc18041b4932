//! The spring between a particle and the hand that grabs it.

use glam::Vec3;

/// How fast a body follows a hand: it settles within some 4/ω. Hung up by one point it
/// sags by g/ω², 3 mm. [1/s]
const RATE: f32 = 60.0;

/// A hand pulls no harder than from this distance: what is held back by pins is torn at
/// with a bounded force, and follows with a bounded speed. [m]
const REACH: f32 = 0.1;

/// F = M ω² d − 2 M ω v, d the way to the hand: critically damped for a body of mass M
/// that hangs on the particle.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrabSpring {
    /// M over the particle's mass m.
    pub mass_ratio: f32,
    /// Where the hand is. [m]
    pub target: Vec3,
}

impl GrabSpring {
    /// F/m at a position and velocity. [m/s²]
    pub fn acceleration(&self, x: Vec3, v: Vec3) -> Vec3 {
        self.mass_ratio * (RATE * RATE * self.way(x) - 2.0 * RATE * v)
    }

    /// The velocity after a step of `h` that starts at `x` and that all other forces would
    /// end with velocity `v`: the spring at the end of the step,
    /// v⁺ = (v + h r ω² d)/(1 + 2 h r ω + h² r ω²), r = M/m. However stiff, it takes no
    /// more than the velocity that there is, so no step is too long for it.
    pub fn velocity_after(&self, x: Vec3, v: Vec3, h: f32) -> Vec3 {
        (v + h * self.mass_ratio * RATE * RATE * self.way(x)) / self.inertia(h)
    }

    /// How many times heavier the hand makes the particle over a step of `h`:
    /// 1 + 2 h r ω + h² r ω².
    pub fn inertia(&self, h: f32) -> f32 {
        let pull = h * self.mass_ratio * RATE;
        1.0 + 2.0 * pull + h * pull * RATE
    }

    fn way(&self, x: Vec3) -> Vec3 {
        (self.target - x).clamp_length_max(REACH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_follows_the_force_as_it_gets_shorter() {
        let spring = GrabSpring { mass_ratio: 1.0, target: Vec3::new(0.1, 0.05, 0.0) };
        let (x, v) = (Vec3::new(0.02, 0.0, 0.01), Vec3::new(-0.3, 0.2, 0.1));
        let h = 1e-5;
        let change = (spring.velocity_after(x, v, h) - v) / h;
        let force = spring.acceleration(x, v);
        assert!((change - force).length() < 0.01 * force.length(), "{change} {force}");
    }

    #[test]
    fn any_step_and_mass_come_to_rest_at_the_hand_without_overshoot() {
        for (h, mass_ratio) in [(1e-5, 1.0), (1e-3, 1e4), (0.1, 1.0), (10.0, 1e7)] {
            let spring = GrabSpring { mass_ratio, target: Vec3::X };
            let (mut x, mut v) = (Vec3::ZERO, Vec3::ZERO);
            for _ in 0..((2.0 / h) as usize).max(50) {
                v = spring.velocity_after(x, v, h);
                x += h * v;
                assert!(x.x < 1.02, "h {h}, ratio {mass_ratio}: {x}");
            }
            assert!((x - Vec3::X).length() < 1e-3, "h {h}, ratio {mass_ratio}: {x}");
        }
    }
}
