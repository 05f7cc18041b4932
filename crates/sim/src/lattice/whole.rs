//! A body that wants to be a rigid copy of itself as a whole.

use glam::{DVec3, Vec3};

use super::damping::solved;
use super::rotation::{matrix, turn};
use crate::simd::LANES;

/// gᵢ = R(x⁰ᵢ − c⁰) + c, R next to Σ m(x − c)(x⁰ − c⁰)ᵀ. Müller and others 2005, eq. 3.
///
/// Σ m(g − x) = 0 and Σ m x × (g − x) = 0, as in [`super::ShapeMatching`] with one region.
#[derive(Clone, Debug)]
pub struct WholeMatching {
    /// x⁰ − c⁰. [m]
    rest: Vec<DVec3>,
    /// \[kg\]
    masses: Vec<f64>,
}

/// A body that is smaller than this part of itself at rest has no shape to find a rotation from.
const POINT: f64 = 1e-9;

/// A body on a line does not tell how fast it turns about that: less than this part of Σ m r² is
/// rounding error.
const FLAT: f64 = 1e-13;

impl WholeMatching {
    /// For points of these masses [kg] that rest at `rest`. [m]
    pub fn new(rest: &[Vec3], masses: &[f32]) -> Self {
        let masses: Vec<f64> = masses.iter().map(|&m| f64::from(m)).collect();
        let whole: f64 = masses.iter().sum();
        let sum: DVec3 = rest.iter().zip(&masses).map(|(p, &m)| p.as_dvec3() * m).sum();
        let centre = if whole > 0.0 { sum / whole } else { DVec3::ZERO };
        Self { rest: rest.iter().map(|p| p.as_dvec3() - centre).collect(), masses }
    }

    /// Where points at `at` are drawn to: a centre, and the rotation `q` (w, x, y, z), which goes
    /// on from the last one.
    pub fn goal(&self, at: impl Fn(usize) -> DVec3, q: &mut [f32; 4]) -> WholeGoal {
        let (centre, fit) = self.fit(&at);
        let least = POINT * self.spread();
        let mut lanes = [[0.5; LANES]; 4];
        lanes.iter_mut().zip(*q).for_each(|(to, c)| to[0] = f64::from(c));
        let mut all = [[0.0; LANES]; 9];
        all.iter_mut().zip(fit).for_each(|(to, value)| to[0] = value);
        turn(&all, &[least; LANES], &mut lanes);
        *q = lanes.map(|c| c[0] as f32);
        let rotation = matrix(&lanes).map(|r| r[0]);
        WholeGoal { centre, rotation }
    }

    /// The goal of a point. [m]
    pub fn of(&self, goal: &WholeGoal, i: usize) -> DVec3 {
        goal.centre + goal.turned(self.rest[i])
    }

    /// c, and Σ m(x − c)(x⁰ − c⁰)ᵀ row by row.
    fn fit(&self, at: &impl Fn(usize) -> DVec3) -> (DVec3, [f64; 9]) {
        let whole: f64 = self.masses.iter().sum();
        let sum: DVec3 = self.masses.iter().enumerate().map(|(i, &m)| at(i) * m).sum();
        let centre = if whole > 0.0 { sum / whole } else { DVec3::ZERO };
        let mut fit = [0.0; 9];
        for (i, (rest, &m)) in self.rest.iter().zip(&self.masses).enumerate() {
            let (p, r) = ((at(i) - centre) * m, rest.to_array());
            for (row, p) in fit.chunks_exact_mut(3).zip(p.to_array()) {
                row.iter_mut().zip(r).for_each(|(to, r)| *to += p * r);
            }
        }
        (centre, fit)
    }

    /// Σ m|x⁰ − c⁰|². [kg·m²]
    fn spread(&self) -> f64 {
        self.rest.iter().zip(&self.masses).map(|(r, &m)| m * r.length_squared()).sum()
    }

