//! A tetrahedron of elastic solid: energy and its derivatives.

mod damper;
mod law;
#[cfg(test)]
mod tests;

use glam::{DMat3, DVec3};

use super::singular::Singular;
use super::spring::outer;
use law::principal;

pub use damper::TetraStrain;
pub use law::{TetraLaw, TetraMaterial};

/// W = V Ψ(F), F = Σ xᵢ gᵢᵀ the gradient of the motion, which is constant within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticTetra {
    /// The four particles.
    pub corners: [u32; 4],
    /// gᵢ: slope of each corner's share at rest; the last three are the rows of Dm⁻¹. [1/m]
    pub slopes: [DVec3; 4],
    /// V at rest. [m³]
    pub volume: f64,
    /// Ψ.
    pub material: TetraMaterial,
    /// β: damping over stiffness. [s]
    pub damping: f64,
}

/// Second derivative of a tetrahedron's energy without negative eigenvalues, as Σ λₖ qₖqₖᵀ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetraCurvature {
    /// V λₖ, none below zero. [J]
    pub values: [f64; 9],
    /// qₖ by corner. [1/m]
    pub pulls: [[DVec3; 4]; 9],
}

/// Volume below this part of the cube of the longest edge is none: f32 cannot tell its sign.
const FLAT: f64 = 1e-7;

impl ElasticTetra {
    /// At rest with its corners at `x` [m], (b − a)·((c − a) × (d − a)) > 0; `None` if it has no
    /// volume, or is inside out.
    pub fn at_rest(corners: [u32; 4], x: [DVec3; 4], material: TetraMaterial) -> Option<Self> {
        let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let volume = edges.determinant() / 6.0;
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let longest = pairs.iter().fold(0.0f64, |l, &(i, j)| l.max((x[i] - x[j]).length()));
        if !(volume > FLAT * longest * longest * longest) {
            return None;
        }
        let rows = edges.inverse().transpose();
        let [a, b, c] = [rows.col(0), rows.col(1), rows.col(2)];
        Some(Self { corners, slopes: [-(a + b + c), a, b, c], volume, material, damping: 0.0 })
    }

    /// The same with damping β. [s]
    pub fn damped(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// Σ wᵢ gᵢgᵢᵀ with inverse masses w: by X times this F changes if X is pulled with. [1/(kg·m²)]
    #[inline]
    pub fn mobility(&self, weights: [f64; 4]) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for (w, g) in weights.into_iter().zip(self.slopes) {
            sum += outer(g * w, g);
        }
        sum
    }

    /// V(L + 2G)|g|² of a corner, L and G those of Lamé: what holds it at rest if all others stay. [N/m]
    pub fn hold(&self, corner: usize) -> f64 {
        let [shear, bulk] = self.material.lame();
        self.volume * (bulk + 2.0 * shear) * self.slopes[corner].length_squared()
    }

    /// F at four corners.
    #[inline]
    pub fn gradient_of_motion(&self, x: [DVec3; 4]) -> DMat3 {
        let [_, a, b, c] = self.slopes;
        outer(x[1] - x[0], a) + outer(x[2] - x[0], b) + outer(x[3] - x[0], c)
    }

    /// W. [J]
    #[inline]
    pub fn energy(&self, f: DMat3) -> f64 {
        self.volume * self.material.energy(f)
    }

    /// V ∂Ψ/∂F. [N·m]
    #[inline]
    pub fn stress(&self, f: DMat3) -> DMat3 {
        self.volume * self.material.stress(f)
    }

    /// ∂W/∂x of a corner: V P gᵢ. [N]
    #[inline]
    pub fn gradient(&self, stress: DMat3, corner: usize) -> DVec3 {
        stress * self.slopes[corner]
    }

    /// The second derivative at F. For F = U diag(s) Vᵀ and Ψ a function of s its eigenvectors are
    /// known: three twists U(eᵢeⱼᵀ − eⱼeᵢᵀ)Vᵀ/√2, three flips U(eᵢeⱼᵀ + eⱼeᵢᵀ)Vᵀ/√2, and three
    /// stretches, those of ∂²Ψ/∂s². Smith, de Goes and Kim 2019. What is negative is left out.
    pub fn curvature(&self, f: DMat3) -> TetraCurvature {
        let singular = Singular::of(f);
        let found = principal(&self.material, singular.values);
        // Uᵀ Q V gᵢ is all that is needed of V.
        let slopes = self.slopes.map(|g| singular.right.transpose() * g);
        let (mut values, mut pulls) = ([0.0; 9], [[DVec3::ZERO; 4]; 9]);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (k, (i, j)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            for (which, sign) in [(0, -1.0), (1, 1.0)] {
                let slot = 2 * k + which;
                values[slot] = self.volume * [found.twists, found.flips][which][k].max(0.0);
                pulls[slot] = slopes.map(|g| {
                    let mut q = DVec3::ZERO;
                    q[i] = half * g[j];
                    q[j] = sign * half * g[i];
                    singular.left * q
                });
            }
        }
        for k in 0..3 {
            values[6 + k] = self.volume * found.stretches[k].max(0.0);
            pulls[6 + k] = slopes.map(|g| singular.left * (found.directions.col(k) * g));
        }
        TetraCurvature { values, pulls }
    }
}

impl TetraCurvature {
    /// The block of two corners. [N/m]
    #[inline]
    pub fn block(&self, row: usize, column: usize) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for (value, pull) in self.values.iter().zip(&self.pulls) {
            sum += outer(pull[row] * *value, pull[column]);
        }
        sum
    }
}
