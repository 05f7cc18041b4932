//! Air about thin round fibres.

use super::FibreDrag;

/// Viscosity of air at 20 °C. [Pa·s]
pub const AIR_VISCOSITY: f64 = 1.81e-5;

/// C_d ≈ 6.08/Re + 1.87: least worst error over 0.1 ≤ Re ≤ 100 beside 1 + 10 Re^(−2/3) (White 1991),
/// which is 33 %. A law that is linear and quadratic in the speed cannot follow it closer.
const FIT: [f64; 2] = [6.075, 1.867];

/// A slender cylinder that moves along itself has half the drag at low speed (Batchelor 1970).
const ALONG: f32 = 0.5;

impl FibreDrag {
    /// F/length = ½ρ d C_d u²: viscous = ½·6.08·η, inertial = ½·1.87·ρ d, of a fibre d thick [m] in
    /// air of a density [kg/m³]; nothing in a vacuum.
    pub fn of_cylinder(diameter: f64, air_density: f64) -> Self {
        if !(air_density > 0.0) {
            return Self::default();
        }
        Self {
            viscous: (0.5 * FIT[0] * AIR_VISCOSITY) as f32,
            inertial: (0.5 * FIT[1] * air_density * diameter) as f32,
            along: ALONG,
        }
    }

    /// The same, so many times as strong.
    pub fn times(self, factor: f64) -> Self {
        let [viscous, inertial] = [self.viscous, self.inertial].map(|c| c * factor as f32);
        Self { viscous, inertial, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drag_of_a_hair_follows_the_measured_law_of_cylinders() {
        let (d, rho) = (6e-5, 1.2);
        let drag = FibreDrag::of_cylinder(d, rho);
        let mut worst = 0.0_f64;
        for i in 0..=60 {
            let re = 0.1 * libm::pow(1000.0, f64::from(i) / 60.0);
            let u = re * AIR_VISCOSITY / (rho * d);
            let ours = (f64::from(drag.viscous) + f64::from(drag.inertial) * u) * u;
            let white = 0.5 * rho * d * (1.0 + 10.0 * libm::pow(re, -2.0 / 3.0)) * u * u;
            worst = worst.max((ours / white - 1.0).abs());
        }
        assert!((0.30..0.34).contains(&worst), "{worst}");
        assert_eq!(FibreDrag::of_cylinder(d, 0.0), FibreDrag::default());
    }
}
