//! Energy of an elastic solid by the singular values of the gradient of its motion.

use glam::{DMat3, DVec3};

use crate::elastic::polar::{cofactors, frobenius, rotation};

/// What a solid is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetraMaterial {
    /// Which Ψ.
    pub law: TetraLaw,
    /// μ of Ψ. [Pa]
    pub shear: f64,
    /// λ of Ψ. [Pa]
    pub bulk: f64,
}

/// Energy over volume, with I = |F|², J = det F and singular values s, the least with J's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TetraLaw {
    /// Ψ = ½μ(I − 3) + ½λ(J − α)² − ½μ ln(I + 1), less its value at rest; α = 1 + ¾μ/λ makes rest
    /// a state without forces. Stable neo-Hookean flesh: Smith, de Goes and Kim 2018, eq. 14. Finite
    /// and smooth everywhere, also inside out.
    NeoHookean,
    /// Ψ = μΣ(sᵢ − 1)² + ½λ(J − 1)²: as rigid as possible, with the volume kept.
    Corotated,
}

impl TetraMaterial {
    /// From Young's modulus [Pa] and Poisson's ratio (kept between 0 and 0.499): for small strains both
    /// laws are Hooke's. With the Lamé numbers G and L, the first takes μ = ⁴⁄₃G and λ = L + ⅚G.
    pub fn new(law: TetraLaw, young: f64, poisson: f64) -> Self {
        let nu = poisson.clamp(0.0, 0.499);
        let shear = young / (2.0 * (1.0 + nu));
        let bulk = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        match law {
            TetraLaw::NeoHookean => {
                Self { law, shear: 4.0 / 3.0 * shear, bulk: bulk + 5.0 / 6.0 * shear }
            }
            TetraLaw::Corotated => Self { law, shear, bulk },
        }
    }

    /// The Lamé numbers: shear modulus and the first one. [Pa]
    pub fn lame(&self) -> [f64; 2] {
        match self.law {
            TetraLaw::NeoHookean => {
                let shear = 0.75 * self.shear;
                [shear, self.bulk - 5.0 / 6.0 * shear]
            }
            TetraLaw::Corotated => [self.shear, self.bulk],
        }
    }

    /// P by its parts. However F changes, Ψ without the volume's part curves by no more than ⁹⁄₈μ under
    /// the first law and 2μ under the second (Σs is convex), which is at most twice `stiffness`: the
    /// step to the lowest point of a paraboloid with that leads down.
    #[inline]
    pub(crate) fn pull(&self, f: DMat3) -> Pull {
        let (mu, lambda, j) = (self.shear, self.bulk, f.determinant());
        match self.law {
            TetraLaw::NeoHookean => {
                let share = 1.0 - 1.0 / (square(f) + 1.0);
                Pull {
                    stiffness: mu * share.max(LEAST_SHARE),
                    stress: f * (mu * share),
                    pressure: lambda * (j - self.rest_volume()),
                }
            }
            TetraLaw::Corotated => Pull {
                stiffness: 2.0 * mu,
                stress: (f - rotation(f)) * (2.0 * mu),
                pressure: lambda * (j - 1.0),
            },
        }
    }

    /// α.
    fn rest_volume(&self) -> f64 {
        if self.bulk > 0.0 { 1.0 + 0.75 * self.shear / self.bulk } else { 1.0 }
    }

    /// Ψ. [J/m³]
    pub fn energy(&self, f: DMat3) -> f64 {
        let (mu, lambda, j) = (self.shear, self.bulk, f.determinant());
        match self.law {
            TetraLaw::NeoHookean => {
                let (i, a) = (square(f), j - self.rest_volume());
                let rest = 1.0 - self.rest_volume();
                0.5 * mu * (i - 3.0 - libm::log(0.25 * (i + 1.0)))
                    + 0.5 * lambda * (a * a - rest * rest)
            }
            TetraLaw::Corotated => {
                let off = f - rotation(f);
                mu * frobenius(off, off) + 0.5 * lambda * (j - 1.0) * (j - 1.0)
            }
        }
    }