    /// Σ m|x − g|², without memory: c, A and the rotation from scratch. [kg·m²]
    pub(super) fn misfit(
        rest: &[Vec3],
        mass: impl Fn(usize) -> f64,
        at: impl Fn(usize) -> DVec3,
    ) -> f64 {
        let all = || rest.iter().enumerate();
        let whole: f64 = all().map(|(i, _)| mass(i)).sum();
        if !(whole > 0.0) {
            return 0.0;
        }
        let rest_centre = all().map(|(i, p)| p.as_dvec3() * mass(i)).sum::<DVec3>() / whole;
        let centre = all().map(|(i, _)| at(i) * mass(i)).sum::<DVec3>() / whole;
        let (mut fit, mut squares, mut spread) = ([[0.0; LANES]; 9], 0.0, 0.0);
        for (i, p) in all() {
            let (r, m) = (p.as_dvec3() - rest_centre, mass(i));
            let d = at(i) - centre;
            spread += m * r.length_squared();
            squares += m * (r.length_squared() + d.length_squared());
            for (k, to) in fit.iter_mut().enumerate() {
                to[0] += m * d[k / 3] * r[k % 3];
            }
        }
        let mut q = [[0.5; LANES]; 4];
        q.iter_mut().zip([1.0, 0.0, 0.0, 0.0]).for_each(|(to, c)| to[0] = c);
        turn(&fit, &[POINT * spread; LANES], &mut q);
        let kept: f64 = matrix(&q).iter().zip(&fit).map(|(r, a)| r[0] * a[0]).sum();
        (squares - 2.0 * kept).max(0.0)
    }

    /// The rigid motion that has the momentum and angular momentum of points at `at`.
    pub fn rigid(
        &self,
        at: impl Fn(usize) -> DVec3,
        velocity: impl Fn(usize) -> DVec3,
    ) -> RigidMotion {
        let whole: f64 = self.masses.iter().sum();
        let whole = if whole > 0.0 { whole } else { 1.0 };
        let sum = |of: &dyn Fn(usize) -> DVec3| -> DVec3 {
            self.masses.iter().enumerate().map(|(i, &m)| of(i) * m).sum::<DVec3>() / whole
        };
        let (centre, mean) = (sum(&at), sum(&velocity));
        let (mut squares, mut products, mut turning) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for (i, &m) in self.masses.iter().enumerate() {
            let r = at(i) - centre;
            squares += r * r * m;
            products += DVec3::new(r.x * r.y, r.x * r.z, r.y * r.z) * m;
            turning += r.cross(velocity(i) - mean) * m;
        }
        RigidMotion { centre, mean, spin: turned_by(squares, products, turning) }
    }
}

/// J⁻¹L, where J = Σ m(|r|² − r rᵀ) is given by Σ m x², … and Σ m xy, Σ m xz, Σ m yz.
pub(crate) fn turned_by(squares: DVec3, products: DVec3, turning: DVec3) -> DVec3 {
    let trace = squares.x + squares.y + squares.z;
    let inertia = (DVec3::splat(trace) - squares).to_array();
    let off = (-products).to_array();
    DVec3::from_array(solved(inertia, off, turning.to_array(), FLAT * trace))
}

/// u = v̄ + ω × (x − c).
#[derive(Clone, Copy, Debug)]
pub struct RigidMotion {
    centre: DVec3,
    mean: DVec3,
    spin: DVec3,
}

impl RigidMotion {
    /// Of a point at `x`. [m/s]
    pub fn at(&self, x: DVec3) -> DVec3 {
        self.mean + self.spin.cross(x - self.centre)
    }
}

/// Where a body is drawn to.
#[derive(Clone, Copy, Debug)]
pub struct WholeGoal {
    centre: DVec3,
    rotation: [f64; 9],
}

impl WholeGoal {
    fn turned(&self, r: DVec3) -> DVec3 {
        let [a, b, c, d, e, f, g, h, i] = self.rotation;
        DVec3::new(
            a * r.x + b * r.y + c * r.z,
            d * r.x + e * r.y + f * r.z,
            g * r.x + h * r.y + i * r.z,
        )
    }
}
