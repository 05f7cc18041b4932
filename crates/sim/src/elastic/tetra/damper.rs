//! Damping of a tetrahedron: stiffness times β on the rate of strain.

use glam::{DMat3, DVec3};

use super::ElasticTetra;
use crate::elastic::polar::{cofactors, frobenius};
use crate::elastic::spring::outer;

/// Strain at one moment: E = ½(FᵀF − I) and J = det F. Rigid motion changes neither.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TetraStrain {
    green: [DVec3; 3],
    volume: f64,
}

impl TetraStrain {
    /// That of F.
    #[inline]
    pub fn of(f: DMat3) -> Self {
        let square = f.transpose() * f;
        let green = [0, 1, 2].map(|c| 0.5 * (square.col(c) - DMat3::IDENTITY.col(c)));
        Self { green, volume: f.determinant() }
    }

    fn change(&self, from: &Self) -> (DMat3, f64) {
        let [a, b, c] = [0, 1, 2].map(|k| self.green[k] - from.green[k]);
        (DMat3::from_cols(a, b, c), self.volume - from.volume)
    }
}

impl ElasticTetra {
    /// P = β(2G F Ė + L J̇ cof F), G and L those of Lamé, times V: at small strains β times the rate
    /// of the elastic stress. [N·m]
    #[inline]
    pub fn viscous_stress(&self, f: DMat3, rate: DMat3) -> DMat3 {
        let [shear, bulk] = self.material.lame().map(|number| number * self.damping * self.volume);
        let slope = f.transpose() * rate;
        let cof = cofactors(f);
        f * (slope + slope.transpose()) * shear + cof * (bulk * frobenius(cof, rate))
    }

    /// D = (β/τ)V(G|ΔE|² + ½L ΔJ²), Δ since `start`; `rate` is 1/τ. [J]
    pub fn dissipation(&self, start: &TetraStrain, f: DMat3, rate: f64) -> f64 {
        let (green, volume) = TetraStrain::of(f).change(start);
        let [shear, bulk] = self.damper(rate);
        shear * frobenius(green, green) + 0.5 * bulk * volume * volume
    }

    /// ∂D/∂F. [N·m]
    pub fn dissipation_stress(&self, start: &TetraStrain, f: DMat3, rate: f64) -> DMat3 {
        let (green, volume) = TetraStrain::of(f).change(start);
        let [shear, bulk] = self.damper(rate);
        f * green * (2.0 * shear) + cofactors(f) * (bulk * volume)
    }

    /// The block of two corners of ∂²D/∂x² without the part that stress has in it: no negative
    /// eigenvalue. [N/m]
    pub fn dissipation_block(&self, f: DMat3, rate: f64, row: usize, column: usize) -> DMat3 {
        let [shear, bulk] = self.damper(rate);
        let (g, h) = (self.slopes[row], self.slopes[column]);
        let cof = cofactors(f);
        f * f.transpose() * (shear * g.dot(h))
            + outer(f * h * shear, f * g)
            + outer(cof * g * bulk, cof * h)
    }

    /// (β/τ)V times the numbers of Lamé. [N·m]
    #[inline]
    pub fn damper(&self, rate: f64) -> [f64; 2] {
        self.material.lame().map(|number| number * self.damping * rate * self.volume)
    }
}