    /// P = ∂Ψ/∂F. [Pa]
    pub fn stress(&self, f: DMat3) -> DMat3 {
        let (mu, lambda, j) = (self.shear, self.bulk, f.determinant());
        match self.law {
            TetraLaw::NeoHookean => {
                f * (mu * (1.0 - 1.0 / (square(f) + 1.0)))
                    + cofactors(f) * (lambda * (j - self.rest_volume()))
            }
            TetraLaw::Corotated => {
                (f - rotation(f)) * (2.0 * mu) + cofactors(f) * (lambda * (j - 1.0))
            }
        }
    }
}

/// Half of the most that ½|F|² − ½ln(|F|² + 1) curves.
const LEAST_SHARE: f64 = 9.0 / 16.0;

/// Stress by its parts: P = `stress` + p cof F.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// Curvature to count with for all of Ψ but the volume's part. [Pa]
    pub stiffness: f64,
    /// ∂/∂F of all but the volume's part. [Pa]
    pub stress: DMat3,
    /// p. [Pa]
    pub pressure: f64,
}

/// Eigenvalues of the second derivative of Ψ.
pub(super) struct Principal {
    /// Of the twists about each axis. [Pa]
    pub twists: [f64; 3],
    /// Of the flips about each axis. [Pa]
    pub flips: [f64; 3],
    /// Of the stretches, and their directions. [Pa]
    pub stretches: DVec3,
    /// Columns.
    pub directions: DMat3,
}

/// Where two singular values cancel, a body that is as rigid as possible does not know which way to
/// turn, and its energy has an edge there.
const EDGE: f64 = 1e-9;

/// With p = λ(J − α), a = μ(1 − 1/(I + 1)) and b = 2μ/(I + 1)²: twists a + p sₖ, flips a − p sₖ,
/// stretches of a δ + b sᵢsⱼ + λ cᵢcⱼ + p sₖ, c the cofactors. Of the other law a = 2μ, b = 0, and
/// twists have −4μ/(sᵢ + sⱼ) as well.
pub(super) fn principal(material: &TetraMaterial, s: DVec3) -> Principal {
    let (mu, lambda) = (material.shear, material.bulk);
    let (j, i) = (s.x * s.y * s.z, s.length_squared());
    let c = DVec3::new(s.y * s.z, s.z * s.x, s.x * s.y);
    let (a, b, p) = match material.law {
        TetraLaw::NeoHookean => {
            let near = 1.0 / (i + 1.0);
            (mu * (1.0 - near), 2.0 * mu * near * near, lambda * (j - material.rest_volume()))
        }
        TetraLaw::Corotated => (2.0 * mu, 0.0, lambda * (j - 1.0)),
    };
    let edge = |k: usize| {
        let sum = s[(k + 1) % 3] + s[(k + 2) % 3];
        match material.law {
            TetraLaw::NeoHookean => 0.0,
            TetraLaw::Corotated => 4.0 * mu / sum.max(EDGE),
        }
    };
    let block = |m: usize, n: usize| {
        let same = b * s[m] * s[n] + lambda * c[m] * c[n];
        if m == n { same + a } else { same + p * s[3 - m - n] }
    };
    let column = |n: usize| DVec3::new(block(0, n), block(1, n), block(2, n));
    let (stretches, directions) = eigen(DMat3::from_cols(column(0), column(1), column(2)));
    Principal {
        twists: [0, 1, 2].map(|k| a + p * s[k] - edge(k)),
        flips: [0, 1, 2].map(|k| a - p * s[k]),
        stretches,
        directions,
    }
}

/// |F|².
fn square(f: DMat3) -> f64 {
    frobenius(f, f)
}

/// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations.
fn eigen(m: DMat3) -> (DVec3, DMat3) {
    let mut m = m.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if !(m[p][q].abs() > 1e-16 * (m[p][p].abs() + m[q][q].abs())) {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            for row in &mut m {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
            for k in 0..3 {
                (m[p][k], m[q][k]) = (cos * m[p][k] - sin * m[q][k], sin * m[p][k] + cos * m[q][k]);
                (v[p][k], v[q][k]) = (cos * v[p][k] - sin * v[q][k], sin * v[p][k] + cos * v[q][k]);
            }
        }
    }
    (DVec3::new(m[0][0], m[1][1], m[2][2]), DMat3::from_cols_array_2d(&v))
}
