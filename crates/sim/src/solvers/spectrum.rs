//! The stiffest and the most damped mode of a model, by power iteration.

use glam::DVec3;

use crate::elements::{Gas, GasLaw, TieEnd};
use crate::forces::WindKind;
use crate::model::Model;
use crate::soa::Soa3;

use super::stability::Spectrum;

/// Steps of power iteration: enough for two digits of the largest eigenvalue of cloth.
const ITERATIONS: usize = 80;

/// Side of the corner blocks that stand for a large grid. The stiffest mode of a
/// uniform grid is a local one: a block this wide has it to within a percent.
const BLOCK: usize = 24;

/// K = Σ k g gᵀ + Σ q(g g′ᵀ + g′ gᵀ) and C = Σ c g gᵀ + diagonal over the particles that matter.
pub(super) struct Linearised {
    inverse_mass: Vec<f64>,
    terms: Vec<Term>,
    /// Pairs of terms that act together, and how stiffly.
    couplings: Vec<([usize; 2], f64)>,
    /// Of each gas ∂V/∂x of its particles, and how stiff its volume is.
    volumes: Vec<(Vec<(u32, DVec3)>, f64)>,
    /// Damping that acts on single particles. [kg/s]
    medium: Vec<f64>,
}

/// One rank-one term of the stiffness and damping matrices.
struct Term {
    corners: [u32; 4],
    gradient: [DVec3; 4],
    stiffness: f64,
    damping: f64,
}

impl Term {
    /// gᵀp.
    fn along(&self, p: &[DVec3]) -> f64 {
        self.present().map(|c| self.gradient[c].dot(p[self.corners[c] as usize])).sum()
    }

    /// y += g·pull.
    fn push(&self, pull: f64, y: &mut [DVec3]) {
        for c in self.present() {
            y[self.corners[c] as usize] += self.gradient[c] * pull;
        }
    }

    fn present(&self) -> impl Iterator<Item = usize> + '_ {
        (0..4).filter(|&c| self.corners[c] != ABSENT)
    }
}

/// K or C.
#[derive(Clone, Copy, Debug)]
enum Matrix {
    Stiffness,
    Damping,
}

/// Stands for a particle that is left out: it does not move.
const ABSENT: u32 = u32::MAX;

impl Linearised {
    /// Springs along their present direction at `x`.
    pub(super) fn new(model: &Model, x: &Soa3) -> Self {
        let compact = compact_numbers(model);
        let inverse_masses = inverse_masses_when_free(model);
        let mut out = Self {
            inverse_mass: each_kept(&compact, |i| inverse_masses[i]),
            medium: medium_damping(model, &compact),
            terms: Vec::new(),
            couplings: Vec::new(),
            volumes: volumes(model, x, &compact),
        };
        let mut spring = |a: usize, b: usize, stiffness: f32, damping: f32| {
            let n = (x.get(b) - x.get(a)).as_dvec3().normalize_or_zero();
            let corners = [compact[a], compact[b], ABSENT, ABSENT];
            out.add(corners, [-n, n, DVec3::ZERO, DVec3::ZERO], [stiffness, damping]);
        };
        for grid in &model.grids {
            grid.for_each_spring(|a, b, s| spring(a, b, s.stiffness, s.damping));
        }
        for s in model.springs.springs() {
            let [a, b] = s.ends.map(|e| e as usize);
            spring(a, b, s.params.stiffness, s.params.damping);
        }
        let mut hinges = Vec::new();
        model.bends.for_each_gradient(x, |bend, gradient| {
            let corners = bend.corners.map(|c| compact[c as usize]);
            // ∂²E/∂θ² = ½K cos(θ/2) ≤ ½K.
            let strength = [0.5 * bend.stiffness, bend.damping];
            hinges.push(out.terms.len());
            out.add(corners, gradient.map(|u| u.as_dvec3()), strength);
        });
        // A hinge of particles that are left out has no term; its number is the next one's.
        let term = |hinge: u32| hinges[hinge as usize];
        let there = |hinge: u32| {
            let next = hinges.get(hinge as usize + 1).copied().unwrap_or(out.terms.len());
            next > term(hinge)
        };
        for coupling in model.bends.couplings().iter().filter(|c| c.hinges.into_iter().all(there)) {
            out.couplings.push((coupling.hinges.map(term), f64::from(coupling.stiffness)));
        }
        model.membranes.for_each_strain(x, |t, k, [a, b, c]| {
            let [p, q, r] = t.corners.map(|c| compact[c as usize]);
            let gradient = [a, b, c, glam::Vec3::ZERO].map(|u| u.as_dvec3());
            let stiffness = t.area * t.stiffness[k];
            out.add([p, q, r, ABSENT], gradient, [stiffness, t.damping * stiffness]);
        });
        model.tetras.for_each_curvature(x, |t, curvature| {
            let corners = t.corners.map(|c| compact[c as usize]);
            for (value, pull) in curvature.values.into_iter().zip(curvature.pulls) {
                out.add(corners, pull, [value as f32, (t.damping * value) as f32]);
            }
        });
        out.add_ties(model, &compact);
        out
    }

    /// A tie pulls alike in all three directions.
    fn add_ties(&mut self, model: &Model, compact: &[u32]) {
        for tie in &model.ties {
            let far = match tie.end {
                TieEnd::Particle(p) => compact[p as usize],
                TieEnd::Anchor(_) => ABSENT,
            };
            let corners = [compact[tie.particle as usize], far, ABSENT, ABSENT];
            for axis in DVec3::AXES {
                let gradient = [-axis, axis, DVec3::ZERO, DVec3::ZERO];
                self.add(corners, gradient, [tie.stiffness, tie.damping]);
            }
        }
    }

    fn add(&mut self, corners: [u32; 4], gradient: [DVec3; 4], strength: [f32; 2]) {
        if corners.iter().any(|&c| c != ABSENT) {
            let [stiffness, damping] = strength.map(f64::from);
            self.terms.push(Term { corners, gradient, stiffness, damping });
        }
    }

    pub(super) fn spectrum(&self) -> Spectrum {
        let (omega_squared, mode) = self.largest(Matrix::Stiffness);
        let (gamma_max, _) = self.largest(Matrix::Damping);
        let gamma = self.rayleigh(Matrix::Damping, &mode);
        Spectrum { omega: omega_squared.sqrt(), gamma, gamma_max }
    }

    /// y = A p.
    fn multiply(&self, matrix: Matrix, p: &[DVec3]) -> Vec<DVec3> {
        let mut y: Vec<DVec3> = match matrix {
            Matrix::Stiffness => vec![DVec3::ZERO; p.len()],
            Matrix::Damping => p.iter().zip(&self.medium).map(|(p, d)| *p * *d).collect(),
        };
        for term in &self.terms {
            let strength = match matrix {
                Matrix::Stiffness => term.stiffness,
                Matrix::Damping => term.damping,
            };
            term.push(strength * term.along(p), &mut y);
        }
        if matches!(matrix, Matrix::Stiffness) {
            for &([a, b], stiffness) in &self.couplings {
                let (a, b) = (&self.terms[a], &self.terms[b]);
                a.push(stiffness * b.along(p), &mut y);
                b.push(stiffness * a.along(p), &mut y);
            }
            for (slopes, stiffness) in &self.volumes {
                let along: f64 = slopes.iter().map(|(i, s)| s.dot(p[*i as usize])).sum();
                slopes.iter().for_each(|(i, s)| y[*i as usize] += *s * (stiffness * along));
            }
        }
        y
    }

    /// Largest eigenvalue of M⁻¹A and its vector.
    fn largest(&self, matrix: Matrix) -> (f64, Vec<DVec3>) {
        // A start with every frequency in it, the same on every machine.
        let start = |i: usize, w: f64| {
            let at = |k: usize| ((i * 7919 + k * 104_729) % 1009) as f64 / 504.5 - 1.0;
            DVec3::new(at(1), at(2), at(3)) * if w > 0.0 { 1.0 } else { 0.0 }
        };
        let mut p: Vec<DVec3> =
            self.inverse_mass.iter().enumerate().map(|(i, &w)| start(i, w)).collect();
        let mut value = 0.0;
        for _ in 0..ITERATIONS {
            let length = norm(&p);
            if length == 0.0 || !length.is_finite() {
                return (0.0, p);
            }
            p.iter_mut().for_each(|p| *p /= length);
            let y = self.multiply(matrix, &p);
            p = y.iter().zip(&self.inverse_mass).map(|(y, w)| *y * *w).collect();
            value = norm(&p);
        }
        (value, p)
    }

    /// pᵀAp / pᵀMp.
    fn rayleigh(&self, matrix: Matrix, p: &[DVec3]) -> f64 {
        let y = self.multiply(matrix, p);
        let top: f64 = y.iter().zip(p).map(|(y, p)| y.dot(*p)).sum();
        let moving = p.iter().zip(&self.inverse_mass).filter(|(_, w)| **w > 0.0);
        let bottom: f64 = moving.map(|(p, w)| p.length_squared() / w).sum();
        if bottom > 0.0 { top / bottom } else { 0.0 }
    }
}

/// Gas at the start, by particles that are kept.
fn volumes(model: &Model, x: &Soa3, compact: &[u32]) -> Vec<(Vec<(u32, DVec3)>, f64)> {
    let at = |i: usize| x.get(i).as_dvec3();
    let of = |(k, gas): (usize, &Gas)| {
        let own = model.gases.particles(k).filter(|&i| compact[i] != ABSENT);
        let slopes = own.map(|i| (compact[i], model.gases.slope(i, at))).collect();
        (slopes, gas.at(0.0).stiffness(gas.volume(|v| at(v as usize))))
    };
    model.gases.obeying(GasLaw::Ideal).map(of).collect()
}

fn norm(p: &[DVec3]) -> f64 {
    p.iter().map(|p| p.length_squared()).sum::<f64>().sqrt()
}

/// New numbers of the particles that are kept: all but the inner ones of large grids.
fn compact_numbers(model: &Model) -> Vec<u32> {
    let mut kept = vec![true; model.particle_count()];
    for body in &model.bodies {
        let Some([ni, nj]) = body.grid else { continue };
        let near_end = |i: usize, n: usize| i < BLOCK || i + BLOCK >= n;
        for (local, particle) in body.particles.clone().enumerate() {
            kept[particle] = near_end(local % ni, ni) && near_end(local / ni, nj);
        }
    }
    // Ties make a place of its own stiffness wherever they are.
    for tie in &model.ties {
        kept[tie.particle as usize] = true;
        if let TieEnd::Particle(p) = tie.end {
            kept[p as usize] = true;
        }
    }
    let mut next = 0;
    kept.iter()
        .map(|&kept| {
            if kept {
                next += 1;
                next - 1
            } else {
                ABSENT
            }
        })
        .collect()
}

/// 1/m with the particles free that are let go some time.
fn inverse_masses_when_free(model: &Model) -> Vec<f64> {
    let mut out: Vec<f64> = model.inverse_mass.iter().map(|&w| f64::from(w)).collect();
    for hold in model.holds.iter().filter(|hold| hold.until < f64::INFINITY) {
        let mass = f64::from(model.mass[hold.particle as usize]);
        out[hold.particle as usize] = if mass > 0.0 { 1.0 / mass } else { 0.0 };
    }
    for hold in model.holds.iter().filter(|hold| hold.until == f64::INFINITY) {
        out[hold.particle as usize] = 0.0;
    }
    out
}

fn each_kept(compact: &[u32], value: impl Fn(usize) -> f64) -> Vec<f64> {
    compact.iter().enumerate().filter(|(_, c)| **c != ABSENT).map(|(i, _)| value(i)).collect()
}

/// Diagonal of C that does not come from springs: −b v, and the air at its mean wind.
fn medium_damping(model: &Model, compact: &[u32]) -> Vec<f64> {
    let wind: f64 = model.wind.iter().map(|w| f64::from(gust(&w.kind))).sum();
    // d/dv of c|v·n|v at v = wind is at most 2c|wind|.
    each_kept(compact, |i| {
        f64::from(model.damping[i]) + 2.0 * f64::from(model.drag[i] + model.lift[i]) * wind
    })
}

/// A speed that the wind seldom passes. [m/s]
fn gust(wind: &WindKind) -> f32 {
    match wind {
        WindKind::Uniform { velocity } => velocity.length(),
        WindKind::Turbulent { mean, turbulence } => mean.length() + 3.0 * turbulence.rms(),
        WindKind::Force { .. } => 0.0,
    }
}
